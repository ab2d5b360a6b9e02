#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""page_accessible.py AXE PAGE VIEW,... [PAGE VIEW,...]...: runs axe on views, in light and dark."""

import sys

from browser import Browser

RUN = """
const done = arguments[arguments.length - 1];
axe.run().then((result) => done({
    passes: result.passes.length,
    violations: result.violations.map((one) => `${one.id} (${one.impact}): ${one.nodes[0].html.slice(0, 200)}`),
}));
"""


def main():
    pages = zip(sys.argv[2::2], sys.argv[3::2])
    views = [(page, view) for page, names in pages for view in names.split(",")]
    with open(sys.argv[1], encoding="utf-8") as file:
        axe = file.read()
    browser = Browser()
    failed = 0
    try:
        for theme in ("light", "dark"):
            browser.driver.execute_cdp_cmd(
                "Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": theme}]}
            )
            for page, view in views:
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
