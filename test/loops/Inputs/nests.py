#!/usr/bin/env python3
"""nests.py SEED COUNT: prints a C program of nests of loops that work in place in one array, as factorisations and solvers do.

Bounds may be counters of loops outside, rows as long as a number that is known when it runs, passes may go down. Which cells a later
pass comes to again is for the plan to find; the program compares reverse mode with forward mode and with central differences.
"""

import random
import sys

ROW = 5
HEAD = """#include <math.h>
#include <stdio.h>
#include <string.h>
#include "backsweep.h"
#define CELLS 160

typedef double nest(const double *restrict x, double *restrict w, int n);

static int compare(const char *name, nest *f, double reverse, double forward, const double *x, const double *d)
{
    const double h = 1e-5;
    double x_up[CELLS], x_down[CELLS], w[CELLS] = {0};
    for (int i = 0; i < CELLS; i++) {
        x_up[i] = x[i] + h * d[i];
        x_down[i] = x[i] - h * d[i];
    }
    double differences = (f(x_up, w, 5) - f(x_down, w, 5)) / (2 * h), scale = 1 + fabs(forward);
    /* What grows without bound tells nothing. */
    if (!(scale < 1e10))
        return 0;
    if (fabs(reverse - forward) <= 1e-8 * scale && fabs(forward - differences) <= 1e-4 * scale)
        return 0;
    printf("%s: reverse %.12g, forward %.12g, by differences %.12g\\n", name, reverse, forward, differences);
    return 1;
}

#define CHECK(f)                                                                                        \\
    static int check_##f(const double *x, const double *d)                                              \\
    {                                                                                                   \\
        double dx[CELLS] = {0}, w[CELLS] = {0}, dw[CELLS] = {0}, reverse = 0;                            \\
        __backsweep_gradient_void((void *)f, x, dx, bs_dup_noneed, w, dw, 5);                            \\
        for (int i = 0; i < CELLS; i++)                                                                  \\
            reverse += dx[i] * d[i];                                                                     \\
        memset(w, 0, sizeof w);                                                                          \\
        memset(dw, 0, sizeof dw);                                                                        \\
        return compare(#f, f, reverse, __backsweep_tangent((void *)f, x, d, bs_dup, w, dw, 5), x, d);     \\
    }
"""
ARRAYS = ["double a[CELLS];", "static double a[CELLS];", "double *a = w;"]


class Nest:
    def __init__(self, rng):
        self.rng = rng
        self.length = rng.choice(["n", str(ROW)])

    def subscript(self, counters):
        """Something affine that is not negative and below CELLS."""
        row = self.length if self.rng.random() < 0.6 else str(ROW)
        a, b, c = (self.rng.choice(counters) if counters else "0" for _ in range(3))
        return self.rng.choice([a, f"{a} + 1", f"{row} * {a} + {b}", f"{row} * {a} + {b} + 1", f"2 * {a}", f"2 * {a} + 1",
                                f"{row} * ({a} + 1) + {b}", f"{row} * {a} + {b}", f"{a} + {b}", f"{row} * {a} + {c}",
                                str(self.rng.randrange(8))])

    def statement(self, counters):
        target, x, y = (f"a[{self.subscript(counters)}]" for _ in range(3))
        x = target if self.rng.random() < 0.4 else x
        return self.rng.choice([f"{target} = 0.5 * {target} + 0.3 * sin({x});", f"{target} -= 0.4 * {x} * {y};",
                                f"{target} = 0.5 * {x} * {y} + 0.1;", f"{target} /= 1.5 + {x} * {x};",
                                f"{target} = sqrt(1 + {x} * {x} * {y} * {y});", f"{target} += 0.3 * {x} * {y};"])

    def loop(self, counters):
        counter = "ijkl"[len(counters)]
        first = self.rng.choice(["0", "0", "1"] + counters + [f"{outer} + 1" for outer in counters])
        end = self.rng.choice([self.length, self.length, str(ROW)] + counters + [f"{outer} + 1" for outer in counters])
        if self.rng.random() < 0.2:
            return f"for (int {counter} = {end} - 1; {counter} >= {first}; {counter}--)", counter
        return f"for (int {counter} = {first}; {counter} < {end}; {counter}++)", counter

    def body(self, counters, indent):
        lines = []
        deep = len(counters)
        for _ in range(self.rng.randrange(1, 3 if deep else 2)):
            if deep < 3 and self.rng.random() < (0.8 if deep < 2 else 0.4):
                head, counter = self.loop(counters)
                lines += [f"{indent}{head} {{", *self.body([*counters, counter], indent + "    "), f"{indent}}}"]
            else:
                lines += [indent + self.statement(counters) for _ in range(self.rng.randrange(1, 3))]
        return lines

    def print(self, name):
        lines = []
        while len(lines) < 4:
            lines += self.body([], "    ")
        print(f"\nstatic double {name}(const double *restrict x, double *restrict w, int n)\n{{")
        print(f"    {self.rng.choice(ARRAYS)}\n    double sum = 0;\n    for (int i = 0; i < CELLS; i++)\n        a[i] = x[i];")
        print("\n".join(lines))
        print("    for (int i = 0; i < CELLS; i++)\n        sum += a[i] * (1 + 0.01 * i);\n    return sum;\n}")
        print(f"CHECK({name})")


def main():
    rng, count = random.Random(int(sys.argv[1])), int(sys.argv[2])
    print(HEAD)
    for at in range(count):
        Nest(rng).print(f"nest_{at}")
    print("\nint main(void)\n{\n    double x[CELLS], d[CELLS];\n    int wrong = 0;\n    for (int i = 0; i < CELLS; i++) {")
    print("        x[i] = 0.6 + 0.3 * sin(1.3 * i);\n        d[i] = cos(0.7 * i);\n    }")
    print("\n".join(f"    wrong += check_nest_{at}(x, d);" for at in range(count)))
    print("    return wrong != 0;\n}")


main()
