#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Random structures and unions in shared memory, passed to functions by value in many ways.

by_value.py SEED prints a program. With -DCOPIED, the program first reads each value into a private variable: it must
print the same, and send the same events for values passed in memory. It compares each value with the one stored.
"""
import random
import sys

SCALARS = ("char", "short", "int", "long", "float", "double", "long double", "unsigned char", "_Complex double")

PRELUDE = """#include <upc.h>
#include <stdarg.h>
#include <stdio.h>
static int wrong;
static void check(int line, double found, double wanted)
{
	wrong += found != wanted;
	if (found != wanted)
		printf("%d: line %d: %g, not %g\\n", MYTHREAD, line, found, wanted);
}
#ifdef COPIED
#define VALUE(type, expression) ({ type copied = (expression); copied; })
#define STORE(type, place, expression) ({ type copied = (expression); (place) = copied; })
#else
#define VALUE(type, expression) expression
#define STORE(type, place, expression) ((place) = (expression))
#endif
#define NEXT ((MYTHREAD + 1) % THREADS)
"""


class Maker:
    """Makes the types of one program, each with functions that fill a value and sum it up."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.types = []
        self.text = []

    def members(self, depth):
        """Declarations of members, and the scalars of a value by their names in it."""
        declarations, leaves = [], []
        for number in range(self.random.randint(1, 4)):
            name = f"m{number}"
            bound = self.random.choice((0, 0, 2, 3, 5))
            within = self.types and depth and self.random.random() < 0.4
            inner = self.random.choice(self.types) if within else None
            kind = inner[0] if inner else self.random.choice(SCALARS)
            declarations.append(f"{kind} {name}{f'[{bound}]' if bound else ''};")
            places = [f"{name}[{i}]" for i in range(bound)] if bound else [name]
            leaves += [f"{place}.{leaf}" for place in places for leaf in inner[1]] if inner else places
        return declarations, leaves

    def add_type(self):
        number = len(self.types)
        union = self.random.random() < 0.25
        name = f"{'union' if union else 'struct'} t{number}"
        declarations, leaves = self.members(number)
        if union:
            leaves = [leaf for leaf in leaves if leaf.startswith("m0")]
        strict = self.random.choice(("", "", "strict "))
        suffix = self.random.choice(("", "", "", " __attribute__((packed))", " __attribute__((aligned(32)))"))
        self.text.append(f"{name} {{ {' '.join(declarations)} }}{suffix};")
        fill = " ".join(f"x.{leaf} = start + {i};" for i, leaf in enumerate(leaves))
        total = " + ".join(f"(double)x.{leaf}" for leaf in leaves)
        self.text += [
            f"static {name} make{number}(int start) {{ {name} x = {{0}}; {fill} return x; }}",
            f"__attribute__((noinline)) static double sum{number}({name} x) {{ return {total}; }}",
            f"double old{number}();",
            f"__attribute__((noinline)) static double va{number}(int n, ...) {{ va_list all; va_start(all, n);"
            f" {name} x = va_arg(all, {name}); va_end(all); return n + sum{number}(x); }}",
            f"__attribute__((noinline)) static {name} give{number}({strict}shared {name} *p) {{ return *p; }}",
            f"double (*volatile pointer{number})({name}) = sum{number};",
            f"struct h{number} {{ char c; {name} m; {name} e[3]; }};",
            f"{strict}shared {name} v{number}; {strict}shared [2] {name} a{number}[2 * THREADS];",
            f"shared struct h{number} o{number}[THREADS];",
            f"shared [] {name} *shared i{number};"]
        self.types.append((name, leaves, strict))

    def expressions(self, number):
        """How the value is reached, and on which start its members count."""
        return (("*q", 2), ("q[0]", 2), ("*(q + 1)", 3), (f"a{number}[2 * NEXT]", 2), (f"v{number}", 1), ("h->m", 4),
                ("h->e[1]", 5), ("(*h).m", 4), (f"o{number}[NEXT].m", 4), (f"o{number}[NEXT].e[1]", 5),
                ("*(h->e + 1)", 5), (f"*i{number}", 7), ("*z", 4), ("NEXT ? *q : q[0]", 2), ("(0, *q)", 2))

    def add_function(self, number):
        name, _, strict = self.types[number]
        lines = [f"double old{number}(n, x) int n; {name} x; {{ return n + sum{number}(x); }}",
                 f"static void run{number}(void)", "{",
                 f"{strict}shared [2] {name} *q = &a{number}[2 * NEXT];",
                 f"shared struct h{number} *h = &o{number}[NEXT];",
                 f"shared [] {name} *z = (shared [] {name} *)&h->m;",
                 f"if (MYTHREAD == 0) {{ STORE({name}, v{number}, make{number}(1));"
                 f" i{number} = (shared [] {name} *)upc_alloc(sizeof({name})); *i{number} = make{number}(7); }}",
                 f"STORE({name}, a{number}[2 * NEXT], make{number}(2));", f"STORE({name}, q[1], make{number}(3));",
                 f"STORE({name}, h->m, make{number}(4));", f"STORE({name}, h->e[1], make{number}(5));",
                 "upc_barrier;"]
        for expression, start in self.expressions(number):
            value = f"VALUE({name}, ({expression}))" if "?" in expression else f"VALUE({name}, {expression})"
            wanted = f"sum{number}(make{number}({start}))"
            call = self.random.choice((f"sum{number}({value})", f"sum{number}({value})", f"pointer{number}({value})",
                                       f"old{number}(0, {value})", f"va{number}(0, {value})"))
            lines.append(f"check(__LINE__, {call}, {wanted});")
        lines += [f"check(__LINE__, sum{number}(give{number}(&v{number})), sum{number}(make{number}(1)));",
                  "upc_barrier;", f"STORE({name}, h->e[2], give{number}(&v{number}));",
                  f"check(__LINE__, sum{number}(VALUE({name}, h->e[2])), sum{number}(make{number}(1)));",
                  "upc_barrier;", "}"]
        self.text += lines


def main():
    maker = Maker(int(sys.argv[1]))
    for _ in range(5):
        maker.add_type()
    for number in range(5):
        maker.add_function(number)
    runs = " ".join(f"run{number}();" for number in range(5))
    print(PRELUDE + "\n".join(maker.text) + f"\nint main(void)\n{{\n{runs}\nreturn wrong != 0;\n}}")


main()
