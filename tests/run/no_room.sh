#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Without a place to write, the program runs as without Heddle, which says so in one line.
. "${BASH_SOURCE%/*}/lib.sh"

small=$work/small
# shellcheck disable=SC2317 # called by the trap
unmount() { umount "$small" 2> /dev/null; cleanup; }
compile plain plain.c -DPERCENT=5
bare bare "$work/plain"

# unmeasured NAME: the program behaved as in `bare`, with one line of Heddle
unmeasured() {
	expect "$1: same outcome" ended "$1" "exit 0"
	expect "$1: it did its work" test "$(wc -l < "$work/$1.out")" = 2
	expect "$1: one line, not: $(grep '^heddle' "$work/$1.err")" test "$(heddle_lines "$1")" = 1
}

# preloaded NAME OUTPUT: without the launcher, which would refuse to start
preloaded() { bare "$1" env LD_PRELOAD="$library" HEDDLE_SAMPLE_HZ=1000 HEDDLE_OUTPUT="$2" "$work/plain"; }

preloaded nowhere /proc/heddle-nowhere
unmeasured nowhere

# limited COMMAND...: files must not grow, but pipes may; leaves the outcome as `bare limited` would
limited() {
	(ulimit -f 0 && exec "$@") 2> >(cat > "$work/limited.err") | cat > "$work/limited.out"
	echo "exit ${PIPESTATUS[0]}" > "$work/limited.outcome"
}

# A limit on file sizes must not cause SIGXFSZ: the launcher refuses, the library leaves the program unmeasured.
limited "$heddle" run --sample-hz 1000 -o "$work/limited.heddle.d" -- "$work/plain"
expect "limited file size: refused before the start" ended limited "exit 6"
expect "limited file size: the program did not run" test ! -s "$work/limited.out"
expect "limited file size: one line" test "$(heddle_lines limited)" = 1
mkdir "$work/limited"
limited env LD_PRELOAD="$library" HEDDLE_SAMPLE_HZ=1000 HEDDLE_OUTPUT="$work/limited" "$work/plain"
unmeasured limited
expect "limited file size: no broken file" test -z "$(find "$work/limited" -name '*.heddle')"

if [ "$(id -u)" != 0 ]; then
	echo "full and read-only file systems not tried: mounting one needs root"
elif ! { mkdir "$small" && mount -t tmpfs -o size=64k tmpfs "$small"; } 2> /dev/null; then
	echo "full and read-only file systems not tried: no mounting here"
else
	trap unmount EXIT
	mkdir "$small/full" "$small/read-only"
	dd if=/dev/zero of="$small/filler" bs=4k 2> /dev/null
	preloaded full "$small/full"
	unmeasured full
	expect "full: no broken file is left" test -z "$(find "$small/full" -name '*.heddle')"
	mount -o remount,ro "$small"
	preloaded read-only "$small/read-only"
	unmeasured read-only
fi
finish
