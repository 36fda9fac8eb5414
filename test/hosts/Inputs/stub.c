/* Defines what the plugin replaces, so that a test links without it. None of it is ever called:
 * with the word `primal` a test program makes no request. */
#include <stdlib.h>

#define HOOK(name)                                                                                                     \
    void name(void) { abort(); }
#define TOKEN(name) int name;

HOOK(__backsweep_gradient)
HOOK(__backsweep_gradient_pair)
HOOK(__backsweep_gradient_pair_invoked)
HOOK(__backsweep_tangent)
HOOK(__enzyme_autodiff)
HOOK(__enzyme_autodiff_pair)
HOOK(__enzyme_fwddiff)

/* The template hooks of cpp.run.cpp, mangled. */
HOOK(_Z23__backsweep_gradient_ofI4pairJddEET_PFdddEDpT0_)
HOOK(_Z23__backsweep_gradient_ofI18value_and_gradientJiddEET_PFdddEDpT0_)

TOKEN(bs_dup)
TOKEN(bs_out)
TOKEN(bs_const)
TOKEN(bs_primal_return)
TOKEN(enzyme_out)
TOKEN(enzyme_const)
