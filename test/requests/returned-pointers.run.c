/* A function that returns a pointer: what the hook is declared to return says whether the shadow is asked for. */
// RUN: %clang -O0 -g %pass %s -o %t %runtime && %t
// RUN: %clang -O1 %pass %s -o %t %runtime && %t
// RUN: %clang -O3 %pass %s -o %t %runtime && %t
// RUN: %clang -O3 -ffast-math %pass %s -o %t %runtime && %t
#include <math.h>
#include <stdlib.h>

int enzyme_dup, enzyme_const, enzyme_primal_return;
struct halves { void *tape; double *p, *dp; };
struct halves __enzyme_augmentfwd(void *, ...);
struct alone { void *tape; double *p; };
struct alone __enzyme_augmentfwd_alone(void *, ...);
void __enzyme_reverse(void *, ...);
double *__enzyme_fwddiff(void *, ...);
struct both { double *p, *dp; };
struct both __enzyme_fwddiff_both(void *, ...);

/* The memory is made inside. */
static double *made(const double *x, int n)
{
    double *p = malloc(n * sizeof *p);
    for (int i = 0; i < n; i++)
        p[i] = x[i] * x[i] * x[0];
    return p;
}

/* The memory is the caller's. */
static double *largest(double *x, int n)
{
    double *best = x;
    for (int i = 0; i < n; i++) {
        x[i] *= x[i];
        if (x[i] > *best)
            best = x + i;
    }
    return best;
}

struct node { double v; struct node *next; };
static struct node *chained(const double *x, int n)
{
    struct node *head = NULL;
    for (int i = 0; i < n; i++) {
        struct node *fresh = malloc(sizeof *fresh);
        fresh->v = sin(x[i]);
        fresh->next = head;
        head = fresh;
    }
    return head;
}

static int far(double a, double b) { return !(fabs(a - b) < 1e-12); }

int main(void)
{
    double x[3] = {2, 3, 0.5}, dx[3] = {0};
    struct halves h = __enzyme_augmentfwd((void *)made, enzyme_dup, x, dx, enzyme_const, 3);
    if (far(h.p[1], 18) || h.dp == h.p) return 1;
    for (int i = 0; i < 3; i++) {
        if (h.dp[i] != 0) return 2;
        h.dp[i] = i + 1;
    }
    x[1] = 7;
    __enzyme_reverse((void *)made, enzyme_dup, x, dx, enzyme_const, 3, h.tape);
    if (far(dx[0], 3 * 4 + 2 * 9 + 3 * 0.25) || far(dx[1], 2 * 2 * 3 * 2) || far(dx[2], 3 * 2 * 0.5 * 2)) return 3;

    double y[3] = {2, 3, 0.5}, dy[3] = {0};
    h = __enzyme_augmentfwd((void *)largest, enzyme_dup, y, dy, enzyme_const, 3);
    if (h.p != y + 1 || h.dp != dy + 1) return 4;
    *h.dp = 1;
    __enzyme_reverse((void *)largest, enzyme_dup, y, dy, enzyme_const, 3, h.tape);
    if (dy[0] != 0 || far(dy[1], 6) || dy[2] != 0) return 5;

    double z[3] = {2, 3, 0.5}, dz[3] = {1, 10, 100};
    double *tangent = __enzyme_fwddiff((void *)largest, enzyme_dup, z, dz, enzyme_const, 3);
    if (tangent != dz + 1 || far(*tangent, 60)) return 6;
    struct both b = __enzyme_fwddiff_both((void *)made, enzyme_primal_return, enzyme_dup, z, dz, enzyme_const, 3);
    if (far(b.p[2], 0.25 * 0.25 * 4) || far(b.dp[2], 2 * 0.25 * 100 * 4 + 0.0625 * 4)) return 7;

    double v[3] = {0.1, 0.2, 0.3}, dv[3] = {0};
    struct halves list = __enzyme_augmentfwd((void *)chained, enzyme_dup, v, dv, enzyme_const, 3);
    double weight = 1;
    for (struct node *at = (struct node *)list.dp; at; at = at->next)
        at->v = weight++;
    __enzyme_reverse((void *)chained, enzyme_dup, v, dv, enzyme_const, 3, list.tape);
    for (int i = 0; i < 3; i++)
        if (far(dv[i], (3 - i) * cos(v[i]))) return 8;

    /* Without room for it no shadow is asked for. */
    double w[3] = {2, 3, 0.5}, dw[3] = {0, 1, 0};
    struct alone a = __enzyme_augmentfwd_alone((void *)largest, enzyme_dup, w, dw, enzyme_const, 3);
    __enzyme_reverse((void *)largest, enzyme_dup, w, dw, enzyme_const, 3, a.tape);
    return a.p != w + 1 || far(dw[1], 6) ? 9 : 0;
}
