#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""page_views.py BROWSER PAGE HOSTILE SUCCESSORS SYSTEM EARLY HYBRID CHAINED NAMED: every view of a page, its selection,
keys and links, names that look like markup, and successive threads."""

import re
import sys

from browser import check, run_parts

VIEWS = ["Graph", "Call tree", "Functions", "Callers", "Constructs", "Source", "Threads", "Efficiency", "OpenMP", "Measured"]


def views(browser, page):
    browser.open(page)
    check("the views", browser.texts("nav button") == VIEWS, browser.texts("nav button"))
    check("the program", browser.texts("h1") == ["cg A"], browser.texts("h1"))
    check("a finding", any("uses 70 %" in text for text in browser.texts(".findings li")))
    top = browser.ask("document.querySelector('main').getBoundingClientRect().top")
    check("the head has at most 120 pixels", top <= 120, top)
    check("a colour like the page's own has an edge", browser.ask("getComputedStyle(document.querySelector('.legend i')).boxShadow") != "none")
    for view in VIEWS[1:]:
        browser.click("nav button", view)
        browser.wait("document.querySelector('main .table .row') || document.querySelector('main section p')")
        if view in ("Call tree", "Functions", "Constructs", "Source"):
            browser.wait("document.documentElement.scrollHeight <= innerHeight", 20)  # only the table scrolls
    check("no request", browser.ask("performance.getEntriesByType('resource').length") == 0)


def chips(browser, page):
    """The most important facts are chips of a few words, each of which leads to its path; sentences unfold."""
    browser.open(page)
    found = browser.texts(".chips .chip")
    check("chips", "cg+0x1300 70 % CPU" in found and all(len(text) < 64 for text in found), found)
    hidden = "getComputedStyle(document.querySelector('.findings ul')).display === 'none'"
    check("sentences are folded", browser.ask(hidden))
    browser.click(".findings .more", "sentence")
    browser.wait(f"!({hidden})")
    browser.click(".chips .chip", "cg+0x1300")
    browser.wait("location.hash.includes('node=')")
    check("its path", "cg+0x1300" in browser.texts("main .path")[0], browser.texts("main .path"))


def graph(browser, page):
    browser.open(page, "view=flame")
    inked = (
        "(() => { const c = document.querySelector('canvas'); const d = c.getContext('2d')"
        ".getImageData(0, 0, c.width, c.height).data; let n = 0;"
        "for (let i = 3; i < d.length; i += 4) n += d[i] > 0; return n / (d.length / 4); })()"
    )
    browser.wait(f"{inked} > 0.3")
    browser.keys("canvas", "ArrowDown", "ArrowDown")
    check("keys select", "cg+0x1100" in browser.texts("main .path")[0], browser.texts("main .path"))
    browser.keys("canvas", "Enter")
    check("Enter zooms", "zoom=" in browser.ask("location.hash"), browser.ask("location.hash"))
    browser.keys("canvas", "Escape", "Escape")
    check("Escape goes back", "zoom=" not in browser.ask("location.hash"), browser.ask("location.hash"))


DRAWN = """(() => {
    const [texts, rects, prototype] = [[], [], CanvasRenderingContext2D.prototype];
    const { fillText, fillRect } = prototype;
    prototype.fillText = function (text, x, y) { texts.push([text, x, y, this.measureText(text).width]); fillText.apply(this, arguments); };
    prototype.fillRect = function (...rect) { rects.push(rect); fillRect.apply(this, rect); };
    const canvas = document.querySelector('.flame canvas');
    const wide = (text) => canvas.getContext('2d').measureText(text).width;
    canvas.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowDown', bubbles: true }));
    return new Promise((done) => setTimeout(() => {
        Object.assign(prototype, { fillText, fillRect });
        done({ texts, rects, names: %s.map((name) => [name, wide(name)]), m: wide('m'), one: texts.map(([text]) => [...text].map((_, i) => wide(text.slice(0, i)))) });
    }, 300));
})()"""


def bars(browser, page):
    """A bar has as much of its name as fits, with four pixels at each side; a mark shows what was left out."""
    browser.open(page, "view=functions&by=path")
    names = browser.ask("[...document.querySelectorAll('.row .name > span, .row .name span[class]')].map((one) => one.title || one.firstChild.textContent)")
    names += browser.ask("[document.querySelector('main .path button').textContent]")
    browser.open(page, "view=flame")
    browser.wait("document.querySelector('.flame canvas').clientHeight > 20")
    drawn = browser.ask(DRAWN % names)
    whole, marked = {name: wide for name, wide in drawn["names"]}, 0
    bare = [rect for rect in drawn["rects"] if rect[2] - 8 >= 3 * drawn["m"]]
    check("every bar with room has a name", len(drawn["texts"]) >= len(bare) > 3, (drawn["texts"], bare))
    for text, x, y, wide in drawn["texts"]:
        (left, _, width, _) = next(rect for rect in drawn["rects"] if rect[0] <= x <= rect[0] + rect[2] and rect[1] <= y <= rect[1] + rect[3])
        room = width + 1 - 8
        check("its padding", abs(x - left - 4) < 0.01 and wide <= room + 0.01, (text, x, left, wide, room))
        if "\u2026" not in text:
            check("a whole name", text in whole, (text, names))
            continue
        marked += 1
        parts = [re.escape(part) for part in text.split("\u2026")]
        of = [name for name in whole if re.fullmatch(".*".join(parts), name, re.DOTALL)]
        check("there is no room for the whole", of and all(whole[name] > room for name in of), (text, of, room))
        if text.endswith("\u2026") and text.count("\u2026") == 1:
            check("nor for two more letters", wide + 2 * drawn["m"] > room, (text, wide, room))
    check("some name is shortened", marked > 0, drawn["texts"])
    point_at(browser, 50)
    parts = browser.ask("[...document.querySelector('.tooltip b').childNodes].filter((one) => one.data).map((one) => one.data)")
    check("the tooltip's name breaks between its parts", parts[:3] == ["phase fem::", "Solver<", "double, std::"], parts)


def looks(browser, page):
    """Recursion is folded, system code hidden, colours have a legend; the selection is marked wherever it is shown."""
    high = "parseInt(document.querySelector('canvas').style.height) / 20"
    browser.open(page, "view=functions&search=0x1300")
    total = browser.texts(".row .number")[1]
    browser.keys(".table", "ArrowDown")
    browser.click("nav button", "Graph")
    browser.wait(f"{high} > 1")
    levels = browser.ask(high)
    described = browser.texts(".describe")[0]
    check("all of its paths", f"on 2 paths: matched {total} %" in described, (described, total))
    browser.click(".tools button", "fold recursion")
    browser.wait(f"{high} === {levels - 1}")
    check("the address has it", "look=recursion" in browser.ask("location.hash"), browser.ask("location.hash"))
    check("its name is there once", f"{total} %" in browser.texts(".describe")[0], browser.texts(".describe"))
    check("a legend", browser.texts(".flame .legend span")[0].strip() == "work", browser.texts(".flame .legend span"))
    browser.open(page, "view=flame&look=user+module")
    names = [name.strip() for name in browser.texts(".flame .legend span")]
    check("modules", "cg" in names and "no module" in names, names)
    browser.wait(f"{high} > 1")
    # What is hidden has no entry; states are not code; another metric does not change the colours.
    legend = "[...document.querySelectorAll('.flame .legend span')].map((one) => one.textContent.trim() + ',' + one.firstChild.style.background)"
    browser.open(page, "view=flame&look=user+model")
    colors = browser.ask(legend)
    names = [one.split(",")[0] for one in colors]
    check("models", names[0] == "code" and "states" in names and "system code" not in names, colors)
    browser.open(page, "view=flame&look=user+model&metric=wall-time")
    check("the same colours", browser.ask(legend)[0] == colors[0], (browser.ask(legend), colors))


def system(browser, page):
    """The cost of hidden system code is added to its caller."""
    browser.open(page, "view=flame&look=user&search=libsys")
    browser.click(".found button", "\u2193")
    browser.wait("location.hash.includes('node=')")
    check("its caller", browser.texts("main .describe")[0].startswith("cg+0x1300: 30.0 ms"), browser.texts(".describe"))
    browser.click(".tools button", "hide system code")
    browser.wait("document.querySelector('main .describe').textContent.startsWith('libsys')")


def tree(browser, page):
    browser.open(page, "view=tree")
    rows = browser.texts(".row")
    check("the root", rows[0].startswith("100.0"), rows[0])
    check("a deep path", any("cg+0x1300" in row for row in rows), rows)
    browser.keys(".table", "Home", "ArrowLeft")
    check("ArrowLeft closes", len(browser.texts(".row")) == 1, browser.texts(".row"))
    browser.keys(".table", "ArrowRight")
    check("ArrowRight opens", len(browser.texts(".row")) > 1)


def functions(browser, page):
    browser.open(page, "view=functions")
    first = browser.texts(".row")[0]
    check("the most expensive first", "cg+0x1300" in first and first.startswith("70.0"), first)
    browser.click(".heading button", "name")
    names = browser.texts(".row .name")
    check("sorted by name", len(names) > 3 and names == sorted(names, key=str.lower), names)
    browser.open(page, "view=functions&search=barrier")
    check("search", all("barrier" in row for row in browser.texts(".row")), browser.texts(".row"))


def search(browser, page):
    """One search for all views: text or an expression, with the count and share of its matches; the next path is shown
    in closed nodes, too."""
    browser.open(page, "view=tree&search=0x1300")
    status = browser.texts(".found [role=status]")[0]
    count, share = re.fullmatch(r"([0-9]+) paths?, ([0-9.]+) %", status).groups()
    check("a count", int(count) >= 1, status)
    browser.keys(".table", "Home", "ArrowLeft")
    check("closed", len(browser.texts(".row")) == 1, browser.texts(".row"))
    browser.click(".found button", "\u2193")
    check("the next one is selected", "cg+0x1300" in browser.texts(".row.selected")[0], browser.texts(".row"))
    browser.open(page, "view=tree&search=%2F%5Ecg%5C%2B0x1[3]00%24%2F")
    again = browser.texts(".found [role=status]")[0]
    check("an expression", again == status, again)
    check("what is found is marked", set(browser.texts(".row mark")) == {"cg+0x1300"}, browser.texts(".row mark"))
    browser.open(page, "view=functions&search=0x1300")
    total = browser.texts(".row .number")[1]
    check("the share is the total of the function", total == share, f"{share}, {browser.texts('.row')}")
    browser.open(page, "view=tree&search=%2F(")
    check("half an expression finds nothing", browser.texts(".found [role=status]") == ["0 paths"])


def callers(browser, page):
    """The inverted tree begins with the total of the function in the table, to which the callers on each level add
    up."""
    browser.open(page, "view=functions&search=0x1300")
    share = browser.texts(".row .number")[1]
    browser.keys(".table", "ArrowDown")
    browser.click("nav button", "Callers")
    browser.wait("document.querySelectorAll('main .table').length === 2")
    levels = browser.ask(
        "[...document.querySelectorAll('main .table')].map((table) => [...table.querySelectorAll('.row')]"
        ".map((row) => [row.ariaLevel ?? row.getAttribute('aria-level'), row.children[0].textContent, row.textContent]))"
    )
    for rows in levels:
        check("it begins with the function", rows[0][1] == share and "cg+0x1300" in rows[0][2], rows)
    direct = sum(float(value) for level, value, _ in levels[0] if level == "2")
    check("its callers have it all", abs(direct - float(share)) < 0.15, levels[0])
    check("the program is the last caller", any(text.endswith("cg") for _, _, text in levels[0]), levels[0])
    caller = browser.texts("main .row .code")[1]
    browser.keys(".table", "Home", "ArrowDown", "Enter")
    browser.wait(f"document.querySelector('main .row .code').textContent === {caller!r}")


def point_at(browser, down):
    browser.wait("document.querySelector('canvas').clientWidth > 0")
    browser.ask(
        "(() => { const c = document.querySelector('canvas'); const r = c.getBoundingClientRect();"
        f"c.dispatchEvent(new MouseEvent('mousemove', {{ bubbles: true, clientX: r.left + 20, clientY: r.top + {down} }})); }})()"
    )
    browser.wait("document.querySelector('.tooltip')")


def tooltip(browser, page):
    browser.open(page, "view=flame")
    point_at(browser, 10)
    check("no value is a dash, as in tables", browser.texts(".tooltip dd")[1] == "\u2013", browser.texts(".tooltip dd"))
    point_at(browser, 30)
    facts = browser.texts(".tooltip dt")
    check("the facts", facts[:3] == ["total", "self", "of its caller"], facts)
    total = browser.texts(".tooltip dd")[0]
    name = browser.texts(".tooltip b")[0]
    browser.open(page, "view=tree")
    row = browser.texts(".row")[1]
    check("its total is that of the tree", name in row and total.split(",")[0] in row, (name, total, row))


def links(browser, page):
    browser.open(page, "view=functions&metric=samples")
    check("a link's metric", browser.ask("document.querySelector('.controls select').value") == "samples")
    browser.click("nav button", "Threads")
    check("the view is in the address", "view=threads" in browser.ask("location.hash"))
    browser.back()
    browser.wait("document.querySelector('nav [aria-pressed=true]').textContent === 'Functions'")
    browser.open(page, "view=nothing&metric=nothing&node=99999&thread=77&zoom=-3&file=x")
    check("a link to nothing", browser.texts("nav [aria-pressed=true]") == ["Graph"])


def paper(browser, page):
    """A dark page is light on paper, including what scripts draw, and dark again afterwards."""
    if not hasattr(browser, "media"):
        return  # Firefox has no such command
    drawn = "document.querySelector('main canvas').toDataURL()"
    browser.theme("dark")
    browser.open(page, "view=flame")
    dark = browser.ask(drawn)
    browser.media("print", "dark")
    browser.wait(f"{drawn} !== {dark!r}", 20)
    check("white", browser.ask("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)")
    check("all sentences", browser.ask("getComputedStyle(document.querySelector('.findings ul')).display") == "block")
    browser.theme("dark")
    browser.wait(f"{drawn} === {dark!r}", 20)
    browser.theme("light")


def paint(browser, page):
    """Prints how long the first paint takes: as machines may be busy, only a multiple of the usual time fails."""
    browser.open(page)
    painted, ready = browser.milliseconds()
    print(f"first paint after {painted:.0f} ms, views after {ready:.0f} ms")
    check("the first paint takes less than 10 s", painted < 10000, painted)


def hostile(browser, page):
    browser.open(page, "view=tree")
    check("nothing ran", browser.ask("window.hostileRan === undefined"))
    check("no element of a name", browser.ask("document.querySelectorAll('#page img, #page b').length") == 0)
    for view in browser.texts("nav button"):
        browser.click("nav button", view)
        browser.wait(f"document.querySelector('nav [aria-pressed=true]').textContent === {view!r}")
        check(f"no element of a name in {view}", browser.ask("document.querySelectorAll('#page img, #page b').length") == 0)
    check("nothing ran in any view", browser.ask("window.hostileRan === undefined"))
    browser.open(page, "view=tree")
    check("the name is text", any("<img src=x" in row for row in browser.texts(".row")), browser.texts(".row"))


def heat(browser, page):
    """Functions by thread: the cells of a function add up to its value in the table of functions; Enter selects."""
    browser.open(page, "view=functions&metric=cpu-time")
    name, value = browser.texts(".row .code")[0].strip(), browser.texts(".row .number")[2]
    browser.open(page, "view=threads&metric=cpu-time")
    parts = []
    for _ in range(3):
        described = browser.texts(".heatmap .describe")[0]
        thread, function, part, share, whole = re.fullmatch(
            r"(.*), (.*): (.*), ([0-9.]+) % of all threads' (.*)", described
        ).groups()
        check("the most expensive function, its sum", (function, whole) == (name, value), described)
        parts.append(float(share))
        browser.keys(".heatmap canvas", "ArrowDown")
    check("its threads have all of it", abs(sum(parts) - 100) < 0.3, parts)
    browser.keys(".heatmap canvas", "Enter")
    browser.wait("location.hash.includes('thread=') && location.hash.includes('node=')")


def heads(browser, page):
    """Every heading of a table explains its column."""
    browser.open(page)
    for view in browser.show_views():
        bare = browser.ask("[...document.querySelectorAll('main [role=columnheader]')].filter((one) => !one.title).map((one) => one.textContent)")
        check(f"a tooltip on every head of {view}", not bare, bare)
        top = browser.ask("document.querySelector('main').getBoundingClientRect().top + scrollY")
        check("the page's head has at most 120 pixels", 60 < top <= 120, top)


def help_of(browser, page):
    browser.open(page, "view=tree")
    browser.keys("body", "?")
    browser.wait("document.querySelector('dialog').open")
    browser.click("dialog button", "close")
    browser.wait("!document.querySelector('dialog').open")
    browser.keys(".table", "ArrowDown", "ArrowDown")
    browser.ask("(window.copied = [], navigator.clipboard.writeText = (text) => (window.copied.push(text), Promise.resolve()))")
    browser.click(".path button", "copy path")
    browser.click(".filters button", "copy link")
    browser.ask(
        "document.querySelector('.table').dispatchEvent(new KeyboardEvent('keydown', { key: 'c', ctrlKey: true, bubbles: true }))"
    )
    path, link, row = browser.ask("window.copied")
    check("a path", path.startswith("cg;cg+0x1100"), path)
    check("a link", link == browser.ask("location.href") and "node=" in link, link)
    check("a row", len(row.split("\t")) == 5, row)


def successors(browser, page):
    """In a row of successive threads, it is unknown which one had most: only a path of two single threads remains."""
    browser.open(page, "view=threads&metric=cpu-time")
    browser.wait("document.querySelectorAll('main .table').length === 2")
    rows = [row for row in browser.texts("main .table:last-of-type .row") if "cg" in row]
    check("one uneven path", len(rows) == 1 and "cg+0x1100" in rows[0] and "10.0 ms" in rows[0], rows)


def early(browser, page):
    """A selection before the first painting is effective."""
    browser.open(page, "view=flame")
    browser.wait("location.hash.includes('view=tree')")
    pressed = "document.querySelector('nav [aria-pressed=true]').textContent"
    check("the view is shown", browser.ask(pressed) == "Call tree", browser.ask(pressed))


def efficiency(browser, page):
    """The factors of the report. A bar begins where the one before ends; regions have their own; a click leads to a
    place."""
    browser.open(page, "view=efficiency")
    rows = browser.ask("[...document.querySelectorAll('.ladder tbody tr')].map((row) => [...row.children].map((cell) => cell.textContent))")
    factors = {row[0]: row[1] for row in rows}
    want = {"communication": "90.0", "load balance of ranks": "77.8", "serialization": "89.3", "load balance of threads": "88.0", "parallel efficiency": "55.0"}
    check("the report's factors", want.items() <= factors.items(), rows)
    check("what is lost, and where", rows[2][3] == "7.5 %, to one thread working alone, most at read_input", rows[2])
    bars = browser.ask("[...document.querySelectorAll('.rung')].map((bar) => [...bar.children].map((part) => parseFloat(part.style.width)))")
    check("a bar for each row", len(bars) == len(rows), bars)
    for before, after in zip([[100.0]] + bars, bars):
        check("bars multiply", abs(sum(after) - before[0]) < 1e-6, bars)
    check("the last is useful time", abs(bars[-1][0] - 55) < 1e-6, bars[-1])
    browser.click(".ladder button", "read_input")
    check("the place is selected", "read_input" in browser.texts("main .path")[0], browser.texts("main .path"))
    browser.click(".row .name", "omp parallel")
    rows = browser.texts(".ladder tbody tr")
    check("a region has no factors between ranks", "86.4" in rows[0] and rows[0].startswith("load balance of threads"), rows)
    browser.click(".of button", "the whole run")
    check("the run again", browser.texts(".of")[0].startswith("The run: 4 threads for 1.00 s"), browser.texts(".of"))


def network(browser, page):
    """The factors whose product is communication, from the trace."""
    browser.open(page, "view=efficiency")
    rows = browser.ask("[...document.querySelectorAll('.ladder tbody tr')].map((row) => [...row.children].map((cell) => cell.textContent))")
    check("the report's factors", [row[:2] for row in rows[:3]] == [["communication", "74.1"], ["transfer", "88.9"], ["serialization between ranks", "83.3"]], rows)
    check("what is lost", rows[1][3].startswith("11.1 %") and rows[2][3].startswith("14.8 %"), rows)


def main():
    name, page, evil, turns, library, at_once, hybrid, chained, named = sys.argv[1:]
    return run_parts(name, (
        (views, page), (chips, page), (graph, page), (looks, page), (tree, page), (functions, page), (search, page), (callers, page), (tooltip, page), (links, page), (heat, page), (heads, page), (help_of, page), (paper, page), (paint, page), (hostile, evil),
        (successors, turns), (system, library), (early, at_once), (efficiency, hybrid), (network, chained), (bars, named),
    ))


sys.exit(main())
