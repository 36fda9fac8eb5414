#!/usr/bin/env python3
"""Our dependence test beside LLVM's `print<da>` on the same IR, with enumeration as the judge.

usage: compare.py PLUGIN [opt] [clang]

Each loop below is one store and one load of an array, as data: from it come a C function and its enumeration for
several values of its symbols. A pair's truth is the set of sign vectors (sink minus source) seen in any of them.
An answer is *wrong* if it leaves out a sign vector that was seen, with the two iterations as counterexample; ours is
*less precise* if da is right and we admit a vector that da does not. Exits with 1 if we are ever wrong or less precise.
"""
import itertools, re, subprocess, sys, tempfile, os

LOOPS = []


def loop(loops, store, load, ty="long", elem="double", dims=None, values=None, cond=None):
    """loops: (start, test, step) per level in C over i, j, k; store and load: index expressions per dimension."""
    LOOPS.append(dict(loops=loops, store=store, load=load, ty=ty, elem=elem, dims=dims, values=values, cond=cond))


N = [dict(n=0, m=3), dict(n=1, m=1), dict(n=2, m=7), dict(n=5, m=-2), dict(n=9, m=4), dict(n=12, m=0)]
UP = ("0", "{v} < n", 1)
for store, load in itertools.product(["i", "i+1", "2*i", "2*i+1", "5", "n-i"], ["i", "i-1", "i+3", "2*i", "3*i+1", "0", "9-i"]):
    loop([UP], [store], [load], values=N)
for store, load in [("i", "i+10"), ("i", "i+9"), ("i", "20-i"), ("i", "19-i"), ("i", "18-i"), ("2*i", "i+19"), ("3*i", "i+40"),
                    ("i", "10"), ("i", "9"), ("7*i", "5*i+3"), ("4*i", "6*i+3"), ("4*i", "6*i+2"), ("i", "-i-1"), ("i*i", "i")]:
    loop([("0", "{v} < 10", 1)], [store], [load])
for store, load in [("i+m", "i"), ("i", "m"), ("2*i+m", "2*i+m+1"), ("i+2*m", "i+m"), ("m", "m+1"), ("i+n", "i"), ("n-i", "i+n+1")]:
    loop([UP], [store], [load], values=N)
for step, test, start in [(2, "{v} < 20", "0"), (3, "{v} < 20", "1"), (-1, "{v} > 0", "15"), (-2, "{v} >= 0", "16"), (4, "{v} <= 33", "1")]:
    for store, load in [("i", "i+1"), ("i", "i-2"), ("i+4", "i"), ("i", "2*i")]:
        loop([(start, test, step)], [store], [load])
for ty in ["int", "unsigned", "short", "signed char", "unsigned char"]:
    for store, load in [("i+1", "i"), ("i", "2*i+1"), ("10-i", "i")]:
        loop([("0", "{v} < 10", 1)], [store], [load], ty=ty)
TWO = [("0", "{v} < 10", 1), ("0", "{v} < 10", 1)]
D2 = ["i", "j", "i+1", "j-1", "i+j", "2*j", "0"]
for (a, b), (c, d) in [(("i", "j"), ("i", "j")), (("i", "j"), ("i", "j-1")), (("i", "j"), ("i-1", "j")), (("i", "j"), ("i-1", "j+1")),
                       (("i", "j"), ("j", "i")), (("i+1", "i+j"), ("i", "i+j-1")), (("i", "i"), ("j", "j")), (("i", "0"), ("i", "j")),
                       (("i", "j"), ("i", "j+10")), (("i", "2*j"), ("i", "2*j+1")), (("i+j", "i"), ("i+j+1", "i")),
                       (("i+j", "j"), ("i+j", "j+1")), (("i", "j"), ("9-i", "j")), (("i", "j"), ("i+1", "9-j")),
                       (("i+1", "i"), ("i", "i")), (("i", "i+1"), ("j", "j")), (("2*i", "j"), ("2*i+1", "j")), (("i", "5"), ("5", "j"))]:
    loop(TWO, [a, b], [c, d], dims=[32, 32])
    loop([UP, ("0", "{v} < n", 1)], [a, b], [c, d], dims=[64, 64], values=N)
TRI = [UP, ("0", "{v} <= i", 1)]
REST = [UP, ("i+1", "{v} < n", 1)]
for nest in [TRI, REST, [("0", "{v} < 9", 1), ("i", "{v} < 2*i+3", 1)]]:
    for (a, b), (c, d) in [(("i", "j"), ("j", "i")), (("i", "j"), ("i", "j-1")), (("i", "j"), ("j", "j")), (("j", "i"), ("j+1", "i"))]:
        loop(nest, [a, b], [c, d], dims=[64, 64], values=N)
for store, load in [("10*i+j", "10*i+j+10"), ("10*i+j", "10*i+j-1"), ("i+j", "i+j+30"), ("i-j", "i-j+1"), ("2*i+4*j", "2*i+4*j+1"), ("3*i+6*j", "i+j+1")]:
    loop(TWO, [store], [load])
    loop(TWO, [store], [load], ty="int")
THREE = TWO + [("0", "{v} < 5", 1)]
for s, l in [(("i", "j", "k"), ("i", "j", "k-1")), (("i", "j", "k"), ("k", "j", "i")), (("i+1", "j+k", "j"), ("i", "k", "k")), (("k+1", "j", "j"), ("i", "j", "1"))]:
    loop(THREE, list(s), list(l), dims=[32, 32, 32])
# Subscripts that leave their row, which no dimension sees for itself; products of symbols that may be zero.
for (a, b), (c, d) in [(("i", "j"), ("i-1", "j+32")), (("i", "j+30"), ("i+1", "j")), (("i", "j"), ("i", "j-32")), (("i", "4*j"), ("i+1", "4*j-32")),
                       (("0", "33*j"), ("j", "i")), (("i", "j+32"), ("j+1", "i"))]:
    loop(TWO, [a, b], [c, d], dims=[64, 32])
for store, load in [("n*i", "n*i+n"), ("m*i", "m*i+m"), ("m*i", "m*i+1"), ("m*i", "0"), ("m*i", "m"), ("m*i+1", "1-m*i")]:
    loop([("0", "{v} < 10", 1)], [store], [load], values=N)
for store, load in [("n*i+j", "n*i+j+1"), ("n*i+j", "n*i-n+j"), ("m*i+j", "m*i+j+1"), ("m*i+j", "m*j+i"), ("n*i+j", "n*i+m")]:
    loop([UP, ("0", "{v} < n", 1)], [store], [load], values=N)
for elem in ["char", "short", "float"]:
    loop([("0", "{v} < 20", 1)], ["i"], ["i+1"], elem=elem)
    loop(TWO, ["i", "j"], ["i", "j+1"], elem=elem, dims=[32, 32])


def evaluate(text, env):
    return eval(text.replace("/", "//"), {}, env)


def iterate(spec, env):
    """Every iteration: (counters, indices)."""
    names = "ijk"

    def run(level, env, counters):
        if level == len(spec["loops"]):
            yield tuple(counters), dict(env)
            return
        start, test, step = spec["loops"][level]
        v, count = evaluate(start, env), 0
        while evaluate(test.format(v=names[level]), {**env, names[level]: v}):
            yield from run(level + 1, {**env, names[level]: v}, counters + [count])
            v, count = v + step, count + 1

    return list(run(0, env, []))


def flat(spec, index, env):
    at = 0
    for expr, size in zip(index, [0] + (spec["dims"] or [0])[1:]):
        at = at * size + evaluate(expr, env)
    return at


def truth(spec, x, y):
    """Sign vectors of y minus x where both touch one cell, with an example each."""
    seen = {}
    for env in spec["values"] or [{}]:
        points = iterate(spec, env)
        cells = {}
        for counters, here in points:
            cells.setdefault(flat(spec, spec[y], here), []).append(counters)
        for counters, here in points:
            for other in cells.get(flat(spec, spec[x], here), []):
                if x == y and other == counters:
                    continue
                sign = tuple((b > a) - (b < a) for a, b in zip(counters, other))
                seen.setdefault(sign, (env, counters, other))
    return seen


def write_c(spec, number):
    names = "ijk"
    dims = "".join(f"[{size}]" for size in (spec["dims"] or [0])[1:])
    param = f"{spec['elem']} (*a){dims}" if dims else f"{spec['elem']} *a"
    cell = lambda index: "a" + "".join(f"[{expr}]" for expr in index)
    heads = ""
    for level, (start, test, step) in enumerate(spec["loops"]):
        v = names[level]
        heads += f"for ({spec['ty']} {v} = {start}; {test.format(v=v)}; {v} += {step}) "
    return f"void f{number}({param}, long n, long m) {{ {heads} {cell(spec['store'])} = {cell(spec['load'])} + 1; }}\n"


SIGNS = {"<": {1}, "=": {0}, ">": {-1}, "<=": {0, 1}, ">=": {0, -1}, "=>": {0, -1}, "<>": {1, -1}, "!=": {1, -1}, "*": {-1, 0, 1}, "S": {-1, 0, 1}}


def sets_of(tokens):
    sets = []
    for token in tokens:
        token = token.rstrip("|<") if token.endswith("|<") and token != "|<" else token
        token = token.strip("p") or "*"
        sets.append(SIGNS[token] if token in SIGNS else {(int(token) > 0) - (int(token) < 0)})
    return set(itertools.product(*sets))


def all_signs(depth):
    return set(itertools.product([-1, 0, 1], repeat=depth))


def parse_da(text, depth):
    """function -> {(kind of source, kind of sink): sign vectors}"""
    found, function, pair = {}, None, None
    for line in text.splitlines():
        if match := re.search(r"function '(\w+)'", line):
            function = match.group(1)
        elif match := re.match(r"Src:(.*) --> Dst:(.*)", line):
            pair = tuple("store" if part.strip().startswith("store") else "load" for part in match.groups())
        elif "da analyze -" in line:
            answer = line.split("da analyze -")[1].strip()
            levels = depth(function)
            if answer == "none!":
                sets = set()
            elif match := re.search(r"\[(.*?)\]", answer):
                inner = match.group(1).replace("|<", "")
                sets = sets_of(inner.split())
                if any(len(sign) != levels for sign in sets):
                    sets = all_signs(levels)
            else:
                sets = all_signs(levels)
            found.setdefault(function, {})[pair] = (sets, answer)
    return found


def parse_ours(text, depth):
    found, function = {}, None
    for line in text.splitlines():
        if line.startswith("function @"):
            function = line.split("@")[1].strip()
        elif match := re.match(r"  (?:\S+ )?(load|store) %\d+ -> (?:\S+ )?(load|store) %\d+: (.*)", line):
            source, sink, answer = match.groups()
            levels = depth(function)
            sets = set()
            if not answer.startswith("independent"):
                for back, vector in re.findall(r"(backward )?(?:flow|anti|output|input) \[(.*?)\]", answer):
                    signs = {sign for sign in sets_of(vector.split()) if sign >= tuple([0] * levels)}
                    sets |= {tuple(-part for part in sign) for sign in signs} if back else signs
                if source == sink:
                    sets |= {tuple(-part for part in sign) for sign in sets}
            found.setdefault(function, {})[(source, sink)] = (sets, answer)
    return found


def main():
    plugin = sys.argv[1]
    opt = sys.argv[2] if len(sys.argv) > 2 else "opt-22"
    clang = sys.argv[3] if len(sys.argv) > 3 else "clang-22"
    with tempfile.TemporaryDirectory() as folder:
        source = os.path.join(folder, "loops.c")
        with open(source, "w") as file:
            file.writelines(write_c(spec, number) for number, spec in enumerate(LOOPS))
        raw, ready = source[:-1] + "raw.ll", source[:-1] + "ll"
        subprocess.run([clang, "-O1", "-Xclang", "-disable-llvm-passes", "-S", "-emit-llvm", source, "-o", raw], check=True)
        passes = "function(sroa,simplifycfg,instcombine<no-verify-fixpoint>,loop-simplify,loop(loop-rotate,indvars),simplifycfg)"
        subprocess.run([opt, "-S", f"-passes={passes}", raw, "-o", ready], check=True)
        run = lambda *extra: subprocess.run([opt, *extra, "-disable-output", ready], capture_output=True, text=True, check=True)
        da = run("-passes=print<da>")
        ours = run("-load-pass-plugin=" + plugin, "-passes=print<backsweep-dependence>")
    depth = lambda function: len(LOOPS[int(function[1:])]["loops"])
    da, ours = parse_da(da.stdout + da.stderr, depth), parse_ours(ours.stderr + ours.stdout, depth)
    totals = dict(pairs=0, da_wrong=0, ours_wrong=0, less=0, more=0, same=0)
    print(f"{'loop':6}{'pair':14}{'da':34}{'backsweep':60}judgement")
    for number, spec in enumerate(LOOPS):
        name = f"f{number}"
        for pair in [("load", "store"), ("store", "store"), ("store", "load")]:
            if pair not in da.get(name, {}) or pair not in ours.get(name, {}):
                continue
            (theirs, their_text), (mine, my_text) = da[name][pair], ours[name][pair]
            seen = truth(spec, *pair)
            zero = tuple([0] * len(spec["loops"]))
            if pair[0] == pair[1]:
                theirs, mine = theirs - {zero}, mine - {zero}
                # An access with itself: either of the two runs first.
                theirs = theirs | {tuple(-part for part in sign) for sign in theirs}
            totals["pairs"] += 1
            their_miss = [sign for sign in seen if sign not in theirs]
            my_miss = [sign for sign in seen if sign not in mine]
            word = "same"
            if my_miss:
                word = f"WE ARE WRONG: {seen[my_miss[0]]}"
                totals["ours_wrong"] += 1
            elif their_miss:
                env, x, y = seen[their_miss[0]]
                word = f"da is wrong: {pair[0]} in iteration {x}, {pair[1]} in {y}, {env or 'no symbols'}"
                totals["da_wrong"] += 1
            elif mine - theirs:
                word = f"LESS PRECISE: {sorted(mine - theirs)}"
                totals["less"] += 1
            elif theirs - mine:
                word = "more precise"
                totals["more"] += 1
            else:
                totals["same"] += 1
            print(f"{name:6}{'->'.join(pair):14}{their_text[:32]:34}{my_text[:58]:60}{word}")
    print(f"\n{len(LOOPS)} loops, {totals['pairs']} pairs: {totals['more']} more precise than da, {totals['same']} the same, "
          f"{totals['less']} less precise, da wrong {totals['da_wrong']} times, we {totals['ours_wrong']} times")
    sys.exit(1 if totals["ours_wrong"] or totals["less"] else 0)


main()
