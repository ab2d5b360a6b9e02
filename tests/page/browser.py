# SPDX-License-Identifier: BSD-3-Clause
"""Headless browsers that open pages, with the functions that tests use."""

import shutil
import time

from firefox import PATIENCE, Marionette
from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service


class Page:
    """What all browsers can do. Subclasses have go, ask and complaints."""

    opened = 0

    def open(self, path, fragment=""):
        """Loads the page again, even if it is open, by an address that was not used before. An empty page in between
        would start a process."""
        self.opened += 1
        self.go(f"file://{path}?{self.opened}#{fragment}")
        self.wait(f"location.search === '?{self.opened}' && document.documentElement?.dataset.ready === 'yes'")

    def wait(self, condition, seconds=PATIENCE / 2):
        """Waits until the expression is true, which takes long on a busy machine."""
        end = time.monotonic() + seconds
        while not self.ask(f"!!({condition})"):
            if time.monotonic() > end:
                raise AssertionError(f"never true: {condition}")
            time.sleep(0.05)

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

    def show_views(self, without=()):
        """Shows each view of the page, except those with these titles, and yields its name."""
        for title in self.texts("nav button"):
            if title in without:
                continue
            self.click("nav button", title)
            self.wait(f"document.querySelector('nav [aria-pressed=true]').textContent === {title!r}")
            yield self.ask("new URLSearchParams(location.hash.slice(1)).get('view')")

    def milliseconds(self):
        """The times from the navigation until the first painting, and until the views were ready."""
        self.wait("performance.getEntriesByName('first-contentful-paint').length")
        return self.ask("['first-contentful-paint', 'ready'].map((n) => performance.getEntriesByName(n)[0].startTime)")


class Browser(Page):
    """Chromium."""

    def __init__(self, width=1280, height=900):
        options = Options()
        for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"):
            options.add_argument(argument)
        options.binary_location = shutil.which("chromium")
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.driver = webdriver.Chrome(service=Service(shutil.which("chromedriver")), options=options)
        self.driver.set_window_size(width, height)
        self.driver.set_script_timeout(PATIENCE / 2)

    def close(self):
        self.driver.quit()

    def go(self, address):
        self.driver.get(address)

    def ask(self, expression):
        return self.driver.execute_script(f"return {expression}")

    def back(self):
        self.driver.back()

    def theme(self, name):
        self.media("", name)

    def media(self, medium, theme):
        """Emulates the screen (""), or a printer ("print")."""
        features = [{"name": "prefers-color-scheme", "value": theme}]
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": medium, "features": features})

    def complaints(self):
        return [entry["message"] for entry in self.driver.get_log("browser")]


class Firefox(Page):
    def __init__(self):
        self.client = Marionette()

    def close(self):
        self.client.quit()

    def go(self, address):
        self.client.call("WebDriver:Navigate", {"url": address})

    def ask(self, expression):
        return self.client.script(f"return {expression}")

    def back(self):
        self.client.call("WebDriver:Back")

    def complaints(self):
        """The console's messages about pages, without those about the browser."""
        return self.client.script(
            "const found = Services.console.getMessageArray().filter((one) =>"
            " one instanceof Ci.nsIScriptError && one.sourceName.startsWith('file:')).map(String);"
            " Services.console.reset(); return found",
            context="chrome",
        )


BROWSERS = {"chromium": Browser, "firefox": Firefox}


def check(what, condition, got=""):
    if not condition:
        raise AssertionError(f"{what}: {got}")


def run_parts(name, parts):
    """Parts are pairs of a function, called with a browser and a page, and its page. Returns the exit status: 1 if any
    failed."""
    browser = BROWSERS[name]()
    failed = 0
    try:
        for part, path in parts:
            try:
                part(browser, path)
                complaints = browser.complaints()
                check("the console is empty", not complaints, complaints)
            except AssertionError as error:
                print(f"{part.__name__}: {error}")
                failed = 1
    finally:
        browser.close()
    return failed
