/* Structs by value: passed in memory to functions that stay calls and returned through memory, changed by the callee, in
 * memory that other pointers lead to; and passed to a hook, where the caller's own struct stays as it is. */
// RUN: %clang -O0 -g %include %pass %s -o %t %runtime && %t
// RUN: %clang -O2 %include %pass %s -o %t %runtime && %t
// RUN: %clang -O3 -ffast-math %include %pass %s -o %t %runtime && %t
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "backsweep.h"

struct v3 { double x, y, z; };

static struct v3 turn(struct v3 v, double t, int n) {
    if (n == 0) return v;
    struct v3 w = {v.x * cos(t) - v.y * sin(t), v.x * sin(t) + v.y * cos(t), v.z * t};
    v.x *= 2;
    struct v3 u = turn(w, t * 0.9, n - 1);
    u.x += v.z * v.x;
    return u;
}
static double turned(double *x, double *t, int n) { struct v3 v = {x[0], x[1], x[2]}; v = turn(v, *t, n); return v.x * v.y + v.z; }

static double shrink(struct v3 v, int n) {
    if (n == 0) return v.x * v.y;
    v.x = v.x * v.z;
    double rest = shrink(v, n - 1);
    return rest + v.x;
}
static double shrunk(double *x, double *t, int n) { struct v3 v = {x[0], x[1], *t}; double s = 0; for (int i = 0; i < n; i++) s += shrink(v, i) * v.x; return s + v.x; }

struct mixed { double *p; double a[3]; float f[2]; };
static double walk(struct mixed m, int n) {
    if (n == 0) return m.a[0] * m.p[0];
    m.a[0] *= m.a[1];
    m.p[0] += m.a[0] * m.f[1];
    m.p++;
    double rest = walk(m, n - 1);
    m.p--;
    return rest * m.p[0];
}
static double walked(double *x, double *p, int n) {
    struct mixed m = {p, {x[0], x[1], x[2]}, {.5f, .25f}};
    m.f[0] = 1;
    return walk(m, n) * m.a[0] + m.a[2] * m.a[2];
}

typedef double function(double *, double *, int);
static int same(double a, double b, const char *what) {
    if (fabs(a - b) <= 1e-7 * (1 + fabs(b))) return 1;
    printf("%s: %.12g but %.12g\n", what, a, b);
    return 0;
}

/* Both modes against central differences, and that what is passed by value is not changed. */
#define CHECK(F, N) do {                                                                                            \
    double g[7] = {0}, h = 1e-6;                                                                                    \
    double x[7] = {.3, .7, .2, .8, .25, .35, .45};                                                                  \
    __backsweep_gradient((void *)F, x, g, x + 3, g + 3, N);                                                         \
    for (int k = 0; k < 7; k++) {                                                                                   \
        double value[2], e[7] = {0};                                                                                \
        for (int s = 0; s < 2; s++) {                                                                               \
            double y[7] = {.3, .7, .2, .8, .25, .35, .45};                                                          \
            y[k] += s ? h : -h;                                                                                     \
            value[s] = F(y, y + 3, N);                                                                              \
        }                                                                                                           \
        double y[7] = {.3, .7, .2, .8, .25, .35, .45};                                                              \
        e[k] = 1;                                                                                                   \
        double slope = (value[1] - value[0]) / 2 / h;                                                               \
        ok &= same(g[k], slope, #F);                                                                                \
        ok &= same(__backsweep_tangent((void *)F, y, e, y + 3, e + 3, N), slope, #F ", forward");                   \
    }                                                                                                               \
} while (0)

int main(void) {
    int ok = 1;
    CHECK(turned, 3);
    CHECK(shrunk, 4);
    CHECK(walked, 3);
    struct v3 v = {2, 3, 4}, d = {0, 0, 0};
    __backsweep_gradient((void *)shrink, v, &d, 1);
    /* x z y + x z at (2, 3, 4). */
    ok &= same(v.x, 2, "the struct") & same(d.x, 16, "dx") & same(d.y, 8, "dy") & same(d.z, 8, "dz");
    void *tape = __backsweep_augmented((void *)shrink, v, &d, 1);
    __backsweep_reverse_void((void *)shrink, v, &d, 1, 1.0, tape);
    ok &= same(v.x, 2, "the struct") & same(d.x, 32, "dx, split") & same(d.y, 16, "dy, split") & same(d.z, 16, "dz, split");
    puts(ok ? "all right" : "WRONG");
    return !ok;
}
