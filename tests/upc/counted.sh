#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Accesses that compiled code counts (--inst-time sampled) have the same visits, bytes and sides as if each were an
# event, on every path, with static and dynamic THREADS, on one node and several; elapsed time is conserved.
. "${BASH_SOURCE%/*}/../run/lib.sh"
[ -x "$HEDDLE_BUILD/libexec/heddle/heddle-upcc1" ] || skip "the UPC compiler was not built (clang-N, llvm-N-dev, libclang-N-dev)"
metrics=(visits bytes-got bytes-put local-accesses same-node-accesses same-node-bytes remote-accesses remote-bytes)
hz=0

# build NAME OPTION...
build() {
	local name=$1
	shift
	"$heddle" upcc -O2 -fopenmp "$@" "$HEDDLE_SOURCE/tests/upc/counted.upc" -o "$work/$name" || { fail "$name: upcc"; finish; }
}

# values NAME: prints the values of each path and metric
values() {
	for metric in "${metrics[@]}"; do
		"$heddle" export --metric "$metric" "$work/$1.heddle.d" 2> "$work/$1.none" | sed "s/^/$metric /"
	done | sort > "$work/$1.values"
	[ -s "$work/$1.values" ]
}

# sums NAME: prints the sums of each metric of accesses, without visits of other events
sums() {
	"$heddle" report --messages "$work/$1.heddle.d" | sed -n '/upc \(get\|put\)/ { s/%//g; p }' | sort
}

# both NAME PROGRAM: measures in both ways
both() {
	run_options=(-n 3 --inst-time all)
	measured "$1.all" "$work/$2"
	run_options=(-n 3 --inst-time sampled)
	measured "$1.sampled" "$work/$2"
	expect "$1: runs well" ended "$1.sampled" "exit 0"
	expect "$1: has values" values "$1.all"
	expect "$1: has values" values "$1.sampled"
}

same() { diff "$work/$1.values" "$work/$2.values" > "$work/difference" || { head -n 5 "$work/difference"; false; }; }
same_sums() { diff <(sums "$1") <(sums "$2"); }

build dynamic --inst --inst-functions
build static --inst --inst-functions -fupc-threads=3
build local --inst-local --inst-functions
for program in dynamic static local; do
	both "$program" "$program"
	expect "$program: each path has the same counts" same "$program.all" "$program.sampled"
done
expect "there are local accesses" grep -q "^local-accesses.*upc get" "$work/local.sampled.values"
expect "static and dynamic THREADS have the same counts" same_sums dynamic.sampled static.sampled

# Owners, with --accesses: two accesses to one element are each counted for the owner of their own block.
pairs() { "$heddle" report --by pair --min 0 --no-color "$work/$1.heddle.d" | awk '/ -> / { print $1, $(NF - 3), $NF }'; }
run_options=(-n 3 --accesses --inst-time all)
measured owners.all "$work/dynamic"
run_options=(-n 3 --accesses --inst-time sampled)
measured owners.sampled "$work/dynamic"
expect "there are pairs" eval 'pairs owners.all | grep -q .'
expect "each owner has the same accesses" eval 'diff <(pairs owners.all) <(pairs owners.sampled)'

export UPC_NODE_SIZE=2
both nodes local
unset UPC_NODE_SIZE
expect "several nodes: each path has the same counts" same nodes.all nodes.sampled
expect "several nodes: there are remote accesses" grep -q "^remote-accesses.*upc get" "$work/nodes.sampled.values"

# With samples, accesses are counted by default. Paths below regions are then those of samples: only sums are equal.
hz=1000
run_options=(-n 3)
measured samples "$work/local"
expect "with samples: the same counts" same_sums local.all samples
has_error() { "$heddle" info "$work/$1.heddle.d" | grep -q "^ *access-time-error"; }
expect "the error of estimated time is known" has_error samples
expect "accesses timed as events have no estimate" eval '! has_error local.all'

# Elapsed time: the time charged to accesses is subtracted from the code around them, at its next sample. What is left
# at the end is not charged twice, as no sample follows. But a sample outside of regions has a whole period (1 ms), also
# of time that a region has just been charged; a thread that is always on a processor may so have up to a period more.
time_of() { "$heddle" export --metric wall-time "$work/$1.heddle.d" | awk '{ sum += $NF } END { printf "%.0f", sum }'; }
lasted() { "$heddle" export --format json "$work/$1.heddle.d" | python3 -c '
import json, sys
times = [thread["wall_ns"] for thread in json.load(sys.stdin)["threads"] if thread["role"] != "heddle"]
print(sum(times), len(times))'; }
# conserved NAME NS: the paths have no more than the threads' time, and NS for each thread.
conserved() {
	awk -v a="$(time_of "$1")" -v b="$(lasted "$1")" -v more="$2" 'BEGIN {
		print a, b; split(b, of); exit !(a <= of[1] * 1.0001 + of[2] * more && a > .5 * of[1]) }'
}
expect "elapsed time is not more than the threads'" conserved samples 1e6
expect "without samples: elapsed time is that of the threads" conserved local.sampled 0
finish
