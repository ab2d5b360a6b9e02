#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""page_palette.py COLORS: the colours of meanings in html/src/colors.ts are distinct with normal sight and for people
with each kind of colour blindness, in light and in dark. Blindness is simulated by the matrices of Machado et al.
(2009); distances are those of CIELAB (1976)."""
import itertools
import re
import sys

SIGHTS = {
    "normal sight": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritanopia": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}
LEAST = 15  # people reliably distinguish adjacent colours that differ by ten or more


def linear(color):
    parts = [int(color[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    return [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]


def times(matrix, vector):
    return [sum(a * b for a, b in zip(row, vector)) for row in matrix]


def lab(rgb):
    xyz = times(((0.4124, 0.3576, 0.1805), (0.2126, 0.7152, 0.0722), (0.0193, 0.1192, 0.9505)), [min(1, max(0, one)) for one in rgb])
    x, y, z = (
        one ** (1 / 3) if one > 0.008856 else 7.787 * one + 16 / 116 for one in (xyz[0] / 0.9505, xyz[1], xyz[2] / 1.089)
    )
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def distance(a, b, matrix):
    return sum((p - q) ** 2 for p, q in zip(lab(times(matrix, linear(a))), lab(times(matrix, linear(b))))) ** 0.5


def faults(meanings):
    for theme, name in enumerate(("light", "dark")):
        for (one, a), (other, b) in itertools.combinations(meanings.items(), 2):
            for sight, matrix in SIGHTS.items():
                apart = distance(a[theme], b[theme], matrix)
                if apart < LEAST:
                    yield f"{name}, {sight}: {one} and {other} differ by {apart:.1f}"


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        text = file.read()
    block = text.split("MEANINGS", 1)[1].split("};", 1)[0]
    found = re.findall(r"^\t'?([\w ]+)'?: \['(#\w{6})', '(#\w{6})'\]", block, re.M)
    meanings = {name: (light, dark) for name, light, dark in found}
    if list(meanings) != ["work", "waiting", "communication", "overhead", "idle", "off CPU"]:
        sys.exit(f"the meanings: {list(meanings)}")
    wrong = list(faults(meanings))
    print("\n".join(wrong))
    # The check itself: red and green of the same lightness are not distinct.
    if not list(faults({"work": ("#b07a60", "#b07a60"), "waiting": ("#8a8a60", "#8a8a60")})):
        sys.exit("the check itself is broken")
    sys.exit(bool(wrong))


main()
