/* Random nests of loops that work in place in one array: what a later pass comes to again is not read again. */
// RUN: python3 %S/Inputs/nests.py 1 24 > %t.c
// RUN: %clang -O1 %pass %include -w %t.c -o %t %runtime -lm && %t
// RUN: python3 %S/Inputs/nests.py 2 24 > %t.c
// RUN: %clang -O3 %pass %include -w %t.c -o %t %runtime -lm && %t
