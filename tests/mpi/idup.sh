#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copies of a communicator are named in the order of their creation in all ranks, in whatever order they are used.
. "$HEDDLE_SOURCE/tests/mpi/lib.sh"
hz=0

# as_many JSON: each communicator sent and received equal numbers of bytes: one of two names 200, the other 400.
as_many() {
	python3 -c "
import collections, json
count = collections.Counter()
for row in json.load(open('$1'))['exchanges']:
	count[row['communicator'], row['kind']] += row['bytes']
by = sorted({name for name, kind in count if kind in ('sent', 'received')})
moved = sorted((count[name, 'sent'], count[name, 'received']) for name in by)
assert moved == [(200, 200), (400, 400)], count"
}

idup() {
	compile_mpi idup idup.c
	ranks "$mpi" 2 ./idup
	expect "$mpi: ends well" ended "$mpi" "exit 0"
	"$heddle" export "$mpi.heddle.d" --format json -o "$mpi.json"
	expect "$mpi: messages by each copy" as_many "$mpi.json"
}
for_each_mpi idup
finish
