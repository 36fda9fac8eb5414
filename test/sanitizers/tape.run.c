/* tape.run.c: The tape: callees that use it too, and one that is kept under the sanitizers. */
// RUN: env BACKSWEEP_OPTIONS=disable=preaccumulate %sanitized %t %clang %include %pass %s %runtime
#include "../modes/tape.run.c"
