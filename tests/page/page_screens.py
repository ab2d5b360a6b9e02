#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""page_screens.py ACCEPTED FAILED PAGE...: every view of the pages, light and dark in a wide window, light in a narrow
one, looks as accepted in the folder ACCEPTED, within a tolerance; screenshots of other views are left in the folder
FAILED. A view that several pages have is tested on the first one that has values for it. With HEDDLE_REGENERATE=1 in
the environment, the present pictures are accepted, and those that changed are printed.

A picture is a plain PGM: squares of 20 pixels, from 0 (the page's background) to 9 by how much is drawn in them. Pages
use DejaVu's fonts, so that lines always break at the same places; versions of browsers may still differ by a few
pixels."""

import os
import sys

from browser import Browser

WIDTHS = (1280, 400)
HEIGHT = 900
SQUARE = 20
LEVELS = 2  # that a square may differ by
SHARE = 0.025  # of the squares with something in them, that may differ by more
BACKGROUND = 40  # that each colour of the background may differ by, of 255

FONTS = (
    "body, body canvas { font-family: 'DejaVu Sans' } body code { font-family: 'DejaVu Sans Mono' }"
)

# A view without values is tested on the next page.
SHOWS = "!!document.querySelector('main .table .row, main table, main canvas, main svg')"

REDUCE = """
const [png, square, done] = arguments;
const image = new Image();
image.onload = () => {
    const canvas = document.createElement('canvas');
    canvas.width = image.width;
    canvas.height = image.height;
    const context = canvas.getContext('2d', { willReadFrequently: true });
    context.drawImage(image, 0, 0);
    const { data } = context.getImageData(0, 0, image.width, image.height);
    const background = getComputedStyle(document.body).backgroundColor.match(/[0-9]+/g).slice(0, 3).map(Number);
    const [red, green, blue] = background;
    const rows = [];
    for (let y = 0; y + square <= image.height; y += square) {
        const row = [];
        for (let x = 0; x + square <= image.width; x += square) {
            let sum = 0;
            for (let i = y; i < y + square; i++)
                for (let at = 4 * (i * image.width + x), end = at + 4 * square; at < end; at += 4)
                    sum += Math.max(Math.abs(data[at] - red), Math.abs(data[at + 1] - green), Math.abs(data[at + 2] - blue));
            row.push(Math.min(9, Math.round(9 * Math.sqrt(sum / 255 / square / square))));
        }
        rows.push(row);
    }
    done({ background, rows });
};
image.src = `data:image/png;base64,${png}`;
"""

# Texts that overlap. What a surrounding element clips does not count, and a table's heading stays above its rows.
OVERLAPS = """
const clip = ({ left, right, top, bottom }, element) => {
    for (; element && element !== document.body; element = element.parentElement) {
        if (getComputedStyle(element).overflowX === 'visible') continue;
        const box = element.getBoundingClientRect();
        [left, right] = [Math.max(left, box.left), Math.min(right, box.right)];
        [top, bottom] = [Math.max(top, box.top), Math.min(bottom, box.bottom)];
    }
    return { left, right, top, bottom };
};
const lines = [];
const walker = document.createTreeWalker(document.getElementById('page'), NodeFilter.SHOW_TEXT);
for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (node.parentElement.closest('.heading, select') || node.data.trim() === '') continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const rect of range.getClientRects()) lines.push({ node, ...clip(rect, node.parentElement) });
}
const found = [];
lines.forEach((a, i) => lines.slice(i + 1).forEach((b) => {
    const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
    const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
    if (a.node !== b.node && wide > 3 && high > 3) found.push(`${a.node.data} / ${b.node.data}`);
}));
if (document.documentElement.scrollWidth > innerWidth) found.push('it is wider than the window');
return found;
"""


class Picture:
    def __init__(self, background, rows):
        while rows and not any(rows[-1]):
            rows = rows[:-1]
        self.background, self.rows = background, rows

    @staticmethod
    def read(path):
        with open(path, encoding="ascii") as file:
            _, comment, size, _, *lines = file.read().splitlines()
        rows = [[int(word) for word in line.split()] for line in lines]
        assert [len(rows[0]), len(rows)] == [int(word) for word in size.split()], path
        return Picture([int(word) for word in comment.split()[2:]], rows)

    def write(self, path):
        with open(path, "w", encoding="ascii") as file:
            file.write(f"P2\n# background {' '.join(str(color) for color in self.background)}\n")
            file.write(f"{len(self.rows[0])} {len(self.rows)}\n9\n")
            for row in self.rows:
                file.write(" ".join(str(level) for level in row) + "\n")

    def at(self, y, x):
        return self.rows[y][x] if 0 <= y < len(self.rows) and 0 <= x < len(self.rows[y]) else 0

    def differences(self, other):
        """The differences in words; "" if there are none."""
        if any(abs(a - b) > BACKGROUND for a, b in zip(self.background, other.background)):
            return f"the background is {self.background}, not {other.background}"
        if len(self.rows[0]) != len(other.rows[0]):
            return f"it is {len(self.rows[0])} squares wide, not {len(other.rows[0])}"
        squares = [(y, x) for y in range(max(len(self.rows), len(other.rows))) for x in range(len(self.rows[0]))]
        used = sum(1 for y, x in squares if self.at(y, x) or other.at(y, x))
        wrong = [(y, x) for y, x in squares if abs(self.at(y, x) - other.at(y, x)) > LEVELS]
        if len(wrong) <= SHARE * used:
            return ""
        rows = sorted({y for y, _ in wrong})
        return f"{len(wrong)} of {used} squares differ, from {rows[0] * SQUARE} to {(rows[-1] + 1) * SQUARE} pixels"


def take(browser):
    shot = browser.driver.execute_cdp_cmd("Page.captureScreenshot", {"format": "png", "optimizeForSpeed": True})
    png = shot["data"]
    result = browser.driver.execute_async_script(REDUCE, png, SQUARE)
    return Picture(result["background"], result["rows"])


def style(browser, text):
    browser.ask(f"document.head.append(document.createElement('style')), document.head.lastElementChild.append({text!r})")


def settle(browser):
    """Waits until two frames were drawn."""
    browser.driver.execute_async_script(
        "const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(() => done()))"
    )


def screens(browser, pages):
    """Yields the name and the picture of every view."""
    for width in WIDTHS:
        size = {"width": width, "height": HEIGHT, "deviceScaleFactor": 1, "mobile": False}
        browser.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        for theme in ("light", "dark") if width == WIDTHS[0] else ("light",):
            seen = {"report": set(), "diff": set()}
            browser.theme(theme)
            for page in pages:
                kind = "diff" if os.path.basename(page).startswith("diff") else "report"
                browser.open(page)
                style(browser, FONTS)
                for view in browser.show_views(seen[kind]):
                    if not browser.ask(SHOWS):
                        continue
                    seen[kind].add(browser.texts("nav [aria-pressed=true]")[0])
                    settle(browser)
                    yield f"{kind}-{view}-{width}-{theme}", take(browser)


def accept(accepted, name, picture):
    path = os.path.join(accepted, f"{name}.pgm")
    difference = picture.differences(Picture.read(path)) if os.path.exists(path) else "new"
    if difference:
        print(f"{name}: {difference}")
        picture.write(path)


def check(browser, accepted, failed, name, picture):
    path = os.path.join(accepted, f"{name}.pgm")
    difference = "there is no accepted picture of it"
    if os.path.exists(path):
        difference = picture.differences(Picture.read(path))
    overlaps = browser.driver.execute_script(OVERLAPS)
    if overlaps:
        difference += f" texts overlap: {overlaps[:3]}"
    if difference:
        os.makedirs(failed, exist_ok=True)
        screenshot = os.path.join(failed, f"{name}.png")
        browser.driver.get_screenshot_as_file(screenshot)
        print(f"{name}: {difference}: {screenshot}")
    return 1 if difference else 0


def prove(browser, page):
    """Checks that a broken style is found."""
    broken = {
        "no table": ".table { display: none }",
        "no controls": ".controls { display: none }",
        "another theme": ":root { --back: #777 }",
        "no columns": ".row, .heading { display: block; height: auto }",
    }
    browser.open(page, "view=functions")
    style(browser, FONTS)
    settle(browser)
    right = take(browser)
    failed = 0
    for what, text in broken.items():
        style(browser, text)
        settle(browser)
        if not take(browser).differences(right):
            print(f"not found: {what}")
            failed = 1
        browser.ask("document.head.lastElementChild.remove()")
    style(browser, "main { margin-top: -2rem }")
    if not browser.driver.execute_script(OVERLAPS):
        print("not found: texts overlap")
        failed = 1
    return failed


def main():
    accepted, failed, *pages = sys.argv[1:]
    regenerate = os.environ.get("HEDDLE_REGENERATE") == "1"
    there = {file[: -len(".pgm")] for file in os.listdir(accepted)} if os.path.isdir(accepted) else set()
    os.makedirs(accepted, exist_ok=True) if regenerate else None
    browser = Browser()
    status = 0
    try:
        for name, picture in screens(browser, pages):
            there.discard(name)
            if regenerate:
                accept(accepted, name, picture)
            else:
                status |= check(browser, accepted, failed, name, picture)
        for name in sorted(there):
            print(f"{name}: was accepted, but no view has this picture")
            if regenerate:
                os.remove(os.path.join(accepted, f"{name}.pgm"))
            else:
                status = 1
        status |= prove(browser, pages[0])
    finally:
        browser.close()
    if status:
        print("to accept the present pictures: HEDDLE_REGENERATE=1 ./dev test -R '^page_screens$', then look at it")
    return status


sys.exit(main())
