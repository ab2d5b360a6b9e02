#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# `heddle merge` by several ranks: if rank 0 cannot start, or a rank fails, all of them end with a non-zero status, and
# one of them prints one line.
# shellcheck disable=SC2086 # lists of process ids
. "$HEDDLE_SOURCE/tests/cli/measurement.sh"

complain() { echo "$*"; failed=1; }

start_ranks() { # ranks from to output
	rank=$2
	while [ "$rank" -le "$3" ]; do
		PMI_RANK=$rank PMI_SIZE=$1 timeout "${HEDDLE_TEST_SECONDS:-60}" "$heddle" merge "${input:-m}" -o "$4" >>out 2>>err &
		pids="$pids $!"
		rank=$((rank + 1))
	done
}
ends() { # word ranks output
	: >out
	: >err
	pids=
	start_ranks "$2" 0 $(($2 - 1)) "$3"
	for pid in $pids; do
		wait "$pid"
		got=$?
		case $got in
		0) complain "$1: a rank of $2 succeeded" ;;
		124) complain "$1: a rank of $2 waits forever" ;;
		esac
	done
	[ "$(wc -l <err)" -eq 1 ] && grep -q "$1" err && [ ! -s out ] || { complain "^ $1, $2 ranks, says"; cat err out; }
}

# The directory was left by merges that were killed: before anything was in it, with a file of some ranks, at work.
mkdir empty.heddle.parts some.heddle.parts
for ranks in 2 5; do
	ends 'another merge' $ranks empty.heddle
done
: >some.heddle.parts/rank-1
ends 'another merge' 3 some.heddle
pids=
start_ranks 3 0 1 killed.heddle
while [ ! -e killed.heddle.parts/rank-1 ] && kill -0 $pids; do sleep 0.02; done
kill $pids
wait $pids 2>/dev/null
for ranks in 2 3 5; do
	ends 'another merge' $ranks killed.heddle
done

# What is there, or where nothing can be made: not even root creates a file in /sys.
: >exists.heddle
ends 'exists.heddle exists' 3 exists.heddle
ends 'counted twice' 3 m/all.heddle
ends "can't make nowhere/all.heddle.parts" 3 nowhere/all.heddle
ends "can't make exists.heddle/all.heddle.parts" 3 exists.heddle/all.heddle
ends "can't make /sys/all.heddle.parts" 3 /sys/all.heddle
ls -d ./*.parts-* 2>/dev/null && complain "^ were left"

# A job at work is not disturbed by others, with more ranks or fewer. It begins when this script acts as its rank 2,
# and ends when the real one has started.
rm -r ./*.parts
pids=
start_ranks 3 0 1 work.heddle
while [ ! -e work.heddle.parts/rank-1 ] && kill -0 $pids; do sleep 0.02; done
: >work.heddle.parts/rank-2
while [ ! -e work.heddle.parts/started-3 ] && kill -0 $pids; do sleep 0.02; done
at_work=$pids
for ranks in 2 3 5; do
	ends 'another merge' $ranks work.heddle
done
rm work.heddle.parts/rank-2
: >err
pids=$at_work
start_ranks 3 2 2 work.heddle
for pid in $pids; do
	wait "$pid" || { complain "a job at work was ended"; cat err; }
done
"$heddle" merge m -o one.heddle >out
cmp one.heddle work.heddle || complain "^ a job at work"
[ -e work.heddle.parts ] && complain "a job at work left its parts"

# A full file system: rank 0 cannot make the directory; ranks cannot store their results, nor a file that says so.
mkdir full
cat >in_full <<'END2'
mount -t tmpfs -o nr_inodes=$1 none full || exit 1
pids=
for rank in 0 1; do
	PMI_RANK=$rank PMI_SIZE=2 timeout "${HEDDLE_TEST_SECONDS:-60}" "$2" merge m -o full/all.heddle &
	pids="$pids $!"
done
for pid in $pids; do
	wait $pid
	echo $? >&3
done
END2
if unshare -rm mount -t tmpfs none full 2>/dev/null; then
	for inodes in 1 2 3 4; do
		unshare -rm sh in_full $inodes "$heddle" 3>statuses >out 2>err
		grep -Eq '^(0|124)$' statuses && complain "full: a rank succeeded or waits forever"
		[ "$(wc -l <statuses)" -eq 2 ] && grep -q 'full/all.*No space left on device' err || complain "^ full, $inodes"
		[ "$(wc -l <err)" -eq 1 ] || { complain "^ full, $inodes, says"; cat err; }
	done
else
	echo "without a file system of its own: a full one is not tried"
fi

# A rank fails at work: the one that reads a merged file.
mkdir mixed
cp m/*.heddle one.heddle mixed
input=mixed ends 'already a merged file' 3 mixed.heddle
exit $failed
