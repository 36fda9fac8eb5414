/* threads.run.c: Threads, tapes that change hands, tapes given back and a fork under the sanitizers. */
// RUN: %sanitized %t %clang %include %pass %s %runtime
#include "../modes/threads.run.c"
