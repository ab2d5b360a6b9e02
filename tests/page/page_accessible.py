#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""page_accessible.py AXE WHOLE... -- PART...: runs axe on every view of the pages WHOLE, and on those views of the
pages PART that no earlier page has. The first page is tested in light and dark, the others in one of them in turn,
since a theme changes only colours."""

import sys

from browser import Browser

RUN = """
const done = arguments[arguments.length - 1];
axe.run({ resultTypes: ['violations'] }).then((result) => done({
    passes: result.passes.length,
    violations: result.violations.map((one) => `${one.id} (${one.impact}): ${one.nodes[0].html.slice(0, 200)}`),
}));
"""


def look_at(browser, axe, page, theme, without):
    """Returns the titles of the tested views; None if there is a violation."""
    titles, failed = set(), False
    browser.theme(theme)
    browser.open(page)
    browser.driver.execute_script(axe)
    for view in browser.show_views(without):
        titles |= set(browser.texts("nav [aria-pressed=true]"))
        result = browser.driver.execute_async_script(RUN)
        if result["violations"] or result["passes"] < 10:
            print(f"{page}, {theme}, {view}: {result}")
            failed = True
    return None if failed else titles


def main():
    path, *pages = sys.argv[1:]
    with open(path, encoding="utf-8") as file:
        axe = file.read()
    browser = Browser()
    failed, seen, whole = 0, set(), pages.index("--")
    try:
        for number, page in enumerate(pages):
            if number == whole:
                continue
            for theme in ("light", "dark") if number == 0 else (("light", "dark")[number % 2],):
                titles = look_at(browser, axe, page, theme, seen if number > whole else ())
                failed |= titles is None
                seen |= titles or set()
    finally:
        browser.close()
    return int(failed)


sys.exit(main())
