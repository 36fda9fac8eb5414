/* Tangents in five directions fill a vector of four and a part of another, and each is divided as often as the number is: the divisions
 * are what takes the time, and a local Jacobian divides numbers alone. A price that takes divisions for cheap, a function for as much as
 * many of them, or what only tells the compiler something for a call, does not see it. Processors that add with the product gain more. */
// RUN: %clang -O1 -mavx2 -mfma -Xclang -disable-llvm-passes %include -S -emit-llvm %s -o %t.fused.ll
// RUN: %opt -passes='print<backsweep-plan>' -disable-output %t.fused.ll 2>&1 | FileCheck %s
// RUN: %clang -O1 -Xclang -disable-llvm-passes %include -S -emit-llvm %s -o %t.plain.ll
// RUN: %opt -passes='print<backsweep-plan>' -disable-output %t.plain.ll 2>&1 | FileCheck %s
// RUN: %clang -O0 %pass %include %s -o %t.O0 %runtime -lm && %t.O0
// RUN: %clang -O3 -march=native %pass %include %s -o %t.O3 %runtime -lm && %t.O3
#include <math.h>
#include <stdio.h>

#include "backsweep.h"

enum { OPTIONS = 20, IN = 5, OUT = 3 };

// CHECK-LABEL: plan tangent backsweep.primal.prices
// CHECK: preaccumulated: local Jacobians
static void prices(const double *restrict x, double *restrict y)
{
    for (int i = 0; i < OPTIONS; i++, x += IN, y += OUT) {
        double price = x[0], strike = x[1], volatility = x[2], rate = x[3], time = x[4];
        double root = sqrt(time), deviation = volatility * root;
        double d1 = (log(price / strike) + (rate + 0.5 * volatility * volatility) * time) / deviation;
        double d2 = d1 - deviation, discounted = strike * exp(-rate * time), density = 0.4 * exp(-0.5 * d1 * d1);
        y[0] = price * erfc(-d1) - discounted * erfc(-d2);
        y[1] = density / (price * deviation);
        y[2] = -price * density * volatility / (2 * root) - rate * discounted * erfc(-d2);
    }
}

static void set_up(double *x)
{
    for (int i = 0; i < OPTIONS; i++) {
        const double of_one[IN] = {100 + i, 110 - i, 0.3, 0.03 + 0.001 * i, 1.5};
        for (int k = 0; k < IN; k++)
            x[IN * i + k] = of_one[k];
    }
}

int main(void)
{
    static double x[IN * OPTIONS], dx[IN][IN * OPTIONS], y[OUT * OPTIONS], dy[IN][OUT * OPTIONS];
    set_up(x);
    for (int k = 0; k < IN; k++)
        for (int i = 0; i < OPTIONS; i++)
            dx[k][IN * i + k] = 1;
    __backsweep_tangent_void((void *)prices, bs_width, IN, bs_dup_strided, sizeof dx[0], x, dx, bs_dup_strided, sizeof dy[0], y, dy);
    for (int k = 0; k < IN; k++) {
        double sides[2][OUT * OPTIONS];
        for (int side = 0; side < 2; side++) {
            set_up(x);
            for (int i = 0; i < OPTIONS; i++)
                x[IN * i + k] *= 1 + (side ? -1e-6 : 1e-6);
            prices(x, sides[side]);
        }
        set_up(x);
        for (int o = 0; o < OUT * OPTIONS; o++) {
            double difference = (sides[0][o] - sides[1][o]) / (2e-6 * x[o / OUT * IN + k]);
            if (!(fabs(difference - dy[k][o]) <= 1e-7 * (100 + fabs(difference)))) {
                printf("result %d by number %d: %g by differences, and %g\n", o, k, difference, dy[k][o]);
                return 1;
            }
        }
    }
    return 0;
}
