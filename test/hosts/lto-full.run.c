/* ld.lld, full LTO: the request is in one file and the function in another, so only the linker sees both.
 * Once with the plugin in the linker alone, once in the compiler too: there the request must stay for the link. */
// RUN: %split_file %s %t
// DEFINE: %{level} =
// DEFINE: %{compiler} =
// DEFINE: %{build} = %clang_lto %{level} -flto=full %include -I%S/Inputs
// DEFINE: %{check} = %{build} %{compiler} -c %t/request.c -o %t/request.o && \
// DEFINE:   %{build} %{compiler} -c %t/function.c -o %t/function.o && \
// DEFINE:   %{build} %link_pass %t/request.o %t/function.o -o %t/with %runtime && \
// DEFINE:   %{build} %t/request.c %t/function.c %stub -o %t/without -lm && \
// DEFINE:   %same_primal %t/with %t/without
// REDEFINE: %{level} = -O0
// RUN: %{check}
// REDEFINE: %{level} = -O1
// RUN: %{check}
// REDEFINE: %{level} = -O2
// RUN: %{check}
// REDEFINE: %{level} = -O3
// RUN: %{check}
// REDEFINE: %{compiler} = %pass
// REDEFINE: %{level} = -O0
// RUN: %{check}
// REDEFINE: %{level} = -O2
// RUN: %{check}

//--- request.c
#include "branchy.h"

double f(double x, double y);

int main(int argc, char **argv)
{
    (void)argv;
    return argc > 1 ? print_primal(f) : check_requests(f);
}

//--- function.c
#include <math.h>

double f(double x, double y)
{
    double a = 1.0 - x;
    double b = y - x * x;
    double v = a * a + 100.0 * b * b;
    if (b > 0.0)
        v = v + sin(x * y) / (1.0 + y * y);
    else
        v = v * exp(-0.5 * x) + pow(1.5 + y * y, x);
    return v;
}
