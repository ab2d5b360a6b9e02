#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Functions with less time of their own than --inst-min-time are switched off: each call is counted as a visit or as an
# uncounted call, in any thread and in a child. Other functions are unchanged, and no time is lost.
. "${BASH_SOURCE%/*}/lib.sh"

# calls NAME FUNCTION: visits and uncounted calls below both(), by function
calls() {
	awk -v f="$2" '/(^|;)both;/ { n = split($1, at, ";"); if (at[n] == f) sum += $2 } END { print sum + 0 }' \
		"$work/$1.visits" "$work/$1.uncounted-calls"
}
exported() {
	local metric
	for metric in visits uncounted-calls wall-time; do
		"$heddle" export --format folded --metric $metric "$work/$1.heddle.d" > "$work/$1.$metric" 2> "$work/$1.none" || true
	done
}
all_counted() {
	local function count wrong=0
	while read -r function count; do
		[ "$(calls "$1" "$function")" = "$count" ] || { echo "  $1: $function $(calls "$1" "$function"), not $count"; wrong=1; }
	done < "$work/$1.out"
	return "$wrong"
}
sum_in() { awk -v r="$3" '$1 ~ r { sum += $NF } END { printf "%d\n", sum }' "$work/$1.$2"; }
says() { grep -q "$2" "$work/$1"; }

for compiler in gcc "$HEDDLE_CLANG"; do
	command -v "$compiler" > /dev/null || continue
	for level in -O0 -O2; do
		CC=$compiler compile "brief$compiler$level" brief.c -finstrument-functions -fno-omit-frame-pointer $level
	done
done

simulate
for program in "$work"/brief*; do
	for hz in 0 1000; do
		name=simulated$hz${program##*/brief}
		run_options=(--inst-min-time 200ns)
		measured "$name" "$program"
		exported "$name"
		expect "$name: ends as without Heddle" ended "$name" "exit 0"
		expect "$name: all calls" all_counted "$name"
		expect "$name: slow is measured" [ "$(sum_in "$name" visits ';slow$')" = 9000 ]
		expect "$name: slow is not switched off" [ "$(sum_in "$name" uncounted-calls ';slow$')" = 0 ]
		expect "$name: tiny is switched off after 1024 calls of a thread (the third has the second's context)" \
			[ "$(sum_in "$name" visits ';both;work;tiny$') $(sum_in "$name" uncounted-calls ';both;work;tiny$') $(
				sum_in "$name" uncounted-calls ';slow;tiny$')" = "2048 6952 9000" ]
		expect "$name: in a child, too, with counts of its own" \
			[ "$(sum_in "$name" uncounted-calls '^main;work;tiny$')" = 100 ]
		expect "$name: a recursion is switched off while 16 of 40 levels are open" [ "$(sum_in "$name" uncounted-calls ';down$')" = 6920 ]
		[ "$hz" != 0 ] || expect "$name: all time of the three is charged" [ "$(sum_in "$name" wall-time '(^|;)both(;|$)')" = $((3 * 3000 * 1220)) ]
		"$heddle" info "$work/$name.heddle.d" > "$work/$name.info"
		"$heddle" report "$work/$name.heddle.d" > "$work/$name.report"
		for said in info report; do
			expect "$name: $said names them" says "$name.$said" "calls of [0-9]* functions were not measured"
			expect "$name: $said names them all" says "$name.$said" "tiny ([0-9,]*)"
		done
	done
done

# On the real clock, the machine's speed decides what is switched off, but no call is lost.
runner=$heddle
for program in "$work"/brief*; do
	for least in 1ns 60s; do
		name=real$least${program##*/brief}
		run_options=(--inst-min-time "$least")
		measured "$name" "$program"
		exported "$name"
		expect "$name: all calls" all_counted "$name"
	done
	expect "$name: slow is switched off for some calls" [ "$(sum_in "$name" uncounted-calls ';slow$')" -gt 0 ]
done

run_options=()
measured without "$program"
exported without
expect "without the option: all calls are visits" all_counted without
expect "without the option: nothing is switched off" [ ! -s "$work/without.uncounted" ]
run_options=(--inst-min-time 0)
measured bad "$program"
expect "a wrong time is refused" says bad.err "'0' is not a time above 0"
finish
