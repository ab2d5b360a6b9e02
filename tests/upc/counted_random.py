#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Random programs whose accesses are known: compares Heddle's counts with what each thread did, by path.

A seed generates a program of functions that call each other, with regions of each kind around gets, puts, updates,
copies and upc_forall loops, on static memory and memory that is freed and allocated again, of the thread itself, of its
node and of other nodes. The program is compiled and measured in many ways; each must have exactly the visits, bytes and
sides that follow from the text, on each path, and each allocation its accesses.
counted_random.py FIRST LAST uses the seeds from FIRST to LAST; a wrong program stays in the folder.
"""
import argparse
import collections
import json
import os
import random
import re
import subprocess
import sys

PATIENCE = float(os.environ.get("HEDDLE_TEST_SECONDS", 240))  # seconds until a program counts as hung
ELEMENTS = 48  # elements of a thread in each array; also the block size of blocked arrays
TYPES = (("char", 1), ("short", 2), ("int", 4), ("long", 8), ("double", 8), ("struct wide", 24))
MOST = 100000  # accesses of a thread: each may be an event
METRICS = ("visits", "bytes-got", "bytes-put", "local-accesses", "same-node-accesses", "same-node-bytes",
           "remote-accesses", "remote-bytes")
GET, PUT = "upc get", "upc put"
ACCESSES = (GET, PUT, "upc memget", "upc memput", "upc memcpy", "upc memset")


class Job:
    """One way to run: threads, threads of a node, and whether accesses to a thread's own memory have events."""

    def __init__(self, threads, node, local):
        self.threads, self.node, self.local = threads, node, local

    def side(self, thread, other):
        if thread == other:
            return "local"
        return "same-node" if thread // self.node == other // self.node else "remote"


def add_access(counts, path, event, job, thread, other, array, elements=1, times=1):
    """Counts an access by THREAD to ELEMENTS of ARRAY's part of OTHER, TIMES times."""
    side, size = job.side(thread, other), elements * array.size
    if event in (GET, PUT) and side == "local" and not job.local:
        return
    key = path + (event,)
    counts[key, "visits"] += times
    if event in (GET, "upc memget", "upc memcpy"):
        counts[key, "bytes-got"] += times * size
    if event in (PUT, "upc memput", "upc memcpy", "upc memset"):
        counts[key, "bytes-put"] += times * size
    add_side(counts, key, job, thread, other, array, size, times)


def add_side(counts, key, job, thread, other, array, size, times):
    """Counts an access as one of METRICS, and by (variable, thread, owner)."""
    side = job.side(thread, other)
    counts[key, (array.row(), thread, other)] += times
    counts[key, side + "-accesses"] += times
    if side != "local":
        counts[key, side + "-bytes"] += times * size


class Array:
    def __init__(self, number, rng):
        self.name, (self.type, self.size) = "array%d" % number, rng.choice(TYPES)
        self.cyclic = rng.random() < 0.4
        self.dynamic, self.allocated = False, 1

    def row(self):
        """Returns the variable, or which of its allocations in the source."""
        return "%s, allocation %d" % (self.name, self.allocated) if self.dynamic else self.name

    def whole(self):
        return "shared %s%s" % ("" if self.cyclic else "[%d] " % ELEMENTS, self.type)

    def line(self):
        if self.dynamic:
            return "static %s *%s;" % (self.whole(), self.name)
        return "%s %s[%d * THREADS];" % (self.whole(), self.name, ELEMENTS)

    def allocation(self):
        blocks = "%d * THREADS, 1 *" % ELEMENTS if self.cyclic else "THREADS, %d *" % ELEMENTS
        return "%s = (%s *)upc_all_alloc(%s sizeof(%s));" % (self.name, self.whole(), blocks, self.type)

    def element(self, thread, index):
        """Returns the text of element INDEX of THREAD's part."""
        if self.cyclic:
            return "%s[(%s) * THREADS + %s]" % (self.name, index, thread)
        return "%s[%s * %d + %s]" % (self.name, thread, ELEMENTS, index)


# Statements: text(indent) returns their lines, count(counts, path, job, thread) counts the thread's accesses.


class Loop:
    """A loop of accesses to the part of the thread OFFSET further, by an index or a pointer."""

    def __init__(self, program, times):
        rng = program.rng
        self.array, self.times = rng.choice(program.arrays), times
        self.offset, self.kind = rng.randrange(5), rng.choice(("get", "put", "both", "strict", "update"))
        self.by = rng.choice(("index", "indefinite", "typed"))
        if self.array.type.startswith("struct") and self.kind == "update":
            self.kind = "both"

    def text(self):
        array = self.array
        lines = ["{ int other = (MYTHREAD + %d) %% THREADS; (void)other;" % self.offset]
        word = "strict " if self.kind == "strict" else ""
        if self.by == "index":
            lines.append("  for (int i = 0; i < %d; i++) {" % self.times)
            element = array.element("other", "i %% %d" % ELEMENTS)
            if word:
                element = "(*(strict shared [] %s *)&%s)" % (array.type, element)
        else:
            block = "" if array.cyclic else " [%d]" % ELEMENTS
            block = " []" if self.by == "indefinite" else block
            lines.append("  %sshared%s %s *p = (%sshared%s %s *)&%s;" % (
                word, block, array.type, word, block, array.type, array.element("other", "0")))
            lines.append("  for (int i = 0; i < %d; i++) {" % self.times)
            stays = "" if self.by == "indefinite" or not array.cyclic else " * THREADS"
            element = "p[i %% %d%s]" % (ELEMENTS, stays)
        value = "wide" if array.type.startswith("struct") else "(%s)i" % array.type
        if self.kind in ("get", "both", "strict"):
            lines.append("    %s got = %s; take(&got);" % (array.type, element))
        if self.kind in ("put", "both"):
            lines.append("    %s = %s;" % (element, value))
        if self.kind == "update":
            lines.append("    %s += %s;" % (element, value))
        return lines + ["  }", "}"]

    def count(self, counts, path, job, thread):
        other = (thread + self.offset) % job.threads
        if self.kind != "put":
            add_access(counts, path, GET, job, thread, other, self.array, times=self.times)
        if self.kind not in ("get", "strict"):
            add_access(counts, path, PUT, job, thread, other, self.array, times=self.times)


class Walk:
    """A loop through all threads' elements of an array, repeated with a step."""

    def __init__(self, program, times):
        self.array, self.times, self.put = program.rng.choice(program.arrays), times, program.rng.random() < 0.5
        self.step = program.rng.choice((1, 1, 3, 7, ELEMENTS))

    def text(self):
        element = "%s[(i * %d) %% (%d * THREADS)]" % (self.array.name, self.step, ELEMENTS)
        array, value = self.array, "wide" if self.array.type.startswith("struct") else "(%s)i" % self.array.type
        access = "%s = %s;" % (element, value) if self.put else "%s got = %s; take(&got);" % (array.type, element)
        return ["for (int i = 0; i < %d; i++) { %s }" % (self.times, access)]

    def count(self, counts, path, job, thread):
        for i in range(self.times):
            at = i * self.step % (ELEMENTS * job.threads)
            other = at % job.threads if self.array.cyclic else at // ELEMENTS
            add_access(counts, path, PUT if self.put else GET, job, thread, other, self.array)


class Forall:
    """upc_forall over an array: each thread reads its elements' neighbours and writes its own."""

    def __init__(self, program):
        rng = program.rng
        self.array, self.to, self.ahead = rng.choice(program.arrays), rng.choice(program.arrays), rng.randrange(4)
        self.by_number = rng.random() < 0.3

    def text(self):
        write = "%s[i] = %s;" % (self.to.name, "wide" if self.to.type.startswith("struct") else "(%s)i" % self.to.type)
        affinity = "i" if self.by_number else "&%s[i]" % self.to.name
        return ["upc_forall (int i = 0; i < %d * THREADS; i++; %s) {" % (ELEMENTS, affinity),
                "  %s got = %s[(i + %d) %% (%d * THREADS)]; take(&got);" % (self.array.type, self.array.name, self.ahead,
                                                                      ELEMENTS),
                "  %s" % write, "}"]

    @staticmethod
    def owner(array, i, job):
        return i % job.threads if array.cyclic else i // ELEMENTS

    def count(self, counts, path, job, thread):
        path, all_elements = path + ("upc_forall",), ELEMENTS * job.threads
        for i in range(all_elements):
            if (i % job.threads if self.by_number else self.owner(self.to, i, job)) != thread:
                continue
            other = self.owner(self.array, (i + self.ahead) % all_elements, job)
            add_access(counts, path, GET, job, thread, other, self.array)
            add_access(counts, path, PUT, job, thread, self.owner(self.to, i, job), self.to)


class Copy:
    """Several calls of one of the library's copy functions for one thread's elements."""

    def __init__(self, program):
        rng = program.rng
        self.what, self.array = rng.choice(ACCESSES[2:]), rng.choice(program.arrays)
        self.offset, self.source = rng.randrange(5), rng.randrange(5)
        self.elements, self.times = rng.randrange(1, ELEMENTS // 2), rng.choice((1, 3))

    def text(self):
        array, size = self.array, "%d * sizeof(%s)" % (self.elements, self.array.type)
        at = "&%s" % array.element("((MYTHREAD + %d) %% THREADS)" % self.offset, "0")
        source = "&%s" % array.element("((MYTHREAD + %d) %% THREADS)" % self.source, str(ELEMENTS // 2))
        call = {
            "upc memget": "upc_memget(room, %s, %s)" % (at, size),
            "upc memput": "upc_memput(%s, room, %s)" % (at, size),
            "upc memset": "upc_memset(%s, 1, %s)" % (at, size),
            "upc memcpy": "upc_memcpy(%s, %s, %s)" % (at, source, size)
        }[self.what]
        return ["{ char room[%d] = {0}; (void)room;" % (ELEMENTS * 24),
                "  for (int i = 0; i < %d; i++) %s; }" % (self.times, call)]

    def count(self, counts, path, job, thread):
        other, size = (thread + self.offset) % job.threads, self.elements * self.array.size
        if self.what != "upc memcpy":
            add_access(counts, path, self.what, job, thread, other, self.array, self.elements, self.times)
            return
        key, source = path + (self.what,), (thread + self.source) % job.threads
        counts[key, "visits"] += self.times
        counts[key, "bytes-got"] += self.times * size
        counts[key, "bytes-put"] += self.times * size
        for end in (other, source):
            add_side(counts, key, job, thread, end, self.array, size, self.times)


class Renewal:
    """Arrays are freed, and allocated again in another order: often at addresses of other arrays."""

    def __init__(self, arrays, rng):
        self.arrays = rng.sample(arrays, len(arrays))

    def text(self):
        frees = "".join(" upc_free(%s);" % array.name for array in self.arrays)
        return ["upc_barrier;", "if (MYTHREAD == 0) {%s }" % frees, "upc_barrier;"] + [
            array.allocation() for array in self.arrays] + ["upc_barrier;"]

    def count(self, counts, path, job, thread):
        for array in self.arrays:
            array.allocated += 1


class Call:
    def __init__(self, function, times):
        self.function, self.times = function, times

    def text(self):
        call = "function%d();" % self.function.number
        return [call if self.times == 1 else "for (int i = 0; i < %d; i++) %s" % (self.times, call)]

    def count(self, counts, path, job, thread):
        own = collections.Counter()
        self.function.body.count(own, (), job, thread)
        inside = path + ("function%d" % self.function.number,)
        for (rest, metric), value in own.items():
            counts[inside + rest, metric] += self.times * value


class Handled:
    """A signal whose handler calls a function."""

    def __init__(self, program, function):
        self.number = len(program.handlers)
        self.call = Call(function, 1)
        program.handlers.append(self)

    def text(self):
        return ["signal(SIGUSR1, handler%d); raise(SIGUSR1);" % self.number]

    def count(self, counts, path, job, thread):
        self.call.count(counts, path + ("handler%d" % self.number,), job, thread)


class Block:
    """Statements in a region of some kind, or a condition."""

    def __init__(self, kind, parts):
        self.kind, self.parts, self.number = kind, parts, 0

    def text(self):
        inside = ["  " + line for part in self.parts for line in part.text()]
        before, after = {
            "plain": ("{", "}"),
            "phase": ("{ heddle_phase_begin(\"phase%d\");" % self.number, "heddle_phase_end(\"phase%d\"); }" % self.number),
            "user": ("{ pupc_event_start(user%d, 1);" % self.number, "pupc_event_end(user%d, 1); }" % self.number),
            "parallel": ("_Pragma(\"omp parallel num_threads(2)\") {", "}"),
            "single": ("_Pragma(\"omp parallel num_threads(2)\") _Pragma(\"omp master\") {", "}"),
            "off": ("{ int was_on = pupc_control(0);", "pupc_control(was_on); }"),
            "stopped": ("{ heddle_stop();", "heddle_start(); }"),
            "some": ("if (MYTHREAD %% 3 != %d) {" % (self.number % 3), "}"),
        }[self.kind]
        return [before] + inside + [after]

    def count(self, counts, path, job, thread):
        if self.kind in ("off", "stopped") or (self.kind == "some" and thread % 3 == self.number % 3):
            return
        inside = {
            "phase": ("phase phase%d" % self.number,),
            "user": ("phase user%d" % self.number,),
            "parallel": ("omp parallel",),
            "single": ("omp parallel", "omp masked"),
        }.get(self.kind, ())
        own = collections.Counter()
        for part in self.parts:
            part.count(own, (), job, thread)
        for (rest, metric), value in own.items():
            counts[path + inside + rest, metric] += value * (2 if self.kind == "parallel" else 1)


class Function:
    def __init__(self, number, body):
        self.number, self.body = number, body


class Program:
    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.draw()
        while sum(value for (_, metric), value in self.expected(Job(1, 1, True))[0].items() if metric == "visits") > MOST:
            self.draw()
        self.allocate(random.Random(-seed))

    def draw(self):
        self.dynamic = []
        self.handlers, self.users, self.functions = [], 0, []
        self.arrays = [Array(i, self.rng) for i in range(self.rng.randrange(2, 5))]
        for number in range(self.rng.randrange(4, 7)):
            self.functions.append(Function(number, self.block("plain", 2, number > 1)))
        calls = [Call(f, self.rng.randrange(1, 6)) for f in self.functions]
        self.main = Block("plain", calls + [self.block("plain", 2, True)])

    def allocate(self, rng):
        """Makes some arrays dynamic; before some parts of main they are allocated again."""
        self.dynamic = [array for array in self.arrays if rng.random() < 0.5]
        for array in self.dynamic:
            array.dynamic = True
        parts, self.main.parts = self.main.parts, []
        for part in parts:
            if self.dynamic and rng.random() < 0.6:
                self.main.parts.append(Renewal(self.dynamic, rng))
            self.main.parts.append(part)

    def times(self):
        return self.rng.choice((1, 2, 5, 20, 100, 100, 700))

    def part(self, depth, outside):
        rng = self.rng
        kind = rng.randrange(12)
        if kind < 4:
            return Loop(self, self.times())
        if kind == 4:
            return Walk(self, self.times())
        if kind == 5:
            return Forall(self)
        if kind == 6:
            return Copy(self)
        if kind < 9 and self.functions:
            # Calls only functions without calls, or with calls of the first function, so that programs end soon.
            return Call(rng.choice(self.functions[:2]), rng.choice((1, 2, 12)))
        if kind == 9 and self.functions and outside:
            return Handled(self, self.functions[0])
        if depth > 0:
            kinds = ["plain", "phase", "user", "some", "off"] + (["parallel", "single", "stopped"] if outside else [])
            return self.block(rng.choice(kinds), depth - 1, outside)
        return Loop(self, self.times())

    def block(self, kind, depth, outside):
        """OUTSIDE: executed by one thread that is measured, so that all measurement may be switched there."""
        outside = outside and kind not in ("parallel", "single", "off", "stopped")
        block = Block(kind, [self.part(depth, outside) for _ in range(self.rng.randrange(1, 5))])
        block.number = self.users
        self.users += 1
        return block

    def text(self):
        lines = ["#include <heddle.h>", "#include <pupc.h>", "#include <signal.h>", "#include <upc_relaxed.h>",
                 "struct wide { long first, second; char rest[5]; };", "static struct wide wide;",
                 "static volatile char sink;",
                 "#pragma pupc off",
                 "static inline __attribute__((always_inline)) void take(const void *got) { sink = *(const char *)got; }",
                 "#pragma pupc on"]
        lines += [array.line() for array in self.arrays]
        lines += ["static unsigned int user%d;" % i for i in range(self.users)]
        for function in self.functions:
            lines += ["__attribute__((noinline)) void function%d(void)" % function.number, "{"]
            lines += ["  " + line for line in function.body.text()] + ["}"]
            for handler in self.handlers:
                if handler.call.function is function:
                    lines += ["__attribute__((noinline)) void handler%d(int signal) { (void)signal; %s }" %
                              (handler.number, handler.call.text()[0])]
        lines += ["int main(void)", "{"]
        lines += ["  user%d = pupc_create_event(\"user%d\", \"%%d\");" % (i, i) for i in range(self.users)]
        lines += ["  " + array.allocation() for array in self.dynamic]
        lines += ["  upc_barrier;"] + ["  " + line for line in self.main.text()] + ["  upc_barrier;", "  return 0;", "}"]
        return "\n".join(lines) + "\n"

    def expected(self, job):
        """Returns the values of METRICS by path, and the accesses by variable and by pair of threads."""
        all_counts = collections.Counter()
        for thread in range(job.threads):
            for array in self.arrays:
                array.allocated = 1
            self.main.count(all_counts, ("main",), job, thread)
        counts, accesses = {}, collections.Counter()
        for (path, metric), value in all_counts.items():
            if value and not isinstance(metric, tuple):
                counts[path, metric] = value
            elif value:
                accesses[metric[0]] += value
                accesses["UPC %d -> UPC %d" % metric[1:]] += value
        for array in self.dynamic:
            rows = [row for row in accesses if row.startswith(array.name + ",")]
            if len(rows) == 1:  # a report omits the allocation if there is only one
                accesses[array.name] = accesses.pop(rows[0])
        return counts, dict(accesses)


# ---- runs ----


def words_of(path):
    """Returns a path as this model names it: without places, objects, and frames of libraries."""
    words = [re.sub(OBJECT, r"\1", re.sub(r" @.*", "", word)) for word in path]
    words = [word for word in words if re.fullmatch(KNOWN, word)]
    # If a line accesses several objects, these are below its event.
    return tuple(words[:-1] if len(words) > 1 and words[-1] == words[-2] in ACCESSES else words)


def measured(document):
    """Returns the values of accesses in JSON of `heddle export`, by path and metric."""
    columns = {metric["name"]: i for i, metric in enumerate(document["metrics"])}
    names, paths = document["functions"], []
    for path in document["paths"]:
        above = () if path["parent"] is None else paths[path["parent"]]
        paths.append(above if path["parent"] is None else above + (names[path["function"]]["name"],))
    counts = collections.Counter()
    for path, _, *values in document["values"]:
        words = words_of(paths[path])
        if words and words[-1] in ACCESSES:
            for metric in METRICS:
                counts[words, metric] += values[columns[metric]] if metric in columns else 0
    return {key: value for key, value in counts.items() if value}


def allocations(source):
    """Returns the names of a program's allocations: in a report, and in this model."""
    names, seen = {}, collections.Counter()
    for number, line in enumerate(source.splitlines(), 1):
        allocates = re.match(r" *(array\d+) = .*upc_all_alloc", line)
        if allocates:
            seen[allocates.group(1)] += 1
            names["%s@program.upc:%d" % (allocates.group(1), number)] = "%s, allocation %d" % (
                allocates.group(1), seen[allocates.group(1)])
    return names


def tables(heddle, output, folder, names):
    """Returns the rows of `heddle report --accesses` by variable and by pair."""
    counts = collections.Counter()
    for key in ("variable", "pair"):
        text = run([heddle, "report", "--accesses", "--by", key, "--min", "0", output], folder).decode()
        for line in text.splitlines():
            row = re.match(r" *([\d,]+) +[\d.]+ +[\d.]+ .* +(array\d+\S*|UPC \d+ -> UPC \d+)$", line)
            if row:
                counts[names.get(row.group(2), row.group(2))] += int(row.group(1).replace(",", ""))
    return dict(counts)


def traced(document):
    """Returns the number of events of each access in a trace, from Chrome's JSON."""
    counts = collections.Counter()
    for event in document["traceEvents"]:
        name = re.sub(OBJECT, r"\1", re.sub(r" @.*", "", event.get("name", "")))
        # An event that was open when a buffer began appears as an instant event, and as a span that is not a visit.
        if name in ACCESSES and (event["ph"] == "i" or (event["ph"] == "E" and event.get("args", {}).get("visit", True))):
            counts[name] += 1
    return dict(counts)


class Failure(Exception):
    pass


def run(words, folder, **environment):
    environment = dict(os.environ, **environment)
    done = subprocess.run(words, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=PATIENCE,
                          check=False)
    if done.returncode != 0:
        raise Failure("%s: exit %d: %s" % (" ".join(words), done.returncode, done.stderr.decode()[-600:]))
    return done.stdout


def compare(what, expected, got):
    differences = ["%s: %d, not %d" % (key, got.get(key, 0), expected.get(key, 0))
                   for key in sorted(set(expected) | set(got), key=str) if expected.get(key, 0) != got.get(key, 0)]
    if differences:
        raise Failure("%s: %d values differ:\n  %s" % (what, len(differences), "\n  ".join(differences[:8])))


KNOWN = r"main|function\d+|handler\d+|phase .*|upc_forall|omp parallel|omp masked|" + "|".join(ACCESSES)
OBJECT = "(%s) .*" % "|".join(ACCESSES)


# Options of `heddle run` for each way to measure. Without samples, all paths are those of events.
WAYS = {
    "all": ("--sample-hz", "0", "--inst-time", "all"),
    "sampled": ("--sample-hz", "0", "--inst-time", "sampled"),
    "samples": ("--sample-hz", "1000"),
    "samples, all": ("--sample-hz", "1000", "--inst-time", "all"),
    "accesses": ("--sample-hz", "1000", "--accesses"),
    "accesses, all": ("--sample-hz", "0", "--accesses"),
    "trace": ("--sample-hz", "0", "--trace"),
}


class Case:
    """The program of a seed, compiled in one way."""

    def __init__(self, options, folder, seed):
        self.heddle, self.folder, self.seed = options.heddle, folder, seed
        self.program = Program(seed)
        self.count = 0
        with open(os.path.join(folder, "program.upc"), "w", encoding="utf-8") as file:
            file.write(self.program.text())

    def build(self, optimize, threads, local):
        flags = [optimize, "-fopenmp", "--inst-functions", "--inst-local" if local else "--inst"]
        flags += ["-T", str(threads)] if threads else []
        run([self.heddle, "upcc"] + flags + ["program.upc", "-o", "program"], self.folder)
        return " ".join(flags)

    def measure(self, how, way, job):
        self.count += 1
        output = "out%d" % self.count
        where = "seed %d, %s, %s, -n %d, %d on a node" % (self.seed, how, way, job.threads, job.node)
        try:
            run([self.heddle, "run", "-n", str(job.threads), "-o", output] + list(WAYS[way]) + ["--", "./program"],
                self.folder, UPC_NODE_SIZE=str(job.node))
            got = measured(json.loads(run([self.heddle, "export", "--format", "json", output], self.folder)))
            expected, accesses = self.program.expected(job)
            compare(where, expected, got)
            if way.startswith("accesses"):
                names = allocations(self.program.text())
                compare(where + ", report --accesses", accesses, tables(self.heddle, output, self.folder, names))
            if way == "trace":
                visits = collections.Counter()
                for (path, metric), value in expected.items():
                    visits[path[-1]] += value if metric == "visits" else 0
                events = traced(json.loads(run([self.heddle, "export", "--format", "chrome", output], self.folder)))
                compare(where + ", events of the trace", dict(visits), events)
        except Failure as failure:
            raise Failure("%s: %s" % (where, failure)) from failure


def try_seed(options, seed):
    folder = os.path.join(options.folder, "seed%d" % seed)
    os.makedirs(folder)
    case, rng, compared = Case(options, folder, seed), random.Random(-seed), 0
    for optimize in ("-O0", "-O2"):
        for static in (False, True):
            threads, local = rng.randrange(1, 5), rng.random() < 0.7
            how = case.build(optimize, threads if static else None, local)
            ways = list(WAYS) if options.all else rng.sample(list(WAYS), 2) + ["sampled"]
            for way in ways:
                threads = threads if static else rng.randrange(1, 5)
                case.measure(how, way, Job(threads, rng.choice((threads, threads, 1, 2)), local))
                compared += 1
    return compared


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("first", type=int)
    parser.add_argument("last", type=int)
    parser.add_argument("--heddle", required=True)
    parser.add_argument("--folder", required=True)
    parser.add_argument("--all", action="store_true", help="each program in each way")
    options, failed, compared = parser.parse_args(), 0, 0
    options.folder = os.path.abspath(options.folder)
    for seed in range(options.first, options.last + 1):
        try:
            compared += try_seed(options, seed)
        except Failure as failure:
            print(failure)
            failed += 1
    print("%d measurements compared, %d of %d seeds failed" % (compared, failed, options.last - options.first + 1))
    return 1 if failed or not compared else 0


if __name__ == "__main__":
    sys.exit(main())
