/* matrix.run.c: Matrices behind pointers under the sanitizers. */
// RUN: %sanitized %t %clang %include %pass %s %runtime
#include "../modes/matrix.run.c"
