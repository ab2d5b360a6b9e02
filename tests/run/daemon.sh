#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Processes that outlive the program that `heddle run` started: it reports that they still run, and their profiles are
# complete.
. "${BASH_SOURCE%/*}/lib.sh"

compile daemon daemon.c
length=0.3
export RELEASED=$work/released

last_line() { messages "$work/$1.err" | tail -n 1; }
says() { last_line "$1" | grep -qE -- "$2" || { last_line "$1"; false; }; }

# outlived HOW STATUS FILES SENTENCE BURNERS
outlived() {
	local how=$1 expected=$2 files=$3 sentence=$4 burners=$5
	rm -f "$RELEASED"
	measured "$how" "$work/daemon" "$how" "$length"
	: > "$RELEASED"
	expect "$how: its status" ended "$how" "exit $expected"
	expect "$how: the last line" says "$how" "$sentence"
	expect "$how: the directory is there" test -d "$work/$how.heddle.d"
	expect "$how: $files profiles" wait_until has_profiles "$how" "$files"
	folded "$how" --metric cpu-time
	expect "$how: $burners processes burned $length s each" between "$(awk -v n="$burners" -v s="$length" 'BEGIN { print n * s * .9e9 }')" \
		"$(path_sum "$how" '(^|;)burn_after(;|$)')" 1e12
}
outlived library 0 1 'daemon has ended, and 1 process that it started still runs: profiles will be written to' 1
outlived twice 0 3 'still runs?: ' 1
outlived chain 0 51 'still runs?: ' 1
outlived several 3 4 'measured [^ ]*daemon: [^ ]*, and 3 processes that it started still run: more profiles follow' 3
expect "several: its output" grep -qx '3 children' "$work/several.out"
outlived exec 0 3 'still runs' 1

# While a process executes another program, the library is not loaded: on a busy machine, for long.
export SLOW=$work/fifo
mkfifo "$SLOW"
for delay in 0.4 3; do
	(sleep $delay && : > "$SLOW") &
	outlived slowly 0 3 'still runs' 1
done

# The launcher does not report running processes if all of the program's processes have ended.
measured alone "$work/daemon" work 0.1
expect "alone: the last line" says alone '^heddle: measured [^ ]*daemon: [^ ]*; see: '

# A process whose output directory was removed creates it again.
rm -f "$RELEASED"
measured removed "$work/daemon" library "$length"
rmdir "$work/removed.heddle.d"
: > "$RELEASED"
expect "removed: a profile" wait_until has_profiles removed 1
finish
