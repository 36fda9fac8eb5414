/* Structs that are handed to a hook by value, and travel through memory: their derivatives are returned, as those of floats are. */
// RUN: %clang -O0 -g %pass %s -o %t %runtime && %t
// RUN: %clang -O2 %pass %s -o %t %runtime && %t
// RUN: %clang -O3 -ffast-math %pass %s -o %t %runtime && %t
// RUN: %clang -O1 -fsanitize=address %pass %s -o %t %runtime && %t
// RUN: %clang -O2 -S -emit-llvm %s -o %t.ll && %opt -passes=backsweep %t.ll -o %t.bc && %clang %t.bc -o %t %runtime && %t
#include <math.h>

struct three { double x, y, z; };
struct ball { struct three at; double radius; };
struct row { double a[4]; int n; float scale; };
struct three_and { struct three d; double s; };
struct taped { void *tape; double value; };
struct lanes { struct three one, two; };

extern int enzyme_const, enzyme_dup, enzyme_out, enzyme_width, enzyme_primal_return;
struct three __enzyme_autodiff_three(void *, ...);
struct ball __enzyme_autodiff_ball(void *, ...);
struct row __enzyme_autodiff_row(void *, ...);
struct three_and __enzyme_autodiff_three_and(void *, ...);
double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);
struct three __enzyme_fwddiff_three(void *, ...);
struct lanes __enzyme_fwddiff_lanes(void *, ...);
struct taped __enzyme_augmentfwd(void *, ...);
struct three __enzyme_reverse_three(void *, ...);

static double form(struct three v) { return v.x * v.x + v.y * v.z; }
static double scaled(struct three v, double s) { return form(v) * s; }
static double between(struct ball b, struct three from)
{
    struct three d = {b.at.x - from.x, b.at.y - from.y, b.at.z - from.z};
    return form(d) * b.radius;
}
/* The function changes what is its own; the numbers that are no floats stay what they are. */
static double folded(struct row r)
{
    for (int i = 1; i < r.n; i++) r.a[0] = r.a[0] * r.a[1] + r.scale;
    return r.a[0] * r.a[2];
}
static struct three halved(struct three v) { return (struct three){v.x / 2, v.x * v.y, v.z * v.z}; }
static double cubed(struct three v, int n) { return n ? v.x * cubed(v, n - 1) : v.y; }
static double slope(double x) { return __enzyme_autodiff_three((void *)form, (struct three){x, x * x, x}).y * x; }

static int differ(double found, double expected) { return !(fabs(found - expected) <= 1e-9 * (1 + fabs(expected))); }
static int differ3(struct three found, double x, double y, double z)
{
    return differ(found.x, x) || differ(found.y, y) || differ(found.z, z);
}

int main(void)
{
    struct three v = {2, 3, 4}, origin = {0, 0, 1};
    if (differ3(__enzyme_autodiff_three((void *)form, v), 4, 4, 3)) return 1;
    struct three_and both = __enzyme_autodiff_three_and((void *)scaled, v, 2.0);
    if (differ3(both.d, 8, 8, 6) || differ(both.s, 16)) return 2;
    if (differ(__enzyme_autodiff((void *)scaled, enzyme_const, v, 2.0), 16)) return 3;
    if (differ3(__enzyme_autodiff_three((void *)scaled, enzyme_out, v, enzyme_const, 2.0), 8, 8, 6)) return 4;

    struct ball b = {{1, 2, 3}, 2};
    struct ball d_b = __enzyme_autodiff_ball((void *)between, b, enzyme_const, origin);
    if (differ3(d_b.at, 4, 4, 4) || differ(d_b.radius, 5)) return 5;

    struct row r = {{2, 3, 4, 9}, 3, 0.5f}, d_r = __enzyme_autodiff_row((void *)folded, r);
    if (differ(d_r.a[0], 36) || differ(d_r.a[1], 50) || differ(d_r.a[2], 20) || d_r.a[3] != 0) return 6;
    if (differ(d_r.scale, 16) || r.a[0] != 2) return 7;

    if (differ(__enzyme_fwddiff((void *)form, v, (struct three){1, 0, 1}), 7)) return 8;
    if (differ3(__enzyme_fwddiff_three((void *)halved, v, (struct three){1, 0, 1}), 0.5, 3, 8)) return 9;
    struct lanes lanes = __enzyme_fwddiff_lanes((void *)halved, enzyme_width, 2, v, (struct three){1, 0, 0}, (struct three){0, 1, 0});
    if (differ3(lanes.one, 0.5, 3, 0) || differ3(lanes.two, 0, 2, 0)) return 10;

    struct taped taped = __enzyme_augmentfwd((void *)cubed, v, 3);
    if (differ(taped.value, 24)) return 11;
    if (differ3(__enzyme_reverse_three((void *)cubed, v, 3, 1.0, taped.tape), 36, 8, 0)) return 12;

    struct three d_v = {0, 0, 0};
    __enzyme_autodiff((void *)form, enzyme_dup, v, &d_v);
    if (differ3(d_v, 4, 4, 3)) return 13;
    return differ(__enzyme_fwddiff((void *)slope, 1.5, 1.0), 2 * 1.5) ? 14 : 0;
}
