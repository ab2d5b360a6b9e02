#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Random upc_forall loops, changed by `heddle tune`: the changed program must print what the original prints.

A seed generates one function with a loop of the accepted forms: each element is written by one iteration, or with one
value, and no iteration reads what another one writes. A program has several such functions, and is changed loop by
loop. It prints checksums of all shared arrays and private results after each loop. tune_fuzz.py FIRST LAST uses the
seeds from FIRST to LAST; a loop that fails is printed.
"""
import argparse
import os
import random
import re
import subprocess
import sys

PATIENCE = float(os.environ.get("HEDDLE_TEST_SECONDS", 240))  # seconds until a program counts as hung
THREADS = (1, 2, 3, 7)
SHARED_TYPES = {"a0": "int ", "permutation": "int ", "reversed": "int ", "a1": "[3] int ", "pointer": "unsigned ",
                "held.list": "unsigned ", "holder->in.deep": "[3] int ", "bundle.one->list": "unsigned ",
                "bundle.few[1].list": "unsigned ", "whole->few[chosen].in.deep": "[3] int "}
BATCH = 8

PRELUDE = """#include <stdio.h>
#include <stdlib.h>
#include <upc_relaxed.h>
#include <heddle/upc_cache.h>
#define LARGER(a, b) ((a) > (b) ? (a) : (b))
#define SEVEN 7
#define ELEMENT(array, k) array[k]
#define BEHIND(p, k) (*((p) + (k)))
#define PUT(x, v) x = v
#define UPDATE(x, op, v) do { x op (v); } while (0)
#define N (12 * THREADS)
struct pair { int first; unsigned second; };
struct row { short more[3]; struct pair pairs[2]; };
typedef unsigned number;
static shared int a0[12 * THREADS], permutation[12 * THREADS], reversed[12 * THREADS];
static shared [3] int a1[12 * THREADS];
static shared [*] number a2[12 * THREADS];
static shared struct pair a3[12 * THREADS];
static shared [6] struct row rows[12 * THREADS];
static shared [4] unsigned grid[3 * THREADS][4];
static shared [2] unsigned long o0[12 * THREADS];
static shared number o1[12 * THREADS];
static shared [5] unsigned o2[20 * THREADS];
static shared [4] int o3[3 * THREADS][4];
static shared struct pair o4[12 * THREADS];
static shared unsigned long results[THREADS];
static shared unsigned *pointer;
struct holder { int count; shared unsigned *list; struct { shared [3] int *deep; } in; };
static struct holder held, *holder = &held;
static struct bundle { struct holder *one, few[2]; } bundle, *whole = &bundle;
static int chosen;
static unsigned own[64];
static unsigned scramble(unsigned x) { x = x * 2654435761u + 12345; return x ^ x >> 15; }
static void fill(unsigned seed)
{
	for (int i = 0; i < N; i++) {
		if (upc_threadof(&a0[i]) == MYTHREAD) a0[i] = scramble(seed + i) % N;
		if (upc_threadof(&a1[i]) == MYTHREAD) a1[i] = scramble(seed + 7 * i) % 1000;
		if (upc_threadof(&a2[i]) == MYTHREAD) a2[i] = scramble(seed + 9 * i);
		if (upc_threadof(&a3[i]) == MYTHREAD) { a3[i].first = scramble(i) % 50; a3[i].second = scramble(seed * i); }
		if (upc_threadof(&rows[i]) == MYTHREAD) { rows[i].more[i % 3] = i; rows[i].pairs[i % 2].second = scramble(seed + i); }
		if (upc_threadof(&permutation[i]) == MYTHREAD) permutation[i] = (i * 5 + seed) % N; /* 5 divides no N */
		if (upc_threadof(&reversed[i]) == MYTHREAD) reversed[i] = N - 1 - i;
		if (upc_threadof(&grid[i / 4][i % 4]) == MYTHREAD) grid[i / 4][i % 4] = scramble(seed ^ i);
		if (upc_threadof(&o0[i]) == MYTHREAD) o0[i] = i;
		if (upc_threadof(&o1[i]) == MYTHREAD) o1[i] = 2 * i;
		if (upc_threadof(&o3[i / 4][i % 4]) == MYTHREAD) o3[i / 4][i % 4] = 3 * i;
		if (upc_threadof(&o4[i]) == MYTHREAD) { o4[i].first = i; o4[i].second = 1; }
		if (upc_threadof(&pointer[i]) == MYTHREAD) pointer[i] = scramble(seed + 11 * i);
		if (upc_threadof(&held.list[i]) == MYTHREAD) held.list[i] = scramble(seed + 13 * i);
		if (upc_threadof(&held.in.deep[i]) == MYTHREAD) held.in.deep[i] = scramble(seed + 15 * i);
		if (upc_threadof(&bundle.few[1].list[i]) == MYTHREAD) bundle.few[1].list[i] = scramble(seed + 17 * i);
		if (upc_threadof(&bundle.few[0].in.deep[i]) == MYTHREAD) bundle.few[0].in.deep[i] = scramble(seed + 19 * i);
	}
	for (int i = 0; i < 20 * THREADS; i++)
		if (upc_threadof(&o2[i]) == MYTHREAD) o2[i] = i;
	for (int i = 0; i < 64; i++)
		own[i] = i * seed;
	upc_barrier;
}
static void show(int number, unsigned long mine)
{
	results[MYTHREAD] = mine;
	upc_barrier;
	if (MYTHREAD == 0) {
		unsigned long sum = 17;
		for (int i = 0; i < THREADS; i++) sum = sum * 31 + results[i];
		printf("%d: results %lx", number, sum);
		sum = 17;
		for (int i = 0; i < N; i++) sum = sum * 31 + o0[i];
		printf(" %lx", sum);
		for (int i = 0; i < N; i++) sum = sum * 31 + o1[i];
		printf(" %lx", sum);
		for (int i = 0; i < 20 * THREADS; i++) sum = sum * 31 + o2[i];
		printf(" %lx", sum);
		for (int i = 0; i < N; i++) sum = sum * 31 + o3[i / 4][i % 4];
		printf(" %lx", sum);
		for (int i = 0; i < N; i++) sum = sum * 31 + o4[i].first + o4[i].second * 7;
		printf(" %lx\\n", sum);
	}
	upc_barrier;
}
static int is_odd(int x) { return x % 2 != 0; }
"""


class Loop:
    """One function: its text, and how it is to be changed."""

    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.seed = seed
        self.locals = []      # readable unsigned variables
        self.pointers = []    # to elements with three more after them: name and array
        self.uses = set()
        self.count = 0
        self.depth = 0
        self.unit = self.rng.choice(["\t", "  ", "    "])
        self.index_type = self.rng.choice(["int", "int", "unsigned", "size_t", "long"])
        self.outside = self.rng.random() < 0.4
        self.results = False
        self.functions = []   # names, parameters before the index, and their arrays
        self.function_texts = ""
        self.in_function = False
        self.make()

    def pick(self, *choices):
        return self.rng.choice(choices)

    def fresh(self):
        self.count += 1
        return "v%d" % self.count

    def signed(self, text):
        return "(int)" + text if self.index_type != "int" else text

    def at(self, array, index):
        """Returns array[index], in one of the forms of C for it."""
        form = self.rng.randrange(14)
        if form > 11:
            return "%s(%s, %s)" % (self.pick("ELEMENT", "BEHIND"), array, index)
        if form > 5:
            return "%s[%s]" % (array, index)
        index = index if re.fullmatch("\\w+", index) else "(%s)" % index
        return ("*(%s + %s)", "*(%s + %s - 0)", "(%s + %s)[0]", "(&%s[0])[%s]", "*&%s[%s]")[form % 5] % (array, index) if form < 5 else (
            "%s[%s]" % (index, array))

    def position(self, depth):
        """Returns an index from 0 to N - 1, without side effects."""
        kind = self.rng.randrange(9)
        if kind < 3 or depth <= 0:
            return "i"
        if kind == 3:
            self.uses.add("a0")
            return self.at("a0", self.position(depth - 1))
        if kind == 4:
            self.uses.add("permutation")
            return self.at("permutation", self.position(depth - 1))
        if kind == 5:
            return "(%s + %d) %% N" % (self.position(depth - 1), self.rng.randrange(1, 20))
        if kind == 6:
            return "(unsigned)(%s) %% N" % self.value(depth - 1)
        if kind == 7:
            self.uses.add("reversed")
            return self.at("reversed", self.position(0))
        return "N - 1 - i" if self.index_type in ("int", "long") else "(N - 1 - i)"

    def near(self, depth):
        """Returns an address with three more elements after it, and its array."""
        if self.pointers and self.rng.random() < 0.3:
            name, array = self.pick(*self.pointers)
            return name, array
        array = self.pick(*SHARED_TYPES)
        self.uses.add(array)
        index = "(unsigned)(%s) %% (N - 6)" % self.position(depth)
        return self.pick("&%s[%s]", "%s + %s") % (array, index), array

    def declare_pointer(self):
        """A pointer that is declared in the loop, or changed there."""
        if self.pointers and self.rng.random() < 0.4:
            name, array = self.pick(*self.pointers)
            self.uses.add(array)
            return self.line("%s = %s + %s;" % (name, array, self.pick("3", "i / 2", "(unsigned)%s %% (N - 6)" % self.position(1))))
        name = self.fresh()
        value, array = self.near(1)
        text = self.line("shared %s*%s = %s;" % (SHARED_TYPES[array], name, value))
        if value not in dict(self.pointers) and self.rng.random() < 0.3:
            text += self.line("%s%s;" % (name, self.pick("++", " += 2", " += i % 3")))
        self.pointers.append((name, array))
        return text

    def element(self, depth):
        kind = self.rng.randrange(10)
        if kind > 7 and self.pointers:
            return self.at(self.pick(*self.pointers)[0], self.pick("0", "1", "i % 3"))
        kind %= 8
        if kind == 7:
            self.uses.add("rows")
            return "rows[%s].%s" % (self.position(depth), self.pick("more[i % 3]", "pairs[1].second", "pairs[(i + 1) % 2].first"))
        if kind == 0:
            self.uses.add("a1")
            return self.at("a1", self.position(depth))
        if kind == 1:
            self.uses.add("a2")
            return self.at("a2", self.position(depth))
        if kind == 2:
            self.uses.add("a3")
            return self.pick("(%s).%s", "(&%s)->%s") % (self.at("a3", self.position(depth)), self.pick("first", "second"))
        if kind == 3:
            self.uses.add("grid")
            return "grid[(%s) / 4][%s]" % (self.position(depth), self.pick("i % 4", "2", "(i + 1) % 4"))
        if kind == 4:
            array = self.pick("pointer", "held.list", "holder->list", "bundle.few[1].list", "whole->one->list")
            self.uses.add(array)
            return self.at(array, self.position(depth))
        if kind == 5:
            self.uses.add("a0")
            return self.at("a0", self.position(depth))
        return "own[(%s) %% 64]" % self.pick("i", *self.locals) if self.locals else "own[i % 64]"

    def reader(self, name, kind):
        """Returns the text of a function that reads an array, by its parameter or by its name, and the array."""
        if kind == "global":
            return "(unsigned i)\n{\n\treturn %s;\n}\n" % self.value(2), ""
        array = self.pick(*SHARED_TYPES)
        head = "(shared %s*p, unsigned v)\n" % SHARED_TYPES[array]
        same = [other for other, arrays in self.functions if arrays == array]
        if kind == "nested" and same:
            return head + "{\n\treturn %s(p, v) ^ %s(p, %s); /* p[v] */\n}\n" % (
                same[0], same[-1], self.pick("N - 1 - v", "v", "(unsigned)p[v] % N")), array
        return head + self.pick(
            "{\n\treturn p[v]; // p\n}\n",
            "{ return v < N / 2 ? p[v] : p[N - 1 - v] + 1; }\n",
            "{\n\tunsigned n = 0;\n\twhile ((unsigned)p[v] % 3 && n < 4) {\n\t\tv = (unsigned)p[v] % N;\n\t\tn++;\n\t}\n\treturn v + n;\n}\n",
            "{\n\tunsigned sum = 0;\n\tfor (unsigned n = v; n < N && n < v + 3; n++)\n\t\tsum += p[n]\n\t\t\t* n;\n\treturn sum;\n}\n",
            "{\n\tif (v > 5)\n\t\treturn p[v - 5];\n\treturn (p)[v + 1] % 7u;\n}\n"), array

    def same_node_function(self, depth):
        """Returns a call of a function that reads elements starting at an address."""
        value, array = self.near(depth)
        head = "(shared %s*p, unsigned v)\n" % SHARED_TYPES[array]
        inner = "near%d_%d" % (self.seed, len(self.function_texts))
        self.function_texts += "static unsigned %s%s{\n\treturn %s;\n}\n" % (inner, head, self.pick(
            "*p + v", "p[v % 3]", "v > 5 ? *(p + 1) : p[0]"))
        name = "near%d_%d" % (self.seed, len(self.function_texts))
        self.function_texts += "static unsigned %s%s{\n%s}\n" % (name, head, self.pick(
            "\treturn %s(p, v) - p[v & 1];\n" % inner,
            "\treturn %s(p + v %% 2, 1) ^ %s(&p[1], v);\n" % (inner, inner),
            "\tshared %s*q = p, *r = &q[v %% 2];\n\tq += v & 1;\n\treturn *q + *r + %s(r, v);\n" % (SHARED_TYPES[array], inner)))
        return "%s(%s, %s)" % (name, value, self.value(depth))

    def function(self, depth):
        """Returns a call of a function that reads shared memory: of a new one or one that is called elsewhere."""
        if self.in_function:
            return "i"
        if self.rng.random() < 0.4:
            return self.same_node_function(depth)
        if len(self.functions) < 3 and self.rng.random() < 0.7:
            name = "read%d_%d" % (self.seed, len(self.functions))
            saved, self.locals, self.pointers, self.in_function = (self.locals, self.pointers), [], [], True
            text, array = self.reader(name, self.pick("global", "parameter", "parameter", "nested"))
            (self.locals, self.pointers), self.in_function = saved, False
            self.function_texts += "static unsigned %s%s\n" % (name, text)
            self.functions.append((name, array))
        if not self.functions:
            return "i"
        name, array = self.pick(*self.functions)
        if not array:
            return "%s(%s)" % (name, self.position(depth))
        if array in ("a0", "permutation", "reversed"):
            array = self.pick("a0", "permutation", "reversed")
        self.uses.add(array)
        return "%s(%s, %s)" % (name, array, self.position(depth))

    def writer(self, text, out):
        """Returns a statement that calls a function which writes an element that no other iteration writes."""
        name = "write%d_%d" % (self.seed, len(self.function_texts))
        self.function_texts += "static void %s(shared %s, unsigned at, unsigned by)\n{\n\t%s\n}\n\n" % (
            name, "[5] unsigned *q" if out == "o2" else "struct pair *q", text)
        return self.line("%s(%s, %s, %s);" % (name, out, self.pick("i", "permutation[i]") if self.written[out] != "own" else "i",
            self.value(2)))

    def value(self, depth):
        kind = self.rng.randrange(11)
        if depth <= 0:
            return self.pick("i", str(self.rng.randrange(100)), "SEVEN", *self.locals)
        if kind == 10:
            return self.function(depth - 1)
        if kind < 4:
            return self.element(depth - 1)
        if kind == 4:
            return "LARGER(%s, %s)" % (self.value(depth - 1), self.value(depth - 1))
        if kind == 5:
            return "(%s ? %s : %s)" % (self.condition(depth - 1), self.value(depth - 1), self.value(depth - 1))
        if kind == 6:
            return "(unsigned)(%s)" % self.value(depth - 1)
        return "(%s %s %s)" % (self.value(depth - 1), self.pick("+", "*", "^", "-", "|"), self.value(depth - 1))

    def loose(self, depth):
        """Returns a value without parentheses around it."""
        return "%s %s %s" % (self.value(depth - 1), self.pick("+", "^", "-", "|", "<", "=="), self.value(depth - 1))

    def condition(self, depth):
        kind = self.rng.randrange(6)
        if kind == 0:
            return "(%s && %s)" % (self.condition(depth - 1), self.condition(depth - 1)) if depth > 0 else "i > 2"
        if kind == 1:
            return "(%s || %s)" % (self.condition(depth - 1), self.condition(depth - 1)) if depth > 0 else "i < 9"
        if kind == 2:
            return "is_odd(%s)" % self.pick("i", "i + 1", *self.locals)
        return "(unsigned)(%s) %% 5 %s %d" % (self.value(depth), self.pick("<", ">", "==", "!="), self.rng.randrange(4))

    def comment(self):
        return self.pick("", "", "", " /* y[i] = \"{ */", " // upc_barrier; }", "  ", "\t/* two\n   lines */")

    def line(self, text):
        return self.unit * (self.depth + 1) + text + self.comment() + "\n"

    def block(self, make, braces=True):
        saved = list(self.locals), list(self.pointers)
        self.depth += 1
        text = make()
        self.depth -= 1
        self.locals, self.pointers = saved
        return text

    def put(self):
        """Returns a write to an element that no other iteration writes, or to which all write the same value."""
        out = self.pick("o0", "o1", "o2", "o3", "o4")
        if out in self.written:
            style = self.written[out]
        else:
            style = self.written[out] = self.pick("own", "own", "permuted", "alike")
            if out == "o4":
                style = self.written[out] = self.pick("own", "permuted", "alike", "member")
        self.uses.add(out)
        if out == "o4" and style == "member":
            self.uses.add("permutation")
            if self.rng.random() < 0.3:
                text = self.writer(self.pick("q[at].first = by;", "q[at].first += by + q[at].second;"), out)
                return text.replace("(o4, i,", "(o4, permutation[i],")
            return self.line("o4[permutation[i]].first %s %s;" % (self.pick("=", "=", "+="), self.loose(2)))
        if out == "o2" and style == "own" and self.rng.random() < 0.3:
            return self.writer(self.pick("q[at] = by + 1;", "q[at] ^= by;", "if (by % 2)\n\t\tq[at] = by;\n\telse\n\t\tq[at]++;"), out)
        if style == "own":
            if out == "o3":
                return self.line("o3[i / 4][i %% 4] %s %s;" % (self.pick("=", "=", "+=", "^="), self.loose(2)))
            if out == "o4":
                self.count += 1
                if self.rng.random() < 0.5:
                    return self.line("o4[i].%s %s %s;" % (self.pick("first", "second"), self.pick("=", "+="), self.loose(2)))
                return self.line("o4[i] = a3[%s];" % self.position(2)) if self.uses.add("a3") is None else ""
            if self.rng.random() < 0.2:
                name = self.fresh()
                return self.line("shared %s*%s = %s;" % ({"o0": "[2] unsigned long ", "o1": "unsigned ", "o2": "[5] unsigned "}[out],
                    name, self.pick("&%s[i]", "%s + i") % out)) + self.line("%s = %s;" % (self.pick("*%s", "%s[0]") % name, self.value(2)))
            if self.rng.random() < 0.2:
                return self.line("(%s)%s;" % (self.at(out, "i"), self.pick("++", "--")))
            if self.rng.random() < 0.1:
                return self.line("%s[i] <<= 3 & %s;" % (out, self.value(2)))
            if self.rng.random() < 0.3:
                return self.line(self.pick("PUT(%s, %s);", "UPDATE(%s, ^=, %s);", "UPDATE(%s, =, %s);") % (self.at(out, "i"), self.loose(2)))
            return self.line("%s %s %s;" % (self.at(out, "i"), self.pick("=", "=", "+=", "-=", "*=", "|="), self.loose(2)))
        if style == "permuted":
            self.uses.add("permutation")
            if out == "o3":
                return self.line("o3[permutation[i] / 4][permutation[i] % 4] = " + self.value(2) + ";")
            if out == "o4":
                self.uses.add("a3")
                return self.line("o4[permutation[i]] = a3[%s];" % self.position(1))
            return self.line("%s[permutation[i]] = %s;" % (out, self.value(2)))
        at = "(unsigned)(%s) %% N" % self.value(1)
        if out in ("o3", "o4"):
            return self.line("%s = 5;" % ("o3[(%s) / 4][0]" % at if out == "o3" else "o4[%s].first" % "i"))
        name = self.fresh()
        text = self.line("unsigned %s = %s;" % (name, at))
        return text + self.line("%s[%s] = %s * 3;" % (out, name, name))

    def statement(self, depth):
        kind = self.rng.randrange(13)
        if kind > 10:
            return self.declare_pointer()
        if kind < 2:
            name = self.fresh()
            text = self.line("unsigned %s = %s;" % (name, self.value(3)))
            self.locals.append(name)
            return text
        if kind == 2 and self.locals:
            return self.line("%s %s %s;" % (self.pick(*self.locals), self.pick("=", "+=", "^="), self.value(2)))
        if kind == 3:
            self.results = True
            return self.line("sum += %s;" % self.value(3))
        if kind == 4 and depth > 0:
            text = self.line("if (%s) {" % self.condition(2)) + self.block(lambda: self.body(depth - 1))
            if self.rng.random() < 0.5:
                text += self.line("} else {") + self.block(lambda: self.body(depth - 1))
            return text + self.line("}")
        if kind == 5 and depth > 0:
            name = self.pick("k", self.fresh())
            if name in self.counters:
                return ""
            start = "" if name == "k" else "unsigned "
            head = "for (%s%s = %s; %s < %s; %s++) {" % (start, name, self.pick("0", "1", "i % 3"), name,
                self.pick("3", "4u", "(unsigned)%s %% 5" % self.element(1)), name)
            saved = list(self.locals)
            self.counters.append(name)
            if self.rng.random() < 0.3: # this thread executes all of its iterations
                head = "upc_forall" + head[3:].replace(") {", "; %s) {" % self.pick(name, "&a0[%s]" % name, "&a1[i]", "continue", "") )
            text = self.line(head)
            self.locals.append(name)
            text += self.protected(name, depth)
            self.counters.pop()
            self.locals = saved
            return text + self.line("}")
        if kind == 6 and depth > 0:
            name = self.fresh()
            text = self.line("unsigned %s = %s %% 6;" % (name, self.pick("i", "(unsigned)" + self.element(1))))
            text += self.line("while (%s > %s) {" % (name, self.pick("0", "2", "(unsigned)%s %% 3" % self.element(1))))
            self.locals.append(name)
            inner = self.block(lambda: "".join(self.sum_of(name) for _ in range(2)))
            self.depth += 1
            inner += self.line("%s--;" % name)
            self.depth -= 1
            return text + inner + self.line("}")
        if kind == 7 and self.rng.random() < 0.3:
            return self.line("if (%s)" % self.condition(1)) + self.unit + self.line("continue;")
        return self.put()

    def sum_of(self, name):
        self.results = True
        return self.line("sum += %s;" % self.element(2).replace("i %", name + " %", 1))

    def protected(self, name, depth):
        """Returns the body of a for, which does not change its variable, and in which nothing is written twice."""
        return self.block(lambda: self.sum_of(name) + ("" if depth < 2 else self.sum_of(name)))

    def body(self, depth):
        return "".join(self.statement(depth) for _ in range(self.rng.randrange(1, 4)))

    def header(self):
        step = self.pick(1, 1, 1, 2, 3)
        kind = self.index_type
        down = self.rng.random() < 0.25 and kind in ("int", "long")
        declare = "" if self.outside else kind + " "
        self.affinity = self.pick("i", "&o0[i]", "&o1[i]", "&a2[i]", "&o2[i]", "&a3[i]", "&permutation[i]", "i + 1", "&o3[i / 4][0]",
            "&(a1[i])")
        if down:
            test = self.pick("i >= 0", "i > 0", "0 <= i", "i >= (int)start")
            change = "i--" if step == 1 else "i -= %d" % step
            begin = self.pick("N - 1", "N - 1 - (int)start")
        else:
            test = self.pick("i < N", "i < N", "i <= N - 1", "N > i", "i < N - (int)start", "i != N" if step == 1 else "i < N")
            plain = ["i++", "++i"] if "!=" in test else ["i++", "++i", "i += 1"]
            change = self.pick(*plain) if step == 1 else "i += %d" % step
            begin = "0" if "!=" in test else self.pick("0", "1", "start")
        space = self.pick("", " ")
        return "upc_forall%s(%si = %s;%s%s; %s; %s)" % (space, declare, begin, self.pick("", " "), test, change, self.affinity)

    def make(self):
        self.written, self.counters = {}, []
        head = self.header()
        self.depth = 1
        body = "".join(self.statement(2) for _ in range(self.rng.randrange(2, 6)))
        self.depth = 0
        style = self.rng.randrange(4)
        text = self.line(head + " {") if style else self.line(head) + self.line("{")
        text += body + self.line("}").rstrip("\n \t") + "\n"
        declared = self.unit + "%s i = 0;\n" % self.index_type if self.outside else ""
        self.text = self.function_texts + ("static void loop%d(unsigned start)\n{\n" % self.seed + self.unit + "unsigned long sum = 0;\n" + self.unit +
                     "unsigned k = 1;\n" + declared + text + self.unit + "upc_barrier;\n" + self.unit +
                     "show(%d, sum + 3 * k%s);\n}\n" % (self.seed, " + i" if self.outside else ""))
        # Avoids warnings of -Wunused.
        candidates = sorted(v for v in self.uses)
        self.rng.shuffle(candidates)
        self.variables = candidates[:self.rng.randrange(1, 5)]
        self.options = []
        if self.rng.random() < 0.5:
            self.options += ["--policy", self.pick("first", "priority", "arbitrary")]
        if self.rng.random() < 0.7:
            self.options += ["--chunk", str(self.pick(1, 2, 3, 5, 8, 20, 1000))]


def program(loops):
    text = PRELUDE + "".join("\n" + loop.text for loop in loops)
    text += "\nint main(void)\n{\n\tpointer = (shared unsigned *)upc_all_alloc(N, sizeof(unsigned));\n"
    text += "\theld.list = (shared unsigned *)upc_all_alloc(N, sizeof(unsigned));\n"
    text += "\theld.in.deep = (shared [3] int *)upc_all_alloc(N / 3, 3 * sizeof(int));\n"
    text += "\tbundle.one = holder;\n"
    text += "\tbundle.few[1].list = (shared unsigned *)upc_all_alloc(N, sizeof(unsigned));\n"
    text += "\tbundle.few[0].in.deep = (shared [3] int *)upc_all_alloc(N / 3, 3 * sizeof(int));\n"
    for loop in loops:
        text += "\tfill(%d);\n\tloop%d(%d);\n" % (loop.seed % 1000, loop.seed, loop.seed % 3)
    return text + "\treturn 0;\n}\n"


class Failed(Exception):
    pass


def call(words, **more):
    return subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=PATIENCE, check=False, **more)


def refusals_allowed(message):
    return any(part in message for part in (
        "may be the same memory", "may read elements", "only accessed where it is local", "does not access",
        "a part of an element"))


def place(path, loop):
    with open(path, newline="") as file:
        text = file.read()
    start = text.index("static void loop%d(" % loop.seed)
    return "%s:%d" % (path, text.count("\n", 0, text.index("upc_forall", start)) + 1)


def tune(options, path, loop, out):
    """Changes one loop; returns True if it was changed."""
    words = [options.heddle, "tune", path, "--loop", place(path, loop), "--variable", ",".join(loop.variables),
             "--no-alias", "-o", out] + loop.options
    done = call(words)
    if done.returncode == 0:
        return True
    if done.returncode == 9 and refusals_allowed(done.stdout):
        options.refused += 1
        return False
    raise Failed("%s\nended with %d: %s" % (" ".join(words), done.returncode, done.stdout))


def tune_all(options, path, loops, out):
    """Changes all loops at once; returns True if any was changed. A loop may lack variables that are meant for
    others."""
    variables = sorted(set(v for loop in loops for v in loop.variables))
    words = [options.heddle, "tune", path, "--variable", ",".join(variables), "--no-alias", "-o", out] + loops[0].options
    for loop in loops:
        words += ["--loop", place(path, loop)]
    done = call(words)
    lines = done.stdout.splitlines()
    changed = sum(set(line.split(": ")[-1].split(", ")) <= set(variables) for line in lines)
    if done.returncode != (0 if changed else 9) or changed + sum(map(refusals_allowed, lines)) < len(loops):
        raise Failed("%s\nended with %d: %s" % (" ".join(words), done.returncode, done.stdout))
    options.changed += changed
    options.refused += len(loops) - changed
    return changed > 0


def build(options, source, target):
    done = call([options.heddle, "upcc", "-O1", "-w", "-o", target, source])
    if done.returncode:
        raise Failed("%s is not compiled:\n%s" % (source, done.stdout))


def outputs(options, target):
    """Returns outputs by node size and threads. With node size 1, each thread's memory is far from the others."""
    results = {}
    for threads in THREADS if options.launcher else ():
        done = call(options.launcher.split() + ["-n", str(threads), target], env=dict(os.environ, UPC_NODE_SIZE="1"))
        results[options.launcher, threads] = (done.returncode, done.stdout)
    if options.launcher:
        return results
    for node in ("", "1"):
        for threads in THREADS:
            environment = dict(os.environ)
            environment.pop("UPC_NODE_SIZE", None)
            if node:
                environment["UPC_NODE_SIZE"] = node
            if node and threads == 1:
                continue
            done = call([target, "-n", str(threads), "-shared-heap", "64M"], env=environment)
            results[node, threads] = (done.returncode, done.stdout)
    return results


def compare(options, loops, keep):
    """Builds and runs the original and the changed program; raises Failed."""
    base = os.path.join(options.folder, keep)
    newline = "\r\n" if loops[0].seed % 5 == 0 else "\n"
    source = base + ".upc"
    with open(source, "w", newline="") as file:
        file.write(program(loops).replace("\n", newline))
    changed, number = source, 0
    together = loops[0].seed % 3 == 0 and len(loops) > 1
    if together:
        changed = base + "-all.upc"
        if os.path.exists(changed):
            os.remove(changed)
        if not tune_all(options, source, loops, changed):
            return
    for loop in [] if together else loops:
        number += 1
        out = "%s-%d.upc" % (base, number)
        if os.path.exists(out):
            os.remove(out)
        if tune(options, changed, loop, out):
            changed = out
            options.changed += 1
    if changed == source:
        return
    with open(changed, newline="") as file:
        text = file.read()
    if newline == "\r\n" and text.count("\n") != text.count("\r\n"):
        raise Failed("%s has lines that do not end with CR LF" % changed)
    build(options, source, base)
    build(options, changed, base + "-tuned")
    before, after = outputs(options, base), outputs(options, base + "-tuned")
    for key, expected in before.items():
        if expected[0]:
            raise Failed("the original fails on %s:\n%s" % (key, expected[1]))
        if after[key] != expected:
            raise Failed("%s on %s threads (node size '%s'): status %d, expected:\n%sfound:\n%s" % (
                changed, key[1], key[0], after[key][0], expected[1], after[key][1]))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("first", type=int)
    parser.add_argument("last", type=int)
    parser.add_argument("--heddle", required=True)
    parser.add_argument("--folder", required=True)
    parser.add_argument("--launcher", help="run with it: 'mpirun --oversubscribe'")
    options = parser.parse_args()
    options.refused = options.changed = 0
    bad = 0
    for first in range(options.first, options.last + 1, BATCH):
        seeds = range(first, min(first + BATCH, options.last + 1))
        loops = [Loop(seed) for seed in seeds]
        try:
            compare(options, loops, "batch")
            continue
        except Failed as problem:
            together = problem
        for loop in loops:  # find out which one it is
            try:
                compare(options, [loop], "seed%d" % loop.seed)
            except Failed as problem:
                bad += 1
                print("seed %d: --variable %s %s\n%s%s" % (
                    loop.seed, ",".join(loop.variables), " ".join(loop.options), loop.text, problem))
                break
        else:
            bad += 1
            print("seeds %d to %d together: %s" % (first, seeds[-1], together))
        if bad > 2:
            break
    print("%d loops changed, %d refused, %d failures" % (options.changed, options.refused, bad))
    if options.changed < (options.last - options.first) // 3:
        print("too few loops were changed")
        bad += 1
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
