#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""page_accessible.py PAGE AXE: runs axe on every view, in light and dark."""

import sys

from browser import Browser

VIEWS = ["flame", "tree", "functions", "regions", "source", "threads"]
RUN = """
const done = arguments[arguments.length - 1];
axe.run().then((result) => done({
    passes: result.passes.length,
    violations: result.violations.map((one) => `${one.id} (${one.impact}): ${one.nodes[0].html.slice(0, 200)}`),
}));
"""


def main():
    page, path = sys.argv[1:]
    with open(path, encoding="utf-8") as file:
        axe = file.read()
    browser = Browser()
    failed = 0
    try:
        for theme in ("light", "dark"):
            browser.driver.execute_cdp_cmd(
                "Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": theme}]}
            )
            for view in VIEWS:
                browser.open(page, f"view={view}")
                browser.driver.execute_script(axe)
                result = browser.driver.execute_async_script(RUN)
                if result["violations"] or result["passes"] < 10:
                    print(f"{theme}, {view}: {result}")
                    failed = 1
    finally:
        browser.close()
    return failed


sys.exit(main())
