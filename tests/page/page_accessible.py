#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""page_accessible.py AXE PAGE...: runs axe on every view of the pages: of the first in light and dark, of
the others in one of them in turn, as a theme changes colours alone."""

import sys

from browser import Browser

RUN = """
const done = arguments[arguments.length - 1];
axe.run({ resultTypes: ['violations'] }).then((result) => done({
    passes: result.passes.length,
    violations: result.violations.map((one) => `${one.id} (${one.impact}): ${one.nodes[0].html.slice(0, 200)}`),
}));
"""


def look_at(browser, axe, page, theme):
    failed = 0
    browser.theme(theme)
    browser.open(page)
    browser.driver.execute_script(axe)
    for view in browser.show_views():
        result = browser.driver.execute_async_script(RUN)
        if result["violations"] or result["passes"] < 10:
            print(f"{page}, {theme}, {view}: {result}")
            failed = 1
    return failed


def main():
    path, *pages = sys.argv[1:]
    with open(path, encoding="utf-8") as file:
        axe = file.read()
    browser = Browser()
    failed = 0
    try:
        for number, page in enumerate(pages):
            for theme in ("light", "dark") if number == 0 else (("light", "dark")[number % 2],):
                failed |= look_at(browser, axe, page, theme)
    finally:
        browser.close()
    return failed


sys.exit(main())
