/* An object has its own name, and that of every pointer to it that is found in memory: what is put there by one is found by the other,
   here or by a callee, so that all that is put there has a shadow. Counters that nobody follows need none. */
// RUN: %clang -O0 %include %pass %s -o %t %runtime && %t
// RUN: %clang -O2 %include %pass %s -o %t %runtime && %t
// RUN: %clang -O1 -g -fsanitize=address %include %pass %s -o %t %runtime && %t
#include <math.h>
#include <stdio.h>

#include "backsweep.h"

struct place {
    double *out;
};
struct holder {
    struct place *place;
    int *count;
};

/* By the found name, then read by the object's own. */
static double put_found(double x, int k)
{
    double one = 0, two = 0;
    struct place a = {&one}, b = {&one};
    struct place *all[2] = {&a, &b};
    all[k]->out = &two;
    *a.out += x * x;
    *b.out += 3 * x * x * x;
    return one + 2 * two;
}
/* By the object's own, then read by the found one. */
static double put_named(double x, int k)
{
    double one = 0, two = 0;
    struct place a = {&one}, b = {&one};
    struct place *all[2] = {&a, &b};
    *all[k]->out += x;
    a.out = &two;
    *all[k]->out += x * x;
    *all[1 - k]->out += 3 * x * x * x;
    return one + 2 * two;
}
static void add(struct place *p, double v, int n)
{
    if (n == 0)
        *p->out += v;
    else
        add(p, v * v, n - 1);
}
static void add_held(struct holder *h, double v, int n)
{
    if (n == 0)
        *h->place->out += v;
    else
        add_held(h, v * v, n - 1);
}
/* By the found name, and the callee is handed what stands in the object. */
static double hand_held(double x, int k)
{
    double one = 0, two = 0;
    struct place a = {&one}, b = {&two};
    struct holder first = {&a, 0}, second = {&a, 0};
    struct holder *all[2] = {&first, &second};
    all[k]->place = &b;
    add(first.place, x, 2);
    add(second.place, 3 * x, 1);
    return one + 2 * two;
}
/* By the found name, and the callee is handed the object. */
static double hand_object(double x, int k)
{
    double one = 0, two = 0;
    struct place a = {&one}, b = {&two};
    struct holder first = {&a, 0}, second = {&a, 0};
    struct holder *all[2] = {&first, &second};
    all[k]->place = &b;
    add_held(&first, x, 2);
    add_held(&second, 3 * x, 1);
    return one + 2 * two;
}
/* The callee is handed what stands in an object that was found itself, and never finds the counter. */
static double hand_deeper(double x, int k)
{
    int count = 2;
    double one = 0, two = 0;
    struct place a = {&one}, b = {&two};
    struct holder first = {&a, &count}, second = {&b, &count};
    struct holder *all[2] = {&first, &second};
    struct holder *p = all[k];
    add(p->place, x, 2);
    add(all[1 - k]->place, x, *p->count);
    return one + 2 * two;
}

static int check(const char *name, double (*f)(double, int), int k, double gradient, double tangent)
{
    double h = 1e-6, wanted = (f(1.1 + h, k) - f(1.1 - h, k)) / (2 * h);
    if (fabs(gradient - wanted) <= 1e-6 * fabs(wanted) && fabs(tangent - wanted) <= 1e-6 * fabs(wanted))
        return 0;
    printf("%s %d: %g and %g instead of %g\n", name, k, gradient, tangent, wanted);
    return 1;
}
#define CHECK(f)                                                                                                              \
    failures += check(#f, f, k, __backsweep_gradient((void *)f, 1.1, k), __backsweep_tangent((void *)f, 1.1, 1.0, k))

int main(void)
{
    int failures = 0;
    for (int k = 0; k < 2; k++) {
        CHECK(put_found);
        CHECK(put_named);
        CHECK(hand_held);
        CHECK(hand_object);
        CHECK(hand_deeper);
    }
    return failures;
}
