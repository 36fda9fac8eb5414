// RUN: %levels %s double 0.8 1.3 -0.4 2.1
// Jumps to labels whose addresses stand in tables or variables, also as distances, and jumps that assembly makes.
#include "source.h"
#include <math.h>

/* An interpreter whose instructions lead to each other, with values that live across them. */
static double run(const unsigned char *code, double x, double y) {
    static const void *const table[] = {&&stop, &&add, &&multiply, &&square, &&exchange};
    double a = x, b = y;
    goto *table[*code];
add:
    a += b;
    goto *table[*++code];
multiply:
    a *= b;
    goto *table[*++code];
square:
    a = a * a + 1.0;
    goto *table[*++code];
exchange: {
    double t = a;
    a = b;
    b = t;
}
    goto *table[*++code];
stop:
    return a - b;
}
/* A state machine in a loop, with a label in a variable, and one named twice. */
static double states(const double *x, int n) {
    static const int distances[] = {0, &&falling - &&rising, 0};
    const void *next = &&rising;
    double level = 1, sum = 0;
    for (int i = 0; i < n; i++) {
        goto *next;
    rising:
        level *= 1.0 + 0.1 * x[i];
        next = &&rising + distances[(i + 1) % 3];
        goto done;
    falling:
        level -= sin(level) * x[i];
        next = &&rising + distances[i % 3];
    done:
        sum += level * level;
    }
    return sum;
}
static int is_even(int k) {
    __asm__ goto("test $1, %0; jnz %l1" : : "r"(k) : "cc" : odd);
    return 1;
odd:
    return 0;
}
static int larger(int k, int m) {
    __asm__ goto("cmp %1, %0; jg %l2; je %l3" : : "r"(k), "r"(m) : "cc" : more, same);
    return -1;
more:
    return 1;
same:
    return 0;
}
static double assembly(const double *x, int n) {
    double s = 0;
    for (int i = 0; i < n; i++) {
        double v = x[i] * x[i] * (is_even(i) ? 1.0 : x[0]);
        int way = larger(i, 2);
        s += way > 0 ? v * v : way == 0 ? sin(v) : exp(v);
    }
    return s;
}
static double f(const double *x, int n) {
    static const unsigned char code[] = {1, 2, 4, 3, 1, 4, 2, 0}, other[] = {3, 3, 2, 4, 1, 0};
    return run(code, x[0], x[1]) * run(other, x[2], x[3]) + states(x, n) + assembly(x, n);
}
REQUESTS(f)
