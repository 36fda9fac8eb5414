/* A short and a half that are moved as one word of any kind: where somebody counts with the short, nobody says what lies behind it, and that
   may be the half. The same of a bfloat. */
// RUN: %refused %t %clang -O0 -g %include %pass %s -o %t %runtime | %filecheck %s
// RUN: %refused %t %clang -O2 -g %include %pass %s -o %t %runtime | %filecheck %s
// RUN: %refused %t %clang -O2 -g -DSHORT=__bf16 %include %pass %s -o %t %runtime | %filecheck %s
#include <string.h>

#include "backsweep.h"

#ifndef SHORT
#define SHORT _Float16
#endif

struct weighed {
    short id;
    SHORT weight;
};

static void move(const struct weighed *from, struct weighed *to, int n)
{
    for (int i = 0; i < n; i++) {
        unsigned word;
        memcpy(&word, &from[i], sizeof word);
        // CHECK-DAG: halves_beside_shorts.reject.c:{{[0-9]+}}:{{.*}}error: backsweep: {{.*}}writes bytes of active memory as an integer
        memcpy(&to[from[i].id], &word, sizeof word);
    }
}

struct weighed from[4], to[4], shadow[4], behind[4];

int main(void)
{
    __backsweep_gradient_void((void *)move, bs_dup, from, shadow, bs_dup, to, behind, 4);
    return 0;
}
