"""ablation.py DIR: the table of what each analysis is worth, from DIR/ANALYSIS/gradients.csv; DIR/nothing is as shipped.

For each program and analysis two ratios, of the gradient's time and of the bytes on its tape, without the analysis over
with it: above 1, the analysis pays. Writes DIR/ablation.csv too.
"""

import csv
import math
import os
import sys

ANALYSES = [
    "activity", "liveness", "tbr", "write", "mincut", "restore", "left", "notape", "preaccumulate", "fuse", "idle", "strip", "tables", "chosen", "walks",
    "edges", "short", "joint", "contract", "guard", "rows", "invert", "sums",
]


def read(directory, disabled):
    with open(os.path.join(directory, disabled, "gradients.csv")) as file:
        return {row["program"]: row for row in csv.DictReader(file)}


def show(ratio):
    if ratio is None:
        return "from 0"
    return f"{ratio:.2f}"


def bytes_ratio(without, shipped):
    """No ratio is as large as that of something over nothing; of nothing over nothing it is 1."""
    if shipped == 0:
        return 1.0 if without == 0 else None
    return without / shipped


def mean(ratios):
    finite = [ratio for ratio in ratios if ratio]
    return math.exp(sum(map(math.log, finite)) / len(finite)) if finite else 1.0


def main():
    directory = sys.argv[1]
    shipped = read(directory, "nothing")
    without = {analysis: read(directory, analysis) for analysis in ANALYSES}
    heads = "".join(f"{'-' + analysis:>18}" for analysis in ANALYSES)
    print("time and bytes of tape without an analysis, over those with all")
    print(f"{'':<20} {'us':>9} {'tape':>10}{heads}")
    table = []
    for program, row in shipped.items():
        seconds, size = float(row["gradient_seconds"]), int(row["tape_bytes"])
        line = {"program": program, "gradient_seconds": seconds, "tape_bytes": size}
        cells = ""
        for analysis in ANALYSES:
            other = without[analysis][program]
            time = float(other["gradient_seconds"]) / seconds
            size_ratio = bytes_ratio(int(other["tape_bytes"]), size)
            line[f"{analysis}_time"], line[f"{analysis}_bytes"] = time, size_ratio
            cells += f"{show(time):>8} /{show(size_ratio):>8}"
        table.append(line)
        print(f"{program:<20} {1e6 * seconds:>9.1f} {size:>10}{cells}")
    means = ""
    for analysis in ANALYSES:
        time = mean([line[f"{analysis}_time"] for line in table])
        size = mean([line[f"{analysis}_bytes"] for line in table])
        means += f"{show(time):>8} /{show(size):>8}"
    print(f"{'geometric mean':<20} {'':>9} {'':>10}{means}")
    with open(os.path.join(directory, "ablation.csv"), "w", newline="") as file:
        writer = csv.DictWriter(file, fieldnames=list(table[0]))
        writer.writeheader()
        writer.writerows(table)
    print(f"written: {os.path.join(directory, 'ablation.csv')}")


main()
