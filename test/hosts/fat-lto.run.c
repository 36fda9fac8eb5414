/* -ffat-lto-objects runs the pipeline twice over one module: the object code and the bitcode in it must both
 * be right, so the same object file is linked both ways. */
// DEFINE: %{level} =
// DEFINE: %{check} = %clang_lto %{level} -flto=full -ffat-lto-objects %include %pass -c %S/c.run.c -o %t.o && \
// DEFINE:   %clang_lto %{level} -flto=full -ffat-lto-objects %include -c %S/c.run.c -o %t.plain.o && \
// DEFINE:   %clang -c %stub -o %t.stub.o && \
// DEFINE:   %clang %t.o -o %t.object %runtime && \
// DEFINE:   %clang %t.plain.o %t.stub.o -o %t.object.plain -lm && \
// DEFINE:   %same_primal %t.object %t.object.plain && \
// DEFINE:   %clang_lto %{level} -flto=full -ffat-lto-objects %link_pass %t.o -o %t.bitcode %runtime && \
// DEFINE:   %clang_lto %{level} -flto=full -ffat-lto-objects %t.plain.o %t.stub.o -o %t.bitcode.plain -lm && \
// DEFINE:   %same_primal %t.bitcode %t.bitcode.plain
// REDEFINE: %{level} = -O0
// RUN: %{check}
// REDEFINE: %{level} = -O2
// RUN: %{check}
