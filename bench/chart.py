"""chart.py FILE.csv FILE.svg: gradient over primal for every program, ours beside the hand-written adjoint, on a logarithmic axis."""

import csv
import math
import sys
from xml.sax.saxutils import escape

LEFT, WIDTH, ROW, TOP = 170, 560, 26, 34
COLOURS = {"ratio": "#2b6cb0", "by_hand_ratio": "#c5c5c5"}


def main():
    rows = list(csv.DictReader(open(sys.argv[1], encoding="utf-8")))
    ratios = [float(row[column]) for row in rows for column in COLOURS]
    low, high = math.floor(math.log10(min(ratios))), math.ceil(math.log10(max(ratios)))

    def place(ratio):
        return LEFT + WIDTH * (math.log10(ratio) - low) / max(high - low, 1)

    bottom = TOP + ROW * len(rows)
    text = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {LEFT + WIDTH + 70} {bottom + 30}" '
        'font-family="sans-serif" font-size="12">',
        f'<text x="{LEFT}" y="16">time of the gradient over time of the primal: '
        f'<tspan fill="{COLOURS["ratio"]}">Backsweep</tspan>, <tspan fill="#777">by hand</tspan></text>',
    ]
    for power in range(low, high + 1):
        x = place(10.0**power)
        text.append(f'<line x1="{x:.1f}" y1="{TOP - 8}" x2="{x:.1f}" y2="{bottom}" stroke="#ddd"/>')
        text.append(f'<text x="{x:.1f}" y="{bottom + 16}" text-anchor="middle">{10.0**power:g}</text>')
    for index, row in enumerate(rows):
        y = TOP + ROW * index
        text.append(f'<text x="{LEFT - 8}" y="{y + 14}" text-anchor="end">{escape(row["program"])}</text>')
        for offset, (column, colour) in enumerate(COLOURS.items()):
            end = place(float(row[column]))
            text.append(
                f'<rect x="{LEFT}" y="{y + 2 + 9 * offset}" width="{end - LEFT:.1f}" height="8" fill="{colour}"/>'
            )
        text.append(f'<text x="{place(float(row["ratio"])) + 4:.1f}" y="{y + 11}">{float(row["ratio"]):.1f}</text>')
    text.append("</svg>")
    with open(sys.argv[2], "w", encoding="utf-8") as file:
        file.write("\n".join(text) + "\n")


main()
