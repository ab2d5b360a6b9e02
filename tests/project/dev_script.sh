#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# ./dev: its tasks, its package table, and its refusal of what it does not know.
set -eu
cd "$HEDDLE_SOURCE"

for task in build demo test bench format lint help; do
	./dev help | grep -Eq "^  $task( |\$)" || { echo "./dev help does not name $task"; exit 1; }
done
if ./dev no-such-task >/dev/null 2>&1; then
	echo "./dev accepts an unknown task"
	exit 1
fi
grep -q './dev test --all' .ci/run
awk '!/^#/ && NF && (NF < 3 || $2 !~ /^(build|demo|test|bench|format|lint)$/) { print "bad line: " $0; bad = 1 } END { exit bad }' \
	cmake/debian-packages.txt
# Each line names a package once.
twice=$(awk '!/^#/ && NF { print $1 }' cmake/debian-packages.txt | sort | uniq -d)
[ -z "$twice" ] || { echo "listed twice: $twice"; exit 1; }
if command -v shellcheck >/dev/null; then
	shellcheck dev .ci/run
fi
