#include "backsweep.h"
double square(double x);
int main(void) { return __backsweep_gradient((void *)square, 3.0) != 6.0; }
