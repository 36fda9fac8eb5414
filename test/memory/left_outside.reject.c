/* A pointer that code out of sight leaves in a variable leads nobody knows where: into active memory, too. */
// RUN: %refused %t.o %clang -g -O0 %include %pass -c %s > %t.text
// RUN: FileCheck %s < %t.text
// RUN: %refused %t2.o %clang -g -O2 %include %pass -c %s > %t2.text
// RUN: FileCheck %s < %t2.text
#include <stdio.h>

#include "backsweep.h"

/* Declared inactive for what it computes, which is no promise about where the memory comes from. */
__attribute__((annotate("backsweep_inactive"))) void get_work(double **work, int n);

static double in_work(double x, int n) {
    double *work;
    get_work(&work, n);
    // CHECK-DAG: left_outside.reject.c:[[@LINE+1]]:{{.*}}error: backsweep: the operation `store` touches active memory through a pointer that cannot be followed
    work[0] = x * x;
    return work[n];
}

static double cells[4];

static double in_sight(double x, int n) {
    double *found;
    get_work(&found, n);
    cells[1] = x * x;
    // CHECK-DAG: left_outside.reject.c:[[@LINE+1]]:{{.*}}error: backsweep: the operation `load` touches memory that cannot be followed
    return *found;
}

static double as_text(double x) {
    double cell[2] = {x, x * x}, *found = 0;
    char text[64];
    snprintf(text, sizeof text, "%p", (void *)&cell[1]);
    sscanf(text, "%p", (void **)&found);
    // CHECK-DAG: left_outside.reject.c:[[@LINE+1]]:{{.*}}error: backsweep: the operation `load` touches memory that cannot be followed
    return *found * cell[0];
}

struct grid {
    double *values;
    int n;
};

__attribute__((annotate("backsweep_inactive"))) void open_grid(struct grid *grid);

__attribute__((noinline)) static void prepare(struct grid *grid) {
    grid->n = 3;
    open_grid(grid);
}

/* Through a function that is seen, into a struct where nobody here puts a pointer. */
static double in_grid(double x) {
    struct grid grid;
    prepare(&grid);
    // CHECK-DAG: left_outside.reject.c:[[@LINE+1]]:{{.*}}error: backsweep: the operation `store` touches active memory through a pointer that cannot be followed
    grid.values[0] = x * x;
    return grid.values[grid.n];
}

double differentiate(double x, int n) {
    return __backsweep_gradient((void *)in_work, x, n) + __backsweep_gradient((void *)in_sight, x, n) +
           __backsweep_gradient((void *)as_text, x) + __backsweep_gradient((void *)in_grid, x);
}
