/* What one half of a derivative leaves for the other may be a local Jacobian: of a function that a loop calls, and of one that
 * the user differentiates in two halves. Both halves have to settle on the same. */
// DEFINE: %{flags} =
// DEFINE: %{option} =
// DEFINE: %{check} = env BACKSWEEP_OPTIONS=%{option} %clang %{flags} %include %pass %s -o %t %runtime && %t
// REDEFINE: %{flags} = -O0
// REDEFINE: %{option} = preaccumulate=on
// RUN: %{check}
// REDEFINE: %{option} = preaccumulate=always
// RUN: %{check}
// REDEFINE: %{flags} = -O3
// RUN: %{check}
// RUN: env BACKSWEEP_OPTIONS='preaccumulate=always;eliminate=faces:LM,F' %clang -O2 %include %pass %s -o %t %runtime && %t
// RUN: %clang -O0 -Xclang -disable-O0-optnone %include -S -emit-llvm %s -o %t.ll
// RUN: %opt -passes='print<backsweep-plan>' -disable-output %t.ll 2>&1 | FileCheck %s

/* Three factors in place of the seven numbers that their partials are made of. */
// CHECK: plan augmented {{.*}}cell (dup, dup)
// CHECK: preaccumulated: local Jacobians by {{.*}}; 24 bytes and {{.*}} in place of 56
// CHECK: plan reverse {{.*}}cell (dup, dup)
// CHECK: preaccumulated: local Jacobians by {{.*}}; 24 bytes and {{.*}} in place of 56

#include "backsweep.h"
#include <math.h>
#include <stdio.h>
#define N 64
__attribute__((noinline)) static void cell(const double *restrict x, double *restrict y)
{
    double u = sin(x[0]) * x[1], v = cos(x[0]) * x[2];
    double w = exp(-u * u - v * v);
    double p = sqrt(1 + w * u * u), q = log(2 + w * v * v);
    *y = 0.5 * (sin(p * q) + cos(p + q)) + 0.1 + x[1] * p;
}
static double all(double *x, int n)
{
    double s = 0.3;
    for (int i = 0; i < n; i++) {
        double in[3] = {s, x[i], x[i] * s}, out;
        cell(in, &out);
        s = out;
    }
    return s;
}
int main(void)
{
    double x[N], dx[N] = {0};
    for (int i = 0; i < N; i++) x[i] = 0.5 + 0.4 * sin(i);
    __backsweep_gradient_void((void *)all, x, dx, N);
    int wrong = 0;
    for (int i = 0; i < N; i += 5) {
        double h = 1e-6, k = x[i];
        x[i] = k + h; double up = all(x, N); x[i] = k - h; double e = (up - all(x, N)) / (2 * h); x[i] = k;
        if (!(fabs(e - dx[i]) <= 1e-6 * (1 + fabs(e)))) { printf("%d %.12g %.12g\n", i, dx[i], e); wrong++; }
    }
    /* Both halves apart. */
    double y, dy = 1, z[3] = {0.3, 0.7, 0.2}, dz[3] = {0};
    void *tape = __backsweep_augmented((void *)cell, z, dz, &y, &dy);
    __backsweep_reverse_void((void *)cell, z, dz, &y, &dy, tape);
    for (int i = 0; i < 3; i++) {
        double h = 1e-6, k = z[i], up, down;
        z[i] = k + h; cell(z, &up); z[i] = k - h; cell(z, &down); z[i] = k;
        double e = (up - down) / (2 * h);
        if (!(fabs(e - dz[i]) <= 1e-6 * (1 + fabs(e)))) { printf("z%d %.12g %.12g\n", i, dz[i], e); wrong++; }
    }
    return wrong != 0;
}
