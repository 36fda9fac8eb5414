/* Rules of the user's own, in both spellings: floats by value, pointers, tapes of several types, results that come back
   in registers of other types or through memory; in a loop, behind recursion, and asked for by themselves. The rules
   are wrong by a factor, which shows that they are what is called. */
// RUN: %clang -O0 -g %include -fpass-plugin=%plugin %s -o %t %runtime && %t
// RUN: %clang -O2 %include -fpass-plugin=%plugin %s -o %t %runtime && %t
// RUN: %clang -O3 -ffast-math %include -fpass-plugin=%plugin %s -o %t %runtime && %t
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "backsweep.h"

double __enzyme_autodiff(void *, ...);
int enzyme_dup;

static int near(double a, double b, const char *w) {
    if (fabs(a - b) <= 1e-6 * (1 + fabs(b))) return 1;
    printf("%s: %.12g but %.12g\n", w, a, b);
    return 0;
}

/* A cube whose rule says seven times the truth, with the square on a tape. */
static double cube(double x) { return x * x * x; }
struct kept { double square, result; };
static struct kept cube_kept(double x) { struct kept k = {x * x, x * x * x}; return k; }
static double cube_back(double x, double d, double square) { return 7 * 3 * square * d; }
struct pair { double value, slope; };
static struct pair cube_along(double x, double dx) { struct pair p = {x * x * x, 7 * 3 * x * x * dx}; return p; }
void *__backsweep_rule_reverse_cube[] = {(void *)cube, (void *)cube_kept, (void *)cube_back};
void *__backsweep_rule_forward_cube[] = {(void *)cube, (void *)cube_along};

static double sum(double x, int n) { double s = x; for (int i = 0; i < n; i++) s += sin(cube(s) + i); return s; }
/* The truth for a program that calls such a cube. */
static double slope(double x, int n) {
    double s = x, d = 1;
    for (int i = 0; i < n; i++) { double a = cos(s * s * s + i) * 7 * 3 * s * s; s += sin(s * s * s + i); d += a * d; }
    return d;
}

/* Memory: the rule doubles, and frees a tape that it allocated. */
static int kept_now, kept_ever;
void scale(double *a, const double *b, int n) { for (int i = 0; i < n; i++) a[i] *= b[i]; }
static double *scale_kept(double *a, double *da, const double *b, double *db, int n) {
    double *tape = malloc(2 * n * sizeof(double));
    kept_now++; kept_ever++;
    for (int i = 0; i < n; i++) { tape[i] = a[i]; tape[n + i] = b[i]; a[i] *= b[i]; }
    return tape;
}
static void scale_back(double *a, double *da, const double *b, double *db, int n, double *tape) {
    for (int i = 0; i < n; i++) { double d = da[i]; da[i] = 2 * d * tape[n + i]; db[i] += 2 * d * tape[i]; }
    free(tape);
    kept_now--;
}
void *__enzyme_register_gradient_scale[] = {(void *)scale, (void *)scale_kept, (void *)scale_back};

static double rec(double *a, double *b, int n) {
    if (n == 0) return a[0];
    double save[2] = {a[0] * n, b[0]};
    scale(a, save, 1);
    double r = rec(a + 1, b, n - 1);
    scale(save, b, 2);
    return r + save[0] * a[0] + save[1];
}
/* Single floats: pairs come back in one register, three numbers through memory. */
static float norm3(float x, float y, float z) { return sqrtf(x * x + y * y + z * z); }
struct f2 { float tape, result; };
struct f3 { float x, y, z; };
static struct f2 norm3_kept(float x, float y, float z) { float n = norm3(x, y, z); struct f2 k = {n, n}; return k; }
static struct f3 norm3_back(float x, float y, float z, float d, float n) { struct f3 g = {3 * d * x / n, 3 * d * y / n, 3 * d * z / n}; return g; }
static struct f2 norm3_along(float x, float dx, float y, float dy, float z, float dz) {
    float n = sqrtf(x * x + y * y + z * z);
    struct f2 p = {n, 3 * (x * dx + y * dy + z * dz) / n};
    return p;
}
void *__backsweep_rule_reverse_norm[] = {(void *)norm3, (void *)norm3_kept, (void *)norm3_back};
void *__backsweep_rule_forward_norm[] = {(void *)norm3, (void *)norm3_along};
static float use3(float x, float y, float z) { return norm3(x, y, z) * norm3(z, x, 1); }

/* A large tape by value, and three results: both through memory. */
static double poly(double a, double b, double c) { return a * b * c + a; }
struct large { struct { double a[3]; char tag; } tape; double result; };
static struct large poly_kept(double a, double b, double c) { struct large l = {{{a, b, c}, 'x'}, a * b * c + a}; return l; }
struct d3 { double a, b, c; };
typedef struct { double a[3]; char tag; } kept_here;
static struct d3 poly_back(double a, double b, double c, double d, kept_here tape) {
    double *t = tape.a, f = tape.tag == 'x' ? 5 : 0;
    struct d3 g = {f * d * (t[1] * t[2] + 1), f * d * t[0] * t[2], f * d * t[0] * t[1]};
    return g;
}
void *__backsweep_rule_reverse_poly[] = {(void *)poly, (void *)poly_kept, (void *)poly_back};
static double use_poly(double a, double b, double c, int n) { for (int i = 0; i < n; i++) a = poly(a, b, c) * c; return a; }

/* Without a body, and with a format and a callback, which get no shadow. */
double far_off(const char *how, double (*g)(double), double x);
static double far_kept(const char *how, const char *dhow, double (*g)(double), double (*dg)(double), double x) {
    return dhow || dg ? 0 : x * x;
}
static double far_back(const char *how, const char *dhow, double (*g)(double), double (*dg)(double), double x, double d) {
    return how[0] == 'x' && !dhow && !dg ? 11 * d : 0;
}
void *__backsweep_rule_reverse_far[] = {(void *)far_off, (void *)far_kept, (void *)far_back};
static double use_far(double x) { return far_off("xy", cube, x) * x; }

int main(void) {
    int ok = 1;
    ok &= near(__backsweep_gradient((void *)sum, 0.4, 5), slope(0.4, 5), "sum");
    ok &= near(__backsweep_tangent((void *)sum, 0.4, 1.0, 5), slope(0.4, 5), "sum, forward");
    ok &= near(__backsweep_gradient((void *)cube, 2.0), 84, "cube");
    ok &= near(__backsweep_tangent((void *)cube, 2.0, 1.0), 84, "cube, forward");
    void *tape = __backsweep_augmented((void *)sum, 0.4, 5);
    ok &= near(__backsweep_reverse((void *)sum, 0.4, 5, 1.0, tape), slope(0.4, 5), "sum, split");

    double a[3] = {1.5, 0.5, 2}, b[2] = {3, 4}, da[3] = {1, 0, 10}, db[2] = {0, 0};
    __enzyme_autodiff((void *)scale, enzyme_dup, a, da, enzyme_dup, b, db, 2);
    ok &= near(a[0], 4.5, "a0") & near(da[0], 6, "da0") & near(da[1], 0, "da1") & near(da[2], 10, "da2") & near(db[0], 3, "db0");

    /* rec(a, b, 1) is a1 + (a0 b0) (a0 a0) + b0 b1, each product with its slope doubled but that of the returned sum. */
    double r[2] = {1.3, 0.7}, dr[2] = {0, 0}, q[2] = {0.6, 1.1}, dq[2] = {0, 0};
    __backsweep_gradient((void *)rec, r, dr, q, dq, 1);
    ok &= near(dr[0], 2 * q[0] * 1.3 * 1.3 + 1.3 * q[0] * 2 * (1.3 + 1.3), "rec a0") & near(dr[1], 1, "rec a1");
    ok &= near(dq[0], 2 * 1.3 * 1.3 * 1.3 + 2 * q[1], "rec b0") & near(dq[1], 2 * q[0], "rec b1");
    ok &= near(kept_now, 0, "tapes alive") & near(kept_ever, 3, "tapes made");

    extern struct f3 __backsweep_gradient_f3(void *, ...);
    extern struct d3 __backsweep_gradient_d3(void *, ...);
    struct f3 g = __backsweep_gradient_f3((void *)use3, 1.f, 2.f, 2.f);
    double m = sqrt(6.), n = 3;
    ok &= near(g.x, 3 * (1 / n * m + n * 1 / m), "norm x") & near(g.y, 3 * 2 / n * m, "norm y") & near(g.z, 3 * (2 / n * m + n * 2 / m), "norm z");
    ok &= near(__backsweep_tangent_float((void *)use3, 1.f, 1.f, 2.f, 0.f, 2.f, 0.f), g.x, "norm, forward");
    ok &= near(__backsweep_gradient((void *)use_far, 3.0), 11 * 3 + 9, "far");
    /* use_poly(a, b, c, 1) = (a b c + a) c, the slope of poly five times the truth. */
    struct d3 p = __backsweep_gradient_d3((void *)use_poly, 1.5, 2.0, 0.5, 1);
    ok &= near(p.a, 5 * (2 * .5 + 1) * .5, "poly a") & near(p.b, 5 * 1.5 * .5 * .5, "poly b") & near(p.c, 5 * 1.5 * 2 * .5 + 3, "poly c");
    /* Twice: a2 = (a1 b c + a1) c. */
    double a1 = 1.5, pa = 5 * (2 * .5 + 1) * .5;
    p = __backsweep_gradient_d3((void *)use_poly, 1.5, 2.0, 0.5, 2);
    ok &= near(p.a, pa * pa, "poly a, twice") & near(p.b, pa * 5 * 1.5 * .25 + 5 * a1 * .25, "poly b, twice");
    puts(ok ? "all right" : "WRONG");
    return !ok;
}
double far_off(const char *how, double (*g)(double), double x) { return x * x; }
