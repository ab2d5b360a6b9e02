#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Takes a picture of a page of `heddle report --html` in a headless Chromium: docs/page_picture.py PAGE.html FILE.png

docs/images/report.png, the picture in README.md, is made by

    ./dev demo && docs/page_picture.py build/demo/report.html docs/images/report.png &&
        pngquant --force --ext .png 64 docs/images/report.png && optipng -o7 docs/images/report.png
"""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../tests/page"))
sys.dont_write_bytecode = True

from browser import Browser  # noqa: E402

SIZE = {"width": 1280, "height": 400, "deviceScaleFactor": 1, "mobile": False}


def main():
    page, file = sys.argv[1:]
    browser = Browser()
    try:
        browser.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", SIZE)
        browser.theme("light")
        browser.open(os.path.abspath(page))
        browser.driver.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride", {**SIZE, "height": browser.ask("document.documentElement.scrollHeight")}
        )
        browser.wait("document.querySelector('canvas').width === innerWidth - 32")
        browser.driver.get_screenshot_as_file(file)
    finally:
        browser.close()


main()
