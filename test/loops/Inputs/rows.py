"""rows.py SEED COUNT: a C program of COUNT random functions whose loops read neighbours of rows in time loops, each with its gradient
compared with forward mode for several lengths. Buffers change places, are copied back, lie close to each other or on each other."""

import random
import sys

MOST = 24


class Writer:
    def __init__(self, seed):
        self.random = random.Random(seed)

    def pick(self, *choices):
        return self.random.choice(choices)

    def body(self, index, stride, real):
        """One pass: what is read, and what is stored."""
        reach = self.pick(1, 1, 2, 3)
        offsets = sorted(self.random.sample(range(-reach, reach + 1), self.random.randint(2, min(3, 2 * reach + 1))))
        if stride > 1 and self.random.random() < 0.5:
            offsets = [offset * stride for offset in offsets]
        place = lambda array, offset: f"{array}[{stride} * ({index}) + {offset + 3 * stride + 3}]"
        reads = [place("u", offset) for offset in offsets]
        value = self.pick(
            f"0.6 * {reads[0]} - 0.2 * {reads[-1]} * {reads[0]}",
            f"sin({reads[0]}) * {reads[-1]}",
            f"{reads[0]} / (2 + {reads[-1]} * {reads[-1]})",
            f"0.3 * {reads[0]} + {' * '.join(reads)}",
        )
        if self.random.random() < 0.3:
            value += f" + 0.1 * {place('c', 0)} * {place('c', self.pick(-1, 1))}"
        lines = [f"{place('v', self.pick(0, 0, 0, 1, -1))} = {value};"]
        odd = self.random.random()
        if odd < 0.1:
            lines.insert(self.pick(0, 1), f"{place('u', self.pick(-2, -1, 1, 2))} *= ({real})0.9;")
        elif odd < 0.2:
            lines.insert(0, f"if (c[{index} & 7] > 0)")
        elif odd < 0.25:
            lines.append(f"if (c[{index} & 7] > 0.9) break;")
        return lines

    def loop(self, stride, real):
        index = self.pick("int", "int", "long", "unsigned", "size_t")
        bound = self.pick("n", "MOST", "MOST")
        line = self.pick(
            f"for ({index} i = 0; i < ({index}){bound}; i++)",
            f"for ({index} i = 1; i + 1 < ({index}){bound}; i++)",
            f"for (int i = n - 1; i >= 0; i--)",
            f"for ({index} i = 0; i < ({index}){bound}; i++)",
            f"for ({index} i = 2; i + 2 <= ({index}){bound}; i++)",
            f"for ({index} i = 0; i != ({index}){bound}; i++)",
        )
        where = f"{bound} - 1 - (int)i" if "i++" in line and self.random.random() < 0.15 else "i"
        return [line + " {"] + ["    " + part for part in self.body(where, stride, real)] + ["}"]

    def function(self, number):
        real = self.pick("double", "double", "double", "float")
        stride = self.pick(1, 1, 1, 1, 2, 3)
        cells = stride * (MOST + 6) + 8
        lines = [f"static void f{number}({real} *w, {real} *more, const {real} *c, int n)", "{"]
        buffers = self.pick("swap", "swap", "swap", "back", "turn", "two")
        apart = self.pick(str(cells), str(cells), str(cells), str(cells), str(cells), f"{stride} * n + {6 * stride + 7}", "5", "n", "1", str(cells // 2))
        if buffers == "two":
            lines.append(f"    {real} *u = w, *v = more;")
        else:
            lines.append(f"    {real} *u = w, *v = w + {apart};")
        if buffers == "turn":
            lines.append(f"    {real} *p = more;")
        lines.append(f"    for (int t = 0; t < {self.pick(1, 2, 5)}; t++) {{")
        lines += ["        " + line for line in self.loop(stride, real)]
        if self.random.random() < 0.3:
            lines.append(f"        u[{self.random.randrange(8)}] *= ({real})0.8;")
        if buffers == "back":
            lines.append(f"        for (int i = 0; i < {cells}; i++) u[i] = v[i] * ({real})0.99;")
        elif buffers == "turn":
            lines.append(f"        {real} *swap = p; p = u; u = v; v = swap;")
        else:
            lines.append(f"        {real} *swap = u; u = v; v = swap;")
        lines += ["    }", "}", f"TEST(f{number}, {real})", ""]
        return lines


def main():
    seed, count = int(sys.argv[1]), int(sys.argv[2])
    writer = Writer(seed)
    lines = [f"#define MOST {MOST}", '#include "rows.h"', ""]
    for number in range(count):
        lines += writer.function(number)
    lines += ["int main(void)", "{"]
    lines += [f"    run_f{number}();" for number in range(count)]
    lines += ["    return failures != 0;", "}"]
    print("\n".join(lines))


main()
