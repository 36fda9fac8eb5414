#!/usr/bin/env python3
"""edges.py SEED COUNT: prints a C program of loops whose first and last passes are unlike the others, as in rings and at walls.

Counters have every width and sign, ends are known or not, and there may be fewer passes than edges. The program compares reverse
mode with forward mode, and with central differences of the function as the host compiles it.
"""

import random
import sys

HEAD = """#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include "backsweep.h"
#define CELLS 64
/* What a remainder leaves below zero is still a cell. */
#define ROOM 8
#define LEAST(a, b) ((a) < (b) ? (a) : (b))
#define MOST(a, b) ((a) > (b) ? (a) : (b))

typedef double row(const double *x, int n);

static double differences_of(row *f, int n, double h, const double *x, const double *d)
{
    double x_up[CELLS], x_down[CELLS];
    for (int i = 0; i < CELLS; i++) {
        x_up[i] = x[i] + h * d[i];
        x_down[i] = x[i] - h * d[i];
    }
    return (f(x_up, n) - f(x_down, n)) / (2 * h);
}

static int compare(const char *name, int n, row *f, double reverse, double forward, const double *x, const double *d)
{
    double differences = differences_of(f, n, 1e-5, x, d), scale = 1 + fabs(forward);
    /* What grows steeply bends too much within a step: a shorter one tells whether it is that. */
    if (!(fabs(forward - differences) <= 1e-4 * scale))
        differences = differences_of(f, n, 1e-7, x, d);
    if (!(scale < 1e10))
        return 0;
    if (fabs(reverse - forward) <= 1e-8 * scale && fabs(forward - differences) <= 1e-4 * scale)
        return 0;
    printf("%s of %d: reverse %.12g, forward %.12g, by differences %.12g\\n", name, n, reverse, forward, differences);
    return 1;
}

#define CHECK(f)                                                                                        \\
    static int check_##f(int n, const double *x, const double *d)                                       \\
    {                                                                                                   \\
        double dx[CELLS] = {0}, reverse = 0;                                                             \\
        __backsweep_gradient_void((void *)f, x, dx, n);                                                  \\
        for (int i = 0; i < CELLS; i++)                                                                  \\
            reverse += dx[i] * d[i];                                                                     \\
        return compare(#f, n, f, reverse, __backsweep_tangent((void *)f, x, d, n), x, d);                \\
    }
"""
LENGTHS = [0, 1, 2, 3, 4, 5, 6, 17, 19, 40]


class Row:
    def __init__(self, rng):
        self.rng = rng
        self.type = rng.choice(["int", "int", "int", "unsigned", "long", "size_t"])
        self.end = rng.choice(["m", "m", "m", "24", "40"])

    def has_sign(self):
        return self.type in ("int", "long")

    def index(self):
        c, n = self.rng.randrange(4), self.end
        wrapped = [f"(i + {c}) % {n}", f"(i + {n} - {c}) % {n}", f"(i - {c} + {n}) % {n}", f"({n} + i - {c}) % {n}"]
        chosen = [f"(i == 0 ? {n} - 1 : i - 1)", f"(i == {n} - 1 ? 0 : i + 1)", f"(i + 1 == {n} ? 0 : i + 1)",
                  f"(i > {c} ? i - {c} : 0)", f"(i < {n} - {c} ? i + {c} : {n} - 1)", f"(i + {c} < {n} ? i + {c} : i)",
                  f"(i >= {c} ? i - {c} : i)", f"(i + {c} >= {n} ? i + {c} - {n} : i + {c})", f"(i != {c} ? i : 0)",
                  f"(i <= {n} - {c} ? i : 0)", f"LEAST(i + {c}, {n} - 1)", f"MOST(i, {c}) - {c}", f"LEAST(i, {c})"]
        if self.has_sign():
            chosen.append(f"MOST(i - {c}, 0)")
        return self.rng.choice(self.rng.choice([wrapped, chosen, ["i"]]))

    def read(self):
        return f"{self.rng.choice('aab')}[{self.index()}]"

    def statement(self):
        x, y, z = self.read(), self.read(), self.read()
        return self.rng.choice([f"b[i] = 0.4 * {x} + 0.3 * {y} * {z};", f"b[i] = {x} + 0.1 * sin({y} - {z});",
                                f"b[{self.index()}] += 0.2 * {x} * {y};", f"sum += 0.1 * {x} * {y};", f"a[i] = 0.5 * {x} + 0.2 * {y};",
                                f"b[i] = 0.3 * ({x} - {y}) * {z} - b[i] + 1;"])

    def condition(self):
        c, n = self.rng.randrange(3), self.end
        return self.rng.choice([f"i == {c}", f"i < {c}", f"i >= {n} - {c}", f"i == 0 || i == {n} - 1", f"i > {c} && i + {c} < {n}",
                                f"i == {n} - {c}", f"i + {c} >= {n}", "i % 2 == 0", f"i != {n} - 1"])

    def body(self):
        lines = []
        for _ in range(self.rng.randrange(1, 4)):
            if self.rng.random() < 0.4:
                lines.append(f"if ({self.condition()}) {self.rng.choice([self.statement(), 'continue;'])}")
                if "continue" not in lines[-1] and self.rng.random() < 0.5:
                    lines.append(f"else {self.statement()}")
            else:
                lines.append(self.statement())
        return lines

    def loop(self):
        start = self.rng.choice([0, 0, 0, 0, 1, 2])
        test = self.rng.choice([f"i < {self.end}"] * 4 + [f"i <= {self.end}", f"i < {self.end} - 1", f"{self.end} > i"])
        if self.end == "m":
            test = test.replace("<=", "<")  # A remainder by nothing.
        if start == 0 and self.rng.random() < 0.2:
            test = f"i != {self.end}"
        if not self.has_sign():
            test = test.replace(" - 1", "")
        return f"for ({self.type} i = {start}; {test}; i++) {{", start

    def print(self, name):
        print(f"\nstatic double {name}(const double *x, int n)\n{{")
        print("    double rooms[2][CELLS + 2 * ROOM] = {{0}}, *a = rooms[0] + ROOM, *b = rooms[1] + ROOM, sum = 0;")
        print(f"    const {self.type} m = n;")
        print("    for (int i = 0; i < CELLS; i++) {\n        a[i] = x[i];\n        b[i] = 0.5 * x[i];\n    }")
        steps = self.rng.choice([1, 1, 3])
        print(f"    for (int t = 0; t < {steps}; t++) {{")
        for _ in range(self.rng.randrange(1, 3)):
            head, _ = self.loop()
            print("        " + head + "\n            " + "\n            ".join(self.body()) + "\n        }")
        if self.rng.random() < 0.5:
            print("        double *swap = a;\n        a = b;\n        b = swap;")
        print("    }\n    for (int i = 0; i < CELLS; i++)\n        sum += (a[i] + 2 * b[i]) * (1 + 0.01 * i);\n    return sum + (double)m;\n}")
        print(f"CHECK({name})")


def print_main(count, lengths):
    print(f"\nint main(void)\n{{\n    static const int lengths[] = {{{', '.join(map(str, lengths))}}};")
    print("    double x[CELLS], d[CELLS];\n    int wrong = 0;\n    for (int i = 0; i < CELLS; i++) {")
    print("        x[i] = 0.6 + 0.3 * sin(1.3 * i);\n        d[i] = cos(0.7 * i);\n    }")
    print(f"    for (int k = 0; k < {len(lengths)}; k++) {{")
    print("\n".join(f"        wrong += check_row_{at}(lengths[k], x, d);" for at in range(count)))
    print("    }\n    return wrong != 0;\n}")


def main():
    rng, count = random.Random(int(sys.argv[1])), int(sys.argv[2])
    print(HEAD)
    for at in range(count):
        Row(rng).print(f"row_{at}")
    print_main(count, LENGTHS)


if __name__ == "__main__":
    main()
