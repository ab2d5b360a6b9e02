#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""page_links.py BROWSER PAGE...: a link restores a view. In every view of the pages, each thing that a user can set is
set, by pointer or keys: buttons, choices, the order of each table, a row, its expanded rows, a cell or place of a
drawing. Then the page is opened again by the link that it copies, and the view must be the same."""

import json
import os
import sys

from browser import BROWSERS, check

# Everything that a view shows, except where the pointer is and how far tables are scrolled.
LOOKS = """(() => {
    const all = (selector, of) => [...document.querySelectorAll(selector)].map(of);
    return JSON.stringify({
        view: all('nav [aria-pressed=true]', (one) => one.textContent),
        enabled: all('main .tools button', (one) => [one.textContent, one.disabled]),
        buttons: all('main button[aria-pressed], .findings .more', (one) => [one.textContent, one.ariaPressed, one.ariaExpanded]),
        choices: all('.filters select, main select', (one) => one.value),
        orders: all('main .table', (one) => [...one.querySelectorAll('[role=columnheader]')].map((head) => head.ariaSort)),
        rows: all('main .table', (one) => [...one.querySelectorAll('.row')].map((row) => [row.textContent, row.className])),
        drawn: all('main canvas, main .matrix', (one) => one.ariaLabel),
        squares: all('main .matrix span', (one) => one.className),
        texts: all('main .describe, main .path, .found', (one) => one.textContent),
    });
})()"""
COPY = "navigator.clipboard.writeText = (text) => (window.copied = text, Promise.resolve())"
KEY = "new KeyboardEvent('keydown', { key: '%s', bubbles: true, cancelable: true })"

# The actions of a view. For each kind: the names of all such actions, and the expression that performs the one called
# `name`.
ACTIONS = {
    "button": (
        "[...document.querySelectorAll('main .tools button:enabled, main .legend button:enabled, .findings .more')].map((one) => one.textContent.trim())",
        "[...document.querySelectorAll('main .tools button:enabled, main .legend button:enabled, .findings .more')].find((one) => one.textContent.trim() === name)?.click()",
    ),
    "choice": (
        "[...document.querySelectorAll('.filters select:enabled, main select')].filter((one) => one.options.length > 1).map((one) => one.parentElement.firstChild.textContent.trim())",
        "(() => { const one = [...document.querySelectorAll('.filters select:enabled, main select')].find((one) => one.parentElement.firstChild.textContent.trim() === name);"
        " one.selectedIndex = one.selectedIndex === one.options.length - 1 ? 0 : one.options.length - 1; one.dispatchEvent(new Event('change', { bubbles: true })); })()",
    ),
    "search": (
        "[...document.querySelectorAll('input[type=search]')].map((one) => 'a')",
        "(() => { const one = document.querySelector('input[type=search]'); one.value = name; one.dispatchEvent(new Event('input', { bubbles: true })); })()",
    ),
    "order": (
        "[...document.querySelectorAll('main .table')].filter((one) => one.querySelector('[aria-sort=none] button')).map((one) => one.ariaLabel.slice(0, 16))",
        "[...[...document.querySelectorAll('main .table')].find((one) => one.ariaLabel.startsWith(name)).querySelectorAll('[aria-sort=none] button')].pop().click()",
    ),
    "row": (
        "[...document.querySelectorAll('main .table')].filter((one) => one.querySelectorAll('.row').length > 1).map((one) => one.ariaLabel.slice(0, 16))",
        "[...document.querySelectorAll('main .table')].find((one) => one.ariaLabel.startsWith(name)).querySelectorAll('.row')[1].click()",
    ),
    "fold": (
        "[...document.querySelectorAll('main .table')].filter((one) => one.querySelector('button.fold')).map((one) => one.ariaLabel.slice(0, 16))",
        "[...document.querySelectorAll('main .table')].find((one) => one.ariaLabel.startsWith(name)).querySelector('button.fold').click()",
    ),
}
for key in ("ArrowDown", "ArrowRight", "Enter", "f", "+"):
    where = ".tracks canvas" if key in "f+" else "main canvas[tabindex], main .matrix"
    ACTIONS[f"key {key}"] = (
        f"[...document.querySelectorAll('{where}')].map((one) => one.ariaLabel.slice(0, 16))",
        f"[...document.querySelectorAll('{where}')].find((one) => one.ariaLabel.startsWith(name)).dispatchEvent({KEY % key})",
    )


# By name of a part of a link, without what only one view keeps: whether the view is another one without it.
MATTERS = {}


def parts_of(fragment):
    """The parts whose loss has not been noticed yet: {name: part}."""
    parts = {part.split("=")[0]: part for part in fragment.split("&")}
    return {name: part for name, part in parts.items() if name != "view" and "." not in name and not MATTERS.get(name)}


def looks(browser):
    """The looks of the view after everything is drawn: after two turns of the page's timers, in which it redraws
    itself."""
    return browser.ask(f"new Promise((done) => setTimeout(() => setTimeout(() => done({LOOKS}), 30), 30))")


def link(browser):
    """The copied link. Waits first: chromedriver does not return from a navigation while the last page is changing its
    address."""
    return browser.ask(
        f"({COPY}, [...document.querySelectorAll('.filters button')].find((one) => one.textContent.includes('copy link')).click(),"
        " new Promise((done) => setTimeout(() => done(window.copied), 60)))"
    )


def do(browser, kind, name):
    """Performs an action. Returns the looks of the view afterwards; None if there is no such action."""
    list_names, act = ACTIONS[kind]
    for _ in range(2 if kind == "key ArrowDown" else 1):  # a second step: the first may be to where the view begins
        if not browser.ask(f"((name) => {list_names}.includes(name) && [{act}])({name!r})"):
            return None
    return looks(browser)


def marks(before, after):
    """What shows that an action was done: the controls that changed, or else everything that changed. {(list, place):
    value}."""
    before, after = json.loads(before), json.loads(after)
    found = {
        (key, place): value
        for key, values in after.items()
        for place, value in enumerate(values)
        if before[key][place : place + 1] != [value]
    }
    return {key: value for key, value in found.items() if key[0] in ("buttons", "choices", "orders")} or found


def shown(found, after):
    after = json.loads(after)
    return all(after[key][place : place + 1] == [value] for (key, place), value in found.items())


class Tried:
    """A view in which actions are done. As opening pages takes most of the time, actions are done one after the other,
    as long as the effects of earlier ones are visible. Then the page is opened by its link."""

    def __init__(self, browser, page, view):
        self.browser, self.page, self.view = browser, page, view
        self.now, self.fresh, self.fragment, self.names, self.marks = None, False, "", [], {}

    def begin(self):
        self.browser.open(self.page, f"view={self.view}")
        self.now, self.fresh = looks(self.browser), True

    def reopen(self):
        """Opens the link that the page has copied, and compares the looks. What is as wide as the window is drawn at
        once."""
        if not self.names:
            return
        names, self.names, self.marks = self.names, [], {}
        self.browser.open(self.page, self.fragment)
        wanted, self.now = self.now, looks(self.browser)
        what = f"{os.path.basename(self.page)}, {self.view}: {', then '.join(names)}, by #{self.fragment}"
        check(what, self.now == wanted, f"\n{wanted}\n{self.now}")
        self.leave_out(wanted)

    def leave_out(self, wanted):
        """Opens the link without each part whose loss has not been noticed yet, and then the whole link again."""
        left = parts_of(self.fragment)
        for name, part in left.items():
            self.browser.open(self.page, "&".join(one for one in self.fragment.split("&") if one != part))
            MATTERS[name] = looks(self.browser) != wanted
        if left:
            self.browser.open(self.page, self.fragment)
            looks(self.browser)

    def do(self, kind, name):
        """Performs an action. Returns whether it changed something. An action that does not exist, or has no effect, in
        the present state is done in the view as it opens."""
        if self.now is None:
            self.begin()
        if self.names and any(part not in MATTERS for part in parts_of(self.fragment)):
            self.reopen()  # before another part has the same effect
        after = do(self.browser, kind, name)
        if self.names and after is not None and not shown(self.marks, after):
            self.reopen()
            after = do(self.browser, kind, name)
        if not self.fresh and after in (None, self.now):
            self.reopen()
            self.begin()
            after = do(self.browser, kind, name)
        if after == self.now:
            return False
        check(f"{os.path.basename(self.page)}, {self.view}: there is {kind} of {name}", after)
        self.names.append(f"{kind} of {name}")
        self.marks |= marks(self.now, after)
        self.now, self.fresh, self.fragment = after, False, link(self.browser).split("#", 1)[1]
        if not self.marks:
            self.reopen()
        return True


def try_view(browser, page, view, there, seen):
    """Performs each action that was not done in this view of another page. Returns those that changed something."""
    tried, changed = Tried(browser, page, view), []
    for kind, name in there:
        where = "" if kind == "search" or kind == "choice" and name in ("metric", "thread", "phase") or "sentence" in name else view
        if (where, kind, name) in seen:
            continue
        seen.add((where, kind, name))
        if tried.do(kind, name):
            changed.append((kind, name))
    tried.reopen()
    return changed


def things(browser):
    """Kind and name of each action in the view."""
    return [(kind, name) for kind, (names, _) in ACTIONS.items() for name in dict.fromkeys(browser.ask(names))]


def many(browser, page):
    """Browsers refuse an address that changes too often: the page continues, and its link and address have the last
    state."""
    browser.open(page, "view=timeline")
    browser.ask(
        "(() => { const one = document.querySelector('main .tracks canvas');"
        f" for (let i = 0; i < 400; i++) one.dispatchEvent({KEY % 'ArrowRight'}), one.dispatchEvent({KEY % 'ArrowLeft'});"
        f" one.dispatchEvent({KEY % 'ArrowDown'}); }})()"
    )
    wanted = link(browser).split("#", 1)[1]
    check("the link has it", "timeline.cursor=1+" in wanted, wanted)
    browser.wait(f"location.hash === {'#' + wanted!r}", 60)
    check("the console is empty", not browser.complaints(), "")


def main():
    name, *pages = sys.argv[1:]
    browser = BROWSERS[name]()
    failed, seen, changed = 0, set(), []
    try:
        for page in pages:
            browser.open(page)
            for view, there in [(view, things(browser)) for view in browser.show_views()]:
                try:
                    changed += [(view, *one) for one in try_view(browser, page, view, there, seen)]
                except AssertionError as error:
                    print(error)
                    failed = 1
            browser.complaints()
        many(browser, next(page for page in pages if os.path.basename(page).startswith("t.")))
    except AssertionError as error:
        print(error)
        failed = 1
    finally:
        browser.close()
    # The check itself: what a link has is visible, so that its loss would be noticed.
    for part, matters in MATTERS.items():
        if not matters and (part, name) != ("file", "firefox"):  # its pages have one file
            print(f"no view shows {part} of its link")
            failed = 1
    if "search" not in MATTERS:
        print("nothing was searched for")
        failed = 1
    print(f"{len(changed)} changes, of {len(seen)} things done")
    # The check itself: these actions must be among those that changed something.
    for view, kind in (("threads", "key ArrowRight"), ("timeline", "key ArrowRight"), ("tree", "fold"), ("callers", "fold"), ("waits", "fold"), ("waits", "row"),
                       ("functions", "order"), ("threads", "order"), ("tree", "order"), ("blame", "order"), ("flame", "button"), ("flame", "key Enter"), ("about", "row")):
        if not any(one[:2] == (view, kind) for one in changed) and (view, name) != ("blame", "firefox"):
            print(f"nothing was changed: {kind} of {view}")
            failed = 1
    return failed


sys.exit(main())
