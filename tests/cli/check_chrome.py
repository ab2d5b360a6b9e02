#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""check_chrome.py FILE [SCHEMA]: checks a trace in Chrome's format: by a JSON schema if python3-jsonschema is
installed, and in ways that no schema expresses: begins and ends are balanced, times do not decrease on a thread, arrows
begin before they end, and stack frames exist. Prints for each region: visits, begins, ns inside, ns inside and in no
region within it."""
import collections
import gzip
import json
import sys
from decimal import Decimal



def shape(value):
    """What the schema checks of a value: of numbers, only the type and sign."""
    if isinstance(value, dict):
        return tuple((key, shape(part)) for key, part in value.items())
    if isinstance(value, list):
        return tuple(map(shape, value))
    return (type(value), value < 0) if isinstance(value, (int, Decimal)) else value


path = sys.argv[1]
with (gzip.open if path.endswith(".gz") else open)(path, "rt", encoding="utf-8") as file:
    document = json.load(file, parse_float=Decimal)
if len(sys.argv) > 2:
    try:
        import jsonschema
    except ImportError:
        print("no python3-jsonschema: the schema is not tried", file=sys.stderr)
    else:
        with open(sys.argv[2], encoding="utf-8") as file:
            schema = json.load(file)
        jsonschema.Draft7Validator.check_schema(schema)
        # Only one event of each shape, since a validator takes a millisecond for each event.
        events = {shape(event): event for event in document["traceEvents"]}
        plain = json.loads(json.dumps(document | {"traceEvents": list(events.values())}, default=float))
        for error in jsonschema.Draft7Validator(schema).iter_errors(plain):
            sys.exit(f"schema: {error.message} at {list(error.absolute_path)}")

frames = document["stackFrames"]
for number, frame in frames.items():
    assert "parent" not in frame or int(frame["parent"]) < int(number) and frame["parent"] in frames, frame

stacks = collections.defaultdict(list)
times = {}
named = set()
flows = {}
regions = collections.defaultdict(lambda: [0, 0, 0, 0])
for event in document["traceEvents"]:
    thread = event["pid"], event["tid"]
    stack = stacks[thread]
    if event["ph"] == "M":
        named.add(thread)
        continue
    assert thread in named, f"a thread without a name: {event}"
    ns = int(event["ts"] * 1000)
    if event["ph"] == "X":
        assert ns + int(event["dur"] * 1000) >= times.get(thread, 0), f"in the past: {event}"
        continue
    assert ns >= times.get(thread, 0), f"time goes back: {event}"
    if stack:
        regions[stack[-1][0]][3] += ns - times[thread]
    times[thread] = ns
    if event["ph"] == "B":
        stack.append((event["name"], ns))
        assert "args" not in event, f"viewers would take the arguments for a part of the name: {event}"
        regions[event["name"]][1] += 1
    elif event["ph"] == "E":
        name, begun = stack.pop()
        assert name == event["name"], f"end without its begin: {event}"
        regions[name][0] += event.get("args", {}).get("visit", True)
        if name not in (entry[0] for entry in stack):
            regions[name][2] += ns - begun
    elif event["ph"] == "i" and event["cat"] != "access":
        regions[event["name"]][0] += 1
        regions[event["name"]][1] += 1
    elif event["ph"] == "P":
        assert event["sf"] in frames, f"no such frame: {event}"
    elif event["ph"] == "s":
        assert event["id"] not in flows, f"an arrow begins twice: {event}"
        flows[event["id"]] = ns
    elif event["ph"] == "f":
        assert flows[event["id"]] <= ns, f"an arrow ends before it begins: {event}"
assert not any(stacks.values()), "a region does not end"
for name, numbers in regions.items():
    print(*numbers, name)
