#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# `heddle report`: its text in all forms, and what it refuses.
. "$HEDDLE_SOURCE/tests/cli/measurement.sh"

check report_tree "$heddle" report m
check report_tree_min_0 "$heddle" report m --min 0
check report_tree_depth "$heddle" report m --depth=2
check report_tree_samples "$heddle" report m --tree --metric samples
check report_tree_runtime_frames "$heddle" report m --runtime-frames
check report_tree_one_file "$heddle" report m/b.heddle
check report_flat "$heddle" report --flat m
check report_flat_stats "$heddle" report --flat --stats m
check report_lines "$heddle" report --lines --min 5 m
check report_threads "$heddle" report --threads m
check report_tree_ascii env LC_ALL=C "$heddle" report m
check report_help "$heddle" report --help

head -c 100 m/a.heddle >m/c.heddle
check report_broken_file_left_out "$heddle" report m --threads
rm m/c.heddle

# Events on a path without samples.
mkdir unsampled
{
	process 100
	printf 'node 4 REGION 4 1 1400\nthread 0 0 main\nvalue samples 2 90\nvalue cpu-time 2 90000000\nvalue visits 10 7\n'
} | "$make_profile" unsampled/a.heddle
"$heddle" report --min 0 unsampled | grep -q ' 7 .*omp barrier @cg+0x1400' ||
	{ echo "--min 0 hides visits without samples"; "$heddle" report --min 0 unsampled; failed=1; }

# A short table is shown completely, unless --min is given.
"$heddle" report --flat m | grep -q hidden && { echo "rows of a short table are hidden"; failed=1; }
"$heddle" report --flat --min 1 m | grep -q '^2 functions below 1 % hidden' || { echo "--min 1 hides nothing"; failed=1; }

# Each level of recursion, on request.
[ "$("$heddle" report --recursion m | grep -c 'cg+0x1300$')" -eq 2 ] || { echo "--recursion"; failed=1; }

mkdir notes
cp m/b.heddle notes/
{
	process 102
	printf 'process note %s\n' 'one more' 'no OpenMP context: the program uses libgomp' 'and one more'
} | "$make_profile" notes/c.heddle
"$heddle" report notes | sed -n 's/^note: //p' >got
printf '%s\n' 'no OpenMP context: the program uses libgomp' 'one more' 'and one more' \
	'/nowhere/cg is not on this machine: its functions are shown as addresses' | diff - got ||
	{ echo "^ notes"; failed=1; }

# Each signal is one sample, even if a few periods ended without a signal.
mkdir few
{
	process 102
	echo 'process samples_taken 1000'
	echo 'sampled-by 985 1000000000 perf task-clock'
} | "$make_profile" few/c.heddle
"$heddle" report few >got
grep -q ' 985 samples at 1000 Hz of CPU time (perf task-clock)' got || { echo "^ few"; head -n 4 got; failed=1; }

# At the kernel's tick, one signal accounted for several periods.
mkdir slow
{
	process 102
	echo 'process samples_taken 2454'
	echo 'sampled-by 528 2112000000 POSIX timer on thread CPU time'
} | "$make_profile" slow/c.heddle
"$heddle" report slow >got
grep -q ' 528 samples at 250 Hz of CPU time, 1000 asked (POSIX timer on thread CPU time)' got ||
	{ echo "^ slow"; head -n 4 got; failed=1; }

refuses 2 unknown "$heddle" report m --unknown
refuses 2 'needs an argument: PCT' "$heddle" report m --min
refuses 2 'needs an argument: NAME' "$heddle" report m --metric=
refuses 2 '--min' "$heddle" report m --min 101
refuses 2 '--depth' "$heddle" report m --depth none
refuses 2 'takes no argument' "$heddle" report m --flat=yes
refuses 2 "unexpected argument 'm'" "$heddle" report m m
refuses 2 "--metric: 'nonsense' is unknown" "$heddle" report m --metric nonsense
refuses 7 'no values in m' "$heddle" report m --metric wall-time
refuses 3 'does not exist' "$heddle" report nowhere
mkdir empty
advises() { grep -q "$1" err || { echo "not '$1' but:"; cat err; failed=1; }; }
refuses 3 'contains no profile' "$heddle" report empty
advises 'the program may still run'
touch empty/.part
refuses 3 'contains no profile' "$heddle" report empty
advises 'the program may still run'
touch empty/thesis.txt
refuses 3 'contains other files but no profile' "$heddle" report empty
advises 'give the directory'
ln -s loop loop
refuses 3 'cannot be read (too many levels of symbolic links)' "$heddle" report loop
head -c 300 m/a.heddle >cut.heddle
refuses 4 'is truncated' "$heddle" report cut.heddle
refuses 4 'not a profile' "$heddle" report "$heddle"
cp m/a.heddle damaged.heddle
printf X | dd of=damaged.heddle bs=1 seek=60 conv=notrunc 2>/dev/null
refuses 4 'damaged' "$heddle" report damaged.heddle
echo "version 9" | "$make_profile" newer.heddle
refuses 5 'newer Heddle' "$heddle" report newer.heddle
refuses 2 "unknown command 'reprot', did you mean 'report'" "$heddle" reprot m
refuses 2 "unknown option '--flaat', did you mean '--flat'" "$heddle" report --flaat=1 m
# A source without accesses is not listed with zeros.
echo 'int plain;' >plain.c
"$heddle" report m --annotate plain.c >out && grep -q '^No shared-memory accesses were recorded' out && ! grep -q plain out ||
	{ echo "--annotate without accesses:"; cat out; failed=1; }
if [ -w /dev/full ]; then
	"$heddle" report m >/dev/full 2>err
	[ $? -eq 6 ] && grep -q "^heddle: can't write" err || { echo "a full disk goes unnoticed"; cat err; failed=1; }
fi
if command -v zstd >/dev/null; then
	"$heddle" report m >plain
	zstd -q --rm m/a.heddle
	"$heddle" report m | cmp - plain || { echo "the report of a compressed file differs"; failed=1; }
fi

# Fifty successive threads, of which only the sum is known, and one thread beside them; also merged.
mkdir successors
{
	process 100
	printf 'thread 0 -1 main\nvalue cpu-time 2 3000000\n'
	printf 'thread 1 -1 thread\nthread-field threads 50\nvalue cpu-time 5 507000000\n'
} | "$make_profile" successors/a.heddle || exit 1
check report_successors_stats "$heddle" report successors --stats
check report_successors_flat_stats "$heddle" report successors --flat --stats
"$heddle" merge successors -o successors.heddle || failed=1
for how in --stats "--flat --stats"; do
	# shellcheck disable=SC2086 # several words
	"$heddle" report successors $how | sed 1,2d >separate && "$heddle" report successors.heddle $how | sed 1,2d >merged
	diff -u separate merged || { echo "merged: $how"; failed=1; }
done

exit $failed
