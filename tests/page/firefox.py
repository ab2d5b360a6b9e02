# SPDX-License-Identifier: BSD-3-Clause
"""A headless Firefox, driven by its own protocol, Marionette: JSON messages over TCP, "LENGTH:[TYPE, ID, ...]"."""

import json
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time

PATIENCE = int(os.environ.get("HEDDLE_TEST_SECONDS", 240))  # seconds: for a start or a page on a busy machine

# A port chosen by the system; no windows, requests or updates of the browser; one process for pages, none in reserve.
# Without separate processes for pages and extensions, it starts in two thirds of the time.
PREFERENCES = {
    "dom.ipc.processCount": 1,
    "dom.ipc.processPrelaunch.enabled": False,
    "fission.autostart": False,
    "extensions.enabledScopes": 0,
    "extensions.webextensions.remote": False,
    "marionette.port": 0,
    "app.update.enabled": False,
    "browser.aboutwelcome.enabled": False,
    "browser.newtab.preload": False,
    "browser.newtabpage.activity-stream.feeds.section.topstories": False,
    "browser.newtabpage.activity-stream.feeds.topsites": False,
    "browser.newtabpage.enabled": False,
    "browser.safebrowsing.malware.enabled": False,
    "browser.safebrowsing.phishing.enabled": False,
    "browser.shell.checkDefaultBrowser": False,
    "browser.startup.homepage": "about:blank",
    "browser.startup.page": 0,
    "browser.tabs.remote.separatePrivilegedContentProcess": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "services.settings.server": "http://127.0.0.1:1/",
    "toolkit.startup.max_resumed_crashes": -1,
}


def command():
    return shutil.which("firefox-esr") or shutil.which("firefox")


class Marionette:
    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix="firefox-", dir=os.environ.get("HOME"))
        with open(os.path.join(self.folder, "user.js"), "w", encoding="utf-8") as file:
            for name, value in PREFERENCES.items():
                file.write(f"user_pref({json.dumps(name)}, {json.dumps(value)});\n")
        words = [command(), "--headless", "--marionette", "--remote-allow-system-access", "--no-remote", "--profile"]
        with open(os.path.join(self.folder, "log"), "wb") as log:
            self.process = subprocess.Popen(words + [self.folder], stdout=log, stderr=log, start_new_session=True)
        try:
            self.stream = self.connect()
            self.count = 0
            self.receive()
            milliseconds = PATIENCE * 1000
            timeouts = {"script": milliseconds, "pageLoad": milliseconds}
            self.call("WebDriver:NewSession", {"capabilities": {"alwaysMatch": {"timeouts": timeouts}}})
            self.call("WebDriver:SetWindowRect", {"width": 1280, "height": 900})
        except BaseException:
            self.end()
            raise

    def connect(self):
        """Returns the port, which the browser writes into a file of its profile when it listens."""
        path = os.path.join(self.folder, "MarionetteActivePort")
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            if self.process.poll() is not None:
                break
            if os.path.exists(path):
                with open(path, encoding="ascii") as file:
                    port = file.read().strip()
                if port:
                    return socket.create_connection(("127.0.0.1", int(port)), PATIENCE).makefile("rwb")
            time.sleep(0.1)
        with open(os.path.join(self.folder, "log"), encoding="utf-8", errors="replace") as file:
            raise AssertionError(f"firefox does not start: {file.read()[-2000:]}")

    def receive(self):
        digits = b""
        while not digits.endswith(b":"):
            one = self.stream.read(1)
            if not one:
                raise AssertionError("firefox has ended")
            digits += one
        return json.loads(self.stream.read(int(digits[:-1])))

    def call(self, name, parameters=None):
        self.count += 1
        text = json.dumps([0, self.count, name, parameters or {}]).encode()
        self.stream.write(b"%d:%s" % (len(text), text))
        self.stream.flush()
        _, number, error, result = self.receive()
        assert number == self.count, (number, self.count)
        if error:
            raise AssertionError(f"{name}: {error.get('error')}: {error.get('message')}")
        return result

    def script(self, text, context="content"):
        """Runs a script in the page, or with the browser's own rights ("chrome")."""
        self.call("Marionette:SetContext", {"value": context})
        try:
            return self.call("WebDriver:ExecuteScript", {"script": text, "args": []})["value"]
        finally:
            self.call("Marionette:SetContext", {"value": "content"})

    def quit(self):
        try:
            self.call("Marionette:Quit", {"flags": ["eForceQuit"]})
            self.process.wait(60)
        except (AssertionError, OSError, subprocess.TimeoutExpired):
            pass
        self.end()

    def end(self):
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)
