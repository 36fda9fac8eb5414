"""plates.py FILE.svg: three plates of 32 by 32 cells, of which the recovered one resembles the first more than the measured does."""

import re
import sys
import xml.etree.ElementTree as tree

SIDE = 32
cells = tree.parse(sys.argv[1]).getroot().findall("{http://www.w3.org/2000/svg}rect")
assert len(cells) == 3 * SIDE * SIDE, len(cells)
red = [int(re.match(r"rgb\((\d+),", cell.get("fill"))[1]) for cell in cells]
start, measured, recovered = (red[p * SIDE * SIDE : (p + 1) * SIDE * SIDE] for p in range(3))
assert max(start) > 200, max(start)


def distance(plate):
    return sum((a - b) ** 2 for a, b in zip(plate, start))


assert distance(recovered) < 0.2 * distance(measured), (distance(recovered), distance(measured))
