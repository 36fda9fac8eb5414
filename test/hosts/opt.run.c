/* opt -load-pass-plugin: the pass alone and inside each default pipeline, then code generation by llc.
 * The C file of the clang host supplies the program; here clang only translates it. */
// DEFINE: %{pipeline} =
// DEFINE: %{plain} =
// DEFINE: %{check} = %opt -passes='%{pipeline}' %t.ll -o %t.with.bc && \
// DEFINE:   %llc -O2 -filetype=obj -relocation-model=pic %t.with.bc -o %t.with.o && \
// DEFINE:   %clang %t.with.o -o %t.with %runtime && \
// DEFINE:   %opt_plain -passes='%{plain}' %t.ll -o %t.without.bc && \
// DEFINE:   %llc -O2 -filetype=obj -relocation-model=pic %t.without.bc -o %t.without.o && \
// DEFINE:   %clang %t.without.o %stub -o %t.without -lm && \
// DEFINE:   %same_primal %t.with %t.without
// RUN: %clang -O1 -Xclang -disable-llvm-passes %include -S -emit-llvm %S/c.run.c -o %t.ll
// REDEFINE: %{pipeline} = backsweep
// REDEFINE: %{plain} = verify
// RUN: %{check}
// REDEFINE: %{pipeline} = default<O0>
// REDEFINE: %{plain} = default<O0>
// RUN: %{check}
// REDEFINE: %{pipeline} = default<O1>
// REDEFINE: %{plain} = default<O1>
// RUN: %{check}
// REDEFINE: %{pipeline} = default<O2>
// REDEFINE: %{plain} = default<O2>
// RUN: %{check}
// REDEFINE: %{pipeline} = default<O3>
// REDEFINE: %{plain} = default<O3>
// RUN: %{check}
// REDEFINE: %{pipeline} = default<Os>
// REDEFINE: %{plain} = default<Os>
// RUN: %{check}

/* Running the pass a second time finds no request and changes nothing. */
// RUN: %opt -passes=backsweep %t.ll -S -o %t.once.ll
// RUN: %opt -passes=backsweep %t.once.ll -S -o %t.twice.ll
/* Comments hold the file's name, and predecessors in an order that reading the text changes. */
// RUN: sed 's/;.*//' %t.once.ll > %t.once.txt
// RUN: sed 's/;.*//' %t.twice.ll > %t.twice.txt
// RUN: diff %t.once.txt %t.twice.txt
