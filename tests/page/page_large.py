#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""page_large.py PAGE: every view of a large page opens, and has no more elements than fit on some screens."""

import re
import sys

from browser import Browser

VIEWS = ["Graph", "Call tree", "Functions", "Callers", "Constructs", "Source", "Threads", "Efficiency", "OpenMP"]
VIEWS += ["Blame", "Measured"]


def main():
    browser = Browser()
    try:
        browser.open(sys.argv[1])
        titles = browser.texts("nav button")
        assert titles == VIEWS, titles
        assert "1,000 threads" in browser.texts(".facts")[0], browser.texts(".facts")
        for title in titles:
            browser.click("nav button", title)
            browser.wait(f"document.querySelector('nav [aria-pressed=true]').textContent === {title!r}")
            number = browser.ask("document.querySelectorAll('main *').length")
            assert number < 2500, f"{title}: {number} elements"
        browser.open(sys.argv[1], "view=functions&by=path&metric=wall-time")
        count = int(browser.ask("document.querySelector('.table').getAttribute('aria-rowcount')"))
        assert count > 40000, f"{count} paths"
        # Without values by path, there is still a heat map, and its sums are those of the functions.
        browser.open(sys.argv[1], "view=threads&metric=cpu-time")
        said = browser.texts(".heatmap .describe")[0]
        # Rows are lower than a line of text: only some have their thread's name beside them.
        ink = browser.ask(
            "(() => { const c = document.querySelector('.heatmap canvas'); return c.getContext('2d')"
            ".getImageData(0, c.height - 400, 8, 400).data.some((byte) => byte > 0) })()"
        )
        assert ink, "names of threads beside the heat map"
        label, value = re.search(r"[^,]*, (.*): .* % of all threads' (.*)$", said).groups()
        browser.open(sys.argv[1], "view=functions&metric=cpu-time")
        assert any(value in row and label in row for row in browser.texts("main .row")), (said, browser.texts("main .row")[:5])
        assert not browser.complaints(), browser.complaints()
    except AssertionError as error:
        print(error)
        return 1
    finally:
        browser.close()
    return 0


sys.exit(main())
