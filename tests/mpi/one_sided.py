#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What one_sided.c accessed, as otf2-print and python3-otf2 read it in an archive: each operation is of its kind, has
its bytes, and is complete once where it should be; pairs of ranks have the numbers of the profile; and windows are
there while they are used.

usage: one_sided.py RANKS ENDED ARCHIVE.otf2 PROFILE.json   (ENDED: complete, or open: the last access)"""
import collections
import json
import re
import subprocess
import sys

ranks, ended, archive, profile = int(sys.argv[1]), sys.argv[2], sys.argv[3], sys.argv[4]
last = int(ended == "complete")
# By kind, bytes sent and received: how many, and how many are complete at their target.
KINDS = {("PUT", 80, 0): (1, 1), ("ACCUMULATE", 24, 0): (1, 1), ("GET", 0, 40): (1, 0), ("PUT", 16, 0): (1, 0),
	("PUT", 32, 0): (1, 1), ("FETCH_AND_ACCUMULATE", 8, 8): (1, 0), ("COMPARE_AND_SWAP", 8, 8): (1, 0),
	("GET", 0, 48): (1, 0), ("PUT", 56, 0): (1, 1), ("GET", 0, 64): (1, 0), ("FETCH_AND_ACCUMULATE", 72, 72): (1, 0),
	("ACCUMULATE", 88, 0): (1, 1), ("PUT", 96, 0): (1, last)}
OTHERS = {"WIN_CREATE": 2, "WIN_DESTROY": 2, "COLLECTIVE_BEGIN": 3 + 2 * last, "COLLECTIVE_END": 3 + 2 * last,
	"REQUEST_LOCK": 4, "RELEASE_LOCK": 3 + last, "GROUP_SYNC": 4}


def equal(what, got, wanted):
	if got != wanted:
		sys.exit(f"{what}: {got} instead of {wanted}")


def number(line, key):
	return int(re.search(key + r": (\d+)", line).group(1))


def key_of(line, kind):
	if kind == "ATOMIC":
		return re.search(r"Type: (\w+)", line).group(1), number(line, "Sent"), number(line, "Received")
	return kind, number(line, "Bytes") * (kind == "PUT"), number(line, "Bytes") * (kind == "GET")


def check_text():
	text = subprocess.run(["otf2-print", archive], check=True, capture_output=True, text=True)
	equal("complaints", text.stderr, "")
	begun, here, there = {}, collections.Counter(), collections.Counter()
	others, pairs, windows = collections.Counter(), collections.Counter(), set()
	for line in text.stdout.splitlines():
		words = line.split()
		if not words or not words[0].startswith("RMA_"):
			continue
		kind, place = words[0][4:], words[1]
		window = re.search(r'Window: "([^"]*)"', line)
		if kind == "WIN_CREATE":
			windows.add((place, window.group(1)))
		elif window and kind != "COLLECTIVE_END":
			equal(f"{line}: window", (place, window.group(1)) in windows, True)
		if kind == "WIN_DESTROY":
			windows.remove((place, window.group(1)))
		if kind in ("PUT", "GET", "ATOMIC"):
			equal(f"begins {line}", (place, number(line, "Matching")) in begun, False)
			key = begun[place, number(line, "Matching")] = key_of(line, kind)
			way = "got" if kind == "GET" else "put"
			remote = re.search(r'Remote: \d+ \("MPI (\d+)"', line).group(1)
			pairs[window.group(1), way, int(remote), max(key[1], key[2])] += 1
		elif kind.startswith("OP_COMPLETE"):
			operation = place, number(line, "Matching")
			counts = there if kind == "OP_COMPLETE_REMOTE" else here
			equal(f"{line}: complete before", counts[operation], 0)
			equal(f"{line}: begun", operation in begun, True)
			equal(f"{line}: blocking", kind == "OP_COMPLETE_BLOCKING", False)
			counts[operation] += 1
		else:
			others[kind] += 1
	equal("open", len(begun) - len(here), 0 if ended == "complete" else ranks)
	kinds, remote = collections.Counter(begun.values()), collections.Counter(begun[operation] for operation in there)
	equal("kinds", dict(kinds), {key: count * ranks for key, (count, _) in KINDS.items()})
	equal("at targets", dict(remote), {key: count * ranks for key, (_, count) in KINDS.items() if count})
	equal("others", dict(others), {kind: count * ranks for kind, count in OTHERS.items()})
	equal("pairs", sums(pairs.items()), pairs_of_profile())


def sums(pairs):
	"""By window, kind and target: how many, and their bytes."""
	found = collections.defaultdict(lambda: [0, 0])
	for (window, way, target, size), count in pairs:
		found[window, way, target][0] += count
		found[window, way, target][1] += count * size
	return dict(found)


def pairs_of_profile():
	found = collections.defaultdict(lambda: [0, 0])
	with open(profile, encoding="utf-8") as file:
		for row in json.load(file)["exchanges"]:
			if row["kind"] in ("put", "got"):
				found[row["communicator"], row["kind"], row["partner"]][0] += row["messages"]
				found[row["communicator"], row["kind"], row["partner"]][1] += row["bytes"]
	return dict(found)


def check_module():
	try:
		import otf2
	except ImportError:
		print("left out: no module otf2 (package python3-otf2)")
		return
	count = collections.Counter()
	with otf2.reader.open(archive) as trace:
		for _, event in trace.events:
			count[type(event).__name__] += 1
	for name, wanted in (("RmaPut", 5), ("RmaGet", 3), ("RmaAtomic", 5), ("RmaGroupSync", 4)):
		equal(f"{name}, by python", count[name], wanted * ranks)


check_text()
check_module()
