#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# `heddle merge`: all reports of the merged file are those of the directory; ranks write the same file; invalid files
# are named and left out.
. "$HEDDLE_SOURCE/tests/cli/measurement.sh"

complain() { echo "$*"; failed=1; }

"$heddle" merge m -o one.heddle >out 2>err || complain "merge failed"
[ "$(cat out)" = 'heddle: merge: one.heddle: see: heddle report one.heddle' ] && [ ! -s err ] || { complain 'merge says'; cat out err; }
for arguments in '--min 0' --samples --stats '--flat --stats' --threads --lines '--runtime-frames --min 0' --messages \
	'--metric visits' '--metric waiting --stats'; do
	[ "$arguments" = --samples ] && arguments='--metric samples --tree'
	# A merged file has no values of single threads, from which efficiency is computed.
	# shellcheck disable=SC2086
	"$heddle" report m $arguments 2>&1 | sed "/^Of [0-9]* threads' time/d" >directory
	# shellcheck disable=SC2086
	"$heddle" report one.heddle $arguments 2>&1 | sed 's/one\.heddle/m/' >merged
	diff directory merged || complain "^ report $arguments"
done
"$heddle" info m | sed 's,m/,,' >directory
"$heddle" info one.heddle | diff directory - || complain "^ info"
"$heddle" export m >directory
"$heddle" export one.heddle | diff directory - || complain "^ export"
refuses 7 'has no values of single threads' "$heddle" export one.heddle --format speedscope
"$heddle" report one.heddle --stats --runtime-frames >out 2>err
[ $? -eq 7 ] && grep -q 'other options for names' err || complain "statistics of other paths"

"$heddle" merge m/ && cmp m-merged.heddle one.heddle || complain "the default name"
refuses 6 'exists' "$heddle" merge m -o one.heddle
refuses 2 'counted twice' "$heddle" merge m -o m/all.heddle
refuses 2 ' one.heddle is already a merged file' "$heddle" merge one.heddle -o two.heddle
refuses 3 'does not exist' "$heddle" merge nowhere
mkdir empty
refuses 3 'contains no profile' "$heddle" merge empty
cp -r m traced && : >traced/a.heddle-trace
refuses 2 'traced has 1 trace, which a merged file cannot contain' "$heddle" merge traced -o traced.heddle
"$heddle" merge --drop-traces traced -o traced.heddle && cmp traced.heddle one.heddle || complain "--drop-traces"
refuses 6 "can't write nowhere/x" "$heddle" merge m -o nowhere/x

# Many processes, with paths that only some of them have, by ranks of all kinds.
mkdir many
for i in 10 11 12 13 14 15 16 17 18 19 20 21; do
	{
		process $i
		printf 'string own %d\nstring x=%%f\nnode 3 PHASE 0 0 %d\nnode 10 FRAME 0 1 %x\n' $((i % 5)) 1 $i
		printf 'thread 0 0 main\nthread-field rank %d\n' "$i"
		printf 'value samples 1 %d\nvalue samples 11 3\nvalue cpu-time 2 %d000\nvalue visits 3 2\n' "$i" "$i"
		printf 'distribution 10 1 3 1 0.1 0.1 0.%d\n' "$i"
		printf 'thread 1 1 openmp worker\nvalue samples 5 7\nvalue cpu-time 5 900000\n'
	} | "$make_profile" many/$i.heddle
done
"$heddle" merge many -o alone.heddle || complain "alone"
merge_by() { # ranks rank-variable count-variable
	rm -f ranks.heddle
	rank=0
	pids=
	while [ $rank -lt "$1" ]; do
		env "$2=$rank" "$3=$1" timeout "${HEDDLE_TEST_SECONDS:-240}" "$heddle" merge many -o ranks.heddle 2>>err &
		pids="$pids $!"
		rank=$((rank + 1))
	done
	for pid in $pids; do wait "$pid" || complain "a rank of $1 failed"; done
	cmp alone.heddle ranks.heddle || complain "^ $1 ranks by $2"
	[ -e ranks.heddle.parts ] && complain "$1 ranks left their parts"
}
merge_by 2 OMPI_COMM_WORLD_RANK OMPI_COMM_WORLD_SIZE
merge_by 5 PMI_RANK PMI_SIZE
merge_by 17 SLURM_PROCID SLURM_STEP_NUM_TASKS
rm -f ranks.heddle
SLURM_PROCID=0 SLURM_NTASKS=8 timeout "${HEDDLE_TEST_SECONDS:-240}" "$heddle" merge many -o ranks.heddle || complain "alone in a batch script"
refuses 2 "don't fit" env PMI_RANK=2 PMI_SIZE=2 "$heddle" merge many -o x.heddle
mkdir left.heddle.parts
refuses 6 'another merge' env PMI_RANK=0 PMI_SIZE=2 "$heddle" merge many -o left.heddle

# A directory that other users created or may write to: a rank refuses to read there what it has to merge.
mkdir -m 0777 others.heddle.parts
refuses 1 'others may write to it' env PMI_RANK=1 PMI_SIZE=2 "$heddle" merge many -o others.heddle
mkdir elsewhere && ln -s elsewhere linked.heddle.parts
refuses 1 'is no directory of this user' env PMI_RANK=1 PMI_SIZE=2 "$heddle" merge many -o linked.heddle
rm -r others.heddle.parts linked.heddle.parts elsewhere

# Files that cannot be read: each is named, and the others are merged, by one process and by ranks.
cp -r many bad
head -c 300 many/13.heddle >bad/13.heddle
echo hello >bad/20.heddle
echo "version 9" | "$make_profile" bad/21.heddle
cp -r many good
rm good/13.heddle good/20.heddle good/21.heddle
"$heddle" merge good -o good.heddle
"$heddle" merge bad -o bad.heddle 2>err || complain "bad files"
cmp good.heddle bad.heddle || complain "^ bad files change the result"
cat >wanted <<'END2'
heddle: merge: left out: bad/13.heddle is truncated
heddle: merge: left out: bad/20.heddle is not a profile of Heddle
heddle: merge: left out: bad/21.heddle was written by a newer Heddle than this VERSION
END2
sed 's/this [0-9.]*$/this VERSION/' err | diff wanted - || complain "^ bad files"
for rank in 0 1; do
	PMI_RANK=$rank PMI_SIZE=2 timeout "${HEDDLE_TEST_SECONDS:-240}" "$heddle" merge bad -o badranks.heddle 2>"err$rank" || complain "bad files, rank $rank" &
done
wait
cmp good.heddle badranks.heddle || complain "^ bad files by ranks"
cat err0 err1 | sed 's/this [0-9.]*$/this VERSION/' | diff wanted - || complain "^ bad files by ranks"

if command -v mpirun >/dev/null; then
	rm -f ranks.heddle
	OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 timeout "${HEDDLE_TEST_SECONDS:-240}" mpirun --oversubscribe -n 2 \
		"$heddle" merge many -o ranks.heddle || complain "under mpirun"
	cmp alone.heddle ranks.heddle || complain "^ under mpirun"
else
	echo "without mpirun (package openmpi-bin): ranks are tried by their variables only"
fi
exit $failed
