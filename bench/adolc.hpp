/* The same programs with ADOL-C: their C is compiled as C++ with `double` as its active type. What needs the value of an active
 * number as an index does not compile this way, and is left out of the column. Each gradient tapes anew, as a program whose branches depend
 * on its inputs has to. */
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <cstdlib>
#include <vector>

#include <adolc/adolc.h>

/* The hooks are declared with the plain type before it changes its name. */
#include "backsweep.h"

namespace bench {

using real = double;
using primal = adouble (*)(const adouble *, adouble *);
using set_up = void (*)(adouble *);

/* Large enough that no tape goes to a file. */
constexpr size_t buffer = size_t(1) << 26;

/* dx = the gradient; the value comes back. */
static real gradient(primal function, set_up prepare, size_t inputs, size_t work, const real *x, real *dx)
{
    static bool prepared = false;
    std::vector<adouble> ax(inputs), aw(work);
    /* The program's tables. The inputs that are made beside them are not freed: some are copied by `memcpy`, behind ADOL-C's back. */
    if (!prepared)
        prepare(new adouble[inputs]);
    prepared = true;
    real value, seed = 1;
    trace_on(1, 1, buffer, buffer, buffer, buffer);
    for (size_t i = 0; i < inputs; i++)
        ax[i] <<= x[i];
    adouble result = function(ax.data(), aw.data());
    result >>= value;
    trace_off();
    reverse(1, 1, int(inputs), 0, &seed, dx);
    return value;
}

} // namespace bench

inline adouble erfc(const adouble &x) { return 1 - erf(x); }

/* Words that are C++'s and names in C. */
#define restrict __restrict
#define new new_
#define double adouble
#define BENCH_PROGRAM_ON_ZEROS BENCH_PROGRAM
#define BENCH_PROGRAM(title, input_count, work_count)                                                                  \
    extern "C" void bench_adolc_##title(const bench::real *x, bench::real *dx)                                          \
    {                                                                                                                  \
        bench::gradient(primal, set_up, input_count, work_count, x, dx);                                                        \
    }
