/* lasting.run.c: memory that is made in one function and freed in another, under the sanitizers: freed once, and all of it. */
// RUN: %sanitized %t %clang %include %pass %s %runtime
#include "../memory/lasting.run.c"
