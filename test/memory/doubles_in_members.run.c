/* Doubles that are written and read through pointers to members that are declared to be integers, and move from struct to struct in
   between: the pointers are cast where they are handed over, or kept in a variable first. */
// DEFINE: %{level} =
// DEFINE: %{check} = %clang %{level} %include %pass %s -o %t %runtime -lm && %t
// REDEFINE: %{level} = -O0
// RUN: %{check}
// REDEFINE: %{level} = -O2
// RUN: %{check}
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "backsweep.h"

struct record {
    long word;
    int kind;
};

static void swap(struct record *a, struct record *b) {
    struct record kept = *a;
    *a = *b;
    *b = kept;
}

static void sort(struct record *records, int n) {
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++)
            if (records[j].kind < records[i].kind)
                swap(&records[i], &records[j]);
}

__attribute__((noinline)) static void put(void *to, double a) { *(double *)to = a * a; }
__attribute__((noinline)) static double get(const void *from) { return *(const double *)from; }

static double handed_over(const double *x, int n) {
    struct record *records = calloc(n, sizeof *records);
    double sum = 0;
    for (int i = 0; i < n; i++) {
        put(&records[i].word, x[i]);
        records[i].kind = i * 5 % n;
    }
    sort(records, n);
    for (int i = 0; i < n; i++)
        sum += get(&records[i].word) * (i + 1);
    free(records);
    return sum;
}

static double by_variables(const double *x, int n) {
    struct record *records = calloc(n, sizeof *records);
    double sum = 0;
    for (int i = 0; i < n; i++) {
        double *to = (double *)&records[i].word;
        *to = x[i] * x[i];
        records[i].kind = i * 5 % n;
    }
    sort(records, n);
    for (int i = 0; i < n; i++) {
        const double *from = (const double *)&records[i].word;
        sum += *from * (i + 1);
    }
    free(records);
    return sum;
}

static int failures;

static void check(const char *name, double (*f)(const double *, int), const double *d, double *x, int n) {
    for (int i = 0; i < n; i++) {
        double at = x[i], up = (x[i] = at + 1e-6, f(x, n)), down = (x[i] = at - 1e-6, f(x, n)), want = (up - down) / 2e-6;
        x[i] = at;
        if (!(fabs(d[i] - want) < 1e-6 * (1 + fabs(want)))) {
            printf("%s: %d: %.10g for %.10g\n", name, i, d[i], want);
            failures++;
        }
    }
}

int main(void) {
    double x[6] = {0.63, 0.41, 0.87, 0.52, 0.74, 0.35}, d[6] = {0}, e[6] = {0};
    __backsweep_gradient((void *)handed_over, bs_dup, x, d, 6);
    check("handed_over", handed_over, d, x, 6);
    __backsweep_gradient((void *)by_variables, bs_dup, x, e, 6);
    check("by_variables", by_variables, e, x, 6);
    return failures != 0;
}
