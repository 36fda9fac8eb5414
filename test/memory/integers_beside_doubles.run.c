/* Integers in the same words as doubles, of which a tag tells which they are, and numbers that are made of such integers. And a number that
 * is rounded by adding so large a one that the lower half of the bits is the integer. */
// DEFINE: %{level} =
// DEFINE: %{check} = %clang %{level} %include %pass %s -o %t %runtime -lm && %t
// REDEFINE: %{level} = -O0
// RUN: %{check}
// REDEFINE: %{level} = -O1
// RUN: %{check}
// REDEFINE: %{level} = -O3
// RUN: %{check}
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "backsweep.h"

enum { N = 5 };

struct property {
    char name[16];
    enum { REAL, INTEGER } type;
    union {
        double real;
        int integer;
    } value;
};

struct object {
    struct property properties[8];
    int count;
};

static struct property *add(struct object *o, const char *name, int type)
{
    struct property *p = &o->properties[o->count++];
    strcpy(p->name, name);
    p->type = type;
    return p;
}

static struct property *get(struct object *o, const char *name)
{
    for (int i = 0; i < o->count; i++)
        if (!strcmp(o->properties[i].name, name))
            return &o->properties[i];
    return 0;
}

static double number(const struct property *p)
{
    return p->type == REAL ? p->value.real : p->value.integer;
}

static double tagged(const double *x, int n)
{
    struct object o = {.count = 0};
    add(&o, "mass", REAL)->value.real = x[0];
    add(&o, "count", INTEGER)->value.integer = n - 2;
    add(&o, "length", REAL)->value.real = x[1] * x[2];
    add(&o, "power", INTEGER)->value.integer = 2;
    add(&o, "rate", REAL)->value.real = x[3];
    double sum = 0;
    for (int i = 0; i < get(&o, "count")->value.integer; i++)
        sum += number(get(&o, "mass")) * number(get(&o, "length")) * (i + 1);
    /* What was a number is an integer, and the other way round. */
    struct property *count = get(&o, "count"), *mass = get(&o, "mass");
    mass->type = INTEGER;
    mass->value.integer = 3;
    count->type = REAL;
    count->value.real = sum * x[4];
    for (int i = 0; i < o.count; i++)
        sum = sum * 0.5 + number(&o.properties[i]);
    return sum + pow(number(get(&o, "rate")), get(&o, "power")->value.integer);
}

static double rounded(const double *x, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) {
        union {
            double number;
            int halves[2];
        } u;
        u.number = 3 * x[i] + 6755399441055744.0;
        sum += (x[i] - u.halves[0]) * (x[i] - u.halves[0]) * (i + 1);
    }
    return sum;
}

static int check(const char *name, double (*f)(const double *, int), const double *gradient)
{
    double x[N] = {0.7, 1.3, -0.4, 0.9, 1.1};
    for (int i = 0; i < N; i++) {
        const double step = 1e-6, at = x[i];
        x[i] = at + step;
        double above = f(x, N);
        x[i] = at - step;
        double below = f(x, N);
        x[i] = at;
        double difference = (above - below) / (2 * step);
        if (!(fabs(difference - gradient[i]) <= 1e-7 * (1 + fabs(difference)))) {
            printf("%s, %d: %.12g, by differences %.12g\n", name, i, gradient[i], difference);
            return 1;
        }
    }
    return 0;
}

int main(void)
{
    double x[N] = {0.7, 1.3, -0.4, 0.9, 1.1}, of_tagged[N] = {0}, of_rounded[N] = {0};
    __backsweep_gradient_void((void *)tagged, x, of_tagged, N);
    __backsweep_gradient_void((void *)rounded, x, of_rounded, N);
    double seeds[N] = {1, -0.5, 0.25, 2, 0.125}, along = 0;
    for (int i = 0; i < N; i++)
        along += seeds[i] * of_tagged[i];
    double forward = __backsweep_tangent((void *)tagged, x, seeds, N);
    if (!(fabs(forward - along) <= 1e-12 * (1 + fabs(along))))
        return printf("forward %.12g, reverse %.12g\n", forward, along), 1;
    return check("tagged", tagged, of_tagged) + check("rounded", rounded, of_rounded);
}
