// Wrong uses of backsweep.hpp end with one sentence that says what to write.
// RUN: not %clangxx -std=c++17 %include -fsyntax-only -DBY_NAME %s 2>&1 | FileCheck %s --check-prefix=BY-NAME
// BY-NAME: a function is given as a template argument, gradient<f>(x) instead of gradient(f, x)
// RUN: not %clangxx -std=c++17 %include -fsyntax-only -DCONTAINER %s 2>&1 | FileCheck %s --check-prefix=CONTAINER
// CONTAINER: for one that returns a container there are jvp, vjp and jacobian
// RUN: not %clangxx -std=c++17 %include -fsyntax-only -DINTEGER %s 2>&1 | FileCheck %s --check-prefix=INTEGER
// INTEGER: the argument is no floating-point number, std::array
// RUN: not %clangxx -std=c++14 %include -fsyntax-only %s 2>&1 | FileCheck %s --check-prefix=OLD
// OLD: backsweep.hpp needs C++17 or later

#include "backsweep.hpp"

double square(double x) { return x * x; }

#ifdef BY_NAME
double by_name() { return backsweep::gradient(square, 2.0); }
#elif defined(CONTAINER)
double container() { return backsweep::gradient([](double x) { return std::array<double, 1>{x}; }, 2.0); }
#elif defined(INTEGER)
double integer() { return backsweep::gradient([](double x) { return x; }, 2); }
#endif
