#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""page_timeline.py FEW MANY FLAT LATE CLOSE SINGLE: checks the timelines in the pages of page_timeline.sh."""
import base64
import gzip
import json
import re
import sys

PARTS = 65536 + 16384  # pieces that were combined, and pieces that were not


def page(path):
    with open(path, encoding="utf-8") as file:
        data = re.search(r'<script id="data" type="text/plain">([^<]*)</script>', file.read())
    return json.loads(gzip.decompress(base64.b64decode(data[1])))


def check(what, condition, got):
    if not condition:
        sys.exit(f"{what}: {got}")


def sums(data, thread):
    """The ns of each node, by its text. A piece lists the times of all its parts except the first."""
    found, part, given = {}, 0, 0
    for length, count in zip(thread["lengths"], thread["counts"]):
        rest = length
        for at in range(part + 1, part + count):
            add(found, data, thread, at, thread["times"][given])
            rest -= thread["times"][given]
            given += 1
        add(found, data, thread, part, rest)
        part += count
    return found


def add(found, data, thread, part, ns):
    labels, node = data["labels"]["text"], thread["nodes"][part]
    label = "none" if thread["states"][part] < 0 else "others" if node < 0 else labels[sum(data["nodes"]["label"][: node + 1])]
    found[label] = found.get(label, 0) + ns


def main():
    few, many = page(sys.argv[1]), page(sys.argv[2])
    timeline = few["more"]["timeline"]
    arrows, shown = timeline["arrows"], timeline["arrows"]["shown"]
    check("messages", (arrows["messages"], arrows["accesses"]) == (3, 0), arrows)
    rows = sorted(tuple(shown[i : i + 5]) for i in range(0, len(shown), 5))
    # A record's own time does not advance the thread's.
    check("both ends", rows == [(0, 1, 110, 190, 100), (0, 1, 260, 190, 900), (1, 0, 720, 280, 7)], rows)
    curves = {curve["metric"]: sum(curve["values"]) for curve in timeline["curves"]}
    check("curves", curves.get("bytes-sent") == 1007 and curves.get("bytes-received") == 1007, curves)
    check("all spans", all(thread["least"] == 0 for thread in timeline["threads"]), timeline)

    timeline = many["more"]["timeline"]
    parts = sum(len(thread["nodes"]) for thread in timeline["threads"])
    check("the budget", 10000 < parts <= PARTS, parts)
    check("short spans are together", all(thread["least"] > 0 for thread in timeline["threads"]), 0)
    low, high = timeline["kept"]
    check("a range has all", 0 < high - low < timeline["to"] and low >= timeline["from"], timeline["kept"])
    with open(sys.argv[3], encoding="utf-8") as file:
        flat = file.read()
    total = {}
    for thread in timeline["threads"]:
        check("without gaps", sum(thread["lengths"]) <= timeline["to"], sum(thread["lengths"]))
        for label, ns in sums(many, thread).items():
            total[label] = total.get(label, 0) + ns
    # The time of every region is that of the report, although spans were combined.
    compared = 0
    for label, ns in total.items():
        if not label.startswith("MPI_"):
            continue
        value, unit = re.search(r"([\d.]+) (ns|us|ms|s)  " + re.escape(label), flat).groups()
        reported = float(value) * {"ns": 1, "us": 1e3, "ms": 1e6, "s": 1e9}[unit]
        check("a region's time", abs(ns - reported) <= 0.006 * reported, (label, ns, reported))
        compared += 1
    check("regions", compared == 2, total)
    # In the part of the run with the most waiting, all events are kept.
    late = page(sys.argv[4])["more"]["timeline"]
    begin, end = late["kept"]
    check("the stretch", late["to"] * 0.75 <= begin < end <= late["to"], (late["kept"], late["to"]))
    # The CPU time of a sample is spread over at least that much time: the columns have that of two samples, at nearly
    # the same time. With one processor, it was spent earlier.
    for path, most in ((sys.argv[5], 2), (sys.argv[6], 1)):
        close = page(path)["more"]["timeline"]
        curve = [one["values"] for one in close["curves"] if one["metric"] == "cpu-time"][0]
        column = (close["to"] - close["from"]) / len(curve)
        right = abs(sum(curve) - 2e6) < len(curve) and max(curve) <= most * column + 1
        check("CPU time", right, (path, sum(curve), max(curve), column))


main()
