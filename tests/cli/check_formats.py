#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""check_formats.py HEDDLE SCHEMA DIR [--http] [--lines] [--inlined=A,B]: exports the measurement DIR as pprof, json,
callgrind and sqlite, reads each as other programs do, and compares all sums with what `heddle report` prints. --http:
also through pprof's server. --lines: compares lines, too; all of their names must be simple ones. --inlined: A was
inlined into B, and both are one place."""
import collections
import gzip
import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
import urllib.request

PATIENCE = float(os.environ.get("HEDDLE_TEST_SECONDS", 240))  # seconds until a program counts as hung
heddle, schema_path, measurement = sys.argv[1:4]
work = tempfile.mkdtemp()
failures = []


def check(condition, *what):
    if not condition:
        failures.append(" ".join(str(part) for part in what))


def run(*command, **more):
    done = subprocess.run(command, capture_output=True, **more)
    if done.returncode:
        sys.exit("%s: exit status %d\n%s" % (" ".join(command), done.returncode, done.stderr.decode(errors="replace")))
    return done.stdout


def export(name):
    path = os.path.join(work, "export." + name)
    if not os.path.exists(path):
        run(heddle, "export", measurement, "--format", name, "-o", path)
    return path


# ---- JSON: what the others are compared with ----

def sums_of_json(document):
    """Sums by metric and (function, file), exclusive and inclusive; by metric and thread; and by metric and line."""
    paths, functions = document["paths"], document["functions"]
    names = [m["name"] for m in document["metrics"]]
    own = [[0] * len(names) for _ in paths]
    threads, lines = collections.Counter(), collections.Counter()
    for path, thread, *values in document["values"]:
        check(len(values) == len(names), "a row of", len(values), "values")
        for m, value in enumerate(values):
            own[path][m] += value
            if thread is not None:
                threads[names[m], thread] += value
            if "line" in paths[path]:
                lines[names[m], paths[path]["file"], paths[path]["line"]] += value
    total = [list(row) for row in own]
    for i in range(len(paths) - 1, 0, -1):
        check(paths[i]["parent"] < i, "path", i, "comes before its parent")
        for m in range(len(names)):
            total[paths[i]["parent"]][m] += total[i][m]
    above = [frozenset()] * len(paths)
    selfs, totals = collections.Counter(), collections.Counter()
    for i, path in enumerate(paths):
        function = path["function"]
        if i:
            parent = path["parent"]
            above[i] = above[parent] | {paths[parent]["function"]}
        for m, name in enumerate(names):
            selfs[name, function] += own[i][m]
            if function not in above[i]:
                totals[name, function] += total[i][m]
    return names, functions, selfs, totals, threads, lines


def by_name(functions, sums):
    result = collections.Counter()
    for (metric, function), value in sums.items():
        if value:
            result[metric, functions[function]["name"]] += value
    return result


def check_json():
    import jsonschema
    text = open(export("json"), encoding="utf-8").read()
    document = json.loads(text)
    schema = json.load(open(schema_path))
    jsonschema.Draft202012Validator.check_schema(schema)
    errors = list(jsonschema.Draft202012Validator(schema).iter_errors(document))
    check(not errors, "the JSON does not follow its schema:", errors[:1])
    document["version"] = 2
    check(not jsonschema.Draft202012Validator(schema).is_valid(document), "the schema lets anything pass")
    return document, sums_of_json(document)


# ---- the report ----

def in_words(value, unit):
    """The value as `heddle report` prints it."""
    if unit == "ns":
        for size, name in ((1e9, "s"), (1e6, "ms"), (1e3, "us"), (1, "ns")):
            if value >= size * 0.9995 or size == 1:
                scaled = value / size
                digits = 0 if size == 1 else 2 if scaled < 9.995 else 1 if scaled < 99.95 else 0
                return "%.*f %s" % (digits, scaled, name)
    if unit == "bytes":
        scaled, names = float(value), ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"]
        while scaled >= 999.5 and len(names) > 1:
            scaled /= 1024
            names.pop(0)
        digits = 0 if names[0] == "B" else 2 if scaled < 9.995 else 1 if scaled < 99.95 else 0
        return "%.*f %s" % (digits, scaled, names[0])
    return "{:,}".format(value)


def row_of_report(line):
    match = re.match(r" *([\d.]+|-) +([\d.]+|-) +([\d.,]+(?: [a-zA-Z]+)?)  (.*)$", line)
    return match and match.groups()


def check_report(document, sums):
    names, functions, selfs, totals, _, _ = sums
    for m, metric in enumerate(names):
        text = run(heddle, "report", "--flat", "--min", "0", "--metric", metric, measurement).decode(errors="replace")
        rows = [row for row in map(row_of_report, text.split("self % total %", 1)[1].splitlines()) if row]
        whole = sum(value for (of, _), value in selfs.items() if of == metric)
        found = collections.Counter()
        for own, total, value, name in rows:
            name = re.sub(r"  \([^()]*\)$", "", name)
            found[value, own, total, re.sub(r" \[hand-off\]$", "", name)] += 1
        wanted = collections.Counter()
        for f, function in enumerate(functions):
            own, total = selfs[metric, f], totals[metric, f]
            if total == 0 or (function["kind"] == "program" and own == 0):
                continue
            percent = ["-" if v == 0 else "%.1f" % (100.0 * v / whole) for v in (own, total)]
            name = function["name"].replace("\ufffd", "?")
            wanted[in_words(own, document["metrics"][m]["unit"]), percent[0], percent[1], name] += 1
        found = collections.Counter({(a, b, c, d.replace("\ufffd", "?")): n for (a, b, c, d), n in found.items()})
        if any("hand-off" in line for line in text.splitlines()):
            continue  # these rows are of a function and of the function that it waits for
        check(rows and found == wanted, metric, "in the report:", list((found - wanted).items())[:3], "in the JSON:",
              list((wanted - found).items())[:3])


# ---- SQLite ----

def check_sqlite(document, sums):
    names, functions, selfs, totals, threads, lines = sums
    database = sqlite3.connect(export("sqlite"))
    check(database.execute("PRAGMA integrity_check").fetchone() == ("ok",), "the database is damaged")
    check(not database.execute("PRAGMA foreign_key_check").fetchall(), "a row refers to one that is not there")
    found_self, found_total = collections.Counter(), collections.Counter()
    for metric, function, own, total in database.execute("SELECT metric, function, self, total FROM by_function"):
        found_self[metric, function] += own
        found_total[metric, function] += total
    check(+found_self == by_name(functions, selfs), "exclusive sums in by_function")
    check(+found_total == by_name(functions, totals), "inclusive sums in by_function")
    rows = database.execute("SELECT metric, file, line, self FROM by_line").fetchall()
    check({(m, f, n): v for m, f, n, v in rows} == dict(+lines), "sums in by_line")
    values = database.execute("SELECT m.name, v.thread, SUM(v.value) FROM value v JOIN metric m ON m.id = v.metric"
                              " WHERE v.thread IS NOT NULL GROUP BY 1, 2").fetchall()
    check({(m, t): v for m, t, v in values} == dict(+threads), "sums by thread")
    if not document["merged"]:
        rows = database.execute("SELECT metric, thread, value FROM by_thread").fetchall()
        check({(m, t): v for m, t, v in rows} == dict(+threads), "sums in by_thread")
        check([row[0] for row in database.execute("SELECT label FROM thread ORDER BY id")] ==
              [t["label"] for t in document["threads"]], "labels of threads")
    tree = database.execute("SELECT metric, SUM(self), MAX(total) FROM tree GROUP BY metric").fetchall()
    for metric, own, total in tree:
        check(own == total, metric, ": the tree's exclusive values are not its root's total")
    for view in ("by_process", "by_state", "imbalance", "waiting", "waiting_at"):
        database.execute("SELECT * FROM " + view).fetchall()
    return database


def lines_of_folded(metric):
    """The innermost lines of folded stacks, with which the other formats are compared."""
    result = collections.Counter()
    text = run(heddle, "export", measurement, "--lines", "--metric", metric).decode(errors="replace")
    for stack in text.splitlines():
        path, value = stack.rsplit(" ", 1)
        match = re.search(r"[ @]([^ @/;]+):(\d+)$", path)
        if match:
            result[match.group(1), int(match.group(2))] += int(value)
    return result


def lines_of_speedscope(metric):
    path = os.path.join(work, "lines." + metric)
    run(heddle, "export", measurement, "--format", "speedscope", "--lines", "--metric", metric, "-o", path)
    document = json.load(open(path, encoding="utf-8"))
    frames = document["shared"]["frames"]
    whole = document["profiles"][0]
    result = collections.Counter()
    for stack, value in zip(whole["samples"], whole["weights"]):
        match = stack and re.search(r"[ @]([^ @/;]+):(\d+)$", frames[stack[-1]]["name"])
        if match and value:
            result[match.group(1), int(match.group(2))] += value
    return result


def lines_of_callgrind(path, names):
    """By metric: exclusive costs, which are those of the lines that do not follow `calls=`."""
    result = {name: collections.Counter() for name in names}
    files, file, is_call = {}, None, False
    for row in open(path, encoding="utf-8"):
        match = re.match(r"(fl|fi|fe|cfi|cfl)=(\(\d+\))(?: (.*))?$", row)
        if match:
            if match.group(3):
                files[match.group(2)] = match.group(3)
            if match.group(1) in ("fl", "fi", "fe"):
                file = files[match.group(2)]
        elif row.startswith("calls="):
            is_call = True
        elif re.match(r"\d", row):
            line, *values = map(int, row.split())
            for name, value in zip(names, values):
                if line and value and not is_call:
                    result[name][os.path.basename(file), line] += value
            is_call = False
    return result


def lines_of_pprof(path, names):
    """By metric. A line belongs to its function's file."""
    result = {name: collections.Counter() for name in names}
    parts = collections.defaultdict(list)
    for number, value in fields(gzip.open(path).read()):
        parts[number].append(value)
    texts = [text.decode("utf-8") for text in parts[6]]
    files = {m[1]: os.path.basename(texts[m.get(4, 0)]) for m in map(message, parts[5])}
    lines = {}
    for part in parts[4]:
        innermost = [message(value) for number, value in fields(part) if number == 4][0]
        lines[message(part)[1]] = files[innermost[1]], innermost.get(2, 0)
    for part in parts[2]:
        sample = dict((number, packed(value)) for number, value in fields(part) if number in (1, 2))
        for name, value in zip(names, sample[2]):
            if value and lines[sample[1][0]][1]:
                result[name][lines[sample[1][0]]] += value
    return result


def check_lines(database, names, pprof, callgrind):
    """Checks that each format with lines has the same cost at each line."""
    of_pprof, of_callgrind = lines_of_pprof(pprof, names), lines_of_callgrind(callgrind, names)
    for metric in names:
        wanted, by_line = lines_of_folded(metric), collections.Counter()
        for file, line, own in database.execute("SELECT file, line, self FROM by_line WHERE metric = ?", (metric,)):
            by_line[os.path.basename(file), line] += own
        for name, found in (("sqlite", by_line), ("pprof", of_pprof[metric]), ("callgrind", of_callgrind[metric]),
                            ("speedscope", lines_of_speedscope(metric))):
            check(found == wanted, "lines by", metric, "in", name, ":", list((found - wanted).items())[:3],
                  list((wanted - found).items())[:3])


def check_imbalance(database, document):
    """Compares it with what `heddle report --flat --stats` prints."""
    if document["merged"]:
        return
    for metric in document["metrics"]:
        if not metric["of_threads"]:
            continue
        text = run(heddle, "report", "--flat", "--stats", "--min", "0", "--metric", metric["name"], measurement)
        said = {}
        for line in text.decode(errors="replace").split("self % total %", 1)[1].splitlines():
            match = re.match(r".* ([\d.]+|-)  (\S.*?)(  \([^()]*\))?$", line)
            if match:
                said.setdefault(match.group(2), set()).add(match.group(1))
        rows = database.execute("SELECT function, imbalance FROM imbalance WHERE metric = ?", (metric["name"],))
        for function, imbalance in rows.fetchall():
            if function in said and "hand-off" not in function:
                wanted = "-" if imbalance is None else "%.1f" % (100 * imbalance)
                check(wanted in said[function] or (wanted == "0.0" and "-" in said[function]), "imbalance of", function,
                      "by", metric["name"], ":", wanted, "in the report:", said[function])


# ---- pprof ----

def fields(data):
    """Yields the fields of a message: (number, value). Values are numbers or bytes."""
    at = 0

    def number():
        nonlocal at
        shift = result = 0
        while True:
            byte = data[at]
            at += 1
            result |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return result

    while at < len(data):
        key = number()
        if key & 7 == 0:
            yield key >> 3, number()
        else:
            check(key & 7 == 2, "wire type", key & 7)
            size = number()
            yield key >> 3, data[at:at + size]
            at += size


def packed(data):
    result, value, shift = [], 0, 0
    for byte in data:
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            result.append(value)
            value = shift = 0
    return result


def message(data):
    return dict(fields(data))


def check_pprof(document, sums):
    names, functions, selfs, totals, _, _ = sums
    path = export("pprof")
    parts = collections.defaultdict(list)
    for number, value in fields(gzip.open(path).read()):
        parts[number].append(value)
    texts = [text.decode("utf-8") for text in parts[6]]
    check(texts[0] == "", "the first text is not empty")
    types = [message(part) for part in parts[1]]
    check([texts[t[1]] for t in types] == names, "sample types", types)
    check(texts[parts[14][0]] == names[0], "the default sample type")
    name_of = {m[1]: texts[m[2]] for m in map(message, parts[5])}
    mappings = {m[1]: m for m in map(message, parts[3])}
    lines_of = {}
    for part in parts[4]:
        location = message(part)
        check(location.get(2, 0) == 0 or location[2] in mappings, "a location has no mapping")
        lines_of[location[1]] = [name_of[message(line)[1]] for number, line in fields(part) if number == 4]
    for option in sys.argv[4:]:
        if option.startswith("--inlined="):
            check(option[10:].split(",") in lines_of.values(), "no place has the functions", option[10:])
    for mapping in mappings.values():
        file, build_id = texts[mapping[5]], bytes.fromhex(texts[mapping.get(6, 0)])
        if os.path.exists(file) and build_id:
            check(build_id in open(file, "rb").read(), "the build id of", file)
    found, found_threads = collections.Counter(), collections.Counter()
    for part in parts[2]:
        sample = collections.defaultdict(list)
        for number, value in fields(part):
            sample[number].append(value)
        values, locations = packed(sample[2][0]), packed(sample[1][0])
        labels = {texts[m[1]]: texts[m[2]] if m.get(2) else m.get(3, 0) for m in map(message, sample[3])}
        for metric, value in zip(names, values):
            if value:
                found[metric, lines_of[locations[0]][0]] += value
                found_threads[metric, labels.get("thread"), labels.get("rank"), labels.get("process")] += value
    wanted = collections.Counter()
    for (metric, name), value in by_name(functions, selfs).items():
        wanted[metric, name or "[unnamed]"] += value
    check(found == wanted, "pprof's samples:", list((found - wanted).items())[:3], list((wanted - found).items())[:3])
    wanted = collections.Counter()
    for _, thread, *values in document["values"]:
        row = document["threads"][thread] if thread is not None else None
        pid = document["processes"][row["process"]]["pid"] if row else None
        label = "%d.%d %s" % (pid, row["id"], row["label"]) if row else None
        for metric, value in zip(names, values):
            if value:
                wanted[metric, label, row and row.get("rank"), pid] += value
    check(found_threads == wanted, "pprof's labels:", list((found_threads - wanted).items())[:3],
          list((wanted - found_threads).items())[:3])
    return path


def pprof_command():
    if shutil.which("pprof"):
        return ["pprof"]
    return ["go", "tool", "pprof"] if shutil.which("go") else None


def check_pprof_top(path, document, sums):
    names, functions, selfs, totals, _, _ = sums
    units = {"ns": ("-unit=ns", "ns"), "bytes": ("-unit=B", "B")}
    for m, metric in enumerate(names):
        option, suffix = units.get(document["metrics"][m]["unit"], ("-unit=auto", ""))
        text = run(*pprof_command(), "-top", "-nodefraction=0", "-nodecount=0", option, "-sample_index=" + metric, path,
                   env=dict(os.environ, HOME=work))
        found_self, found_total = collections.Counter(), collections.Counter()
        for line in text.decode(errors="replace").split("flat  flat%", 1)[1].splitlines()[1:]:
            flat, _, _, cum, _, name = line.split(None, 5)
            name = re.sub(r" (\(inline\)|\(partial-inline\))$", "", name)
            found_self[name] += int(flat[:len(flat) - len(suffix)] if flat != "0" else 0)
            found_total[name] += int(cum[:len(cum) - len(suffix)] if cum != "0" else 0)
        for wanted, found, what in ((selfs, found_self, "flat"), (totals, found_total, "cum")):
            by = {name: value for (of, name), value in by_name(functions, wanted).items() if of == metric}
            by = {re.sub(r"\s+", " ", name): value for name, value in by.items()}
            program = functions[0]["name"]
            for name in by:
                if name != program and is_plain(name):
                    check(found[name] == by[name], "pprof -top,", metric, what, name, ":", found[name], by[name])


def is_plain(name):
    """pprof shortens names that look like C++ or Go, so only other names can be compared."""
    return re.fullmatch(r"[\w @.:+\[\]-]+", name) is not None and not name.startswith("0x")


def fetch(address, server):
    """A server that prints its address may start to listen later, or never."""
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    for _ in range(600):
        try:
            return opener.open(address, timeout=PATIENCE).read()
        except OSError as error:
            if "refused" not in str(error):
                raise
            if server.poll() is not None:
                break
            time.sleep(0.1)
    return b""


def check_pprof_http(path):
    """Tries several times: the server takes any port, which may be in use."""
    for _ in range(5):
        pages = serve(path)
        if all(pages):
            break
    check(pages and all(b"</html>" in page for page in pages), "pprof -http serves", pages)


def serve(path):
    server = subprocess.Popen([*pprof_command(), "-no_browser", "-http=127.0.0.1:", path], stderr=subprocess.PIPE,
                              env=dict(os.environ, HOME=work), text=True, start_new_session=True)
    try:
        address = None
        for line in server.stderr:
            match = re.search(r"Serving web UI on (http://\S+)", line)
            if match:
                address = match.group(1)
                break
        return [fetch(address + page, server) for page in ("/ui/top", "/ui/flamegraph")] if address else [b""]
    finally:
        if server.poll() is None:
            os.killpg(server.pid, 15)
        server.wait()


# ---- callgrind ----

def number(text):
    return 0 if text == "." else int(text.replace(",", ""))


def read_annotated(path, events, *options):
    # It shortens the names of files below the current directory, but not at calls.
    text = run("callgrind_annotate", "--threshold=100", "--auto=no", "--show-percs=no", *options, path, cwd=work)
    lines = text.decode(errors="replace").splitlines()
    totals, rows = None, []
    for line in lines:
        match = re.match(r" *((?:[\d,.]+ +){%d})(\S.*)$" % len(events), line)
        if not match:
            continue
        values = [number(word) for word in match.group(1).split()]
        if match.group(2) == "PROGRAM TOTALS":
            totals = values
        else:
            rows.append((match.group(2), values))
    return totals, rows


def function_of(row, names, modules):
    """The function of a row `file:function [module]`. All three parts may contain colons and brackets."""
    for module in modules:
        if row.endswith(" [%s]" % module):
            row = row[:-len(module) - 3]
            break
    candidates = [name for name in names if row.endswith(":" + name)]
    return max(candidates, key=len) if candidates else None


def recursive(document):
    """Functions that call themselves indirectly, and the functions in between. callgrind_annotate counts the former
    more than once; from the calls in between, the export omits the cost of the function's inner call."""
    result = set()
    paths = document["paths"]
    for path in paths:
        at, between = path, set()
        while at["parent"] is not None:
            at = paths[at["parent"]]
            if at["function"] != path["function"]:
                between.add(at["function"])
            elif between:
                result |= between | {path["function"]}
    return result


def check_callgrind(document, sums):
    names, functions, selfs, totals, _, _ = sums
    path = export("callgrind")
    text = open(path, "rb").read().decode("utf-8")
    check(not re.search(r"[\x00-\x09\x0b-\x1f\x7f]", text), "control characters in callgrind's names")
    events = re.search(r"^events: (.*)$", text, re.M).group(1).split()
    check(events == [re.sub(r"\W", "_", name) for name in names], "events", events)
    wanted_names = [re.sub(r"[\x00-\x1f\x7f]", "?", f["name"]) or "???" for f in functions]
    modules = {re.sub(r"[\x00-\x1f\x7f]", "?", f.get("module", "???")) for f in functions}
    loops = recursive(document)
    for options, wanted in (((), selfs), (("--inclusive=yes",), totals)):
        whole, rows = read_annotated(path, events, *options)
        check(whole == [sum(v for (of, _), v in selfs.items() if of == name) for name in names], "callgrind's totals",
              whole)
        found, seen = collections.Counter(), collections.Counter()
        for row, values in rows:
            function = function_of(row, wanted_names, modules)
            seen[function] += 1
            check(function is not None, "callgrind_annotate shows", row)
            for metric, value in zip(names, values):
                found[metric, function] += value
        by = collections.Counter()
        for (metric, f), value in wanted.items():
            by[metric, wanted_names[f]] += value
        for key in by:
            if options and (functions_of(wanted_names, key[1]) & loops or seen[key[1]] > 1):
                continue  # the part of a function in another file is shown again
            check(found[key] == by[key], "callgrind_annotate", options, key, found[key], by[key])


def functions_of(names, name):
    return {i for i, other in enumerate(names) if other == name}


# ---- the whole ----

def main():
    document, sums = check_json()
    check_report(document, sums)
    database = check_sqlite(document, sums)
    check_imbalance(database, document)
    path = check_pprof(document, sums)
    if "--lines" in sys.argv:
        check_lines(database, sums[0], path, export("callgrind"))
    if pprof_command():
        check_pprof_top(path, document, sums)
        if "--http" in sys.argv:
            check_pprof_http(path)
    else:
        print("pprof itself did not read the profile: neither pprof nor go is installed (package golang-go)")
    if shutil.which("callgrind_annotate"):
        check_callgrind(document, sums)
    else:
        print("callgrind_annotate did not read the profile: it is not installed (package valgrind)")


try:
    main()
finally:
    shutil.rmtree(work)
for failure in failures[:20]:
    print("%s: %s" % (measurement, failure))
sys.exit(bool(failures))
