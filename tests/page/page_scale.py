#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""page_scale.py BROWSER PAGE HOSTILE ONE: the curves of the page of `heddle scale` have points where runs were
measured, and the law through them; a click shows another path. HOSTILE has names that look like markup, ONE has one
scale."""

import sys

from browser import check, run_parts


def points(browser):
    """The texts of the circles, and their heights in the chart."""
    return browser.ask(
        "[...document.querySelectorAll('circle')].map((one) => [one.textContent, Number(one.getAttribute('cy'))])"
    )


def curves(browser, page):
    browser.open(page)
    check("the whole is chosen", browser.texts("#chart h2") == ["cg"], browser.texts("#chart h2"))
    names = browser.texts("section:first-child .name")
    check("call paths", names == ["cg", "main", "solve", "setup"], names)
    check("functions", sorted(browser.texts("section:last-child .name")) == ["setup", "solve"])
    browser.click("button.row", "solve")
    facts = browser.texts("#chart .facts")
    check("its law", facts[0].startswith("8/p, error 0.0 %; at 32 threads: 250 ms (250 ms to 250 ms)"), facts)
    measured = points(browser)
    wanted = ["1 threads: 8.00 s", "2 threads: 4.00 s", "4 threads: 2.00 s", "8 threads: 1.00 s", "16 threads: 500 ms"]
    check("a point for each run", sorted(text for text, _ in measured) == sorted(wanted), measured)
    heights = [height for _, height in sorted(measured, key=lambda one: wanted.index(one[0]))]
    check("longer is higher", heights == sorted(heights), heights)
    law = browser.ask("document.querySelector('polyline.law').getAttribute('points').split(' ').length")
    check("a curve", law > 40, law)
    check("a band", browser.ask("document.querySelectorAll('polygon.band').length") == 1)
    browser.click("#chart button", "logarithmic")
    again = [height for _, height in sorted(points(browser), key=lambda one: wanted.index(one[0]))]
    steps = [round(after - before) for before, after in zip(again, again[1:])]
    check("halves are equal steps on a logarithmic scale", max(steps) - min(steps) <= 1, steps)


def hostile(browser, page):
    browser.open(page)
    check("a name is text", "</script><b>bold</b>" in browser.texts(".name"), browser.texts(".name"))


def one(browser, page):
    browser.open(page)
    check("no law", browser.texts("#chart .facts")[0].startswith("no law"), browser.texts("#chart .facts"))


def main():
    name, page, evil, single = sys.argv[1:]
    return run_parts(name, ((curves, page), (hostile, evil), (one, single)))


sys.exit(main())
