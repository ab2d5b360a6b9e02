#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# A signal that the program sends to its process group arrives once, though `heddle run` is in that group and forwards
# signals; signals that another process sends to `heddle run` are forwarded, SIGINT too.
. "${BASH_SOURCE%/*}/lib.sh"

need setsid
compile own_group own_group.c
bare alone setsid -w "$work/own_group"
expect "alone: each signal arrives once" test "$(cat "$work/alone.out")" = "1 1"
# Puts the launcher in the program's process group, which is not this script's.
bare group setsid -w "$heddle" run -o "$work/group.heddle.d" -- "$work/own_group"
expect "group: same outcome" ended group "exit 3"
expect "group: same output" same_output alone group

cat > "$work/told.sh" << 'END'
trap 'echo told; exit 4' USR1 INT
echo ready > ready
while :; do sleep 0.1; done
END
# told SIGNAL: sends it only to `heddle run`. A shell starts background jobs with SIGINT ignored.
told() {
	local launcher
	rm -f "$work/ready"
	(cd "$work" && exec env --default-signal=INT "$heddle" run -o "told.$1" -- bash told.sh > told.out 2> told.err) &
	launcher=$!
	wait_until test -e "$work/ready"
	kill "-$1" "$launcher"
	wait "$launcher"
	expect "forwarded SIG$1: ends as the program" test $? = 4
	expect "forwarded SIG$1: the program receives it" grep -qx told "$work/told.out"
}
told USR1
told INT

# Another process sends it to the whole group: the program has it once, as it has without `heddle run`.
compile counts_signals counts_signals.c
# to_group NAME SIGNAL COMMAND...: COMMAND leads a group of its own.
to_group() {
	local name=$1 signal=$2 leader
	shift 2
	rm -f "$work/$name.ready"
	setsid -w env --default-signal=INT,TERM "$@" "$work/counts_signals" "$work/$name.ready" > "$work/$name.out" 2> /dev/null &
	wait_until test -e "$work/$name.ready"
	leader=$(ps -o pgid= -p "$(pgrep -f "^$work/counts_signals $work/$name.ready")" | tr -d ' ')
	kill "-$signal" -- "-$leader"
	wait $!
	expect "to the group, $name: once" grep -qx '1 times' "$work/$name.out"
}
for signal in INT TERM; do
	to_group "bare.$signal" "$signal"
	to_group "measured.$signal" "$signal" "$heddle" run -o "$work/to_group.$signal" --
done
expect "nothing is left of it" sh -c '! pgrep -f "^$0 run -o $1/"' "$heddle" "$work"
finish
