#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Numbers of arguments of MPI functions: the table's (lines NAME COUNT in the first file) and those of a header."""
import re
import sys

table = dict(line.split() for line in open(sys.argv[1]))
text = re.sub(r'/\*.*?\*/', '', open(sys.argv[2]).read(), flags=re.S)
compared = wrong = 0
seen = set()
for found in re.finditer(r'\bint\s+(MPI_\w+)\s*\(', text):
    name, at, depth, commas = found[1], found.end(), 1, 0
    begin = at
    while depth and at < len(text):
        depth += {'(': 1, ')': -1}.get(text[at], 0)
        commas += text[at] == ',' and depth == 1
        at += 1
    arguments = text[begin:at - 1].strip()
    count = 0 if arguments in ('', 'void') else commas + 1
    if name not in table or name in seen:
        continue
    seen.add(name)
    compared += 1
    if int(table[name]) != count:
        print(f'{name}: the table has {table[name]} arguments, the header {count}')
        wrong += 1
print(f'{compared} compared, {wrong} wrong')
sys.exit(wrong != 0 or compared < 200)
