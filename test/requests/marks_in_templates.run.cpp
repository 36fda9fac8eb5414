// A mark that a template is made with is named by debug information when nothing else names it any more.
// RUN: %clangxx -O0 -g %pass %s -o %t %runtime && %t
// RUN: %clangxx -O2 -g %pass %s -o %t %runtime && %t
extern int enzyme_out;
double __enzyme_autodiff(void *, ...);

static double cube(double x) { return x * x * x; }

template <int &mark> static double slope(double x) { return __enzyme_autodiff((void *)cube, mark, x); }

int main() { return slope<enzyme_out>(2) != 12; }
