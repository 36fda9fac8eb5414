// The same program as C++.
#include "records.c"
