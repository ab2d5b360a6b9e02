#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""page_diff.py BROWSER PAGE ONE HOSTILE: the page of a difference has the numbers of `heddle diff`, whose output is in
the files tree, flat and counted. ONE compares one run with one other; HOSTILE has names that look like markup."""

import re
import sys

from browser import check, run_parts


def words_of_text(path):
    """The rows below the heading as words, without the lines that draw the tree, and without rows that have no
    value."""
    with open(path, encoding="utf-8") as file:
        lines = file.read().split("\n\n")[1].splitlines()[1:]
    rows = [re.sub("[│├└─]", " ", line).split() for line in lines]
    return [row for row in rows if row[:4] != ["0", "ns", "0", "ns"] and row[:2] != ["0", "0"]]


def words_of_page(browser):
    rows = browser.ask(  # the text has "0 ns" where the page has a dash
        "[...document.querySelectorAll('.row')].map((row) => [...row.children].map((cell) => cell.textContent.replace(/^\u2013$/, '0 ns')))"
    )
    return [" ".join(row).replace("▾", "").replace("▸", "").split() for row in rows]


def numbers(browser, page):
    for fragment, path in (("view=tree", "tree"), ("view=functions", "flat"), ("view=functions&metric=visits", "counted")):
        browser.open(page, fragment)
        check(f"the numbers of {path}", words_of_page(browser) == words_of_text(path), words_of_page(browser))
    browser.open(page, "view=functions")
    check("what is not significant is marked", len(browser.texts(".row .unsure")) == 3 * 6, browser.texts(".unsure"))
    browser.click(".heading button", "after")
    first = browser.texts(".row")[0]
    check("sorted by another column", "get @cg.upc:67" in first, first)


def graph(browser, page):
    browser.open(page)
    check("the views", browser.texts("nav button") == ["Graph", "Call tree", "Functions"], browser.texts("nav button"))
    check("the sides", browser.texts(".facts") == ["before: b1, b2, b3", "after: a1, a2, a3"], browser.texts(".facts"))
    findings = browser.texts(".findings li")
    check("the program", findings[0].startswith("The program became faster: its cpu-time fell by 1.70 s"), findings)
    check("a function", any("kernel became faster" in text and "-50.0 %" in text for text in findings), findings)
    check("the legend", "not significant" in browser.texts(".legend")[0], browser.texts(".legend"))
    pixels = browser.ask(
        "(() => { const c = document.querySelector('canvas'); const y = 50 * devicePixelRatio;"
        "const { data } = c.getContext('2d').getImageData(0, y, c.width, 1);"
        "return [data.slice(800, 803), data.slice(-36, -33)].map((color) => [...color]); })()"
    )
    (red, _, blue), (red_of_more, _, blue_of_more) = pixels
    check("faster is blue", blue > red + 40, pixels)
    check("slower is orange", red_of_more > blue_of_more + 40, pixels)
    browser.click(".tools button", "before")
    browser.wait("location.hash.includes('thread=0')")
    browser.keys("canvas", "ArrowDown", "ArrowDown")
    check("keys select, and the change is described", "-44.4 %, p < 0.001" in browser.texts(".path small")[0])
    browser.back()
    browser.click(".findings button", "kernel")
    check("a sentence leads to its path", "kernel" in browser.texts(".path")[0], browser.texts(".path"))


def one_run(browser, page):
    browser.open(page, "view=tree")
    headings = browser.texts(".heading [role=columnheader]")
    check("no significance", headings == ["before", "after", "change", "change %", "call path"], headings)
    check("a sentence asks for several runs", any("give several runs" in text for text in browser.texts(".findings li")))


def hostile(browser, page):
    for view in ("tree", "functions", "flame"):
        browser.open(page, f"view={view}")
        check("nothing ran", browser.ask("window.hostileRan === undefined"))
        check("no element of a name", browser.ask("document.querySelectorAll('#page img, #page b > *').length") == 0)


def main():
    name, page, one, evil = sys.argv[1:]
    return run_parts(name, ((numbers, page), (graph, page), (one_run, one), (hostile, evil)))


sys.exit(main())
