#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Draws what a command prints on a terminal as SVG: docs/terminal_svg.py FILE.svg COMMAND [ARGUMENT]...

The command runs on a pseudo terminal of 100 columns, so it prints its colours; the standard library is all this needs.
docs/report.svg, the picture in README.md, is made by

    ./dev demo && docs/terminal_svg.py docs/report.svg build/release/bin/heddle report --min 2 build/demo/measurement
"""
import os
import pty
import re
import subprocess
import sys
from xml.sax.saxutils import escape

COLUMNS, CELL, LINE, SIZE, MARGIN = 100, 7.8, 17, 13, 14
COLOURS = {"31": "#ff7b72", "32": "#7ee787", "33": "#e3b341", "34": "#79c0ff", "35": "#d2a8ff", "36": "#56d4dd"}


def run(command):
    """The lines of the command's standard output, with escape sequences."""
    reader, terminal = pty.openpty()
    environment = {**os.environ, "COLUMNS": str(COLUMNS), "TERM": "xterm-256color", "LC_ALL": "C.UTF-8", "NO_COLOR": "",
                   "HEDDLE_PAGER": ""}
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=terminal, stderr=subprocess.DEVNULL, env=environment)
    os.close(terminal)
    output = b""
    try:
        while data := os.read(reader, 65536):
            output += data
    except OSError:  # EIO: the last writer has closed the terminal
        pass
    if process.wait() != 0:
        sys.exit(f"{command[0]} ended with {process.returncode}")
    return output.decode().replace("\r", "").rstrip("\n").split("\n")


def attributes(codes):
    """SVG attributes for the parameters of one SGR escape sequence."""
    found = []
    for code in codes.split(";"):
        if code in COLOURS:
            found.append(f'fill="{COLOURS[code]}"')
        elif code == "1":
            found.append('font-weight="bold"')
        elif code == "2":
            found.append('opacity="0.6"')
    return " ".join(found)


def draw(line, row):
    parts, style = [], ""
    for piece in re.split(r"(\033\[[0-9;]*m)", line):
        if piece.startswith("\033"):
            style = attributes(piece[2:-1])
        elif piece:
            text = escape(piece).replace(" ", "\u00a0") # browsers differ in what keeps several blanks
            parts.append(f"<tspan {style}>{text}</tspan>" if style else text)
    width = len(re.sub(r"\033\[[0-9;]*m", "", line)) * CELL
    if not width:
        return ""
    return f'<text x="{MARGIN}" y="{MARGIN + LINE * row + SIZE}" textLength="{width:.1f}">{"".join(parts)}</text>\n'


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    lines = run(sys.argv[2:])
    width, height = 2 * MARGIN + COLUMNS * CELL, 2 * MARGIN + LINE * len(lines)
    with open(sys.argv[1], "w", encoding="utf-8") as file:
        file.write(f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height}" '
                   f'font-family="DejaVu Sans Mono, Menlo, Consolas, monospace" font-size="{SIZE}" fill="#c9d1d9">\n'
                   '<rect width="100%" height="100%" rx="6" fill="#0d1117"/>\n')
        file.writelines(draw(line, row) for row, line in enumerate(lines))
        file.write("</svg>\n")


main()
