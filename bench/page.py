#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""page.py REPEATS BROWSER... -- PAGE...: opens each page in each browser, and prints medians."""

import os
import statistics
import sys

from browser import BROWSERS


def main():
    split = sys.argv.index("--")
    repeats, names, pages = int(sys.argv[1]), sys.argv[2:split], sys.argv[split + 1 :]
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
                print(f"{os.path.basename(page)[:-5]:10} {name:10} {painted:16.0f} {ready:12.0f}")
        finally:
            browser.close()


main()
