#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""page_speedscope.py VIEWER PROFILE TRACE: opens both files in speedscope, as its own command does, and checks what it
shows: the name of a profile, no error message, a graph that is not empty."""

import base64
import json
import os
import sys

from browser import Browser


def open_file(browser, viewer, path, expected):
    with open(path, "rb") as file:
        content = base64.b64encode(file.read()).decode()
    script = os.path.abspath(path + ".js")
    with open(script, "w", encoding="utf-8") as file:
        file.write(f"speedscope.loadFileFromBase64({json.dumps(os.path.basename(path))}, {json.dumps(content)})")
    browser.go("about:blank")
    browser.go(f"file://{viewer}#localProfilePath={script}")
    browser.wait(f"document.body.innerText.includes({json.dumps(expected)})")
    text = browser.ask("document.body.innerText")
    assert "Something went wrong" not in text and "Unrecognized format" not in text, text
    assert browser.ask("document.querySelectorAll('canvas').length") > 0, "nothing is drawn"


def main():
    viewer, profile, trace = sys.argv[1:]
    browser = Browser()
    try:
        with open(profile, encoding="utf-8") as file:
            expected = json.load(file)["profiles"][0]["name"]
        open_file(browser, viewer, profile, expected)
        with open(trace, encoding="utf-8") as file:
            names = [event for event in json.load(file)["traceEvents"] if event["name"] == "process_name"]
        open_file(browser, viewer, trace, names[0]["args"]["name"])
    except AssertionError as error:
        print(error)
        print(browser.ask("document.body.innerText"))
        return 1
    finally:
        browser.close()
    return 0


sys.exit(main())
