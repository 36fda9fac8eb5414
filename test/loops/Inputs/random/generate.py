"""Random loops in C: a function of arrays that may overlap, by a seed.

Every function is `double f(double *a, double *b, const double *c, const int *p, int n)`, with n at least MARGIN. What is
assigned stays bounded, so that derivatives do.
"""

import random

# Subscripts go this far beyond the counter of a loop, and loops stay as far from both ends.
MARGIN = 4

UNARY = ["sin({})", "cos({})", "0.5 * tanh({})", "0.3 * ({}) * ({})", "1 / (1.5 + ({}) * ({}))", "exp(-0.5 * ({}) * ({}))"]
BINARY = ["({} + {})", "({} - {})", "({}) * ({})", "0.5 * ({}) * ({})", "fmax({}, {})"]


class Function:
    def __init__(self, rng, name):
        self.rng, self.name = rng, name
        self.counters, self.lines, self.depth = [], [], 0
        self.scalars = ["s", "t"][: rng.randint(1, 2)]
        self.restrict = rng.random() < 0.4
        self.statements(rng.randint(1, 3))

    def emit(self, text):
        self.lines.append("    " * (self.depth + 1) + text)

    def constant(self):
        return f"{self.rng.choice([-1.5, -1.0, -0.5, 0.25, 0.5, 0.75, 1.0, 1.25])}"

    def subscript(self):
        """A subscript that is in bounds wherever the counters are."""
        rng = self.rng
        if not self.counters:
            return rng.choice(["0", "1", "n - 1", "n / 2"])
        counter = rng.choice(self.counters)
        near = [f"{counter} - 1", f"{counter} + 1", f"{counter} - 2", f"{counter} + {MARGIN - 1}"]
        far = [f"n - 1 - {counter}", f"{counter} / 2", f"(3 * {counter}) % n", f"p[{counter}]", "2", "n - 1"]
        if len(self.counters) > 1:
            far.append(f"({self.counters[0]} + {self.counters[1]}) % n")
        return rng.choices([counter, rng.choice(near), rng.choice(far)], [5, 4, 2])[0]

    def place(self):
        array = self.rng.choice(["a", "b", "b", "w"])
        return f"{array}[{self.subscript()}]"

    def leaf(self):
        rng = self.rng
        kind = rng.random()
        if kind < 0.6:
            return f"{rng.choice(['a', 'a', 'b', 'c', 'w'])}[{self.subscript()}]"
        if kind < 0.8:
            return rng.choice(self.scalars)
        if kind < 0.9 and self.counters:
            return f"0.1 * {rng.choice(self.counters)}"
        return self.constant()

    def expression(self, depth):
        rng = self.rng
        if depth == 0 or rng.random() < 0.2:
            return self.leaf()
        if rng.random() < 0.4:
            form = rng.choice(UNARY)
            inner = self.expression(depth - 1)
            return form.format(*[inner] * form.count("{}"))
        return rng.choice(BINARY).format(self.expression(depth - 1), self.expression(depth - 1))

    def assignment(self):
        rng = self.rng
        value = self.expression(rng.randint(1, 3))
        target = rng.choice(self.scalars) if rng.random() < 0.4 else self.place()
        kind = rng.random()
        if kind < 0.35:
            self.emit(f"{target} += {value};")
        elif kind < 0.45:
            self.emit(f"{target} = 0.5 * {target} + {value};")
        elif kind < 0.5:
            self.emit(f"{target} *= cos({value});")
        elif kind < 0.75:
            self.emit(f"{target} = sin({value});")
        else:
            self.emit(f"{target} = tanh({value});")

    def nested(self, header, count):
        self.emit(header + " {")
        self.depth += 1
        self.statements(count)
        self.depth -= 1
        self.emit("}")

    def loop(self):
        rng = self.rng
        counter = "ijk"[len(self.counters)]
        outer = self.counters[-1] if self.counters else None
        low, high = str(rng.choice([MARGIN, MARGIN, MARGIN + 1])), f"n - {MARGIN}"
        if outer and rng.random() < 0.3:
            low, high = rng.choice([(low, f"{outer} + 1"), (outer, high)])
        elif outer and rng.random() < 0.4:
            # So few passes that what does not change in the loop around may get a table.
            low, high = str(MARGIN), str(MARGIN + rng.randint(1, 3))
        headers = [
            f"for (int {counter} = {low}; {counter} < {high}; {counter}++)",
            f"for (int {counter} = {low}; {counter} < {high}; {counter}++)",
            f"for (int {counter} = {low}; {counter} < {high}; {counter} += 2)",
            f"for (int {counter} = {high} - 1; {counter} >= {low}; {counter}--)",
            f"for (int {counter} = {low}; {counter} < {high} && {rng.choice(self.scalars)} < 40; {counter}++)",
        ]
        header = rng.choice(headers)
        self.counters.append(counter)
        self.nested(header, rng.randint(1, 3))
        self.counters.pop()

    def times(self):
        """A loop over steps, whose counter no subscript uses."""
        self.nested(f"for (int step_{self.depth} = 0; step_{self.depth} < {self.rng.randint(2, 4)}; step_{self.depth}++)", 2)

    def branch(self):
        rng = self.rng
        condition = f"{self.leaf()} > {self.constant()}"
        if self.counters and rng.random() < 0.5:
            condition = f"{rng.choice(self.counters)} % 3 == 1"
        jumps = ["continue;", "break;"] if self.counters else []
        if jumps and rng.random() < 0.25:
            self.emit(f"if ({condition}) {rng.choice(jumps)}")
        else:
            self.nested(f"if ({condition})", rng.randint(1, 2))

    def thrown_away(self):
        """A loop whose sum is used behind it, or not."""
        rng = self.rng
        counter = "ijkl"[len(self.counters)]
        name = f"t{len(self.lines)}"
        self.emit(f"double {name} = {self.constant()};")
        self.emit(f"for (int {counter} = {MARGIN}; {counter} < n - {MARGIN}; {counter}++) {{")
        self.counters.append(counter)
        self.depth += 1
        for _ in range(rng.randint(1, 2)):
            value = self.expression(2)
            condition = rng.choice(["", "", f"if ({self.leaf()} > {self.constant()}) "])
            self.emit(f"{condition}{name} {rng.choice(['+=', '+=', '= 0.5 +', '*='])} sin({value});")
        self.counters.pop()
        self.depth -= 1
        self.emit("}")
        target = self.place()
        self.emit(rng.choice([
            f"if ({name} > {self.constant()}) {target} += 0.3 * {name} * {name};",
            f"{target} = {name} > {self.constant()} ? sin({name}) : {self.leaf()};",
            f"{target} += fmax({name}, {self.leaf()});",
            f"if ({name} < {self.constant()}) {target} = tanh({name});",
        ]))

    def statements(self, count):
        for _ in range(count):
            if self.rng.random() < 0.08 and len(self.counters) < 3 and self.depth < 4:
                self.thrown_away()
                continue
            kind = self.rng.random()
            if self.depth == 0 or (kind < 0.25 and len(self.counters) < 2 and self.depth < 3):
                self.times() if self.rng.random() < 0.2 else self.loop()
            elif kind < 0.4 and self.depth < 4:
                self.branch()
            else:
                self.assignment()

    def text(self):
        apart = "restrict " if self.restrict else ""
        scalars = ", ".join(f"{name} = 0.{2 + at}" for at, name in enumerate(self.scalars))
        result = " + ".join(self.scalars + ["w[n / 2]", f"0.5 * b[{MARGIN}]"])
        return "\n".join([
            f"static double {self.name}(double *{apart}a, double *{apart}b, const double *{apart}c, const int *p, int n)",
            "{",
            # A loop of few passes may go beyond n.
            f"    double {scalars}, w[MOST] = {{0}};",
            "    for (int i = 0; i < n; i++)",
            "        w[i] = 0.1 * a[i];",
            *self.lines,
            f"    return {result};",
            "}",
        ])


class Sums(Function):
    """Passes that write nothing to memory and add up what they compute, so that each may be reversed as it has run; with
    something that one hands to the next, or asks of the sum, here and there."""

    def __init__(self, rng, name):
        self.locals = []
        super().__init__(rng, name)

    def place(self):
        return self.rng.choice(self.locals or self.scalars)

    def leaf(self):
        rng = self.rng
        if self.locals and rng.random() < 0.35:
            return rng.choice(self.locals)
        # What a pass asks of a sum ties it to the passes before.
        if rng.random() < 0.04:
            return rng.choice(self.scalars)
        return f"{rng.choice(['a', 'a', 'b', 'c'])}[{self.subscript()}]" if rng.random() < 0.8 else self.constant()

    def assignment(self):
        rng = self.rng
        value = self.expression(rng.randint(1, 2))
        if not self.locals:
            self.emit(f"{rng.choice(self.scalars)} += {value};")
            return
        self.emit(f"{self.place()} {rng.choice(['=', '+=', '*=', '= 0.5 +'])} sin({value});")

    def nested(self, header, count):
        if not header.startswith("for"):
            super().nested(header, count)
            return
        name = f"u{len(self.locals)}_{len(self.lines)}"
        self.emit(header + " {")
        self.depth += 1
        self.emit(f"double {name} = {self.expression(2)};")
        self.locals.append(name)
        self.statements(count)
        self.locals.pop()
        value = f"{name} * {self.expression(1)}" if self.rng.random() < 0.6 else f"exp(0.2 * {name})"
        target = self.locals[-1] if self.locals else self.rng.choice(self.scalars)
        self.emit(f"{target} {self.rng.choice(['+=', '+=', '-='])} {value};")
        self.depth -= 1
        self.emit("}")

    def text(self):
        apart = "restrict " if self.restrict else ""
        scalars = ", ".join(f"{name} = 0.{2 + at}" for at, name in enumerate(self.scalars))
        forms = ["exp(-c[1]) * {}", "{} / (1 + b[2] * b[2])", "-{}", "a[3] * {} * n", "sin({})"]
        result = " + ".join(self.rng.choice(forms).format(name) for name in self.scalars)
        return "\n".join([
            f"static double {self.name}(double *{apart}a, double *{apart}b, const double *{apart}c, const int *p, int n)",
            "{",
            f"    double {scalars};",
            *self.lines,
            f"    return {result};",
            "}",
        ])


def functions(seed, count):
    rng = random.Random(seed)
    return [(Sums if rng.random() < 0.25 else Function)(rng, f"loops_{at}") for at in range(count)]
