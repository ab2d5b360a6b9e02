#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# With events alone, all time of a thread is charged: to the nanosecond on the simulated machine. On the real clock, the
# root's inclusive time is the wall time within 0.1 %, as ticks are converted to nanoseconds path by path.
. "${BASH_SOURCE%/*}/lib.sh"

numbers=$HEDDLE_BUILD/tests/numbers
hz=0
CC=gcc compile one_tree one_tree.c -finstrument-functions -fno-omit-frame-pointer
CC=gcc compile functions functions.c -finstrument-functions -fno-omit-frame-pointer
number() { awk -v key="$2" '$1 == key { print $2 }' "$work/$1.numbers"; }
# shellcheck disable=SC2317 # called by expect
near() { between "$(awk -v x="$2" 'BEGIN { printf "%.0f", x * .999 - 1000 }')" "$1" "$(awk -v x="$2" 'BEGIN { printf "%.0f", x * 1.001 + 1000 }')"; }

simulate # 60 ms in kernel and 40 in small; nothing else takes time
measured one_tree "$work/one_tree"
folded one_tree --metric wall-time
for part in kernel=60000000 small=40000000; do
	expect "one_tree: ns in ${part/=/: }" is_sum one_tree "^main;solve;${part%=*}(;|\$)" "${part#*=}"
done
expect "one_tree: all of it is main's" is_sum one_tree '^main(;|$)' 100000000
expect "one_tree: the paths' sum" is_sum one_tree . 100000000
runner=$heddle # the real clock

for name in one_tree functions; do
	measured "$name" "$work/$name"
	"$numbers" "$work/$name.heddle.d" > "$work/$name.numbers"
	expect "$name: the columns' sum is the threads' wall time" near "$(number "$name" wall-time)" "$(number "$name" threads_wall_ns)"
	folded "$name" --metric wall-time
	expect "$name: the paths' time" near "$(path_sum "$name" .)" "$(number "$name" threads_wall_ns)"
done
expect "the only thread's wall time is within the process's" \
	between 0 "$(number one_tree threads_wall_ns)" "$(number one_tree lasted_ns)"
expect "main's time is within the threads' time" between 0 "$(path_sum one_tree '^main(;|$)')" "$(number one_tree threads_wall_ns)"
finish
