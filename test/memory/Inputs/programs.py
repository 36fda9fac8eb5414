#!/usr/bin/env python3
"""Random C programs that move structs about: copies, swaps, rotations and moves by bits, between arithmetic on what is in them.

programs.py SEED…

Prints a program for each seed. Each has structs of floats, integers and pointers in a random order, in memory of its own and
in memory that it is given. `programs.run.c` includes the text, and compares reverse with forward mode and with differences.
"""

import random
import sys

COUNT = 6
INTEGERS = ["int", "char", "short", "long"]


class Program:
    """The text of one program, statement by statement."""

    def __init__(self, seed):
        self.seed = seed
        self.random = random.Random(seed)
        self.lines = []
        self.loops = 0
        self.fields = self.make_fields()
        self.floats = [name for kind, name in self.fields if kind in ("double", "float")]
        self.integers = [name for kind, name in self.fields if kind in INTEGERS]
        self.pointers = [name for kind, name in self.fields if kind == "double *"]
        self.arrays = ["p", "own", "heap"]

    def make_fields(self):
        kinds = ["double"] + self.random.choices(["double", "double", "float"] + INTEGERS + ["double *"], k=4)
        self.random.shuffle(kinds)
        return [(kind, f"m{at}") for at, kind in enumerate(kinds)]

    def write(self, depth, line):
        self.lines.append("    " * depth + line)

    def index(self, inner):
        if inner and self.random.random() < 0.8:
            return f"({self.random.choice(inner)} + {self.random.randrange(COUNT)}) % {COUNT}"
        return str(self.random.randrange(COUNT))

    def place(self, inner):
        return f"{self.random.choice(self.arrays)}[{self.index(inner)}]"

    def value(self, inner):
        """A float to read."""
        kind = self.random.random()
        if kind < 0.2:
            return f"x[{self.index(inner)}]"
        if kind < 0.3 and self.integers:
            return f"(1 + {self.place(inner)}.{self.random.choice(self.integers)} % 3)"
        if kind < 0.4 and self.pointers:
            return f"*{self.place(inner)}.{self.random.choice(self.pointers)}"
        return f"{self.place(inner)}.{self.random.choice(self.floats)}"

    def expression(self, inner):
        form = self.random.choice(["{} * {}", "{} + {}", "sin({}) - {}", "{} * 0.5 + cos({})"])
        return form.format(self.value(inner), self.value(inner))

    def statement(self, depth, inner):
        kind = self.random.random()
        a, b = self.place(inner), self.place(inner)
        if kind < 0.25:
            self.write(depth, f"{a}.{self.random.choice(self.floats)} = tanh({self.expression(inner)});")
        elif kind < 0.4:
            self.write(depth, f"{a} = {b};")
        elif kind < 0.5:
            self.write(depth, f"{{ struct s{self.seed} t = {a}; {a} = {b}; {b} = t; }}")
        elif kind < 0.58:
            self.write(depth, f"memmove(&{a}, &{b}, sizeof {a});")
        elif kind < 0.66:
            count = self.random.randrange(2, COUNT)
            to, start = self.random.sample(self.arrays, 2)
            self.write(depth, f"memcpy({to}, {start}, {count} * sizeof *{to});")
        elif kind < 0.72 and self.integers:
            name = self.random.choice(self.integers)
            self.write(depth, f"{a}.{name} = {b}.{name} + {self.random.randrange(3)};")
        elif kind < 0.78:
            self.write(depth, f"if ({self.value(inner)} > 0.325) {a} = {b}; else {b}.{self.random.choice(self.floats)} *= 0.9;")
        elif kind < 0.84:
            name, other = self.random.choice(self.floats), self.random.choice(self.floats)
            self.write(depth, f"{a}.{name} = {b}.{other};")
        elif len(inner) < 2:
            loop = f"i{self.loops}"
            self.loops += 1
            self.write(depth, f"for (int {loop} = 0; {loop} < n; {loop}++) {{")
            for _ in range(self.random.randrange(1, 4)):
                self.statement(depth + 1, inner + [loop])
            self.write(depth, "}")

    def fill(self, array):
        self.write(1, f"for (int i = 0; i < {COUNT}; i++) {{")
        for at, (kind, name) in enumerate(self.fields):
            value = f"x[(i + {at}) % {COUNT}]"
            if kind in INTEGERS:
                value = f"i + {at}"
            elif kind == "double *":
                value = "&x[i]"
            else:
                value = f"0.5 + {value} * {0.1 * (at + 1):.1f}"
            self.write(2, f"{array}[i].{name} = {value};")
        self.write(1, "}")

    def text(self):
        name = f"s{self.seed}"
        self.write(0, f"struct {name} {{ " + " ".join(f"{kind} {field};" for kind, field in self.fields) + " };")
        self.write(0, f"static double f{self.seed}(double *x, struct {name} *p, int n) {{")
        self.write(1, f"struct {name} own[{COUNT}], *heap = malloc({COUNT} * sizeof *heap);")
        self.fill("own")
        self.fill("heap")
        for _ in range(self.random.randrange(4, 9)):
            self.statement(1, [])
        self.write(1, "double sum = 0;")
        self.write(1, f"for (int i = 0; i < {COUNT}; i++) {{")
        for array in self.arrays:
            for at, field in enumerate(self.floats):
                self.write(2, f"sum += {array}[i].{field} * (i + {at + 1});")
            for field in self.integers:
                self.write(2, f"sum += {array}[i].{field} % 3 * x[i];")
        self.write(1, "}")
        self.write(1, "free(heap);")
        self.write(1, "return sum;")
        self.write(0, "}")
        self.write_run(name)
        return "\n".join(self.lines)

    def write_run(self, name):
        """What sets the memory that is passed: each float to its start and so many times its direction."""
        self.write(0, f"static void set{self.seed}(struct {name} *p, double *x, double start, double along) {{")
        self.write(1, f"for (int i = 0; i < {COUNT}; i++) {{")
        for at, (kind, field) in enumerate(self.fields):
            value = f"start * (0.3 + 0.1 * i - 0.05 * {at}) + along * (1 + 0.2 * i + 0.3 * {at})"
            if kind in INTEGERS:
                value = f"start != 0 ? i + {at} : 0"
            elif kind == "double *":
                value = f"&x[(i + {at}) % {COUNT}]"
            self.write(2, f"p[i].{field} = {value};")
        self.write(1, "}")
        self.write(0, "}")
        self.write(0, f"static double dot{self.seed}(struct {name} *p, struct {name} *q) {{")
        self.write(1, "double sum = 0;")
        products = " + ".join(f"(double)p[i].{field} * q[i].{field}" for field in self.floats)
        self.write(1, f"for (int i = 0; i < {COUNT}; i++) sum += {products};")
        self.write(1, "return sum;")
        self.write(0, "}")
        precise = "float" not in [kind for kind, _ in self.fields]
        self.write(0, f"TRY({self.seed}, {int(precise)})")


def main():
    seeds = [int(seed) for seed in sys.argv[1:]]
    for seed in seeds:
        print(Program(seed).text())
    print("static int (*const programs[])(void) = {" + ", ".join(f"try{seed}" for seed in seeds) + "};")


main()
