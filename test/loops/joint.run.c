/* Time loops whose steps run twice: random ones, at two levels, and under AddressSanitizer, which would tell of a snapshot beyond an
 * array. */
// RUN: python3 %S/Inputs/joint.py 1 10 > %t.c
// RUN: %clang -O2 %pass %include -w %t.c -o %t %runtime -lm && %t
// RUN: python3 %S/Inputs/joint.py 2 10 > %t.c
// RUN: %clang -O1 -fsanitize=address %pass %include -w %t.c -o %t %runtime -lm && %t
