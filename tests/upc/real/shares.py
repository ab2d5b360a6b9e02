# SPDX-License-Identifier: BSD-3-Clause
"""shares.py PROFILE.json PRINTED TOLERANCE: compares shares of time.

PROFILE.json is a speedscope export by wall-time; PRINTED is what shares.upc printed. Each UPC thread's shares of its
time in kernel, get, put and barrier, in percent, must be equal within TOLERANCE. Time outside of these four, or without
a known path (off the processor), is left out.
"""
import json
import re
import sys

WHAT = {
    "kernel": re.compile(r"kernel$|omp parallel @shares\.upc"),
    "get": re.compile(r"get_all$|upc memget @"),
    "put": re.compile(r"put_all$|upc memput @"),
    "barrier": re.compile(r"upc barrier @|upc_barrier$"),
}


def measured(profile, frames):
    sums = dict.fromkeys(WHAT, 0)
    for stack, weight in zip(profile["samples"], profile["weights"]):
        names = [frames[number]["name"] for number in stack]
        for what, pattern in WHAT.items():
            if any(pattern.search(name) for name in names):
                sums[what] += weight
                break
    return sums


def shares(sums):
    total = sum(sums.values())
    return {what: 100 * value / total for what, value in sums.items()}


def printed(path):
    threads = {}
    for line in open(path):
        words = line.split()
        threads[int(words[0])] = {name: int(value) for name, value in zip(words[1::2], words[2::2])}
    return threads


def main():
    document = json.load(open(sys.argv[1]))
    frames = document["shared"]["frames"]
    tolerance = float(sys.argv[3])
    threads = printed(sys.argv[2])
    worst, seen = 0, 0
    for profile in document["profiles"]:
        found = re.match(r"UPC (\d+),", profile["name"])
        if not found:
            continue
        seen += 1
        thread = int(found[1])
        own, told = shares(threads[thread]), shares(measured(profile, frames))
        for what in WHAT:
            difference = told[what] - own[what]
            worst = max(worst, abs(difference))
            print(f"  UPC {thread} {what:8} program {own[what]:5.1f} %, measured {told[what]:5.1f} %: {difference:+.1f}")
    if seen != len(threads) or not seen:
        sys.exit(f"FAILED: {seen} UPC threads in the measurement, {len(threads)} ran")
    if worst > tolerance:
        sys.exit(f"FAILED: {worst:.1f} points apart")


main()
