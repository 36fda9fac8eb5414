/* Custom rules that cannot be applied, each refused where it stands or where it is called. */
// RUN: %refused %t.o %clang -g -O0 %include %pass -c %s > %t.text
// RUN: FileCheck %s < %t.text
// RUN: %refused %t.o %clang -g -O2 %include %pass -c %s > %t.text
// RUN: FileCheck %s < %t.text
#include "backsweep.h"
#include <complex.h>

double f(double x);
double f_kept(double x);
double f_back(double x, double d);

// CHECK-DAG: custom.reject.c:[[@LINE+1]]:{{.*}}error: backsweep: `__backsweep_rule_reverse_short` registers a custom rule; expected three functions { f, augmented, reverse }, known when compiling [BS030]
void *__backsweep_rule_reverse_short[] = {(void *)f, (void *)f_kept};
int number;
// CHECK-DAG: custom.reject.c:[[@LINE+1]]:{{.*}}error: backsweep: `__enzyme_register_derivative_odd` registers a custom rule; expected two functions { f, tangent }
void *__enzyme_register_derivative_odd[] = {(void *)f, &number};

void *__backsweep_rule_reverse_once[] = {(void *)f, (void *)f_kept, (void *)f_back};
double f_kept2(double x);
// CHECK-DAG: custom.reject.c:[[@LINE+1]]:{{.*}}error: backsweep: `__backsweep_rule_reverse_twice` registers a second custom rule for `f`
void *__backsweep_rule_reverse_twice[] = {(void *)f, (void *)f_kept2, (void *)f_back};

double f_along(double x, void *tape);
// CHECK-DAG: custom.reject.c:[[@LINE+1]]:{{.*}}error: backsweep: `__enzyme_register_splitderivative_f` registers a rule of a kind that is not supported; rules for reverse mode are three functions
void *__enzyme_register_splitderivative_f[] = {(void *)f, (void *)f_kept, (void *)f_along};

/* The order of parts and tangents could not be told from that of two numbers. */
double size(double complex z) { return creal(z) * cimag(z); }
struct pair { double value, slope; };
struct pair size_along(double complex z, double complex dz) { struct pair p = {0, 0}; return p; }
// CHECK-DAG: custom.reject.c:[[@LINE+1]]:{{.*}}error: backsweep: `__backsweep_rule_forward_size` registers a custom rule for `size`, which takes a struct or complex number by value
void *__backsweep_rule_forward_size[] = {(void *)size, (void *)size_along};

double g(double *x, int n);
struct { void *tape; double r; } typedef kept;
kept g_kept(double *x, double *dx, int n);
void g_back(double *x, double *dx, int n, void *tape);
void *__backsweep_rule_reverse_g[] = {(void *)g, (void *)g_kept, (void *)g_back};
// CHECK-DAG: custom.reject.c:[[@LINE+1]]:{{.*}}error: backsweep: `g_back` of a custom rule takes (ptr, ptr, i32, ptr); expected (ptr, ptr, i32, double): the arguments
double wrong_order(double *x) { return g(x, 3); }

double h(double *x, const double *w);
double h_kept(double *x, double *dx, const double *w, double *dw);
void h_back(double *x, double *dx, const double *w, double *dw, double d);
void *__backsweep_rule_reverse_h[] = {(void *)h, (void *)h_kept, (void *)h_back};
// CHECK-DAG: custom.reject.c:[[@LINE+1]]:{{.*}}error: backsweep: the call of `h` passes `w`, which is bs_const, to a custom rule, which takes a shadow for each pointer; pass it as bs_dup
double without_shadow(double *x, const double *w) { return h(x, w); }
// CHECK-DAG: custom.reject.c:[[@LINE+1]]:{{.*}}error: backsweep: the call of `h` has a custom rule, and rules are for one direction at a time
double wide(double *x, double *w) { return h(x, w); }
static const double table[2] = {1, 2};
// CHECK-DAG: custom.reject.c:[[@LINE+1]]:{{.*}}error: backsweep: the call of `h` passes the constant or inactive `table` to a custom rule, which may add to its shadow, and it has none; copy it into a variable
double constant(double *x) { return h(x, table); }
// CHECK-DAG: custom.reject.c:[[@LINE+1]]:{{.*}}error: backsweep: {{.*}}is passed to the call of `h`, which has a custom rule for reverse mode only, and no body here
double forward(double *x, double *w) { return h(x, w) * x[0]; }

double *second(double *x);
double *second_kept(double *x, double *dx);
void second_back(double *x, double *dx);
void *__backsweep_rule_reverse_second[] = {(void *)second, (void *)second_kept, (void *)second_back};
// CHECK-DAG: custom.reject.c:[[@LINE+1]]:{{.*}}error: backsweep: `second` returns a pointer, and `second_kept` of its custom rule returns no shadow for it
double no_shadow(double *x) { return *second(x); }

void ask(double *x, double *dx, double *w, double *dw)
{
    __backsweep_gradient((void *)wrong_order, x, dx);
    __backsweep_gradient((void *)without_shadow, x, dx, bs_const, w);
    __backsweep_gradient_void((void *)wide, bs_width, 2, x, dx, dx, w, dw, dw);
    __backsweep_gradient((void *)constant, x, dx);
    __backsweep_tangent((void *)forward, x, dx, w, dw);
    __backsweep_gradient((void *)no_shadow, x, dx);
}
