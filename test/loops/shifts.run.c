/* Loops in one array whose places depend on numbers that the caller hands over: a test on entry tells whether what was read is there
 * still, and its version and the one without agree with forward mode, and with differences, for numbers on both sides of each bound. */
// RUN: python3 %S/Inputs/shifts.py 1 10 > %t.c
// RUN: %clang -O1 %pass %include -w %t.c -o %t %runtime -lm && %t
// RUN: python3 %S/Inputs/shifts.py 38 12 > %t.c
// RUN: %clang -O3 %pass %include -w %t.c -o %t %runtime -lm && %t
// RUN: python3 %S/Inputs/shifts.py 2 8 > %t.c
// RUN: %clang -O0 %pass %include -w %t.c -o %t %runtime -lm && %t
