/* ld.lld, thin LTO: several files, each with a request and its function, so that two backend threads run the
 * plugin at once. The plugin is in the linker; at -O0 thin LTO runs no hook there, so it is in the compiler too. */
// RUN: %split_file %s %t
// DEFINE: %{level} =
// DEFINE: %{compiler} =
// DEFINE: %{build} = %clang_lto %{level} -flto=thin -Wl,--thinlto-jobs=2 %include -I%S/Inputs
// DEFINE: %{check} = %{build} %{compiler} -c %t/one.c -o %t/one.o && \
// DEFINE:   %{build} %{compiler} -DPART=two -c %t/part.c -o %t/two.o && \
// DEFINE:   %{build} %{compiler} -DPART=three -c %t/part.c -o %t/three.o && \
// DEFINE:   %{build} %{compiler} -DPART=four -c %t/part.c -o %t/four.o && \
// DEFINE:   %{build} %link_pass %t/one.o %t/two.o %t/three.o %t/four.o -o %t/with %runtime && \
// DEFINE:   %clang -c %stub -o %t/stub.o && \
// DEFINE:   %{build} -c %t/one.c -o %t/one.plain.o && \
// DEFINE:   %{build} -DPART=two -c %t/part.c -o %t/two.plain.o && \
// DEFINE:   %{build} -DPART=three -c %t/part.c -o %t/three.plain.o && \
// DEFINE:   %{build} -DPART=four -c %t/part.c -o %t/four.plain.o && \
// DEFINE:   %{build} %t/one.plain.o %t/two.plain.o %t/three.plain.o %t/four.plain.o %t/stub.o -o %t/without -lm && \
// DEFINE:   %same_primal %t/with %t/without
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

/* Thin LTO imports no body for us: a request for a function of another file is refused by name. */
// RUN: %clang_lto -O2 -flto=thin %include -g -c %t/elsewhere.c -o %t/elsewhere.o
// RUN: %clang_lto -O2 -flto=thin %include -I%S/Inputs -g -DPART=two -c %t/part.c -o %t/two.o
// RUN: not %clang_lto -O2 -flto=thin %link_pass %t/elsewhere.o %t/two.o -o %t/refused %runtime 2>&1 | FileCheck %s
// CHECK: error:{{.*}}backsweep:{{.*}}opaque_two

//--- one.c
#include "branchy.h"

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

int check_two(void);
int check_three(void);
int check_four(void);

int main(int argc, char **argv)
{
    (void)argv;
    if (argc > 1)
        return print_primal(f);
    return check_requests(f) + check_two() + check_three() + check_four();
}

//--- part.c
#include "branchy.h"

#define PASTE(a, b) a##b
#define NAME(a, b) PASTE(a, b)

static double f(double x, double y)
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

int NAME(check_, PART)(void) { return check_requests(f); }

/* Not for import, so that the refusal is certain. */
__attribute__((noinline, optnone)) double NAME(opaque_, PART)(double x) { return x * x; }

//--- elsewhere.c
#include "backsweep.h"

double opaque_two(double x);

int main(void) { return __backsweep_gradient((void *)opaque_two, 3.0) == 6.0 ? 0 : 1; }
