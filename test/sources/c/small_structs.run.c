// RUN: %levels %s float 0.8 1.3 -0.4 2.1
// Small structs by value and returned: int and float share a register, floats packed in pairs.
#include "source.h"
#include <math.h>
struct tagged { int kind; float weight; };
struct mixed { float a; int k; double b; };
struct pair { float re, im; };
struct trio { float x, y, z; };
struct dbl { double v; int n; };
struct flagged { double v; char on; };
struct id { short s; float f; };
static __attribute__((noinline)) struct tagged make(int k, float w) { struct tagged t = {k, w * w}; return t; }
static __attribute__((noinline)) double use(struct tagged t) { return t.kind * (double)t.weight + t.weight; }
static __attribute__((noinline)) struct mixed mk(double b, int k) { return (struct mixed){(float)b, k, b * b}; }
static __attribute__((noinline)) double um(struct mixed m) { return m.a * m.k + m.b; }
static __attribute__((noinline)) struct pair mul(struct pair p, struct pair q) { return (struct pair){p.re*q.re-p.im*q.im, p.re*q.im+p.im*q.re}; }
static __attribute__((noinline)) struct trio cross(struct trio a, struct trio b) { return (struct trio){a.y*b.z-a.z*b.y, a.z*b.x-a.x*b.z, a.x*b.y-a.y*b.x}; }
static __attribute__((noinline)) struct dbl dd(struct dbl d, int n) { d.v *= d.v + n; d.n += n; return d; }
static __attribute__((noinline)) struct flagged ff(struct flagged d) { d.v = d.on ? sin(d.v) : d.v; d.on = !d.on; return d; }
static __attribute__((noinline)) double ii(struct id d) { return d.s * d.f; }
static double f(const double *x, int n)
{
    double s = 0;
    for (int i = 0; i < n; i++) {
        struct tagged t = make(i, (float)x[i]);
        s += use(t);
        struct tagged u = t;
        u.kind += 2;
        s += use(u);
        s += um(mk(x[i], i));
        struct pair p = {(float)x[i], 0.5f}, q = {1, (float)x[0]};
        p = mul(p, q);
        s += p.re * p.im;
        struct trio a = {(float)x[0], (float)x[1], (float)x[2]}, b = {(float)x[i], 2, 3};
        a = cross(a, b);
        s += a.x + 2 * a.y + 3 * a.z * a.x;
        struct dbl d = {x[i], 2};
        d = dd(dd(d, 1), i);
        s += d.v / d.n;
        struct flagged g = {x[i], 1};
        g = ff(ff(g));
        s += g.v;
        s += ii((struct id){(short)i, (float)x[i]});
    }
    return s;
}
REQUESTS(f)
