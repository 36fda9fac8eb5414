/* recursion.run.c: Recursion, on the caller's tape under the sanitizers. */
// RUN: %sanitized %t %clang %include %pass %s %runtime
#include "../modes/recursion.run.c"
