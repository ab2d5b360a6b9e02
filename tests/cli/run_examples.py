#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""run_examples.py DOCUMENT: runs the examples of a document in SQL (on out.db) and in Python in the current directory,
and checks that the views and tables that it lists are those of the database."""
import re
import sqlite3
import sys

text = open(sys.argv[1], encoding="utf-8").read()
failures = 0
count = 0


def fail(*what):
    global failures
    failures += 1
    print(sys.argv[1] + ":", *what)


for program in re.findall(r"^```python\n(.*?)^```", text, re.M | re.S):
    count += 1
    names = {}
    exec(compile(program, sys.argv[1], "exec"), names)  # pylint: disable=exec-used
    if names["total"][0] <= 0:
        fail("the program's total is", names["total"][0])
for block in re.findall(r"^```sql\n(.*?)^```", text, re.M | re.S):
    database = sqlite3.connect("out.db")
    rows = []
    for statement in filter(str.strip, block.split(";\n")):
        count += 1
        try:
            rows = database.execute(statement).fetchall()
        except sqlite3.Error as error:
            fail(error, "in", statement)
            continue
        if not rows and not statement.startswith("ATTACH"):
            fail("no rows for", statement)
    database.close()
if "```sql" in text:
    for kind, heading in (("table", "## Tables"), ("view", "## Views")):
        there = {row[0] for row in sqlite3.connect("out.db").execute(
            "SELECT name FROM sqlite_master WHERE type = ? AND name NOT LIKE 'sqlite_%'", (kind,))} - {"about"}
        part = text.split(heading)[1].split("\n## ")[0]
        listed = set(re.findall(r"`(\w+)`", " ".join(
            line.split("|")[1] for line in part.splitlines() if line.startswith("| `"))))
        if listed != there:
            fail(heading, "lists", sorted(listed), "and there are", sorted(there))
if not count:
    fail("no example")
sys.exit(bool(failures))
