#!/usr/bin/env python3
"""shifts.py SEED COUNT: prints a C program of loops in one array whose places depend on numbers that the caller hands over.

Whether a store overwrites what was read before depends on these: distances, lengths of rows, steps. The program asks for derivatives
with numbers for which it does and with numbers for which it does not, the last ones of each kind among them, and compares reverse
mode with forward mode and with central differences.
"""

import random
import sys

HEAD = """#include <math.h>
#include <stdio.h>
#include "backsweep.h"
#define CELLS 512
#define ORIGIN 200

typedef double shift(double *a, int n, int m, int k, int ld);

static double differences_of(shift *f, const int *p, double h, const double *x, const double *d)
{
    double up[CELLS], down[CELLS];
    for (int i = 0; i < CELLS; i++) {
        up[i] = x[i] + h * d[i];
        down[i] = x[i] - h * d[i];
    }
    return (f(up + ORIGIN, p[0], p[1], p[2], p[3]) - f(down + ORIGIN, p[0], p[1], p[2], p[3])) / (2 * h);
}

static int compare(const char *name, shift *f, const int *p, double reverse, double forward, const double *x, const double *d)
{
    double differences = differences_of(f, p, 1e-5, x, d), scale = 1 + fabs(forward);
    if (!(fabs(forward - differences) <= 1e-4 * scale))
        differences = differences_of(f, p, 1e-7, x, d);
    if (!(scale < 1e10))
        return 0;
    if (fabs(reverse - forward) <= 1e-8 * scale && fabs(forward - differences) <= 1e-4 * scale)
        return 0;
    printf("%s of %d, %d, %d, %d: reverse %.12g, forward %.12g, by differences %.12g\\n", name, p[0], p[1], p[2], p[3], reverse, forward,
           differences);
    return 1;
}

#define CHECK(f)                                                                                              \\
    static int check_##f(const int *p, const double *x, const double *d)                                      \\
    {                                                                                                         \\
        double a[CELLS], da[CELLS] = {0}, reverse = 0, t[CELLS];                                               \\
        for (int i = 0; i < CELLS; i++)                                                                        \\
            a[i] = x[i];                                                                                       \\
        __backsweep_gradient_void((void *)f, bs_dup_noneed, a + ORIGIN, da + ORIGIN, p[0], p[1], p[2], p[3]);  \\
        for (int i = 0; i < CELLS; i++) {                                                                      \\
            reverse += da[i] * d[i];                                                                           \\
            a[i] = x[i];                                                                                       \\
            t[i] = d[i];                                                                                       \\
        }                                                                                                      \\
        double forward = __backsweep_tangent((void *)f, a + ORIGIN, t + ORIGIN, p[0], p[1], p[2], p[3]);       \\
        return compare(#f, f, p, reverse, forward, x, d);                                                      \\
    }
"""
# n, m, k, ld: no passes, one, several; k up to, at and beyond what n passes take; rows that overlap, touch and lie apart.
NUMBERS = [(n, m, k, ld) for n, m in [(0, 3), (1, 1), (7, 4), (12, 3)]
           for k, ld in [(0, 0), (1, 1), (-1, -1), (n - 1, n - 1), (n, n), (n + 1, n + 1), (-n, -n), (1 - n, 1 - n), (2 * n, 2 * n),
                         (m, n), (3, m), (-n - 1, 13), (20, -14), (n * m, n - 1), (-20, 12)]]


class Shift:
    def __init__(self, rng):
        self.rng = rng
        self.type = rng.choice(["int", "int", "long"])
        self.lines = []
        for _ in range(rng.choice([1, 1, 2])):
            self.loop()

    def place(self, counters):
        """Somewhere in the array, by the counters of loops, at most some 130 cells from its origin."""
        rng = self.rng
        if len(counters) == 2:
            i, j = counters
            forms = [f"j * ld + i", f"(j + 1) * ld + i", f"(j - 1) * ld + i", f"j * ld + i + k", f"i * ld + j", f"j * n + i",
                     f"j * n + i + k", f"j * ld + i + 1", f"j + k", f"2 * i + k"]
            return rng.choice(forms)
        return rng.choice(["i", "i", "i + k", "i + k", "i - k", "i + 1", "i + ld", "2 * i + k", "2 * i", "k", "n - 1 - i", "i + n", "i * ld",
                           "i + k + ld", "i + 2 * k"])

    def value(self, counters):
        one, two = f"a[{self.place(counters)}]", f"a[{self.place(counters)}]"
        return self.rng.choice([f"0.5 * {one} * {one}", f"0.4 * {one} * {two}", f"{one} + 0.1 * {two} * {two}", f"0.3 * sin({one}) * {two}",
                                f"1 / (1.5 + {one} * {one})"])

    def statement(self, counters):
        target = f"a[{self.place(counters)}]"
        return self.rng.choice([f"{target} = {self.value(counters)};"] * 3 + [f"sum += {self.value(counters)};"])

    def head(self, counter, end):
        first = self.rng.choice(["0", "0", "1"])
        return self.rng.choice([f"for ({self.type} {counter} = {first}; {counter} < {end}; {counter}++)"] * 3 +
                               [f"for ({self.type} {counter} = {end} - 1; {counter} >= {first}; {counter}--)",
                                f"for ({self.type} {counter} = {first}; {counter} < {end}; {counter} += 2)"])

    def loop(self):
        counters, lines = ["i"], []
        if self.rng.random() < 0.5:
            counters.append("j")
            lines.append(self.head("j", self.rng.choice(["m", "m", "3"])))
        lines.append(self.head("i", "n"))
        lines[-1] += " {"
        lines += ["    " + self.statement(counters) for _ in range(self.rng.randint(1, 2))] + ["}"]
        self.lines += lines

    def print(self, name):
        print(f"\nstatic double {name}(double *a, int n, int m, int k, int ld)\n{{\n    double sum = 0;")
        print("\n".join("    " + line for line in self.lines))
        print("    for (int i = 0; i < 8; i++)\n        sum += a[i] * (1 + 0.1 * i) + a[20 + i] - a[-7 * i];\n    return sum;\n}")
        print(f"CHECK({name})")


def main():
    rng, count = random.Random(int(sys.argv[1])), int(sys.argv[2])
    print(HEAD)
    for at in range(count):
        Shift(rng).print(f"shift_{at}")
    numbers = ", ".join("{" + ", ".join(map(str, one)) + "}" for one in NUMBERS)
    print(f"\nint main(void)\n{{\n    static const int numbers[][4] = {{{numbers}}};")
    print("    double x[CELLS], d[CELLS];\n    int wrong = 0;\n    for (int i = 0; i < CELLS; i++) {")
    print("        x[i] = 0.6 + 0.3 * sin(1.3 * i);\n        d[i] = cos(0.7 * i);\n    }")
    print(f"    for (int at = 0; at < {len(NUMBERS)}; at++) {{")
    print("\n".join(f"        wrong += check_shift_{at}(numbers[at], x, d);" for at in range(count)))
    print("    }\n    return wrong != 0;\n}")


if __name__ == "__main__":
    main()
