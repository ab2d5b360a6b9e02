#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""files.py RANKS REPORT JSON: MPI-IO by file of files.c, as `heddle report --messages` and the JSON export show it."""

import json
import os
import sys

ranks = int(sys.argv[1])
report = open(sys.argv[2]).read()
files = json.load(open(sys.argv[3])).get("files", [])

# For each rank: opens, reads, writes, bytes read, bytes written.
wanted = {
    "blocking.data": (1, 2, 3, 1200, 2400),
    "shared.data": (1, 1, 2, 40, 120),
    "split.data": (1, 1, 1, 80, 120),
    "one.data": (1, 1, 4, 800, 1600),
    "other.data": (1, 1, 4, 800, 1600),
    "derived.data": (1, 0, 2, 0, 300),
    "self.data": (1, 0, 1, 0, 100),
    "large.data": (1, 0, 1, 0, 200),
    "short.data": (1, 3, 1, 80, 400),
    "later.data": (1, 8, 1, 40 + 40 + 40 + 20 + 0 + 4 + 40 + 0, 400),
}
failed = []
found = {}
for file in files:
    name = os.path.relpath(file["name"])
    assert name not in found, name
    found[name] = tuple(file[member] for member in ("ranks", "opens", "reads", "writes", "bytes_read", "bytes_written"))
    times = [file[member] for member in ("read_ns", "write_ns", "open_ns", "other_ns")]
    moves = [file["reads"] > 0, file["writes"] > 0, True, name in ("blocking.data", "shared.data", "derived.data", "later.data")]
    if [time > 0 for time in times] != moves or not 0 < file["slowest_ns"] <= times[0] + times[1]:
        failed.append(f"{name}: times {times}, slowest {file['slowest_ns']}")
for name in ("large.data", "later.data"):  # missing before MPI 4, and with Open MPI
    if name not in found:
        del wanted[name]
expected = {name: (ranks,) + tuple(ranks * number for number in numbers) for name, numbers in wanted.items()}
for rank in range(ranks):
    expected[f"rank{rank}/own.data"] = (1, 2, 0, 2, 0, 80 * (rank + 1))
for name in sorted(expected.keys() | found.keys()):
    if expected.get(name) != found.get(name):
        failed.append(f"{name}: {found.get(name)} instead of {expected.get(name)}")
order = [-sum(file[member] for member in ("read_ns", "write_ns", "open_ns", "other_ns")) for file in files]
if order != sorted(order):
    failed.append(f"not by time: {order}")

# The text lists the same files in the same order, by enough of their names to distinguish them.
lines = report[report.index("MPI-IO by file") :].splitlines()[1 : 1 + len(files)]
shown = [line.split("  ")[-1] for line in lines]
if shown != [os.path.relpath(file["name"]) for file in files]:
    failed.append(f"shown: {shown}")
print("\n".join(failed))
sys.exit(bool(failed))
