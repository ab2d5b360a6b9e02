#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Nowhere to write: the program runs as it would alone, and Heddle says so in one line.
. "${BASH_SOURCE%/*}/lib.sh"

small=$work/small
# shellcheck disable=SC2317 # called by the trap
unmount() { umount "$small" 2> /dev/null; cleanup; }
compile plain plain.c
bare bare "$work/plain"

# unmeasured NAME: as bare, but for one line
unmeasured() {
	expect "$1: same outcome" ended "$1" "exit 0"
	expect "$1: it did its work" test "$(wc -l < "$work/$1.out")" = 2
	expect "$1: one line, not: $(grep '^heddle' "$work/$1.err")" test "$(heddle_lines "$1")" = 1
}

export HEDDLE_SAMPLE_HZ=1000 HEDDLE_OUTPUT=/proc/heddle-nowhere
LD_PRELOAD=$library bare nowhere "$work/plain"
unmeasured nowhere
unset HEDDLE_SAMPLE_HZ HEDDLE_OUTPUT

# A limit on file sizes must not become a SIGXFSZ of the program.
(ulimit -f 0 && exec "$heddle" run --sample-hz 1000 -o "$work/limited.heddle.d" -- "$work/plain") \
	2>&1 > /dev/null | cat > "$work/limited.err"
status=${PIPESTATUS[0]}
expect "limited file size: the program's own status, not $status" test "$status" = 0
expect "limited file size: one line" test "$(heddle_lines limited)" = 1
expect "limited file size: no broken file" test "$(profile_files limited)" = 0

if [ "$(id -u)" != 0 ]; then
	echo "full and read-only file systems not tried: mounting one needs root"
elif ! { mkdir "$small" && mount -t tmpfs -o size=64k tmpfs "$small"; } 2> /dev/null; then
	echo "full and read-only file systems not tried: no mounting here"
else
	trap unmount EXIT
	mkdir "$small/full" "$small/read-only"
	dd if=/dev/zero of="$small/filler" bs=4k 2> /dev/null
	HEDDLE_SAMPLE_HZ=1000 HEDDLE_OUTPUT=$small/full LD_PRELOAD=$library bare full "$work/plain"
	unmeasured full
	expect "full: no broken file is left" test -z "$(find "$small/full" -name '*.heddle')"
	mount -o remount,ro "$small"
	HEDDLE_SAMPLE_HZ=1000 HEDDLE_OUTPUT=$small/read-only LD_PRELOAD=$library bare read-only "$work/plain"
	unmeasured read-only
fi
finish
