#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Reads trace files as docs/format.md describes them, not as profile/ does: trace_read.py FILE...

Prints one line for each file, of NAME=NUMBER: the totals of its chunks, the values of its last INFO, and what is wrong:
errors (checksums, invalid records), gaps (missing chunks of a thread), tail (bytes after the last complete chunk).
"""
import struct
import sys

MAGIC, MASK = 0x43546448, (1 << 64) - 1
INFO, TREE, EVENTS, REST, OFFSET = 1, 2, 3, 4, 5
END, BEGIN, BEGIN_UNTIMED, OPEN, STACK, VISIT, SAMPLE, IDLE, ADD, DISTRIBUTE, ACCESS, ATTRIBUTE, MARK, \
    NUMBER, TASK_BEGIN = range(15)
DROPPED, WAITED = 6, 7


def mix(total, word):
    total = ((total ^ word) * 0x9E3779B97F4A7C15) & MASK
    return total ^ total >> 29


def sum_of(data):
    sums = [len(data), 1, 2, 3]
    data += bytes(32 - len(data) % 32)
    for words in struct.iter_unpack("<4Q", data):
        sums = [mix(total, word) for total, word in zip(sums, words)]
    return mix(mix(mix(sums[0], sums[1]), sums[2]), sums[3])


class Records:
    """Decodes the records of one chunk after another of one thread."""

    def __init__(self):
        self.depth, self.visits, self.begins, self.samples, self.dropped, self.waited = 0, 0, 0, 0, 0, 0
        self.errors, self.orders, self.times = 0, [], []

    def number(self):
        value = shift = 0
        while True:
            byte = self.data[self.at]
            self.at += 1
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value

    def fixed(self, width):
        value = int.from_bytes(self.data[self.at:self.at + (1 << width)], "little")
        self.at += 1 << width
        return value

    def one(self, nodes):
        head = self.data[self.at]
        self.at += 1
        kind = head & 15
        if kind not in (ADD, DISTRIBUTE, ACCESS, ATTRIBUTE, NUMBER):
            self.tick += self.fixed(head >> 4 & 3) if kind not in (VISIT, SAMPLE) else self.fixed(head >> 4 & 3) * 0
        operand = 0 if kind == END else self.fixed(head >> 6)
        node = 0
        if kind == END:
            self.depth -= 1
        elif kind in (BEGIN, BEGIN_UNTIMED):
            node, self.depth, self.begins = operand, self.depth + 1, self.begins + 1
        elif kind == OPEN:
            node, self.depth = operand >> 1, self.depth + 1
        elif kind == STACK:
            pushed = self.number()
            self.errors += operand > self.depth and self.at > 64
            self.depth = operand + pushed
            for _ in range(pushed):
                node = max(node, self.number() >> 1)
        elif kind == VISIT:
            node, self.visits = operand, self.visits + 1
        elif kind == SAMPLE:
            node, self.samples = operand, self.samples + self.number()
            self.number(), self.number()
        elif kind == IDLE:
            node = operand >> 1
        elif kind == TASK_BEGIN:
            node, self.depth, self.visits = operand >> 1, self.depth + 1, self.visits + 1
            self.at += 4
        elif kind == NUMBER:
            pass
        elif kind == ADD:
            node = self.number() if operand & 1 else 0
            self.number()
        elif kind == DISTRIBUTE:
            node = self.number() if operand & 1 else 0
            self.number()
            self.at += 8
        elif kind == ACCESS:
            node = self.number() if operand & 8 else 0
            self.number(), self.number()
        elif kind in (ATTRIBUTE, MARK):
            value = self.number()
            if kind == MARK and operand == DROPPED:
                self.dropped += value
            if kind == MARK and operand == WAITED:
                self.waited += value
        else:
            raise ValueError("kind")
        self.errors += node >= nodes or self.depth < 0
        return kind

    def chunk(self, data, header, nodes):
        self.data, self.at, self.tick, count = data, 0, header["first"], 0
        self.orders.append(header["order"])
        self.times.append((header["first"], header["last"]))
        while self.at < len(data):
            kind = self.one(nodes)
            self.errors += count == 0 and kind not in (STACK, MARK)
            count += 1
        self.errors += self.at != len(data) or count != header["count"] or self.tick > header["last"]


def read(path):
    with open(path, "rb") as file:
        data = file.read()
    threads, nodes, found, at = {}, 0, {"info": 0, "tree": 0, "rest": 0, "events": 0}, 0
    errors, info = 0, (0,) * 15
    while at + 64 <= len(data):
        magic, version, kind, thread, length, first, last, count, paused, total, order, _ = struct.unpack_from(
            "<IHHIIQQQQQII", data, at)
        if magic != MAGIC or version != 2 or at + 64 + length > len(data):
            break
        body = data[at + 64:at + 64 + length]
        errors += sum_of(body) != total
        if kind == INFO:
            info, found["info"] = struct.unpack_from("<15Q", body + bytes(120)), found["info"] + 1
        elif kind == TREE:
            errors += first > nodes or length != 16 * count
            nodes, found["tree"] = max(nodes, first + count), found["tree"] + 1
        elif kind == REST:
            found["rest"] += count
        elif kind == EVENTS:
            records = threads.setdefault(thread, Records())
            try:
                records.chunk(body, {"first": first, "last": last, "count": count, "order": order}, nodes)
            except (IndexError, ValueError):
                errors += 1
            found["events"] += count
        at += 64 + length
    everyone = threads.values()
    gaps = sum(max(t.orders) - min(t.orders) + 1 - len(t.orders) + min(t.orders) for t in everyone)
    second = max(1, info[0])
    spans = [(min(a for a, _ in t.times), max(b for _, b in t.times)) for t in everyone]
    result = dict(
        found, bytes=len(data), threads=len(threads), nodes=nodes, visits=sum(t.begins + t.visits for t in everyone),
        samples=sum(t.samples for t in everyone), dropped=sum(t.dropped for t in everyone),
        waited=sum(t.waited for t in everyone), chunks=sum(len(t.orders) for t in everyone), gaps=gaps,
        errors=errors + sum(t.errors for t in everyone), tail=len(data) - at, ended=info[4] > 0,
        info_records=info[5], info_dropped=info[6], info_waits=info[7], info_lost=info[13],
        info_error=info[14],
        span_ms=(max(b for _, b in spans) - min(a for a, _ in spans)) * second // 2**32 // 10**6 if spans else 0,
        from_ms=(min(a for a, _ in spans) - info[1]) * second // 2**32 // 10**6 if spans else 0)
    print(" ".join(f"{name}={int(value)}" for name, value in result.items()))


for name in sys.argv[1:]:
    read(name)
