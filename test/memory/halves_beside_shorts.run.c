/* Structs of a short and a half, which take one word: the half keeps its derivative wherever the word is moved as the struct that it is. */
// DEFINE: %{flags} =
// DEFINE: %{check} = %clang %{flags} %include %pass %s -o %t %runtime && %t
// REDEFINE: %{flags} = -O0
// RUN: %{check}
// REDEFINE: %{flags} = -O1
// RUN: %{check}
// REDEFINE: %{flags} = -O2 -g
// RUN: %{check}
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backsweep.h"

enum { N = 5 };

struct weighed {
    short id;
    _Float16 weight;
};

static void assign(const struct weighed *from, struct weighed *to, int n)
{
    for (int i = 0; i < n; i++)
        to[from[i].id] = from[i];
}

static void copy(const struct weighed *from, struct weighed *to, int n)
{
    for (int i = 0; i < n; i++)
        memcpy(&to[from[i].id], &from[i], sizeof *from);
}

/* In memory of its own it sorts by the numbers. */
static void sort(const struct weighed *from, struct weighed *to, int n)
{
    struct weighed *all = malloc(n * sizeof *all);
    for (int i = 0; i < n; i++)
        all[i] = from[i];
    for (int i = 1; i < n; i++)
        for (int j = i; j > 0 && all[j - 1].id > all[j].id; j--) {
            struct weighed kept = all[j];
            all[j] = all[j - 1];
            all[j - 1] = kept;
        }
    for (int i = 0; i < n; i++)
        to[i] = all[i];
    free(all);
}

typedef void moves(const struct weighed *, struct weighed *, int);

static int check(const char *name, const struct weighed *from, const struct weighed *shadow)
{
    int bad = 0;
    for (int i = 0; i < N; i++) {
        float got = shadow[i].weight, want = 1 + from[i].id;
        if (got != want) {
            printf("%s %d: %g, not %g\n", name, i, got, want);
            bad = 1;
        }
    }
    return bad;
}

#define CHECK(moves)                                                                                                   \
    do {                                                                                                               \
        struct weighed from[N], to[N], shadow[N], behind[N];                                                           \
        memset(shadow, 0, sizeof shadow);                                                                              \
        memset(behind, 0, sizeof behind);                                                                              \
        for (int i = 0; i < N; i++) {                                                                                  \
            from[i] = (struct weighed){(3 * i + 1) % N, 0.5f * i};                                                     \
            behind[i].weight = 1 + i;                                                                                  \
        }                                                                                                              \
        __backsweep_gradient_void((void *)moves, bs_dup, from, shadow, bs_dup, to, behind, N);                         \
        bad |= check(#moves, from, shadow);                                                                            \
        memset(behind, 0, sizeof behind);                                                                              \
        for (int i = 0; i < N; i++)                                                                                    \
            shadow[i].weight = 2 + i;                                                                                  \
        __backsweep_tangent_void((void *)moves, bs_dup, from, shadow, bs_dup, to, behind, N);                          \
        for (int i = 0; i < N; i++)                                                                                    \
            if ((float)behind[from[i].id].weight != 2 + i) {                                                           \
                printf("%s forwards %d: %g\n", #moves, i, (float)behind[from[i].id].weight);                           \
                bad = 1;                                                                                               \
            }                                                                                                          \
    } while (0)

int main(void)
{
    int bad = 0;
    CHECK(assign);
    CHECK(copy);
    CHECK(sort);
    return bad;
}
