#!/usr/bin/env python3
"""joint.py SEED COUNT: prints a C program of time loops whose steps are calls that run twice.

The steps read and write arrays that are exactly as long as told, in all passes of their loops or in some, forwards and in place,
whole and in parts; some return early, and some work in globals. The program compares reverse mode with forward mode, and with
central differences of the function as the host compiles it. Under AddressSanitizer it also tells whether a snapshot goes beyond an array.
"""

import random
import sys

from edges import HEAD, print_main

LENGTHS = [0, 1, 2, 3, 5, 8, 19, 40]


class Step:
    def __init__(self, rng, name):
        self.rng, self.name = rng, name
        self.depth = 0

    def read(self, index):
        array = self.rng.choice("aaabbc")
        c = self.rng.randrange(3)
        # Where a remainder or a quotient is the index, nobody tells on entry what is touched.
        if self.rng.random() < 0.03:
            return self.rng.choice([f"{array}[{index} / 2]", f"{array}[({index} + {c}) % n]"])
        return self.rng.choice([f"{array}[{index}]"] * 4 + [f"{array}[n - 1 - {index}]", f"state[{index} % 8]",
                                f"({index} + {c} < n ? {array}[{index} + {c}] : 0.1)", "*gain"])

    def value(self, index):
        x, y, z = self.read(index), self.read(index), self.read(index)
        return self.rng.choice([f"0.4 * {x} + 0.3 * {y} * {z}", f"{x} + 0.1 * sin({y} - {z})", f"0.3 * ({x} - {y}) * {z} + 0.2",
                                f"0.9 * {x}", f"0.5 * tanh({x} * {y})"])

    def statement(self, index):
        target = self.rng.choice([f"a[{index}]", f"b[{index}]", f"b[n - 1 - {index}]", f"state[{index} % 8]", "*gain"])
        text = f"{target} {self.rng.choice(['=', '=', '+=']) if target != '*gain' else '='} {self.value(index)};"
        test = self.rng.choice([f"{index} % 3 == 1", f"a[{index}] > 0.4", "n > 4", "flag", "n % 2", f"{index} + 2 < n", f"{index} > 0", "half > 2"])
        return f"if ({test}) {text}" if self.rng.random() < 0.35 else text

    def loop(self):
        kind = self.rng.randrange(20)
        start, step = self.rng.choice([0, 0, 0, 1, 2]), self.rng.choice([1, 1, 1, 2])
        end = self.rng.choice(["n", "n", "n", "n - 1", "half", "n - 2"])
        body = " ".join(self.statement("i") for _ in range(self.rng.randrange(1, 3)))
        if kind == 0:
            inner = self.rng.choice([f"for (int j = 0; j < i; j++) a[i] += 0.01 * {self.read('j')};",
                                     f"for (int j = 0; j < 3 && i + j < n; j++) b[i + j] += 0.02 * {self.read('i')};",
                                     f"for (int j = 0; j < half; j++) a[j] = 0.99 * a[j] + 0.01 * {self.read('i')};"])
            return f"for (int i = 0; i < n; i++) {{ {inner} }}"
        if kind in (1, 8):
            return f"for (int i = n - 1; i >= {start}; i--) {{ {body} }}"
        if kind == 2:
            return f"for (int i = {start}; i < {end}; i++) {{ if (a[i] > 0.9) break; {body} }}"
        if kind in (3, 5):
            return f"{{ int i = {start}; while (i < {end}) {{ {body} i += {step}; }} }}"
        if kind in (4, 6, 7):
            return self.rng.choice(["memcpy(b, a, n * sizeof *b);", "memcpy(b + half, a, half * sizeof *b);", "if (n > 1) b[n - 1] = 0.5 * a[0];",
                                    "if (n > 0) *gain = 0.5 * *gain + 0.1 * a[0];", "memset(b, 0, half * sizeof *b);",
                                    "{ double *room = malloc((n + 1) * sizeof *room); for (int i = 0; i < n; i++) room[i] = a[i] * a[i]; "
                                    "for (int i = 0; i < n; i++) b[i] += 0.1 * room[n - 1 - i]; free(room); }"])
        return f"for (int i = {start}; i < {end}; i += {step}) {{ {body} }}"

    def fill(self):
        """Writes an array, all of it or less, in all calls or in some: what is read there afterwards need not be saved."""
        filled, other = self.rng.choice(["ba", "ba", "bc", "ac"])
        value = f"0.5 * {other}[i] + 0.1 * sin({other}[i] * {other}[n - 1 - i])"
        start, end = self.rng.choice([0, 0, 0, 1]), self.rng.choice(["n", "n", "n", "n - 1", "half"])
        text = self.rng.choice([f"for (int i = {start}; i < {end}; i++) {filled}[i] = {value};"] * 3
                               + [f"for (int i = n - 1; i >= {start}; i--) {filled}[i] = {value};",
                                  f"for (int i = {start}; i < {end}; i += 2) {filled}[i] = {value};",
                                  f"for (int i = 0; i < n; i++) {{ if (i % 3 == 1) continue; {filled}[i] = {value}; }}",
                                  f"for (int i = 0; i < n; i++) {{ if ({other}[i] > 0.9) break; {filled}[i] = {value}; }}",
                                  f"{{ int i = {start}; if (i < {end}) do {{ {filled}[i] = {value}; }} while (++i < {end}); }}",
                                  f"memcpy({filled}, {other}, {end} * sizeof *{filled});", f"memset({filled}, 0, n * sizeof *{filled});"])
        if "- 1 *" in text:
            text = f"if (n > 0) memcpy({filled}, {other}, (n - 1) * sizeof *{filled});"
        return f"if ({self.rng.choice(['flag', 'n > 4'])}) {{ {text} }}" if self.rng.random() < 0.15 else text

    def body(self):
        loops = [self.loop() for _ in range(self.rng.randrange(1, 4))]
        if self.rng.random() < 0.5:
            loops.insert(self.rng.choice([0, 0, 0, 1]), self.fill())
        if self.rng.random() < 0.2:
            around = self.rng.choice(["for (int s = 0; s < 2; s++) {{ {} }}", "{{ int s = 0; do {{ {} }} while (++s < 3 && *gain < 0.4); }}",
                                      "for (int s = 0; s < 3; s++) {{ {} if (*gain > 0.4) break; }}"])
            return around.format(" ".join(loops))
        return "\n    ".join(loops)

    def print(self):
        early = self.rng.choice(["", "", "", "    if (n < 3)\n        return;\n", "    if (flag && n > 6)\n        return;\n"])
        restrict = self.rng.choice(["", "restrict "])
        print(f"\nMARKED static void {self.name}(double *{restrict}a, double *{restrict}b, const double *{restrict}c, double *{restrict}gain, int n, int flag)\n{{")
        print("    const int half = n / 2;\n" + early + f"    {self.body()}\n}}")


def print_row(rng, at):
    step = Step(rng, f"step_{at}")
    step.print()
    swap = "        double *other = a;\n        a = b;\n        b = other;\n" if rng.random() < 0.4 else ""
    print(f"""
static double row_{at}(const double *x, int n)
{{
    double *a = malloc((n + !n) * sizeof *a), *b = malloc((n + !n) * sizeof *b), *c = malloc((n + !n) * sizeof *c), gain = x[3], sum = 0;
    memset(state, 0, sizeof state);
    for (int i = 0; i < n; i++) {{
        a[i] = x[i];
        b[i] = 0.5 * x[i];
        c[i] = 0.3 + 0.2 * x[i] * x[0];
    }}
    for (int t = 0; t < {rng.choice([1, 2, 3, 5])}; t++) {{
        step_{at}(a, b, c, &gain, n, t == 1);
{swap}    }}
    for (int i = 0; i < n; i++)
        sum += (a[i] + 2 * b[i] + 0.3 * c[i]) * (1 + 0.01 * i);
    for (int i = 0; i < 8; i++)
        sum += state[i];
    free(a);
    free(b);
    free(c);
    return sum + gain;
}}
CHECK(row_{at})""")


def main():
    rng, count = random.Random(int(sys.argv[1])), int(sys.argv[2])
    print("#include <stdlib.h>\n#include <string.h>\n" + HEAD)
    print('#define MARKED __attribute__((annotate("backsweep_joint")))\nstatic double state[8];')
    for at in range(count):
        print_row(rng, at)
    print_main(count, LENGTHS)


if __name__ == "__main__":
    main()
