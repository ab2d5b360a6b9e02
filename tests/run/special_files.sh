#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# FIFOs and directories in place of files that Heddle reads and writes: neither the measured program at its exit nor a
# command waits for the other end of a FIFO. Only the owner may access profiles and traces.
. "${BASH_SOURCE%/*}/trace_lib.sh"
seconds=$((seconds / 4)) # a hang never ends; all runs end at once

compile_events
# obstructed DIRECTORY OBSTACLE PROGRAM: puts the obstacle in place of a file that the program will write, and runs it.
cat > "$work/obstructed" << 'END'
#!/bin/sh
name=${3##*/}.$(uname -n).$$.heddle
case $2 in
fifo) mkfifo "$1/.$name.part" ;;
trace) mkfifo "$1/$name-trace" ;;
folder) mkdir "$1/.$name.part" ;;
link) ln -s "$1/elsewhere" "$1/.$name.part" ;;
esac
exec "$3" 1 2000
END
chmod +x "$work/obstructed"
bare bare "$work/trace_events" 1 2000

for what in fifo trace folder link; do
	for trace in "" --trace; do
		name=$what$trace
		run_options=()
		[ -z "$trace" ] || run_options=("$trace")
		measured "$name" "$work/obstructed" "$work/$name.heddle.d" "$what" "$work/trace_events"
		expect "$name: the program ends as without Heddle" test "$(outcome "$name")" = "$(outcome bare)"
		expect "$name: its output" same_output "$name" bare
		expect "$name: a profile, or one line why not" \
			test "$(find "$work/$name.heddle.d" -name 'trace_events.*.heddle' | wc -l)" = 1 -o "$(wc -l < "$work/$name.err")" -ge 1
		expect "$name: nothing is written through a link" test ! -e "$work/$name.heddle.d/elsewhere"
	done
done

# Only the owner can access files, even if the umask would allow more.
run_options=(--trace)
umask 000
measured open "$work/trace_events" 1 2000
umask 022
mode_of() { stat -c %a "$work/$1.heddle.d"/trace_events.*"$2"; }
expect "the profile's mode, not $(mode_of open .heddle)" test "$(mode_of open .heddle)" = 600
expect "the trace's mode, not $(mode_of open .heddle-trace)" test "$(mode_of open .heddle-trace)" = 600
in_time "$heddle" merge --drop-traces "$work/open.heddle.d" -o "$work/whole.heddle" > "$work/merge.out" 2>&1
expect "the merged profile's mode" test "$(stat -c %a "$work/whole.heddle")" = 600

# Commands that read print one line on stderr, and end.
fifo=$work/fifo
mkfifo "$fifo"
ends() {
	local name=$1
	shift
	in_time "$@" > "$work/reads.out" 2> "$work/reads.err" < /dev/null
	status=$?
	expect "$name: hangs" test $status != 124
	expect "$name: says something" test -s "$work/reads.err" -o -s "$work/reads.out"
}
mkdir "$work/of_fifos"
cp "$work/open.heddle.d"/trace_events.* "$work/of_fifos"
mkfifo "$work/of_fifos/other.heddle" "$work/of_fifos/other.heddle-trace"
for command in report info "export --format folded" "report --timeline" "report --annotate $fifo"; do
	read -ra words <<< "$command"
	ends "$command of a directory with FIFOs" "$heddle" "${words[@]}" "$work/of_fifos"
done
ends "report of a FIFO" "$heddle" report "$fifo"
ends "merge of a directory with FIFOs" "$heddle" merge --drop-traces "$work/of_fifos" -o "$work/whole2.heddle"
ends "diff of a FIFO" "$heddle" diff "$work/open.heddle.d" -- "$fifo"
ends "export to a FIFO that nobody reads" "$heddle" export "$work/open.heddle.d" --format folded -o "$fifo"
ends "report to a FIFO that nobody reads" "$heddle" report "$work/open.heddle.d" --html "$fifo"
ends "tune of a FIFO" "$heddle" tune "$work/open.heddle.d" "$fifo" -o "$work/tuned.upc"
ends "events of a FIFO" "$heddle" run --events "$fifo" -o "$work/events.heddle.d" -- "$work/trace_events" 1 2000
ends "events of a FIFO without heddle run" env HEDDLE_EVENTS="$fifo" HEDDLE_OUTPUT="$work/alone.heddle.d" \
	LD_PRELOAD="$library" "$work/trace_events" 1 2000
expect "a FIFO that somebody reads is written" test "$(in_time cat "$fifo" & sleep 1
	in_time "$heddle" export "$work/open.heddle.d" --format json -o "$fifo" > "$work/to_fifo" 2>&1)" != ""
finish
