# SPDX-License-Identifier: BSD-3-Clause
"""page_picture.py BROWSER FILE.svg: checks the rows of a picture of a terminal, as the browser lays them out."""

import sys

from browser import BROWSERS, check

ROWS = """[...document.querySelectorAll('text')].map((row) => ({
    text: row.textContent, shown: row.getNumberOfChars(),
    ends: [...row.textContent].map((_, i) => row.getEndPositionOfChar(i).x) }))"""
CELL = 7.8 # as in docs/terminal_svg.py

browser = BROWSERS[sys.argv[1]]()
browser.go(f"file://{sys.argv[2]}")
rows = browser.ask(ROWS)
browser.close()
check("rows", len(rows) > 10, rows)
for row in rows:
    check("characters are lost", row["shown"] == len(row["text"]), row)
    for i, end in enumerate(row["ends"]):
        check("not in its column", abs(end - rows[0]["ends"][0] - CELL * i) < 2, (row["text"], i, end))
