/* Rows that lie in lists of the function's own: what is read through one list is not overwritten through another, and is read again on the way back.
 * Where rows change places between lists, lie in two, or go from one to the other in the memory of a struct, they may be one row. */
// RUN: %clang -O1 -Xclang -disable-llvm-passes -S -emit-llvm %include %s -o %t.ll
// RUN: %opt '-passes=print<backsweep-plan>' -disable-output %t.ll 2>&1 | FileCheck %s
// RUN: %clang -O0 %pass %include %s -o %t.O0 -lm %runtime && %t.O0
// RUN: %clang -O2 %pass %include %s -o %t.O2 -lm %runtime && %t.O2
// RUN: %clang -O3 -march=x86-64-v3 %pass %include %s -o %t.v3 -lm %runtime && %t.v3
// RUN: %clang -O1 -fsanitize=address %pass %include %s -o %t.asan -lm %runtime && %t.asan
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "backsweep.h"

#define N 5
#include "Inputs/differences.h"
#include "Inputs/rows.h"

static void square(double **c, double **a)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            double sum = 0;
            for (int k = 0; k < N; k++)
                sum += a[i][k] * a[k][j];
            c[i][j] = sum;
        }
}

// CHECK-LABEL: plan gradient backsweep.primal.two_lists
// Where a row lies is recorded, and of it no number.
// CHECK-NOT: records %{{[0-9]+}}, %
// CHECK-LABEL: plan gradient
static double two_lists(const double *x)
{
    double **a = make(), **c = make();
    fill(a, x);
    square(c, a);
    double r = trace(c);
    end(a);
    end(c);
    return r;
}

static double swapped_rows(const double *x)
{
    double **a = make(), **c = make();
    fill(a, x);
    for (int i = 0; i < N; i += 2) {
        double *row = a[i];
        a[i] = c[i];
        c[i] = row;
    }
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            a[i][j] += c[(i + 1) % N][j] * a[(i + 2) % N][j] + c[i][j] * c[i][j];
    double r = trace(a);
    end(a);
    end(c);
    return r;
}

static double rows_in_both(const double *x)
{
    double **a = make(), *c[N];
    fill(a, x);
    memcpy(c, a, sizeof c);
    for (int i = 1; i < N; i++)
        for (int j = 0; j < N; j++)
            c[i][j] = a[i][j] * c[i - 1][j] * a[i][(j + 1) % N];
    double r = trace(a);
    end(a);
    return r;
}

struct table {
    double **rows;
    int count;
};

static double one_table_twice(const double *x)
{
    struct table a = {make(), N}, c = a;
    fill(a.rows, x);
    for (int i = 1; i < c.count; i++)
        for (int j = 0; j < c.count; j++)
            c.rows[i][j] = a.rows[i][j] * a.rows[i][j] * c.rows[i - 1][j];
    double r = trace(a.rows);
    end(a.rows);
    return r;
}

static void exchange(double ***a, double ***b)
{
    double **c = *a;
    *a = *b;
    *b = c;
}

static double exchanged_lists(const double *x)
{
    double **a = make(), **c = make();
    fill(a, x);
    for (int t = 0; t < 3; t++) {
        square(c, a);
        exchange(&a, &c);
    }
    double r = trace(a) + trace(c);
    end(a);
    end(c);
    return r;
}

__attribute__((noinline)) static void keep(double **list, double *row) { list[1] = row; }

static double given_away(const double *x)
{
    double **a = make(), **c = make();
    fill(a, x);
    free(c[1]);
    keep(c, a[2]);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            c[i][j] += a[i][j] * a[(i + 1) % N][j] * a[2][j];
    double r = trace(a) + trace(c);
    c[1] = NULL;
    end(a);
    end(c);
    return r;
}

int main(void)
{
    const double x[N] = {0.3, -0.2, 0.5, 0.1, -0.4};
    int wrong = 0;
    CHECK(two_lists);
    CHECK(swapped_rows);
    CHECK(rows_in_both);
    CHECK(one_table_twice);
    CHECK(exchanged_lists);
    CHECK(given_away);
    return wrong;
}
