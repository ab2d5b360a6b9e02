#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""page_numbers.py MEASUREMENT...: the numbers of views are those of the text reports, MEASUREMENT.memory and so on."""

import base64
import gzip
import json
import os
import re
import subprocess
import sys

from browser import Browser, check

ROWS = """(() => [...document.querySelectorAll('main .table')].filter((t) => t.ariaLabel.startsWith(%r))
    .flatMap((t) => [...t.querySelectorAll('.row')].map((r) => [...r.children].map((c) => c.textContent))))()"""


def text_of(name, part):
    with open(f"{name}.{part}", encoding="utf-8") as file:
        return file.read()


def words(text):
    """Replaces all blanks by single ones, because reports are wrapped."""
    return re.sub(r"\s+", " ", text).replace("\u00b7", "-").replace(" - ", " ")


def rows(browser, label):
    browser.wait(f"{ROWS % label}.length > 0")
    return browser.ask(ROWS % label)


def reported(name, part, cells):
    """Returns whether the cells of a row are in one line of the report, in this order."""
    pattern = r"\s.*".join(re.escape(cell) for cell in cells)
    return re.search(r"(?m)^(.*\s)?" + pattern, text_of(name, part))


def blame(browser, name):
    browser.open(os.path.abspath(f"{name}.html"), "view=blame")
    found = rows(browser, "Who made others wait")
    check("functions to blame", len(found) >= (2 if name == "blamed" else 1), found)
    for row in found:
        label = re.sub(r" \S+:\d+$", "", row[-1])
        check("a row of --blame --flat", reported(name, "flat", [*row[:3], label]), row)
    given = re.search(r"total blame: (.*)", text_of(name, "flat")).group(1)
    check("its sum", f"total blame: {given}" in browser.texts("main p"), browser.texts("main p"))
    if name == "blamed":
        check("by kind", found[0][2:6] == ["50.0 ms", "20.0 ms", "30.0 ms", "phase set up"], found)
        threads = rows(browser, "Threads: how long")
        check("threads", [row[1] for row in threads] == ["57.0 ms", "3.00 ms"], threads)
    browser.open(os.path.abspath(f"{name}.html"), "view=blame&by=path")
    check("paths to blame", rows(browser, "Who made others wait")[0][2] == found[0][2])


def memory(browser, name):
    browser.open(os.path.abspath(f"{name}.html"), "view=memory")
    text = words(text_of(name, "memory"))
    for line in browser.texts("main section p"):
        check("a line of --memory", words(line) in text, line)
    for row in rows(browser, "Memory"):
        if row[3]:
            function = re.sub(r" \S+:\d+$", "", row[-1])  # the report has no lines of functions
            check("who allocated memory", reported(name, "memory", [row[3], function]), row)
    functions = rows(browser, "Functions by the memory")
    owners = rows(browser, "Memory")
    check("owners of memory", sorted((row[1], row[-1]) for row in functions) == sorted((row[3], row[-1]) for row in owners), owners)
    found = rows(browser, "Lines by the memory")
    check("lines", found)
    for row in found:
        check("a line that allocates", reported(name, "memory", [row[0].replace("\u2013", "0.0"), *row[1:]]), row)


def messages(browser, name):
    browser.open(os.path.abspath(f"{name}.html"), "view=messages")
    found = rows(browser, "Sizes of accesses")
    check("sizes", len(found) >= 2, found)
    for row in found:
        check("a row of --messages", reported(name, "messages", [row[0], *row[2:5], row[-1]]), row)
    histogram = browser.texts(".histogram td:nth-child(2)")
    number = sum(int(cell.replace(",", "")) for cell in histogram if cell != "\u2013")
    check("the histogram has all", number == sum(int(row[0].replace(",", "")) for row in found), histogram)
    browser.click(".row", found[-1][-1])
    browser.wait(f"document.querySelector('.histogram caption').textContent.includes({found[-1][-1]!r})")


def pairs(browser, name):
    browser.open(os.path.abspath(f"{name}.html"), "view=pairs")
    found = rows(browser, "Pairs of threads")
    for row in found:
        pair = row[-1].replace("\u2192", "->")
        check("a row of --by pair", reported(name, "pair", [row[0], row[2], row[3], pair]), row)
    check("all of them", len(found) == text_of(name, "pair").count(" -> "), found)
    first = re.search(r"([\d,]+) .* (\S+)\n", text_of(name, "variable").split("elapsed %")[0].split("share %")[1])
    browser.ask(
        "(() => { const s = document.querySelector('.tools select'); s.value = [...s.options]"
        f".find((o) => o.text === {first.group(2)!r}).value; s.dispatchEvent(new Event('change')); }})()"
    )
    browser.wait(f"document.querySelector('.describe').textContent.includes('accesses: {first.group(1)} in all')")
    check("the variable is in the address", "item=" in browser.ask("location.hash"))
    for key, pair in (("ArrowDown", "UPC 0 \u2192 UPC 0"), ("ArrowDown", "UPC 1 \u2192 UPC 0"), ("ArrowRight", "UPC 1 \u2192 UPC 1")):
        browser.keys(".matrix", key)
        browser.wait(f"document.querySelector('.describe').textContent.includes({pair!r})")
    fragment = browser.ask("location.hash.slice(1)")
    browser.open(os.path.abspath(f"{name}.html"), fragment)
    check("a link restores the cell", pair in browser.texts("main .describe")[0], (fragment, browser.texts("main .describe")))
    zoom_by_drag(browser, pair)


PRESS = "((i, kinds) => kinds.forEach((kind) => document.querySelectorAll('.matrix span')[i].dispatchEvent(new MouseEvent(kind, { bubbles: kind !== 'mouseenter', cancelable: true }))))"


def zoom_by_drag(browser, pair):
    """A click selects a cell; a drag zooms. The cell stays selected where it is shown, and when all is shown again."""
    browser.keys(".matrix", "Escape")
    browser.wait("!location.hash.includes('rows')")
    side = round(browser.ask("document.querySelectorAll('.matrix span').length") ** 0.5)
    browser.ask(f"{PRESS}({side + 1}, ['mouseenter', 'mousedown', 'mouseup'])")
    browser.ask(f"{PRESS}({side + 1}, ['mousedown'])")
    browser.ask(f"{PRESS}({2 * side + 2}, ['mouseenter'])")
    browser.ask(f"{PRESS}({2 * side + 2}, ['mouseup'])")
    browser.wait("document.querySelectorAll('.matrix span').length === 4")
    browser.ask("document.querySelector('.matrix').dispatchEvent(new MouseEvent('mouseleave'))")
    for squares in (4, side * side):
        browser.wait(f"document.querySelectorAll('.matrix span').length === {squares}")
        check("the cell stays selected", pair in browser.texts("main .describe")[0], (squares, browser.texts("main .describe"), browser.ask("location.hash")))
        check("it is marked", len(browser.texts(".matrix .picked")) == 1, squares)
        browser.keys(".matrix", "Escape")


def groups(browser, name):
    """With more threads than the matrix has rows, consecutive threads share a row until the user zooms; nothing is
    lost."""
    browser.open(os.path.abspath(f"{name}.html"), "view=pairs")
    check("rows", any("66 threads in 64 rows" in text for text in browser.texts("main p")), browser.texts("main p"))
    number = re.search(r"([\d,]+) .* all accesses", text_of(name, "pair")).group(1)
    check("the sum", browser.texts(".describe")[0] == f"accesses: {number} in all", browser.texts(".describe"))
    check("a square", browser.ask("document.querySelectorAll('.matrix span').length") == 64 * 64)
    browser.keys(".matrix", *["ArrowDown"] * 34, "Enter")
    browser.wait("location.hash.includes('rows')")
    side = browser.ask("document.querySelectorAll('.matrix span').length")
    check("zoomed", 0 < side < 32 * 32 and not any("66 threads in" in text for text in browser.texts("main p")), side)
    check("the link has it", "columns" in browser.ask("location.hash"), browser.ask("location.hash"))
    browser.keys(".matrix", "Escape")
    browser.wait("!location.hash.includes('rows')")


def hosts(browser, name):
    """By host: the same accesses, in a square for each pair of hosts. The page's processes are on three hosts."""
    path = os.path.abspath(f"{name}.html")
    with open(path, encoding="utf-8") as file:
        text = file.read()
    data = re.search(r'<script id="data" type="text/plain">([^<]*)</script>', text)[1]
    page = json.loads(gzip.decompress(base64.b64decode(data)))
    for i, process in enumerate(page["processes"]):
        process["host"] = f"node{i // 22}"
    told = base64.b64encode(gzip.compress(json.dumps(page).encode())).decode()
    with open(path.replace(".html", ".hosts.html"), "w", encoding="utf-8") as file:
        file.write(text.replace(data, told))
    browser.open(path.replace(".html", ".hosts.html"), "view=pairs")
    before = browser.texts(".describe")[0]
    browser.click(".tools button", "by host")
    browser.wait("document.querySelectorAll('.matrix span').length === 9")
    check("the sum stays", browser.texts(".describe")[0] == before, browser.texts(".describe"))
    squares = sum(int(cell.replace(",", "")) for cell in browser.texts(".matrix b"))
    check("squares have all", f" {squares:,} in all" in before, (before, squares))


def part(browser, name):
    browser.open(os.path.abspath(f"{name}.part.html"), "view=pairs")
    titles = browser.texts("nav button")
    check("pairs are of the whole run only", "Communication" not in titles and "Timeline" in titles, titles)


def openmp(browser, name):
    browser.open(os.path.abspath(f"{name}.html"), "view=openmp")
    found = rows(browser, "OpenMP constructs")
    if name == "m":
        # omp parallel: thread 0 has 100 + 1800 ms, and 5 ms at the barrier; thread 1 1200 ms, 300 + 3 at the barrier
        check("a construct", any("omp parallel" in row[5] and row[3] == "12,000" and row[4] == "2" for row in found), found)
    if name == "blamed":
        row = next(row for row in found if "omp parallel" in row[5])
        check("its time, even work, the last", row[2] == "1.50" and row[6].endswith("openmp worker 1"), row)


def range_of(browser):
    """The first and the last time shown by the timeline, as it says."""
    return re.match(r"(.*?) to (.*?);", browser.texts("main .tools span")[0]).groups()


def source(browser, name):
    """A file whose text is embedded comes first; a line leads to its path."""
    browser.open(os.path.abspath(f"{name}.html"), "view=source&metric=visits")
    browser.wait("document.querySelector('main .table')", 20)
    lines = browser.texts("main .row code")
    check("the text of the user's file", any(re.search("upc_forall|#include|shared", line) for line in lines), lines[:5])
    browser.ask("[...document.querySelectorAll('main .row')].find((row) => row.children[0].textContent).click()")
    browser.wait("location.hash.includes('node=')")
    number = browser.texts("main .row.selected .number")[3]
    check("the line stays selected", f"item={number}" in browser.ask("location.hash"), browser.ask("location.hash"))


def timeline(browser, name):
    """Where a column of the report is one state, most pieces of the page there are in that state, too."""
    browser.open(os.path.abspath(f"{name}.html"), "view=timeline&by=state")
    text = text_of(name, "timeline")
    legend = dict(re.findall(r"(\S) ([a-z ]+)[,\n]", text.split("mostly:")[1].split("blank")[0].replace("\n", " ")))
    threads = re.findall(r"(?m)^ *\d+\.\d+ .*?(UPC \d+|openmp worker \d+) (.*)$", text.split("timeline:")[1])
    shown = browser.texts("main .legend span")
    names = {"remote access": "communication", "overhead of a runtime": "overhead"}
    for sign in {sign for _, line in threads for sign in line if line.count(sign) > 10 and sign != " "}:
        meaning = names.get(legend[sign].strip(), legend[sign].strip())
        check("a state of the report", any(meaning in one for one in shown), (meaning, shown))
    check("threads", len(threads) > 1, threads)
    before = None
    while "no thread" in browser.texts("main .describe")[0]:  # one of them is there at the beginning
        check("ArrowDown moves", browser.texts("main .describe")[0] != before, before)
        before = browser.texts("main .describe")[0]
        browser.keys("main canvas[tabindex]", "ArrowDown")
        browser.wait(f"document.querySelector('main .describe').textContent !== {before!r}", 20)
    check("a table of times", browser.texts("main .heading [role=columnheader]")[0] == "time", browser.texts("main .heading"))
    browser.keys("main canvas[tabindex]", "+", "+", "+")
    browser.wait("location.hash.includes('to=')")
    check("times differ", len(set(range_of(browser))) == 2, range_of(browser))
    before = range_of(browser)
    browser.keys("main canvas[tabindex]", "w")
    browser.wait("true")
    check("W zooms", range_of(browser) != before, before)
    browser.keys("main canvas[tabindex]", "Escape")
    steps = browser.ask("history.length")
    browser.ask(
        "(() => { const c = document.querySelector('main canvas[tabindex]'); const r = c.getBoundingClientRect(); c.dispatchEvent("
        "new WheelEvent('wheel', { bubbles: true, cancelable: true, deltaY: -1, clientX: r.right - 20, clientY: r.top + 30 })); })()"
    )
    browser.wait("location.hash.includes('to=')")
    check("turns of the wheel are no steps of Back", browser.ask("history.length") == steps)
    browser.keys("main canvas[tabindex]", "Escape")
    before = range_of(browser)
    for kind, at in (("mousedown", 0.4), ("mousemove", 0.5), ("mouseup", 0.6)):
        browser.ask(
            "(() => { const c = document.querySelector('main canvas[tabindex]'); const r = c.getBoundingClientRect(); c.dispatchEvent("
            f"new MouseEvent({kind!r}, {{ bubbles: true, buttons: 1, clientX: r.left + {at} * r.width, clientY: r.top + 5 }})); }})()"
        )
        browser.wait("true")
    browser.wait("location.hash.includes('from=')")
    check("dragging zooms to a fifth", range_of(browser) != before, before)
    browser.keys("main canvas[tabindex]", "Escape")
    for _ in range(8):  # continues to a thread with something to show
        browser.keys("main canvas[tabindex]", "Enter")
        if "thread=" in browser.ask("location.hash"):
            break
        browser.keys("main canvas[tabindex]", "ArrowDown", "ArrowRight")
    browser.wait("location.hash.includes('thread=') || location.hash.includes('node=')")
    browser.keys("main canvas[tabindex]", "Escape")
    browser.wait("!location.hash.includes('to=')")
    browser.click(".tools button", "by function")
    browser.wait("document.querySelector('main .table .heading').textContent.includes('function')")


def timeline_parts(browser, name):
    """Tracks are collapsed and expanded. The page of a part, made by the command that is shown, has all events of the
    part."""
    page = os.path.abspath(f"{name}.html")
    browser.open(page, "view=timeline")
    said, first = browser.texts(".resolution")[0], high(browser)
    browser.wait("document.querySelector('canvas.overview').clientWidth > 0")
    browser.keys("main canvas[tabindex]", "f")
    browser.wait(f"document.querySelector('main canvas[tabindex]').clientHeight !== {first}", 20)
    browser.keys("main canvas[tabindex]", "f")
    browser.wait(f"document.querySelector('main canvas[tabindex]').clientHeight === {first}", 20)
    browser.keys("main canvas[tabindex]", "+")
    command = browser.texts(".resolution code")[0]
    words = command.split()
    check("the command", words[:4] == ["heddle", "report", "--html", "part.html"], command)
    finer = os.path.abspath(f"{name}.finer.html")
    subprocess.run([os.environ["HEDDLE_BUILD"] + "/bin/heddle", "report", "--html", finer, *words[4:]], check=True, stdout=subprocess.DEVNULL)
    browser.open(finer, "view=timeline")
    now = browser.texts(".resolution")[0]
    check("finer", now.startswith("Every event of") or now != said, (said, now))
    if name == "t":
        browser.open(page, "view=timeline")
        of_threads = rows(browser, "What took most")
        tall = high(browser)
        browser.click(".tools button", "fold processes")
        browser.wait(f"document.querySelector('main canvas[tabindex]').clientHeight < {tall}", 20)
        check("the table is of all threads", rows(browser, "What took most") == of_threads, of_threads)


def colors_of(browser):
    entries = browser.ask("[...document.querySelectorAll('.timeline .legend span')].map((one) => [one.textContent.trim(), one.querySelector('i').style.background])")
    return {name.strip("[]").removeprefix("omp "): color for name, color in entries}


def timeline_times(browser, name):
    """Times by path are those of --flat --metric wall-time if all events are in the page and regions are timed. A state
    has the same colour among functions."""
    browser.open(os.path.abspath(f"{name}.html"), "view=timeline")
    of_states = colors_of(browser)
    browser.open(os.path.abspath(f"{name}.html"), "view=timeline&by=function")
    text, found = text_of(name, "wall"), rows(browser, "What took most")
    check("all events", browser.texts(".resolution")[0].startswith("Every event of"), browser.texts(".resolution"))
    timed = [row for row in found if re.search(r"(?m)^.* " + re.escape(re.sub(r" \S+:\d+$", "", row[2])) + "( |$)", text)]
    check("regions", len(timed) >= 3, found)
    of_functions = colors_of(browser)
    both = of_states.keys() & of_functions.keys()
    check("colours of states", both and all(of_states[one] == of_functions[one] for one in both), (of_states, of_functions))
    for row in timed:
        if row[2].startswith(("upc ", "omp ")):
            check("a row of --flat", re.search(re.escape(row[0]) + r"  " + re.escape(row[2]), text), (row, text))


def arrows(browser, name):
    """There are as many accesses to other threads as with --by pair; each row of the table is one of its pairs."""
    browser.open(os.path.abspath(f"{name}.html"), "view=timeline&look=arrows")
    found = rows(browser, "Messages and accesses")
    pairs = {tuple(pair): int(count.replace(",", "")) for count, *pair in re.findall(
        r"(?m)^ *([\d,]+) .*?(UPC \d+) -> (UPC \d+)", text_of(name, "pair"))}
    others = sum(count for (a, b), count in pairs.items() if a != b)
    said = [text for text in browser.texts("main p small") if "in all" in text][0]
    check("all accesses to others", f" of {others:,} in all" in said, (said, pairs))
    for row in found:
        a, b = row[-1].split(" \u2192 ")
        check("a pair", (a, b) in pairs or (b, a) in pairs, row)


def high(browser):
    return browser.ask("document.querySelector('main canvas[tabindex]').clientHeight")


def about(browser, name):
    browser.open(os.path.abspath(f"{name}.html"), "view=about")
    text = words(text_of(name, "info"))
    facts = zip(browser.texts("main dt"), browser.texts("main dd"))
    for title, fact in facts:
        if title not in ("started", "sampled by", "threads"):
            check("a line of heddle info", words(fact) in text, (title, fact))
    for row in rows(browser, "Metrics"):
        check("a metric", re.search(re.escape(row[1]) + r" +" + re.escape(row[0]) + " ", text_of(name, "info")), row)
    for note in re.findall(r"(?m)^  note +(.*)$", text_of(name, "info")):
        check("a note", any(note[:30] in one for one in browser.texts("main li")), note)


def callers(browser, name):
    """Callers and callees of the most expensive function are those of --callers, row by row."""
    path = os.path.abspath(f"{name}.html")
    browser.open(path, "view=callers&metric=cpu-time")
    text = text_of(name, "callers")
    for title in ("Callers", "Callees"):
        found = rows(browser, title)
        check("rows", len(found) >= 2, found)
        for row in found:
            label = re.sub(r" \S+:\d+$", "", row[-1].strip("\u25be\u25b8"))
            check("a row of --callers", reported(name, "callers", [*row[:3], label]), (row, text))


def functions(browser, name):
    """Shares and times of every function are those of --flat, those of every path those of the tree."""
    path = os.path.abspath(f"{name}.html")
    browser.open(path, "view=functions&metric=cpu-time")
    for row in rows(browser, "Functions"):
        label = re.sub(r" \S+:\d+$", "", row[-1])
        if row[2] != "\u2013":
            check("a row of --flat", reported(name, "functions", [*(cell.replace("\u2013", "-") for cell in row[:3]), label]), row)
    browser.open(path, "view=tree&metric=cpu-time")
    for row in rows(browser, "Call tree"):
        label = re.sub(r" \S+:\d+$", "", row[-1].strip("\u25be\u25b8"))
        if row[2] != "\u2013":
            check("a row of the tree", reported(name, "tree", [*(cell.replace("\u2013", "-") for cell in row[:3]), label]), row)


def phase(browser, name):
    path = os.path.abspath(f"{name}.html")
    browser.open(path, "view=tree&metric=cpu-time")
    whole = browser.texts("main .path small")[0]
    label = browser.ask(
        "(() => { const s = [...document.querySelectorAll('.controls label')].find((l) => l.textContent.startsWith('phase'))"
        ".querySelector('select'); s.value = s.options[1].value; s.dispatchEvent(new Event('change')); return s.value; })()"
    )
    browser.wait(f"location.hash.includes('phase={label}')")
    browser.wait(f"document.querySelector('main .path small').textContent !== {whole!r}")
    # Below the phase, thread 0 has 1.0 s in process 101 and 90 ms in process 100.
    check("only what ran in it", browser.texts("main .path small")[0].startswith("1.08 s, 100.0 %"), browser.texts("main .path small"))
    check("no region of outside", not any("omp parallel" in row for row in browser.texts(".row")), browser.texts(".row"))
    browser.open(path, f"view=functions&metric=cpu-time&phase={label}")
    check("a link restores it", "phase set up" in browser.texts(".row")[0] and len(browser.texts(".row")) == 3, browser.texts(".row"))
    browser.open(path, f"view=threads&metric=cpu-time&phase={label}")
    times = [row[3] for row in rows(browser, "Threads by") if row[3] != "\u2013"]
    check("threads in it", sorted(times) == ["90.0 ms", "990 ms"], times)
    browser.open(path, "view=functions&phase=0")
    check("no such phase", "phase=" not in browser.ask("location.hash") or len(browser.texts(".row")) > 1)


CHECKS = {
    "m": (openmp, about, phase, callers, functions),
    "upc": (memory, messages, about),
    "t": (timeline, timeline_parts, timeline_times, about),
    "blamed": (blame, openmp),
    "real": (source, blame, memory, messages, pairs, about, timeline, timeline_parts, arrows, part),
    "many": (groups, hosts),
}


def main():
    browser = Browser()
    failed = 0
    try:
        for name in sys.argv[1:]:
            for look in CHECKS[name]:
                try:
                    look(browser, name)
                    check("the console", not browser.complaints())
                except AssertionError as error:
                    print(f"{name}: {look.__name__}: {error}")
                    failed = 1
    finally:
        browser.close()
    return failed


sys.exit(main())
