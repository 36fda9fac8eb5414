/* Structs of 1 to 5 members, floats and doubles mixed, in the registers that the front end chose. */
// DEFINE: %{flags} =
// DEFINE: %{check} = %clang %{flags} %include %pass %s -o %t %runtime && %t
// REDEFINE: %{flags} = -O0
// RUN: %{check}
// REDEFINE: %{flags} = -O2
// RUN: %{check}

#include "backsweep.h"
#include <stdio.h>

static float f2(float a, float b) { return a * a * b; }
static float f3(float a, float b, float c) { return a * a * b * c; }
static float f4(float a, float b, float c, float d) { return a * b * c * d; }
static float f5(float a, float b, float c, float d, float e) { return a * b * c * d * e; }
static double df(double a, float b) { return a * a * b; }
static double fd(float a, double b) { return a * a * b; }
static double dff(double a, float b, float c) { return a * b * c; }
static int count(float a) { return a > 1; }

struct f2 { float a, b; };
struct f3 { float a, b, c; };
struct f4 { float a, b, c, d; };
struct f5 { float a, b, c, d, e; };
struct df { double a; float b; };
struct fd { float a; double b; };
struct dff { double a; float b, c; };
struct pf { void *tape; float value; };
struct pi { void *tape; int value; };

struct f2 __backsweep_gradient_f2(void *, ...);
struct f3 __backsweep_gradient_f3(void *, ...);
struct f4 __backsweep_gradient_f4(void *, ...);
struct f5 __backsweep_gradient_f5(void *, ...);
struct df __backsweep_gradient_df(void *, ...);
struct fd __backsweep_gradient_fd(void *, ...);
struct dff __backsweep_gradient_dff(void *, ...);
struct pf __backsweep_augmented_pf(void *, ...);
struct pi __backsweep_augmented_pi(void *, ...);

static int failures;
static void expect(int line, double found, double expected)
{
    if (found == expected)
        return;
    printf("line %d: found %g, expected %g\n", line, found, expected);
    failures++;
}
#define EXPECT(found, expected) expect(__LINE__, (found), (expected))

int main(void)
{
    volatile float two = 2, three = 3;
    float a = two, b = three;
    struct f2 g2 = __backsweep_gradient_f2((void *)f2, a, b);
    EXPECT(g2.a, 12), EXPECT(g2.b, 4);
    struct f3 g3 = __backsweep_gradient_f3((void *)f3, a, b, 5.0f);
    EXPECT(g3.a, 60), EXPECT(g3.b, 20), EXPECT(g3.c, 12);
    struct f4 g4 = __backsweep_gradient_f4((void *)f4, a, b, 5.0f, 7.0f);
    EXPECT(g4.a, 105), EXPECT(g4.b, 70), EXPECT(g4.c, 42), EXPECT(g4.d, 30);
    struct f5 g5 = __backsweep_gradient_f5((void *)f5, a, b, 5.0f, 7.0f, 0.5f);
    EXPECT(g5.a, 52.5), EXPECT(g5.e, 210);
    struct df gdf = __backsweep_gradient_df((void *)df, (double)a, b);
    EXPECT(gdf.a, 12), EXPECT(gdf.b, 4);
    struct fd gfd = __backsweep_gradient_fd((void *)fd, a, (double)b);
    EXPECT(gfd.a, 12), EXPECT(gfd.b, 4);
    struct dff gdff = __backsweep_gradient_dff((void *)dff, (double)a, b, 5.0f);
    EXPECT(gdff.a, 15), EXPECT(gdff.b, 10), EXPECT(gdff.c, 6);
    struct f3 value = __backsweep_gradient_f3((void *)f2, bs_primal_return, a, b);
    EXPECT(value.a, 12), EXPECT(value.b, 12), EXPECT(value.c, 4);
    struct pf kept = __backsweep_augmented_pf((void *)f2, a, b);
    EXPECT(kept.value, 12);
    EXPECT(__backsweep_reverse_float((void *)f2, a, bs_const, b, 1.0f, __backsweep_augmented((void *)f2, a, bs_const, b)), 12);
    EXPECT(__backsweep_augmented_pi((void *)count, a).value, 1);
    return failures != 0;
}
