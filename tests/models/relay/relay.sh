#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# A made-up model, known only to its own folder, is shown correctly: names of ranks, waiting, the state of its runtime,
# and the function that its compiler outlined; in the report, by threads, folded, for speedscope, and after a merge.
set -eu
heddle=$HEDDLE_BUILD/bin/heddle
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0

expect() { # message, extended regular expression, file
	grep -qE -- "$2" "$3" || { echo "FAILED: $1: nothing like /$2/ in:"; cat "$3"; bad=1; }
}
refuse() {
	! grep -qE -- "$2" "$3" || { echo "FAILED: $1: /$2/ in:"; cat "$3"; bad=1; }
}

line() { awk -v text="$1" 'index($0, text) { print NR; exit }' "$HEDDLE_SOURCE/tests/models/relay/ring.c"; }
each="relay each @ring.c:$(line 'relay_each(2')"
exchange="relay exchange @ring.c:$(line 'relay_exchange(rank')"

timeout "${HEDDLE_TEST_SECONDS:-240}" env HEDDLE_OUTPUT="$work/ring" HEDDLE_SAMPLE_HZ=1000 LD_PRELOAD="$HEDDLE_BUILD/lib/libheddle_relay.so" \
	"$HEDDLE_BUILD/tests/relay_ring" >"$work/out"
[ "$(cat "$work/out")" = 4 ]
[ "$(find "$work/ring" -name '*.heddle' | wc -l)" -eq 3 ]
"$heddle" merge "$work/ring" -o "$work/merged.heddle"

for what in "$work/ring" "$work/merged.heddle"; do
	"$heddle" report "$what" >"$work/report"
	expect "the outlined function is of main" "─ $each\$" "$work/report"
	expect "the state of the runtime" '─ \[relay overhead\]$' "$work/report"
	refuse "the outlined function or the runtime itself" 'relayed|relay_(pack|each|exchange)' "$work/report"

	"$heddle" report --threads "$what" >"$work/threads"
	for rank in 0 1 2; do
		expect "rank $rank" "^relay rank $rank " "$work/threads"
	done
	expect "who worked longest" '^imbalance: rank 0 worked' "$work/threads"

	# Ranks 1 and 2 wait for rank 0 for most of their time; only elapsed time shows that.
	"$heddle" report --threads --metric wall-time "$what" >"$work/waits"
	expect "a column for the wait" '^thread .* collect' "$work/waits"

	"$heddle" export --format folded "$what" >"$work/folded"
	expect "the loop's body" "^main;$each;spin [0-9]+\$" "$work/folded"
	refuse "the outlined function or the runtime itself" 'relayed|relay_(pack|each)' "$work/folded"
	"$heddle" export --format folded --metric waiting "$what" >"$work/waiting"
	expect "waiting of at least a tenth of a second" "^main;$exchange [0-9]{9,}\$" "$work/waiting"
done

"$heddle" export --format folded --runtime-frames "$work/ring" >"$work/all"
expect "all frames on demand" "main;$each;relay_each;main.relayed.1;spin " "$work/all"
"$heddle" export --format speedscope "$work/ring" >"$work/speedscope"
expect "a rank's profile" '"name":"rank 2, thread 0 of process [0-9]+"' "$work/speedscope"
exit $bad
