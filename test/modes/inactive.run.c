/* Functions declared inactive, by annotation in both spellings and by a list, keep their value and lose their derivative. */
// RUN: %clang -O0 %include -fpass-plugin=%plugin %s -o %t %runtime && %t
// RUN: %clang -O2 %include -fpass-plugin=%plugin %s -o %t %runtime && %t
#include <stdio.h>

#include "backsweep.h"

__attribute__((annotate("backsweep_inactive"))) void note(double x);
__attribute__((annotate("enzyme_inactive"), noinline)) double weight(double x) { return x; }
double far(double x);
void *__backsweep_inactive_far[] = {(void *)far};

double f(double x) {
    note(x);
    return x * x * weight(x) * far(x);
}

void note(double x) { printf("at %g\n", x); }
double far(double x) { return x - 2; }

int main(void) {
    /* 2 x weight(x) far(x) at 3, with both factors constant. */
    double gradient = __backsweep_gradient((void *)f, 3.0);
    printf("%g\n", gradient);
    return gradient != 18;
}
