#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""page.py REPEATS BROWSER... -- PAGE...: opens each page in each browser, and prints medians, and the bytes that a page
has besides its data and as data. The exit status is 1 if a page is beyond a budget."""

import base64
import gzip
import json
import os
import re
import statistics
import sys

from browser import BROWSERS


READY = 1000  # ms until the views are present
BEFORE_DATA = 150_000  # bytes of script, style and content without a script
DATA = 1_000_000


def besides_data(page):
    with open(page, encoding="utf-8") as file:
        text = file.read()
    return len(re.sub(r'(<script id="data"[^>]*>)[^<]*', r"\1", text).encode())


def events(page):
    """Returns the number of trace records from which the page was made; 0: no trace."""
    with open(page, encoding="utf-8") as file:
        data = re.search(r'<script id="data"[^>]*>([^<]*)', file.read())
    timeline = json.loads(gzip.decompress(base64.b64decode(data[1]))).get("more", {}).get("timeline")
    return timeline["records"] if timeline else 0


def main():
    over = 0
    split = sys.argv.index("--")
    repeats, names, pages = int(sys.argv[1]), sys.argv[2:split], sys.argv[split + 1 :]
    for page in pages:
        size = besides_data(page)
        data = os.path.getsize(page) - size
        mark = " BEYOND THE BUDGET" if size > BEFORE_DATA or data > DATA else ""
        over += bool(mark)
        print(
            f"{os.path.basename(page)[:-5]:10} {size / 1000:.1f} KB besides its data, of {BEFORE_DATA / 1000:.0f};"
            f" {data / 1000:.1f} KB of data, of {DATA / 1000:.0f}; of {events(page):,} events{mark}"
        )
    print(f"{'page':10} {'browser':10} {'first paint, ms':>16} {'views, ms':>12}")
    for name in names:
        browser = BROWSERS[name]()
        try:
            for page in pages:
                times = []
                for _ in range(repeats):
                    browser.open(page)
                    times.append(browser.milliseconds())
                painted, ready = (statistics.median(column) for column in zip(*times))
                mark = " BEYOND THE BUDGET" if ready > READY else ""
                over += bool(mark)
                print(f"{os.path.basename(page)[:-5]:10} {name:10} {painted:16.0f} {ready:12.0f}{mark}")
        finally:
            browser.close()
    return over > 0


sys.exit(main())
