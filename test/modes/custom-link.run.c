/* Full LTO: rule, function and request in three files. The function is not inlined on the way, where the rule would be
 * lost; nor is one that is declared inactive. */
// RUN: %split_file %s %t
// DEFINE: %{level} =
// DEFINE: %{build} = %clang_lto %{level} -flto=full %include %pass
// DEFINE: %{check} = %{build} -c %t/request.c -o %t/request.o && \
// DEFINE:   %{build} -c %t/function.c -o %t/function.o && \
// DEFINE:   %{build} %link_pass %t/request.o %t/function.o -o %t/linked %runtime && %t/linked
// REDEFINE: %{level} = -O0
// RUN: %{check}
// REDEFINE: %{level} = -O2
// RUN: %{check}

//--- request.c
#include <stdio.h>

#include "backsweep.h"

double f(double x);

int main(void)
{
    double gradient = __backsweep_gradient((void *)f, 3.0);
    printf("%g\n", gradient);
    /* 5 x weight(x) at 3, with the weight constant. */
    return gradient != 5 * 3 * 9;
}

//--- function.c
#include "backsweep.h"

static double half(double x) { return x * x / 2; }
double half_kept(double x) { return x * x / 2; }
double half_back(double x, double d) { return 5 * x * d; }
void *__backsweep_rule_reverse_half[] = {(void *)half, (void *)half_kept, (void *)half_back};

__attribute__((annotate("backsweep_inactive"))) static double weight(double x) { return x * x; }

double f(double x) { return half(x) * weight(x); }
