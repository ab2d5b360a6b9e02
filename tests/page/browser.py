# SPDX-License-Identifier: BSD-3-Clause
"""A headless Chromium that opens pages, and what tests ask of it."""

import shutil
import time

from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service


class Browser:
    def __init__(self, width=1280, height=900):
        options = Options()
        for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"):
            options.add_argument(argument)
        options.binary_location = shutil.which("chromium")
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.driver = webdriver.Chrome(service=Service(shutil.which("chromedriver")), options=options)
        self.driver.set_window_size(width, height)
        self.driver.set_script_timeout(120)

    def close(self):
        self.driver.quit()

    def open(self, path, fragment=""):
        self.driver.get("about:blank")
        self.driver.get(f"file://{path}#{fragment}")
        self.wait("document.documentElement.dataset.ready === 'yes'")

    def wait(self, condition, seconds=120):
        """Until the expression is true: on a busy machine that takes long."""
        end = time.monotonic() + seconds
        while not self.ask(f"!!({condition})"):
            if time.monotonic() > end:
                raise AssertionError(f"never true: {condition}")
            time.sleep(0.05)

    def ask(self, expression):
        return self.driver.execute_script(f"return {expression}")

    def texts(self, selector):
        return self.ask(f"[...document.querySelectorAll({selector!r})].map((element) => element.textContent)")

    def click(self, selector, text):
        found = self.ask(
            f"(() => {{ const e = [...document.querySelectorAll({selector!r})]"
            f".find((element) => element.textContent.includes({text!r})); if (e) e.click(); return !!e; }})()"
        )
        assert found, f"no {selector} with {text}"

    def keys(self, selector, *names):
        for name in names:
            self.ask(
                f"document.querySelector({selector!r}).dispatchEvent(new KeyboardEvent('keydown',"
                f"{{key: {name!r}, bubbles: true, cancelable: true}}))"
            )
            time.sleep(0.05)

    def complaints(self):
        return [entry["message"] for entry in self.driver.get_log("browser")]
