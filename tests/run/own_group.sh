#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# What a program sends to its own process group arrives once, though `heddle run` is in that group and forwards signals;
# what another process sends to `heddle run` is forwarded.
. "${BASH_SOURCE%/*}/lib.sh"

need setsid
compile own_group own_group.c
bare alone setsid -w "$work/own_group"
expect "alone: once each" test "$(cat "$work/alone.out")" = "1 1"
# The launcher is in the program's group, and not in this script's.
bare group setsid -w "$heddle" run -o "$work/group.heddle.d" -- "$work/own_group"
expect "group: same outcome" ended group "exit 3"
expect "group: same output" same_output alone group

cat > "$work/told.sh" << 'END'
trap 'echo told; exit 4' USR1
echo ready > ready
for _ in {1..600}; do sleep 0.1; done
END
(cd "$work" && exec "$heddle" run -o told.heddle.d -- bash told.sh > told.out 2> told.err) &
launcher=$!
for _ in {1..1200}; do
	[ -e "$work/ready" ] && break
	sleep 0.1
done
kill -USR1 "$launcher"
wait "$launcher"
expect "told: ends as the program" test $? = 4
expect "told: the program has it" grep -qx told "$work/told.out"
finish
