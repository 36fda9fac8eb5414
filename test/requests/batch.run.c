/* One call for several: a value for each, or one for all; results as a struct, in memory or in registers, and nothing. */
// RUN: %clang -O0 -g %pass %s -o %t %runtime && %t
// RUN: %clang -O3 %pass %s -o %t %runtime && %t
#include <math.h>

int enzyme_width, enzyme_vector, enzyme_scalar;
struct four { double at[4]; };
struct two { float a, b; };
struct four __enzyme_batch(void *, ...);
struct two __enzyme_batch_pair(void *, ...);
void __enzyme_batch_void(void *, ...);
double __enzyme_autodiff(void *, ...);

static double wave(double x, double y) { return x * sin(y); }
static float half(float x) { return x / 2; }
static void put(double *to, double value) { *to = value; }
/* A batch inside what is differentiated. */
static double total(double x)
{
    struct four all = __enzyme_batch((void *)wave, enzyme_width, 4, enzyme_vector, x, x * x, 1.0, 2.0, enzyme_scalar, x);
    return all.at[0] + all.at[1] + all.at[2] + all.at[3];
}

int main(void)
{
    struct four one = __enzyme_batch((void *)wave, enzyme_width, 4, enzyme_vector, 1.0, 2.0, 3.0, 4.0, enzyme_scalar, 0.5);
    struct four each = __enzyme_batch((void *)wave, enzyme_width, 4, enzyme_vector, 1.0, 2.0, 3.0, 4.0, enzyme_vector, 0.1, 0.2, 0.3, 0.4);
    for (int i = 0; i < 4; i++)
        if (one.at[i] != wave(i + 1, 0.5) || each.at[i] != wave(i + 1, (double[]){0.1, 0.2, 0.3, 0.4}[i])) return 1;
    struct two pair = __enzyme_batch_pair((void *)half, enzyme_width, 2, enzyme_vector, 3.0f, 5.0f);
    if (pair.a != 1.5f || pair.b != 2.5f) return 2;
    double a = 0, b = 0;
    __enzyme_batch_void((void *)put, enzyme_width, 2, enzyme_vector, &a, &b, enzyme_scalar, 7.0);
    if (a != 7 || b != 7) return 3;
    double x = 0.7, slope = (1 + 2 * x) * sin(x) + (x + x * x + 3) * cos(x);
    return fabs(__enzyme_autodiff((void *)total, x) - slope) > 1e-12 ? 4 : 0;
}
