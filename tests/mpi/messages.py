#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What messages.c exchanged, as otf2-print and python3-otf2 read it in an archive, and as arrows in Chrome's format.

usage: messages.py RANKS PERSISTENT ARCHIVE.otf2 CHROME.json"""
import collections
import json
import re
import subprocess
import sys

ranks, persistent = int(sys.argv[1]), int(sys.argv[2])
# By tag: number of messages of each rank, their bytes, and how they are sent.
KINDS = {20: (5, 1000, "ISEND"), 21: (1, 200000, "ISEND"), 22: (3, 100, "ISEND"), 23: (1, 10, "SEND")}
COLLECTIVES = {"BARRIER": 2, "BCAST": 2, "REDUCE": 1, "ALLREDUCE": 1, "ALLGATHER": 1, "SCAN": 1}
# Nonblocking collectives: their number, and the bytes sent and received, by the root and by the others.
GOING_ON = {"BARRIER": (1, lambda root: (0, 0)), "ALLREDUCE": (2, lambda root: (4, 4)),
	"BCAST": (1, lambda root: (4, 0) if root else (0, 4)), "ALLGATHER": (2 * persistent, lambda root: (4, 4 * ranks))}


def equal(what, got, wanted):
	if got != wanted:
		sys.exit(f"{what}: {got} instead of {wanted}")


def check_going_on(text):
	"""Each one begins, then ends once, in the communicator with reversed ranks."""
	begun, ended, roots = {}, collections.Counter(), 0
	for line in text.splitlines():
		words = line.split()
		if not words or not words[0].startswith("NON_BLOCKING_COLLECTIVE"):
			continue
		request = words[1], re.search(r"Request: (\d+)", line).group(1)
		if words[0].endswith("REQUEST"):
			equal(f"begins of {request}", request in begun, False)
			begun[request] = int(words[2])
			continue
		if begun.pop(request) > int(words[2]):
			sys.exit(f"{request}: ends before it begins")
		name, sent, received = (re.search(key + r": (\w+)", line).group(1) for key in ("Operation", "Sent", "Received"))
		root = re.search(r"Root: (\d+) \(\"[^\"]*\" <(\d+)>\)", line)
		if name == "BCAST":
			equal("root", root.group(1), "1")
		is_root = root is not None and root.group(2) == words[1]
		roots += is_root
		equal(f"bytes of {name}", (int(sent), int(received)), GOING_ON[name][1](is_root))
		ended[name] += 1
	equal("roots", roots, 1)
	equal("collectives without end", begun, {})
	equal("ends", dict(ended), {name: count * ranks for name, (count, _) in GOING_ON.items() if count})


def check_text(archive):
	text = subprocess.run(["otf2-print", "--show-all", archive], check=True, capture_output=True, text=True)
	equal("complaints", text.stderr, "")
	sent, received, requests, ends = {}, {}, collections.Counter(), collections.defaultdict(collections.Counter)
	inside, seen = set(), collections.Counter()
	for line in text.stdout.splitlines():
		words = line.split()
		if not words or not words[0].startswith("MPI_"):
			continue
		kind, here = words[0][4:], words[1]
		partner = re.search(r'(?:Receiver|Sender): (\d+) \("[^"]*" <(\d+)>\)', line)
		if kind in ("SEND", "ISEND", "RECV", "IRECV"):
			tag, size = (int(re.search(name + r": (\d+)", line).group(1)) for name in ("Tag", "Length"))
			seen[kind, tag] += 1
			out = kind in ("SEND", "ISEND")
			pair = (here, partner.group(2)) if out else (partner.group(2), here)
			(sent if out else received).setdefault((pair, tag), []).append((int(words[2]), size))
		if "Request" in line:
			request = here, re.search(r"Request: (\d+)", line).group(1)
			requests[request, kind] += 1
		if kind == "COLLECTIVE_BEGIN":
			inside.add(here)
		if kind == "COLLECTIVE_END":
			inside.remove(here)
			ends[re.search(r"Operation: (\w+)", line).group(1)][here] += 1
	check_going_on(text.stdout)
	equal("open collectives", inside, set())
	for name, count in COLLECTIVES.items():
		equal(name, (len(ends[name]), set(ends[name].values())), (ranks, {count}))
	for tag, (count, size, kind) in KINDS.items():
		equal(f"{kind} {tag}", seen[kind, tag], count * ranks)
		equal(f"receives {tag}", seen["RECV" if kind == "SEND" else "IRECV", tag], count * ranks)
		for (_, one), messages in sent.items():
			if one == tag:
				equal(f"bytes {tag}", {bytes for _, bytes in messages}, {size})
	equal("SEND 24", seen["SEND", 24], ranks - 1)
	equal("messages between groups", (seen["SEND", 25], seen["RECV", 25]), (1, 1))
	equal("channels", set(sent), set(received))
	for channel, messages in sent.items():
		there = received[channel]
		equal(f"messages {channel}", [size for _, size in messages], [size for _, size in there])
		for (begun, _), (ended, _) in zip(messages, there):
			if begun > ended:
				sys.exit(f"{channel}: received at {ended}, before it was sent at {begun}")
	for (request, kind), count in requests.items():
		equal(f"{kind} {request}", count, 1)
		other = {"ISEND": "ISEND_COMPLETE", "ISEND_COMPLETE": "ISEND", "IRECV": "IRECV_REQUEST", "IRECV_REQUEST": "IRECV"}
		equal(f"{other[kind]} {request}", requests[request, other[kind]], 1)


def check_windows(path):
	accesses = collections.Counter()
	with open(path, encoding="utf-8") as file:
		for event in json.load(file)["traceEvents"]:
			for kind in {"put", "get"} & set(event.get("args", {})):
				access = event["args"][kind]
				accesses[kind, access["bytes"], access["partner"]] += 1
	wanted = {("put", 40, rank): 2 for rank in range(ranks)} | {("get", 80, rank): 1 for rank in range(ranks)}
	equal("accesses", dict(accesses), wanted)


def check_module(archive):
	try:
		import otf2
	except ImportError:
		print("left out: no module otf2 (package python3-otf2)")
		return
	count = collections.Counter()
	with otf2.reader.open(archive) as trace:
		for _, event in trace.events:
			count[type(event).__name__] += 1
	total = ranks * sum(kind[0] for kind in KINDS.values()) + ranks
	equal("sends, by python", count["MpiSend"] + count["MpiIsend"], total)
	equal("receives, by python", count["MpiRecv"] + count["MpiIrecv"], total)
	equal("requests, by python", count["MpiIsend"], count["MpiIsendComplete"])
	equal("collectives, by python", count["MpiCollectiveEnd"], ranks * sum(COLLECTIVES.values()))
	going_on = ranks * sum(count for count, _ in GOING_ON.values())
	for name in ("NonBlockingCollectiveRequest", "NonBlockingCollectiveComplete"):
		equal(f"{name}, by python", count[name], going_on)


def check_arrows(path):
	flows = collections.defaultdict(list)
	with open(path, encoding="utf-8") as file:
		for event in json.load(file)["traceEvents"]:
			if event.get("cat") == "message":
				flows[event["id"]].append(event)
	equal("arrows", len(flows), ranks * sum(kind[0] for kind in KINDS.values()) + ranks)
	for name, ends in flows.items():
		equal(f"ends of {name}", sorted(event["ph"] for event in ends), ["f", "s"])
		equal(f"bytes of {name}", ends[0]["args"]["bytes"], ends[1]["args"]["bytes"])


check_text(sys.argv[3])
check_module(sys.argv[3])
check_arrows(sys.argv[4])
check_windows(sys.argv[4])
