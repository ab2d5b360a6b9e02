#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""page_rows.py NAME...: row by row, the views of NAME.html have the numbers of `heddle report NAME`, which this script
runs: graph, call tree, functions, callers, constructs, OpenMP, source, threads, accesses, memory, messages, files,
efficiency and waits."""

import os
import re
import subprocess
import sys
import time

from browser import Browser, check

ROWS = """(() => [...document.querySelectorAll('main .table')].filter((t) => t.ariaLabel.match(%r)?.index === 0)
    .flatMap((t) => [...t.querySelectorAll('.row')].map((r) => [...r.children].map((c) => c.textContent))))()"""
BETWEEN = r"(?:[\d,.-]+(?: (?:ns|us|ms|s|B|KiB|MiB|GiB))? +)*"  # columns that the page does not have
METRICS = {"remote": "remote-accesses", "same node": "same-node-accesses", "local": "local-accesses", "got": "bytes-got", "put": "bytes-put"}


def report(name, *options):
    """The lines of a report; none if it has no values."""
    command = [os.environ["HEDDLE_BUILD"] + "/bin/heddle", "report", name, "--min", "0", "--no-color", *options]
    return subprocess.run(command, check=False, capture_output=True, text=True).stdout.splitlines()


FOLLOWED = """new Promise((done) => {
    const address = %r;
    if (location.hash === address) return done(true);
    addEventListener("hashchange", () => requestAnimationFrame(() => setTimeout(() => setTimeout(() => done(true)))), { once: true });
    location.hash = address;
})"""


def show(browser, name, fragment):
    """Shows this page with this fragment. Loading pages takes most of the time: an open page follows the address, as if
    a link in it were used, and has redrawn itself two turns after a frame. page_links.py tests pages loaded by a
    link."""
    page = os.path.abspath(f"{name}.html")
    if getattr(browser, "shown", None) != page:
        browser.open(page, fragment)
        browser.shown = page
    else:
        browser.ask(FOLLOWED % f"#{fragment}")


def rows(browser, label):
    return browser.ask(ROWS % label)


def dashed(cells):
    return [cell.replace("\u2013", "-") for cell in cells]


def reported(row):
    """The cells as the report has them: with "0 ns" where the page has a dash."""
    return dashed(row[:2] if row[2] == "\u2013" else row[:3])


def without_place(text):
    """Removes the file of a function; that of a region is part of its name."""
    return re.sub(r" [^@ ]\S*:\d+$", "", text.strip("\u25be\u25b8"))


def stands(lines, cells, label):
    """Returns whether a line has the cells, followed by the label, with or without further columns in between."""
    pattern = r"^ *" + r" +".join(re.escape(cell) for cell in cells) + r" +" + BETWEEN + r"(?:[\u2502\u251c\u2514\u2500 ])*" + re.escape(label) + r"(?: |$)"
    return any(re.search(pattern, line) for line in lines)


def tree(browser, name):
    """Every path that is open in the call tree; the graph shows the same values for each."""
    show(browser, name, "view=tree")
    metric = browser.ask("document.querySelector('.controls select').value")
    lines, found = report(name, "--recursion", "--metric", metric), rows(browser, "Call tree")
    nodes = browser.ask("[...document.querySelectorAll('main .row')].map((row) => row.id.replace('row-', ''))")
    for row in found:
        check("a path", stands(lines, reported(row), without_place(row[-1])), (row, lines))
    for row, node in list(zip(found, nodes))[:8]:
        show(browser, name, f"view=flame&node={node}")
        wanted = f"{without_place(row[-1])}: " + ("\u2013" if row[2] == "\u2013" else f"{row[2]}, {row[0]} %")
        for _ in range(200):  # it is drawn slightly later
            said = browser.texts("main .describe")
            if said and said[0].startswith(wanted):
                break
            time.sleep(0.1)
        check("the graph", said and said[0].startswith(wanted), (wanted, said))
    return len(found)


def functions(browser, name):
    """Every function and region with a value; the sum of a column of the heat map is that of the function."""
    show(browser, name, "view=functions")
    metric = browser.ask("document.querySelector('.controls select').value")
    lines, found = report(name, "--flat", "--metric", metric), rows(browser, "Functions")
    for row in found:
        if row[2] != "\u2013":
            check("a function", stands(lines, reported(row), without_place(row[-1])), (row, lines))
    show(browser, name, "view=threads")
    said = browser.ask("[...document.querySelectorAll('.heatmap .describe')].map((one) => one.textContent)[0] ?? ''")
    match = re.search(r"[^,]*, (.*): (.*), [\d.]+ % of all threads' (.*)$", said)
    if match:
        cells = [row[2] for row in found if without_place(row[-1]) == match[1]]
        check("the heat map", match[3] in cells, (said, found))
    return len(found)


def callers(browser, name):
    """The function that the view shows first."""
    show(browser, name, "view=callers")
    function = browser.ask("(() => { const s = document.querySelector('.callers select'); return s.options[s.selectedIndex].text; })()")
    check("it is no state", not function.startswith("["), function)
    metric = browser.ask("document.querySelector('.controls select').value")
    over = browser.ask(
        "[...document.querySelectorAll('main .table')].filter((table) => table.querySelectorAll('.row').length === 1)"
        ".map((table) => table.scrollHeight - table.clientHeight)"
    )
    check("a table of one row does not scroll", not any(over), over)
    lines, compared = report(name, "--callers", function, "--recursion", "--metric", metric), 0
    for title in ("Callers", "Callees"):
        for row in rows(browser, title):
            check(f"a row of {title}", stands(lines, reported(row), without_place(row[-1])), (row, lines))
            compared += 1
    return compared


def sums(browser, name):
    """MPI: sums by communicator and by size, and operations that were never completed."""
    show(browser, name, "view=pairs")
    lines, compared = report(name, "--messages"), 0
    for title in ("By communicator", "By size"):
        for row in rows(browser, title):
            check(title, any(re.split(r"  +| (?=\S+$)", line.strip()) == dashed(row) or line.split() == " ".join(dashed(row)).split() for line in lines), (row, lines))
            compared += 1
    found = rows(browser, r"\S+ operations? (was|were) never completed")
    for row in found:
        check("not completed", any(line.split() == f"{row[0]} {row[1]}, {row[2]}".split() for line in lines), (row, lines))
    check("all of them", len(found) == len([line for line in lines if " with " in line and line.startswith("  ")]), (found, lines))
    return compared + len(found)


def constructs(browser, name):
    show(browser, name, "view=regions&metric=visits")
    if "visits" not in browser.texts(".controls option"):
        return 0
    lines, found = report(name, "--flat", "--metric", "visits"), rows(browser, "Constructs")
    for row in found:
        if row[2] != "\u2013":
            check("a construct", stands(lines, reported(row), without_place(row[-1])), (row, lines))
    return len(found)


def openmp(browser, name):
    """Constructs that are on one path only have that path's time and visits."""
    show(browser, name, "view=openmp")
    if "OpenMP" not in browser.texts("nav button"):
        return 0
    metric = browser.ask("document.querySelector('main .table').ariaLabel").split(" by ")[-1]
    lines, compared = report(name, "--recursion", "--metric", metric), 0
    for row in rows(browser, "OpenMP constructs"):
        label = without_place(row[5])
        there = [line for line in lines if re.search(r"[\u2500 ]" + re.escape(label) + r"(?: |$)", line)]
        if len(there) != 1 or row[0] == "\u2013":
            continue
        numbers = there[0].split(label)[0]
        check("its time", f" {row[0]} " in numbers, (row, there))
        check("its visits", row[3] == "\u2013" or f" {row[3]} " in numbers, (row, there))
        compared += 1
    return compared


def source(browser, name):
    """A source line that is one line of the report only has the same cost there, and the same share including calls."""
    show(browser, name, "view=source&metric=cpu-time")
    files = browser.ask("[...document.querySelectorAll('main .tools select option')].map((one) => one.value)") or []
    lines, compared = report(name, "--lines", "--metric", "cpu-time"), 0
    for file in files:
        show(browser, name, f"view=source&metric=cpu-time&file={file}")
        base = os.path.basename(browser.texts("main .tools .path")[0])
        heads = browser.texts("main .heading [role=columnheader]")
        for row in rows(browser, "Source lines"):
            place = re.escape(f"{base}:{row[heads.index('line')]}")
            there = [line for line in lines if re.search(r"[ @]" + place + r"(?: |$)", line)]
            if row[0] == "" or len(there) != 1:
                continue
            check("a line", re.match(r" *" + r" +".join(re.escape(cell) for cell in row[:3]) + " ", there[0]), (row, there))
            compared += 1
    return compared


def threads(browser, name):
    """The CPU time of every thread, and the share of each state in it."""
    show(browser, name, "view=threads&metric=cpu-time")
    lines, found = report(name, "--threads"), rows(browser, "Threads by cpu-time")
    bars = browser.ask("[...document.querySelectorAll('main .table .bar')].map((one) => one.ariaLabel)")
    for row, bar in zip(found, bars):
        label = re.sub(r"^(heddle|thread) \d+$", r"\1", row[1])
        there = [line for line in lines if re.search(rf"^ *{row[0]}\.\d+ +{re.escape(label)} |^process {row[0]} ", line) and f" {row[3]}" in line]
        if row[3] == "\u2013":
            continue
        check("a thread", there, (row, lines))
        for share in re.findall(r"([\d.]+) %", bar):
            check("a share", share == "0.0" or f" {share}" in there[0], (bar, there))
    return len(found)


def accesses(browser, name):
    """The first metric and its shares; each further column as in that metric's own report."""
    show(browser, name, "view=accesses")
    if "Accesses" not in browser.texts("nav button"):
        return 0
    found = rows(browser, "Accesses to shared memory")
    first = browser.ask("document.querySelector('main .table').ariaLabel").split(" by ")[-1]
    heads = [first if i == 2 else METRICS.get(head) for i, head in enumerate(browser.texts("main .heading [role=columnheader]"))]
    lines = {metric: report(name, "--flat", "--metric", metric) for metric in heads if metric}
    for row in found:
        label = without_place(row[-1])
        if row[2] != "\u2013":
            check("shares", stands(lines[first], dashed(row[:3]), label), (row, lines[first]))
        for metric, cell in zip(heads, row):
            if metric and cell not in ("\u2013", "0"):
                pattern = r" " + re.escape(cell) + r"  " + re.escape(label) + r"(?: |$)"
                check(metric, any(re.search(pattern, line) for line in lines[metric]), (row, lines[metric]))
    return len(found)


def efficiency(browser, name):
    """Every factor, and every phase and region with its losses."""
    show(browser, name, "view=efficiency")
    if "Efficiency" not in browser.texts("nav button"):
        return 0
    lines = report(name, "--efficiency")
    factors = dict(re.match(r" +([\d.]+) +[\d.]+ +(\S.*)$", line).groups()[::-1] for line in lines if re.match(r" +[\d.]+ +[\d.]+ +[a-z]", line))
    shown = browser.ask(
        "[...document.querySelectorAll('main section *')].filter((e) => !e.children.length).map((e) => e.textContent.trim()).filter((t) => t)"
    )
    compared = 0
    for factor, value in factors.items():
        if factor in shown:
            check(factor, shown[shown.index(factor) + 1] == value, (shown, value))
            compared += 1
    for row in rows(browser, "Efficiency of phases"):
        label = without_place(row[3])
        there = [line for line in lines if line.split()[:2] == row[:2] and f" {row[2]} " in line and label in line]
        check("a phase or region", there, (row, lines[4:]))
        compared += 1
    return compared


def late(browser, lines):
    """Kinds, places and, below these, the threads that others waited for: the report has four of them, and the sum of
    the rest."""
    found, said, compared = rows(browser, "Waits, and"), [" ".join(line.split()) for line in lines], 0
    below = []
    for row in [*found, ["", "", "9", "", ""]]:
        text = without_place(row[4]).strip()
        if not text.startswith("for "):
            for cause in below[:4]:
                words = " ".join([*cause[:2], cause[3], "for"])
                who = re.sub(r"^for (\d+ )?", "", without_place(cause[4])).split(" in ")[0]
                check("a thread that was waited for", any(line.startswith(words) and who in line for line in said), (cause, lines))
            if len(below) > 4:
                times = sum(int(cause[3].replace(",", "")) for cause in below[4:])
                check("the rest", any(f" {times:,} for {len(below) - 4} other thread" in line for line in said), (below, lines))
            compared += len(below)
            below = []
        else:
            below.append(row)
            continue
        words = " ".join([*row[:4], text]).split()
        unsaid = "barrier, who was last" in " ".join(lines) and row[2] == ""  # of barriers alone, the report has no line of the kind
        check("a kind or place", unsaid or row[0] == "" or any(line.split()[: len(words)] == words for line in said), (row, lines))
        compared += 1
    places = [line for line in lines if re.match(r" *[\d.]+ \S+ +[\d.-]+ +[\d.]+ \S+ +[\d,]+  \S", line)]
    check("all places", len(places) == len([row for row in found if row[2]]), (found, places))
    return compared - 1


def waits(browser, name):
    """Who waited for whom; the threads of the critical path, and their states; the functions on it."""
    show(browser, name, "view=waits")
    if "Waits" not in browser.texts("nav button"):
        return 0
    compared = late(browser, report(name, "--late"))
    lines, found = report(name, "--critical"), rows(browser, "Threads that the critical")
    bars = browser.ask("[...document.querySelectorAll('main .table .bar')].map((one) => one.ariaLabel)")
    sentence = next(text for text in browser.texts("main p") if "the length of" in text).split(". ")[0]
    head = " ".join(lines[: next(i for i, line in enumerate(lines) if "  states" in line)])
    check("its length", f"critical path: {sentence}" in " ".join(head.split()), (sentence, head))
    table = lines[next(i for i, line in enumerate(lines) if "  states" in line) + 1 :]
    for row, bar, line in zip(found, bars, table):
        thread = re.sub(r"^\d+ ", "", row[2])
        check("a thread of the path", line.split()[:3] == " ".join(row[:2]).split() and thread in line, (row, line))
        for state, share in re.findall(r"  ([a-z][a-z -]*) +([\d.]+)(?= |$)", line.split(thread)[-1]):
            check("the states", f"{state.strip()} {share} %" in bar, (bar, line))
    functions_there, flat = rows(browser, "The critical path by"), report(name, "--critical", "--flat")
    for row in functions_there:
        check("a function of the path", stands(flat, reported(row), without_place(row[-1])), (row, flat))
    return compared + len(found) + len(functions_there)


def memory(browser, name):
    """The functions of the program that allocate most come first."""
    show(browser, name, "view=memory")
    if "Memory" not in browser.texts("nav button"):
        return 0
    lines, found = report(name, "--memory"), rows(browser, "Functions by the memory")
    for row in found:
        check("a function that allocates", stands(lines, dashed(row[:3]), without_place(row[3])), (row, lines))
    first = lines[lines.index("Functions that allocate most:") + 2]
    check("the first one", first.split()[:2] == [found[0][0], found[0][1].split()[0]], (first, found))
    return len(found)


def exchanges(browser, name):
    """The bytes of every pair of ranks are those of the grid of --messages."""
    show(browser, name, "view=pairs")
    lines = report(name, "--messages")
    grid = [line for line in lines[lines.index(next(line for line in lines if line.startswith("bytes from rank"))) :] if " MPI " in line] if any(
        line.startswith("bytes from rank") for line in lines) else []
    if not grid:
        return 0
    ranks = len(re.findall(r"MPI \d+", grid[0]))
    found = {row[-1]: row[2] for row in rows(browser, "Pairs of threads")}
    wanted = {}
    for line in grid[1 : 1 + ranks]:
        cells = re.findall(r"MPI (\d+)|(\d[\d.]* (?:B|KiB|MiB|GiB))|(\.)(?= |$)", line)
        for to, (_, size, _) in enumerate(cells[1 : 1 + ranks]):
            if size:
                wanted[f"MPI {cells[0][0]} \u2192 MPI {to}"] = size
    check("pairs of ranks", found == wanted and found, (found, wanted, grid))
    return len(found)


def files(browser, name):
    """Every file of MPI-IO."""
    show(browser, name, "view=pairs")
    lines, found = report(name, "--messages"), rows(browser, "MPI-IO by file")
    for row in found:
        check("a file", stands(lines, dashed(row[:-1]), row[-1]), (row, lines))
    return len(found)


def main():
    browser = Browser()
    failed, compared = 0, {}
    try:
        for name in sys.argv[1:]:
            for look in (tree, functions, callers, sums, constructs, openmp, source, threads, accesses, memory, exchanges, files, efficiency, waits):
                try:
                    compared[look.__name__] = compared.get(look.__name__, 0) + look(browser, name)
                except AssertionError as error:
                    print(f"{name}: {look.__name__}: {error}")
                    failed = 1
    finally:
        browser.close()
    print("rows compared:", compared)
    for look, least in (("tree", 20), ("functions", 20), ("callers", 12), ("constructs", 8), ("openmp", 2), ("threads", 6), ("memory", 1), ("efficiency", 6), ("waits", 12)):
        if compared.get(look, 0) < least:
            print(f"too few rows of {look}")
            failed = 1
    return failed


sys.exit(main())
