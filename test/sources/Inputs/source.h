/* What every program in C and C++ includes: the hooks in both spellings, and the three functions that `check.c` calls.
 *
 * REQUESTS(f) is for a `double f(const double *x, int n)`; programs with other functions write the three themselves. */
#ifndef SOURCE_H
#define SOURCE_H

#include "backsweep.h"

#ifdef __cplusplus
#define SOURCE extern "C"
#else
#define SOURCE extern
#endif

SOURCE double __enzyme_autodiff(void *, ...);
SOURCE void __enzyme_autodiff_void(void *, ...);
SOURCE double __enzyme_fwddiff(void *, ...);
SOURCE void __enzyme_fwddiff_void(void *, ...);
SOURCE int enzyme_dup, enzyme_dupnoneed, enzyme_out, enzyme_const;

SOURCE double primal(const double *x, int n);
SOURCE void gradient(const double *x, double *dx, int n);
SOURCE double tangent(const double *x, const double *dx, int n);

#define REQUESTS(f)                                                                                                    \
    double primal(const double *x, int n) { return f(x, n); }                                                          \
    void gradient(const double *x, double *dx, int n) { __backsweep_gradient_void((void *)f, x, dx, n); }              \
    double tangent(const double *x, const double *dx, int n) { return __backsweep_tangent((void *)f, x, dx, n); }

#endif
