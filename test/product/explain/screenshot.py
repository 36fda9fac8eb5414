"""screenshot.py PAGE.html PICTURE.png: looks at a page of `backsweep explain --html` in headless Chromium.

The picture has to show the page and not an error of the browser: dark text on a light ground, the rows that record in their
colour, and the badges of both kinds of loops. Read without a library, so that the test needs only the browser.
"""

import collections
import pathlib
import struct
import subprocess
import sys
import tempfile
import zlib

WIDTH, HEIGHT = 1200, 1400
# What page.css gives: rows that record, their bars, loops that record nothing, and the text.
EXPECTED = {"rows that record": (0xFD, 0xF1, 0xE4), "bars": (0xF0, 0xA8, 0x60), "loops without a tape": (0x1D, 0x7A, 0x46),
            "text": (0x1C, 0x23, 0x30)}


def take_picture(page, picture):
    with tempfile.TemporaryDirectory() as profile:
        subprocess.run(
            ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", f"--user-data-dir={profile}",
             f"--window-size={WIDTH},{HEIGHT}", f"--screenshot={picture}", page.resolve().as_uri()],
            check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=120)


def read_pixels(picture):
    """Width, height and the colours of a PNG with 8 bits a channel, not interlaced."""
    data, at, packed = picture.read_bytes(), 8, b""
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at : at + 8])
        body = data[at + 8 : at + 8 + length]
        if kind == b"IHDR":
            width, height, depth, colour, _, _, interlaced = struct.unpack(">IIBBBBB", body)
        packed += body if kind == b"IDAT" else b""
        at += length + 12
    assert depth == 8 and colour in (2, 6) and not interlaced, (depth, colour, interlaced)
    channels = 3 if colour == 2 else 4
    raw, before, colours = zlib.decompress(packed), bytearray(width * channels), collections.Counter()
    for row in range(height):
        start = row * (width * channels + 1)
        line = undo_filter(raw[start], bytearray(raw[start + 1 : start + 1 + width * channels]), before, channels)
        colours.update(zip(*(line[channel::channels] for channel in range(3))))
        before = line
    return width, height, colours


def undo_filter(kind, line, above, step):
    for i in range(len(line)):
        left = line[i - step] if i >= step else 0
        corner = above[i - step] if i >= step else 0
        if kind == 1:
            guess = left
        elif kind == 2:
            guess = above[i]
        elif kind == 3:
            guess = (left + above[i]) // 2
        elif kind == 4:
            distances = [(abs(above[i] - corner), left), (abs(left - corner), above[i]), (abs(left + above[i] - 2 * corner), corner)]
            guess = min(distances, key=lambda pair: pair[0])[1]
        else:
            guess = 0
        line[i] = (line[i] + guess) & 255
    return line


def main():
    page, picture = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    take_picture(page, picture)
    width, height, colours = read_pixels(picture)
    assert (width, height) == (WIDTH, HEIGHT), (width, height)
    ground = colours.most_common(1)[0][0]
    assert ground == (255, 255, 255), f"the ground is {ground}"
    for what, colour in EXPECTED.items():
        # Edges of letters are mixed with the ground; the pure colour is there all the same.
        assert colours[colour] > 20, f"{what}: the picture has {colours[colour]} pixels of {colour}"
    print(f"{width} x {height}, {len(colours)} colours")


main()
