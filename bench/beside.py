#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""beside.py BUILD SCRIPT [ARGUMENT]...: two builds in one run. It runs a script of this folder once with BUILD and once with
HEDDLE_BUILD (default: build/release), in turn, ROUNDS times (default 5). For each row it prints the medians with BUILD and
with HEDDLE_BUILD and their ratio, then the least values. A machine that changes its speed changes it for both."""

import os
import re
import statistics
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
NUMBER = re.compile(r"[\d.]+(e[+-]\d+)?$")


def measured(title):
    """Returns true if a column holds times: others hold ratios, aims, or a value that a single run has twice."""
    return not re.search(r"(^| )x |^(aim|ratio|median)$", title)


def rows(text):
    """{"HEAD: ROW, COLUMN": value} of the tables that a script prints. A table begins with a line of titles; a line "NAME: ..."
    above it names what it is of."""
    found, titles, above, last = {}, [], "", ""
    for line in text.splitlines():
        cells = re.split(r"  +", re.sub(r"(median|least|aim) (x |--)", r"\1  \2", line.strip()))
        if len(cells) > 1 and not any(NUMBER.match(cell) for cell in cells[1:]):
            titles, above = cells, re.sub(r"^(\w+): .*|.*", r"\1", last)
        elif titles and len(cells) == len(titles):
            for title, cell in zip(titles[1:], cells[1:]):
                if measured(title) and cell != "-":
                    found[f"{above or titles[0]}: {cells[0]}" + ("" if title == "least" else f", {title}")] = float(cell)
        last = line
    return found


def run(build, command):
    environment = {**os.environ, "HEDDLE_BUILD": os.path.abspath(build), "REPEATS": "1"}
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode:
        sys.exit(f"beside.py: {' '.join(command)} ended with {done.returncode} for {build}")
    return done.stdout


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    before, command = sys.argv[1], [os.path.join(HERE, os.path.basename(sys.argv[2])), *sys.argv[3:]]
    builds = (before, os.environ.get("HEDDLE_BUILD", os.path.join(HERE, "../build/release")))
    rounds, values = int(os.environ.get("ROUNDS", "5")), ({}, {})
    for turn in range(rounds):
        for which in (0, 1) if turn % 2 == 0 else (1, 0):
            text = run(builds[which], command)
            if turn == 0 and which == 0:
                print(text.splitlines()[0] + f"; {rounds} rounds of {' '.join(sys.argv[2:])}")
            for row, value in rows(text).items():
                values[which].setdefault(row, []).append(value)
    print(f"{'':62} {'medians':>21} {'ratio':>6} {'least':>21} {'ratio':>6}")
    for row, now in values[1].items():
        was = values[0].get(row)
        line = f"{row:62}"
        for pick in (statistics.median, min):
            old, new = pick(was) if was else 0, pick(now)
            line += f" {old:10.5g} {new:10.5g} " + (f"{new / old:6.2f}" if old else f"{'-':>6}")
        print(line, flush=True)


if __name__ == "__main__":
    main()
