#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What one_sided.c accessed, as otf2-print and python3-otf2 read it in an archive: each operation is of its kind, has
its bytes, and is complete once where it should be; and pairs of PEs have the numbers of the profile.

usage: one_sided.py PES ENDED ARCHIVE.otf2 REPORT OUTPUT
   (ENDED: complete or open, the last access; REPORT: of pairs; OUTPUT: of the program)"""
import collections
import re
import subprocess
import sys

pes, ended, archive, report, output = int(sys.argv[1]), *sys.argv[2:]
with open(output, encoding="utf-8") as file:
	refused = int(re.search(r"^refused (\d)$", file.read(), re.M).group(1))
# By kind, bytes sent and received: how many, and how many are complete at their target.
KINDS = {("PUT", 32, 0): (1, 1), ("PUT", 8, 0): (4, 4 if ended == "complete" else 3), ("PUT", 24, 0): (1, 1),
	("GET", 0, 16): (2, 0), ("GET", 0, 8): (2, 0), ("ACCUMULATE", 8, 0): (2, 2), ("INCREMENT", 8, 0): (1, 1),
	("FETCH_AND_ACCUMULATE", 0, 8): (1, 0), ("SWAP", 8, 8): (1, 0), ("COMPARE_AND_SWAP", 8, 8): (1, 0),
	("FETCH_AND_ADD", 8, 8): (1, 0), ("FETCH_AND_INCREMENT", 8, 8): (1, 0)}
NONBLOCKING = 5 if ended == "complete" else 4
# Of all PEs: each has a barrier for each that is called; PE 1 tries to have the lock of PE 0.
OTHERS = {"RMA_ACQUIRE_LOCK": pes + 2 - refused, "RMA_RELEASE_LOCK": pes + 1, "RMA_WAIT_CHANGE": pes,
	"RMA_WIN_CREATE": pes, "RMA_WIN_DESTROY": pes, "RMA_COLLECTIVE_BEGIN": 5 * pes, "RMA_COLLECTIVE_END": 5 * pes}

if refused:
	OTHERS["RMA_TRY_LOCK"] = 1


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
	begun, here, there, others = {}, collections.Counter(), collections.Counter(), collections.Counter()
	nonblocking, pairs = collections.Counter(), collections.Counter()
	for line in text.stdout.splitlines():
		words = line.split()
		if not words or not words[0].startswith("RMA_"):
			continue
		kind, place = words[0][4:], words[1]
		if kind in ("PUT", "GET", "ATOMIC"):
			equal(f"begins {line}", (place, number(line, "Matching")) in begun, False)
			begun[place, number(line, "Matching")] = key_of(line, kind)
			remote = re.search(r'Remote: (\d+) \("([^"]*)"', line)
			pairs[place, remote.group(2)] += 1
		elif kind.startswith("OP_COMPLETE"):
			operation = place, number(line, "Matching")
			counts = there if kind == "OP_COMPLETE_REMOTE" else here
			equal(f"{line}: complete before", counts[operation], 0)
			equal(f"{line}: begun", operation in begun, True)
			counts[operation] += 1
			nonblocking[place] += kind == "OP_COMPLETE_NON_BLOCKING"
		else:
			others[words[0]] += 1
	equal("open", len(begun) - len(here), 0 if ended == "complete" else pes)
	equal("nonblocking", set(nonblocking.values()), {NONBLOCKING})
	kinds, remote = collections.Counter(begun.values()), collections.Counter(begun[operation] for operation in there)
	equal("kinds", dict(kinds), {key: count * pes for key, (count, _) in KINDS.items()})
	equal("at targets", dict(remote), {key: count * pes for key, (_, count) in KINDS.items() if count})
	equal("others", dict(others), OTHERS)
	equal("pairs", sorted((target, count) for (_, target), count in pairs.items()), pairs_of_profile())


def pairs_of_profile():
	with open(report, encoding="utf-8") as file:
		found = re.findall(r"^ *([0-9,]+) .* PE \d+ -> (PE \d+)$", file.read(), re.M)
	return sorted((target, int(count.replace(",", ""))) for count, target in found)


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
	for name, wanted in (("RmaPut", 6), ("RmaGet", 4), ("RmaAtomic", 8), ("RmaOpCompleteNonBlocking", NONBLOCKING)):
		equal(f"{name}, by python", count[name], wanted * pes)


check_text()
check_module()
