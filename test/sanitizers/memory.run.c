/* memory.run.c: Arrays, in-place updates, lists and local memory under the sanitizers. */
// RUN: %sanitized %t %clang %include %pass %s %runtime
#include "../modes/memory.run.c"
