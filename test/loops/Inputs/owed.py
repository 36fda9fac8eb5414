#!/usr/bin/env python3
"""owed.py SEED COUNT: prints C of time loops as reverse sweeps have them, which take a row, leave zeros and add to another row.

Rows change places, overlap, are moved by a cell, or get shorter from one step to the next, and others look into them before and
behind the loop, some of them through addresses that are known only there. Some loops put another row back. The file is compiled twice: without TAKEN it has the
loops as they are and a `main` that compares, with TAKEN it has the same loops under other names. There the test marks every
store as the end of a sum, so that the plugin's pass over finished derivatives takes them for its own.
"""

import random
import sys

HEAD = """#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define POOL 600
#define STEPS 7
#ifdef TAKEN
#define NAME(k) taken_##k
#else
#define NAME(k) plain_##k
#endif
typedef double kernel(double *pool, double *const *rows, double *const *late, const int *lengths, const double *c);
"""

MAIN = """
static kernel *const plain[] = {PLAIN}, *const taken[] = {TAKEN_ONES};
static unsigned state = SEED;
static int below(int n)
{
    state = state * 1664525u + 1013904223u;
    return (int)((state >> 8) % (unsigned)n);
}

int main(void)
{
    static double start[POOL + 16], one[POOL + 16], other[POOL + 16], c[POOL];
    int failures = 0;
    for (int round = 0; round < ROUNDS; round++)
        for (int k = 0; k < (int)(sizeof plain / sizeof *plain); k++) {
            double *rows[5 * STEPS], *moved[5 * STEPS], *late[2 * STEPS], *late_moved[2 * STEPS];
            int lengths[STEPS], at[3] = {8, 8 + below(3) * 60 + below(3), 200 + below(4)}, length = 2 + below(56);
            for (int i = 0; i < POOL + 16; i++)
                start[i] = below(3) ? sin(1.3 * below(10000)) : 0;
            for (int i = 0; i < POOL; i++)
                c[i] = 0.3 * sin(1.7 * below(10000));
            for (int t = 0; t < STEPS; t++) {
                const int turn = at[0];
                rows[5 * t] = one + at[0] + (below(9) == 0);
                rows[5 * t + 1] = one + at[1] - (below(9) == 0);
                /* What is copied, and what is read: mostly beside all others. */
                for (int row = 2; row < 5; row++)
                    rows[5 * t + row] = one + (below(9) ? 200 + 70 * row + below(4) : below(530));
                if (below(8)) {
                    at[0] = at[1];
                    at[1] = below(5) ? turn : at[2];
                }
                lengths[t] = below(8) ? length : below(58);
            }
            for (int t = 0; t < 2 * STEPS; t++) {
                /* Mostly near what the loops step through. */
                late[t] = below(3) ? rows[5 * below(STEPS) + below(2)] + below(60) : one + below(POOL);
                late_moved[t] = other + (late[t] - one);
            }
            for (int t = 0; t < 5 * STEPS; t++)
                moved[t] = other + (rows[t] - one);
            memcpy(one, start, sizeof one);
            memcpy(other, start, sizeof other);
            const double first = plain[k](one, rows, late, lengths, c), second = taken[k](other, moved, late_moved, lengths, c);
            int wrong = !(fabs(first - second) <= 1e-10 * (1 + fabs(first)));
            for (int i = 0; i < POOL + 16; i++)
                wrong |= !(fabs(one[i] - other[i]) <= 1e-10 * (1 + fabs(one[i])));
            if (wrong) {
                printf("loop %d differs in round %d\\n", k, round);
                failures++;
            }
        }
    return failures != 0;
}
"""


def statement(rng, behind):
    """Something that touches memory beside the loop, as a sum where it stores."""
    place = rng.choice([f"pool[{rng.randrange(8, 260)}]"] * 3 + ["p[0]", "q[0]", "p[n]", "q[n]", "p[n / 2]", "q[n / 2]"])
    number = f"{rng.choice(['', '-'])}{rng.uniform(0.1, 0.5):.2f}"
    kinds = ["load", "late", "add", "end"]
    kind = rng.choice(kinds if behind else kinds[:3])
    if kind == "load":
        return f"sum += {number} * {place};"
    if kind == "late":
        return f"sum += {number} * *late[2 * t + {int(behind)}];"
    if kind == "add":
        return f"{place} += {number} * c[t];"
    at = rng.choice(["0", "n"])
    return f"{{ double d = p[{at}]; p[{at}] = 0; q[{at}] += d; }}"


def kernel(rng, k):
    offsets = sorted(rng.sample([-2, -1, 0, 1, 2], rng.choice([2, 3, 3])))
    rng.shuffle(offsets)
    sums = []
    for offset in offsets:
        sign = rng.choice(["+", "+", "-"])
        factor = rng.choice([f"{rng.uniform(0.1, 0.4):.2f}", "c[i]", f"{rng.uniform(0.1, 0.4):.2f} * c[i + 1]"])
        sums.append(f"q[i + {offset}] {sign}= {factor} * d;")
    if rng.random() < 0.2:
        sums.append("sum += c[i] * d;")
    if rng.random() < 0.2:
        read = rng.choice(["p[i - 1]", "p[i + 1]", f"pool[i + {rng.randrange(8, 200)}]"])
        sums.append(f"sum += 0.3 * {read};")
    if rng.random() < 0.5:
        sums.append("to[i] = from[i];")
        other = rng.choice(["read[i]", "read[i]", "to[i + 1]", "to[i - 1]", "from[i + 1]"])
        sums.append(f"q[i + {offsets[0]}] += 0.1 * read[i] * d + 0.1 * {other};")
        rng.shuffle(sums)
    up = rng.random() < 0.5
    loop = "for (int i = 1; i < n; i++)" if up else "for (int i = n - 1; i >= 1; i--)"
    before = [statement(rng, False) for _ in range(rng.choice([0, 0, 1, 2]))]
    behind = [statement(rng, True) for _ in range(rng.choice([0, 1, 1, 2, 3]))]
    n = rng.choice(["lengths[t]", "lengths[0]"])
    body = "\n        ".join(before + [loop + " {", "    double d = p[i];", "    p[i] = 0;"] + ["    " + s for s in sums] + ["}"] + behind)
    return f"""
double NAME({k})(double *pool, double *const *rows, double *const *late, const int *lengths, const double *c)
{{
    double sum = 0;
    for (int t = 0; t < STEPS; t++) {{
        double *p = rows[5 * t], *q = rows[5 * t + 1], *to = rows[5 * t + 2], *from = rows[5 * t + 3], *read = rows[5 * t + 4];
        const int n = {n};
        {body}
    }}
    return sum;
}}
"""


def main():
    seed, count = int(sys.argv[1]), int(sys.argv[2])
    rng = random.Random(seed)
    print(HEAD + "".join(kernel(rng, k) for k in range(count)))
    print("#ifndef TAKEN")
    print(f"kernel {', '.join(f'taken_{k}' for k in range(count))};")
    text = MAIN.replace("TAKEN_ONES", ", ".join(f"taken_{k}" for k in range(count)))
    text = text.replace("PLAIN", ", ".join(f"plain_{k}" for k in range(count)))
    print(text.replace("SEED", str(seed)).replace("ROUNDS", "400"))
    print("#endif")


main()
