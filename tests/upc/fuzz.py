#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Random declarations, pointer arithmetic, casts and indices: compares what programs print with a model of UPC.

A seed generates one small program, a function with its own shared arrays. Many are compiled at once, with dynamic and
with static THREADS; each check prints thread, phase and offset of a pointer, or a number, and the model computes them.
fuzz.py FIRST LAST uses the seeds from FIRST to LAST; a wrong program is printed, with the command to generate it again.
"""
import argparse
import os
import random
import subprocess
import sys

PATIENCE = float(os.environ.get("HEDDLE_TEST_SECONDS", 240))  # seconds until a program counts as hung
DYNAMIC = (1, 2, 3, 5)
STATIC = (1, 3, 4)
ALL = sorted(set(DYNAMIC + STATIC))

PRELUDE = """#include <upc.h>
#include <stdio.h>
struct point { int x; short y[3]; char c; long l; };
struct odd { char c[3]; };
union both { int i; char c[6]; long l; };
static volatile long zero, one = 1;
static void show_pointer(int number, shared void *p, shared void *base)
{
	printf("%d %d %d %ld\\n", number, (int)upc_threadof(p), (int)upc_phaseof(p),
		(long)upc_addrfield(p) - (long)upc_addrfield(base));
}
static void show_number(int number, long value)
{
	printf("%d %ld\\n", number, value);
}
"""


class Type:
    """An element: its name, size, and its members: (suffix, offset, type)."""

    def __init__(self, name, size, members=()):
        self.name, self.size, self.members = name, size, members


CHAR, SHORT, INT, LONG = (Type(n, s) for n, s in (("char", 1), ("short", 2), ("int", 4), ("long", 8)))
POINT = Type("struct point", 24, (("x", 0, INT), ("y[0]", 4, SHORT), ("y[2]", 8, SHORT), ("c", 10, CHAR), ("l", 16, LONG)))
ODD = Type("struct odd", 3, (("c[0]", 0, CHAR), ("c[2]", 2, CHAR)))
BOTH = Type("union both", 8, (("i", 0, INT), ("c[0]", 0, CHAR), ("c[5]", 5, CHAR), ("l", 0, LONG)))
SCALARS = (CHAR, SHORT, INT, LONG)
TYPES = SCALARS + (INT, INT, POINT, ODD, BOTH)


def shared(block):
    return "shared" if block == 1 else "shared [%s]" % (block or "")


class Pointer:
    """A pointer-to-shared; `offset` is in bytes, within its thread's part of the variable."""

    def __init__(self, thread, phase, offset, block, size):
        self.thread, self.phase, self.offset, self.block, self.size = thread, phase, offset, block, size

    def plus(self, n, threads):
        if self.block == 0:
            return Pointer(self.thread, 0, self.offset + n * self.size, 0, self.size)
        blocks, phase = divmod(self.phase + n, self.block)
        rounds, thread = divmod(self.thread + blocks, threads)
        offset = self.offset + (phase - self.phase + rounds * self.block) * self.size
        return Pointer(thread, phase, offset, self.block, self.size)

    def cast(self, block, size):
        same = self.block == block and self.size == size
        return Pointer(self.thread, self.phase if same else 0, self.offset, block, size)

    def inside(self, offset, size):
        return Pointer(self.thread, 0, self.offset + offset, 0, size)


class Array:
    def __init__(self, name, rng):
        self.name, self.type = name, rng.choice(TYPES)
        self.bounds = [rng.choice((1, 2, 3, 4, 5)) for _ in range(rng.choice((1, 1, 2, 2, 3)))]
        self.block = rng.choice((0, 1, 1, 2, 2, 3, 4, 7, "*"))
        # The dimension that has the factor THREADS; none if all elements are on one thread.
        self.threads_at = None if self.block == 0 else rng.randrange(len(self.bounds))
        self.layout = "shared [*]" if self.block == "*" else shared(self.block)
        if self.block == "*":
            self.block = self.elements(1)

    def bound(self, i, threads):
        return self.bounds[i] * (threads if i == self.threads_at else 1)

    def elements(self, threads, first=0):
        product = 1
        for i in range(first, len(self.bounds)):
            product *= self.bound(i, threads)
        return product

    def declaration(self):
        bounds = "".join("[%d%s]" % (b, " * THREADS" if i == self.threads_at else "") for i, b in enumerate(self.bounds))
        return "static %s %s %s%s;" % (self.layout, self.type.name, self.name, bounds)

    def first(self):
        return "&%s%s" % (self.name, "[0]" * len(self.bounds))


class Expression:
    """Text, and functions of the number of threads: the pointer, and the element's index if the text has no cast."""

    def __init__(self, text, array, pointer, type_, block, index=None, constant=True, depth=0):
        self.text, self.array, self.pointer, self.index = text, array, pointer, index
        self.type, self.block, self.constant = type_, block, constant
        # The number of bounds that the element pointed to has left; the pointer counts these.
        self.depth = depth
        self.element = None  # what it points into

    def row(self, threads):
        return self.array.elements(threads, len(self.array.bounds) - self.depth) if self.depth else 1

    def room(self, threads, pointer):
        """Returns true if a pointer may point there: members' addresses stay in their structure."""
        if self.element is None:
            return pointer.offset > -2000
        start = self.element(threads).offset
        return start <= pointer.offset < start + self.element(threads).size

    def type_name(self):
        bounds = self.array.bounds[len(self.array.bounds) - self.depth:] if self.depth else []
        first = len(self.array.bounds) - self.depth
        text = "".join(
            "[%d%s]" % (b, " * THREADS" if first + i == self.array.threads_at else "") for i, b in enumerate(bounds))
        return "%s %s (*%%s)%s" % (shared(self.block), self.type.name, text) if text else "%s %s *%%s" % (
            shared(self.block), self.type.name)


class Program:
    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.seed, self.lines, self.statics, self.checks, self.names = seed, [], [], [], 0
        self.arrays = [Array("a%d_%d" % (seed, i), self.rng) for i in range(self.rng.choice((1, 2, 2)))]
        self.functions = []
        for array in self.arrays:
            self.fill(array)
        for _ in range(self.rng.randrange(8, 16)):
            self.add_check()

    def name(self):
        self.names += 1
        return "v%d_%d" % (self.seed, self.names)

    def fill(self, array):
        """Stores in each element its index, if it has an integer."""
        member = {"struct point": ".l", "struct odd": ".c[0]", "union both": ".l"}.get(array.type.name, "")
        text = "{ %s %s *p = %s; for (int i = 0; i < %s; i++) p[i]%s = (char)i; }" % (shared(
            array.block), array.type.name, array.first(), " * ".join(
                "%d%s" % (b, " * THREADS" if i == array.threads_at else "") for i, b in enumerate(array.bounds)), member)
        self.lines.append(text)

    # Numbers: (text, function of threads, constant)
    def number(self, value):
        kind = self.rng.randrange(6)
        if kind < 3:
            return (str(value) if value >= 0 else "(%d)" % value), True
        if kind == 3:
            return "(%d + (int)zero)" % value, False
        if kind == 4:
            return "(%d * one)" % value, False
        return "(%d - 1L)" % (value + 1), True

    def base(self):
        """Returns an element or a row of an array, by indices that may leave their row but not the array."""
        array, rng = self.rng.choice(self.arrays), self.rng
        count = rng.randrange(0, len(array.bounds) + 1)
        indices, parts, constant = [], [], True
        for i in range(count):
            # Only bounds of one thread, so that the index is valid with any number of threads.
            value = rng.randrange(0, array.bounds[i])
            if rng.randrange(4) == 0 and i == array.threads_at:
                indices.append(("THREADS", value, i))
                k, known = "(%d * THREADS + %d)" % (array.bounds[i] - 1, min(value, 0)), False
                indices[-1] = (array.bounds[i] - 1, 0, i)
            else:
                if i > 0 and array.threads_at is not None and rng.randrange(3) == 0:
                    value -= rng.choice((1, 1, array.bounds[i]))
                elif i > 0 and rng.randrange(4) == 0:
                    value += rng.choice((-1, 1, -array.bounds[i], array.bounds[i]))
                k, known = self.number(value)
                indices.append((0, value, i))
            constant = constant and known
            parts.append(k)

        def index(threads):
            total = 0
            for times, value, i in indices:
                total += (times * threads + value) * array.elements(threads, i + 1)
            return total

        depth = len(array.bounds) - count
        if any(not 0 <= index(t) < array.elements(t) for t in ALL):
            return self.base()

        def pointer(threads):
            return Pointer(0, 0, 0, array.block, array.type.size).plus(index(threads), threads)

        if count == 0:
            # The array decays: a pointer to its first row.
            return Expression(array.name, array, pointer, array.type, array.block, index, constant, depth - 1)
        text = array.name + "".join("[%s]" % p for p in parts)
        if depth > 0 and rng.randrange(2):
            return Expression("(%s)" % text, array, pointer, array.type, array.block, index, constant, depth - 1)
        return Expression("(&%s)" % text, array, pointer, array.type, array.block, index, constant, depth)

    def step(self, e):
        """Returns an expression some elements (or rows) further."""
        for _ in range(6):
            n = self.rng.choice((-7, -4, -3, -2, -1, 0, 1, 1, 2, 3, 5, 8, 11))
            text, known = self.number(n)
            forms = ["(%s + %s)", "(&%s[%s])"]
            if e.index is not None:
                index = lambda t, e=e, n=n: e.index(t) + n * e.row(t)
                if any(not 0 <= index(t) <= e.array.elements(t) for t in ALL):
                    continue
            else:
                index = None
            pointer = lambda t, e=e, n=n: e.pointer(t).plus(n * e.row(t), t)
            if any(not e.room(t, pointer(t)) for t in ALL):
                continue
            form = self.rng.choice(forms) % (e.text, text)
            if self.rng.randrange(5) == 0:
                form = "(%s - (%s))" % (e.text, text)
                pointer = lambda t, e=e, n=n: e.pointer(t).plus(-n * e.row(t), t)
                if index is not None:
                    index = lambda t, e=e, n=n: e.index(t) - n * e.row(t)
                    if any(not 0 <= index(t) <= e.array.elements(t) for t in ALL):
                        continue
                if any(not e.room(t, pointer(t)) for t in ALL):
                    continue
            result = Expression(form, e.array, pointer, e.type, e.block, index, e.constant and known, e.depth)
            result.element = e.element
            return result
        return e

    def cast(self, e):
        block, type_ = self.rng.choice((0, 1, 1, 2, 3, 4, e.block)), self.rng.choice(TYPES + (e.type, e.type))
        pointer = lambda t, e=e: e.pointer(t).cast(block, type_.size)
        middle = "(shared void *)" if self.rng.randrange(4) == 0 and block == e.block and type_ is e.type else ""
        name = "%s %s *" % (shared(block), type_.name)
        if self.rng.randrange(4) == 0:
            self.functions.append("typedef %st%s;" % (name, self.name()))
            name = self.functions[-1].split()[-1].rstrip(";").lstrip("*")
        text = "((%s)%s%s)" % (name, middle, e.text)
        # In static initializers, only the size of the variable's elements is known.
        constant = e.constant and block == e.block and type_.size == e.type.size and not e.type.members and not type_.members
        same = e.index if block == e.block and type_ is e.type else None
        return Expression(text, e.array, pointer, type_, block, same, constant)

    def member(self, e):
        if e.type is BOTH and not e.text.startswith("v"):
            return e  # the C compiler does not distinguish the address of a union from that of its member
        suffix, offset, type_ = self.rng.choice(e.type.members)
        pointer = lambda t, e=e: e.pointer(t).inside(offset, type_.size)
        text = "(&%s->%s)" % (e.text, suffix)
        constant = e.constant and e.index is not None
        if self.rng.randrange(2):
            text = "((shared [] %s *)%s)" % (type_.name, text)
        result = Expression(text, e.array, pointer, type_, 0, None, constant)
        result.element = e.pointer
        return result

    def variable(self, e):
        name = self.name()
        self.lines.append("%s = %s;" % (e.type_name() % name, e.text))
        result = Expression(name, e.array, e.pointer, e.type, e.block, e.index, False, e.depth)
        result.element = e.element
        if e.element is None and self.rng.randrange(3) == 0:
            step = self.rng.choice(("++", "--"))
            n = 1 if step == "++" else -1
            if e.index is None or all(0 <= e.index(t) + n * e.row(t) <= e.array.elements(t) for t in ALL):
                self.lines.append("%s%s;" % (name, step))
                result.pointer = lambda t: e.pointer(t).plus(n * e.row(t), t)
                if e.index is not None:
                    result.index = lambda t: e.index(t) + n * e.row(t)
        return result

    def passed(self, e):
        """Passes a pointer through a function, a conditional expression, or shared memory."""
        name, kind = self.name(), self.rng.randrange(3)
        result = Expression(name, e.array, e.pointer, e.type, e.block, e.index, False, e.depth)
        result.element = e.element
        if kind == 0 and e.depth == 0:
            type_ = e.type_name() % ""
            self.functions.append("static %s%s(%sp) { return p; }" % (type_, name, type_))
            result.text = "%s(%s)" % (name, e.text)
        elif kind == 1:
            result.text = "(one ? %s : %s)" % (e.text, e.text)
        elif e.depth == 0:
            self.lines.append("static %s shared %s[THREADS]; %s[THREADS - 1] = %s;" % (
                e.type_name() % "", name, name, e.text))
            result.text = "%s[THREADS - 1]" % name
        else:
            return e
        return result

    def expression(self, depth=None):
        e = self.base()
        for _ in range(self.rng.randrange(0, 4) if depth is None else depth):
            kind = self.rng.randrange(9)
            in_clang = e.text.startswith("(&") and "->" in e.text  # its type has the structure's block size there
            if kind < 3:
                e = self.step(e)
            elif kind < 5:
                e = self.cast(e)
            elif kind == 5 and e.type.members and e.depth == 0:
                e = self.member(e)
            elif kind == 6 and not in_clang:
                e = self.variable(e)
            elif kind == 7 and not in_clang and e.element is None:
                e = self.passed(e)
        return e

    def add_check(self):
        kind = self.rng.randrange(12)
        if kind < 6:
            self.check_pointer(self.expression())
        elif kind == 6:
            self.check_static()
        elif kind == 7:
            self.check_value()
        elif kind == 8:
            self.check_difference()
        elif kind == 9:
            self.check_equality()
        elif kind == 10:
            self.check_returned()
        else:
            self.check_sizes()

    def number_of_check(self, expected):
        self.checks.append(expected)
        return self.seed * 1000 + len(self.checks)

    def check_pointer(self, e):
        """Checks phase, thread and offset, as a shared void * has them."""
        n = self.number_of_check(lambda t, e=e: "%d %d %d" % (e.pointer(t).thread, e.pointer(t).phase, e.pointer(t).offset))
        via = self.rng.randrange(6)
        if via == 2 and "->" in e.text:
            via = 0  # for a constant, the C compiler does not distinguish a structure's address from its first member's
        text = e.text
        if via == 0:
            text = "(shared void *)" + text
        elif via == 1:
            text = "one ? (shared void *)%s : (shared void *)0" % text
        elif via == 2:
            name = self.name()
            self.lines.append("shared void *%s[2] = {%s, 0};" % (name, text))
            text = name + "[zero]"
        elif via == 3:
            text = "upc_resetphase(%s)" % text
            self.checks[-1] = lambda t, e=e: "%d 0 %d" % (e.pointer(t).thread, e.pointer(t).offset)
        self.lines.append("show_pointer(%d, %s, %s);" % (n, text, e.array.first()))

    def check_static(self):
        for _ in range(10):
            e = self.expression(self.rng.randrange(2))
            if e.constant and "->" not in e.text:
                break
        else:
            return
        name = self.name()
        generic = self.rng.randrange(3) == 0
        self.lines.append("static %s = %s;" % ("shared void *" + name if generic else e.type_name() % name, e.text))
        e = Expression(name, e.array, e.pointer, e.type, e.block, e.index, False, e.depth)
        self.check_pointer(e)

    def readable(self):
        for _ in range(20):
            e = self.expression()
            if e.index is not None and e.depth == 0 and all(e.index(t) < e.array.elements(t) for t in ALL):
                return e
        return None

    def check_value(self):
        e = self.readable()
        if e is None:
            return
        member = {"struct point": ".l", "struct odd": ".c[0]", "union both": ".l"}.get(e.type.name, "")
        n = self.number_of_check(lambda t, e=e: str((e.index(t) + 128) % 256 - 128))
        form = self.rng.choice(("(*%s)%s", "%s[0]%s", "%s[zero]%s"))
        self.lines.append("show_number(%d, %s);" % (n, form % (e.text, member)))

    def pair(self):
        a = self.readable()
        for _ in range(20):
            b = self.readable()
            if a is not None and b is not None and a.array is b.array:
                return a, b
        return None

    def check_difference(self):
        both = self.pair()
        if both is None:
            return
        a, b = both
        if self.rng.randrange(2):
            n = self.number_of_check(lambda t: str(a.index(t) - b.index(t)))
            self.lines.append("show_number(%d, %s - %s);" % (n, a.text, b.text))
        else:
            operator = self.rng.choice(("<", ">", "<=", ">="))
            n = self.number_of_check(lambda t: str(int(eval("%d %s %d" % (a.index(t), operator, b.index(t))))))
            self.lines.append("show_number(%d, %s %s %s);" % (n, a.text, operator, b.text))

    def check_equality(self):
        both = self.pair()
        if both is None:
            return
        a, b = both
        operator = self.rng.choice(("==", "!="))
        generic = self.rng.choice(("%s", "(shared void *)%s"))
        other = self.rng.choice(("%s", "(shared void *)%s"))
        n = self.number_of_check(lambda t: str(int((a.index(t) == b.index(t)) == (operator == "=="))))
        self.lines.append("show_number(%d, %s %s %s);" % (n, generic % a.text, operator, other % b.text))

    def check_returned(self):
        """By the result of a function, which has no separate statement to store it."""
        for _ in range(10):
            e = self.expression(self.rng.randrange(3))
            if e.constant or "v%d_" % self.seed not in e.text:
                break
        else:
            return
        name = "f%s" % self.name()
        self.functions.append("static shared void *%s(void) { return %s; }" % (name, e.text))
        again = "static int %s_same(shared void *p) { return %s == p; }" % (name, "(shared void *)" + e.text)
        self.functions.append(again)
        n = self.number_of_check(lambda t: "1")
        self.lines.append("show_number(%d, %s_same(%s()));" % (n, name, name))
        self.check_pointer(Expression(name + "()", e.array, e.pointer, e.type, e.block, None, False))

    def check_sizes(self):
        array = self.rng.choice(self.arrays)
        n = self.number_of_check(lambda t: str(array.block))
        self.lines.append("show_number(%d, upc_blocksizeof(%s));" % (n, array.name))
        n = self.number_of_check(lambda t: str(array.type.size))
        self.lines.append("show_number(%d, upc_elemsizeof(%s));" % (n, array.name))
        depth = self.rng.randrange(len(array.bounds) + 1)
        n = self.number_of_check(lambda t: str(array.elements(t, depth) * array.type.size))
        self.lines.append("show_number(%d, sizeof %s%s);" % (n, array.name, "[0]" * depth))

    def text(self):
        parts = [a.declaration() for a in self.arrays] + self.functions
        parts.append("static void program_%d(void)\n{\n\t%s\n}\n" % (self.seed, "\n\t".join(self.lines)))
        return "\n".join(parts)

    def expected(self, threads):
        return {self.seed * 1000 + i + 1: check(threads) for i, check in enumerate(self.checks)}


def unit(programs):
    calls = "\n".join("\t\tprogram_%d();" % p.seed for p in programs)
    main = "int main(void)\n{\n\tif (MYTHREAD == 0) {\n%s\n\t}\n\treturn 0;\n}\n" % calls
    return PRELUDE + "\n".join(p.text() for p in programs) + main


class Runner:
    def __init__(self, compiler, folder):
        self.compiler, self.folder = compiler, folder

    def build(self, programs, options):
        source, binary = os.path.join(self.folder, "fuzz.upc"), os.path.join(self.folder, "fuzz")
        with open(source, "w") as file:
            file.write(unit(programs))
        made = subprocess.run([self.compiler, "-w", *options, source, "-o", binary], stderr=subprocess.PIPE, text=True)
        return binary, made.returncode, made.stderr

    def outcome(self, programs, options, threads):
        """Returns the first error of PROGRAMS: (seed, message), or None."""
        binary, status, messages = self.build(programs, options)
        if status != 0:
            return self.culprit(programs, options, threads) if len(programs) > 1 else (programs[0].seed, messages)
        for count in threads:
            for node_size in ("", "1", "2")[:min(count, 3)]:
                environment = dict(os.environ, UPC_THREADS=str(count), UPC_NODE_SIZE=node_size)
                run = subprocess.run([binary], stdout=subprocess.PIPE, env=environment, text=True, timeout=PATIENCE)
                found = self.compare(programs, run, count)
                if found is not None:
                    return found[0], "node size %s: %s" % (node_size or "all", found[1])
        return None

    def culprit(self, programs, options, threads):
        for program in programs:
            found = self.outcome([program], options, threads)
            if found is not None:
                return found
        return programs[0].seed, "compiles alone, but not with its neighbours"

    @staticmethod
    def compare(programs, run, threads):
        lines = dict(line.split(" ", 1) for line in run.stdout.splitlines())
        for program in programs:
            for number, value in program.expected(threads).items():
                got = lines.get(str(number))
                if got != value:
                    return program.seed, "%d threads, check %d: expected %s, got %s (exit status %d)" % (
                        threads, number, value, got, run.returncode)
        return None


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("first", type=int, nargs="?", default=1)
    parser.add_argument("last", type=int, nargs="?", default=300)
    parser.add_argument("--compiler", required=True)
    parser.add_argument("--folder", required=True, help="for what is compiled")
    parser.add_argument("--batch", type=int, default=50, help="programs that are compiled at once")
    parser.add_argument("--go-on", action="store_true", help="after a wrong program")
    arguments = parser.parse_args()
    runner, wrong = Runner(arguments.compiler, arguments.folder), 0
    for first in range(arguments.first, arguments.last + 1, arguments.batch):
        programs = [Program(seed) for seed in range(first, min(first + arguments.batch, arguments.last + 1))]
        rng = random.Random(first)
        count = rng.choice(STATIC)
        variants = [([rng.choice(("-O0", "-O2"))], DYNAMIC), ([rng.choice(("-O0", "-O2")), "-fupc-threads=%d" % count], [count])]
        for options, threads in variants:
            found = runner.outcome(programs, options, threads)
            while found is not None:
                wrong += 1
                seed, message = found
                print(next(p for p in programs if p.seed == seed).text())
                print("wrong: seed %d, %s: %s" % (seed, " ".join(options), message))
                print("again: %s %d %d --compiler %s --folder /tmp" % (sys.argv[0], seed, seed, arguments.compiler))
                programs = [p for p in programs if p.seed != seed]
                found = runner.outcome(programs, options, threads) if arguments.go_on and programs else None
        if wrong and not arguments.go_on:
            return 1
    return wrong != 0


if __name__ == "__main__":
    sys.exit(main())
