#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# With a thousand threads, `heddle report --threads` aligns the names and the values.
. "$HEDDLE_SOURCE/tests/cli/measurement.sh"

mkdir many
{
	printf 'process program /opt/many\nprocess pid 100\nprocess duration_ns 9000000\n'
	printf 'module 1 1 - /nowhere/many\nnode 0 ROOT 0 0 0\nnode 0 FRAME 0 1 1000\n'
	awk 'BEGIN { for (i = 0; i < 1001; i++) printf "thread %d -1 %s\nvalue cpu-time 1 5000000\n", i, i ? "thread" : "main" }'
} | "$make_profile" many/a.heddle || exit 1
"$heddle" report many --threads --no-color >got
wide=$(grep -E '^100\.[0-9]+ +(main|thread) ' got | sed -E 's/^([^ ]+ +)[a-z]+( +)5\.00 ms.*/\1/' | awk '{ print length($0) }' | sort -u)
[ "$wide" = 9 ] || { echo "columns of names: $wide"; grep -E '^100\.(0|1000) ' got; failed=1; }
[ "$(grep -c '^100\.' got)" = 1001 ] || { echo "threads: $(grep -c '^100\.' got)"; failed=1; }
exit $failed
