#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# What `heddle advise` predicts of the loops of five examples, beside what these take with a cache, on four ranks that
# are nodes of their own: within 30 %. Single runs take tens of milliseconds, which other work on the machine doubles, so
# the medians of several attempts are compared; in each the network is measured, and right after that the tuned loops.
# Three of the five must be within 30 %, or the test is skipped; none may steadily be wrong by a factor of 2, unless the
# machine was too busy all the time: then messages wait for processors, for which there is no prediction. Where the ranks
# share processors the factor is 3: up to 2.3 was seen on a virtual machine with two.
set -u
# shellcheck source=tests/upc/common.sh
. "$HEDDLE_SOURCE/tests/upc/common.sh"
# shellcheck source=tests/upc/launchers.sh
. "$HEDDLE_SOURCE/tests/upc/launchers.sh"
need_network
heddle=$HEDDLE_BUILD/bin/heddle
cd "$work" || exit 1
export UPC_NODE_SIZE=1 UCX_TLS=tcp,self
least=3 most=7 wrong=2
[ "$(nproc)" -ge 4 ] || wrong=3
declare -A arguments=([cc]="10000 40000" [stencil]="5 500" [sparse]="5000 2" [histogram]=100000 [dot]=100000)

on_ranks() { launch "${found[0]}" 4 "$@" > log 2>&1 || { echo "FAILED: $*"; cat log; exit 1; }; }

# milliseconds: of "1.2 s", "3 ms" in each line, added up
milliseconds() {
	awk '{ sum += $1 * ($2 == "s" ? 1000 : $2 == "us" ? 0.001 : $2 == "ns" ? 0.000001 : 1) } END { print sum + 0 }'
}

# median FILE
median() { sort -g "$1" | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }

# tuned_once NAME: what the loops took, by phases alone: what is predicted has no events
tuned_once() {
	rm -rf tuned
	# shellcheck disable=SC2086 # words
	on_ranks "$heddle" run --sample-hz 0 -o tuned -- "./$1-tuned" ${arguments[$1]}
	"$heddle" report --metric wall-time --min 0 tuned |
		sed -n 's/^ *[0-9.]* *[0-9.]* *\([0-9.]* [a-z]*\) .* phase loop$/\1/p' | milliseconds
}

# attempt NAME: a prediction, without what the first loop of a program takes more; and the median of three runs
attempt() {
	local name=$1
	"$heddle" advise --network network "$name" > out 2>&1 || { cat out; exit 1; }
	sed -n 's/^.*: the loop takes .* would take about \([0-9.]* [a-z]*\).*/\1/p' out |
		milliseconds >> "$name.predicted"
	for _ in 1 2 3; do
		tuned_once "$name"
	done > runs
	median runs >> "$name.measured"
	echo "$name: predicted $(tail -n 1 "$name.predicted") ms, took $(tail -n 1 "$name.measured") ms"
}

# is_close NAME FACTOR: the medians are within that factor
is_close() {
	awk -v f="$2" -v p="$(median "$1.predicted")" -v m="$(median "$1.measured")" 'BEGIN { exit !(p > m / f && p < m * f) }'
}

# is_steady FILE: the middle half is within 30 %
is_steady() { sort -g "$1" | awk '{ v[NR] = $1 } END { exit !(v[int((3 * NR + 3) / 4)] < 1.3 * v[int((NR + 3) / 4)]) }'; }

load() { cut -d' ' -f1 /proc/loadavg; }
is_busy() { awk -v load="$(load)" -v processors="$(nproc)" 'BEGIN { exit !(load > 3 * processors) }'; }

# What is advised for cc is one variable, label; the tuned example has a cache of another, too.
for name in "${!arguments[@]}"; do
	sed -E 's/heddle_cache_set\(above_cache, (\w+), int, (\w+)\);/above[\1] = \2;/; /above_cache/d' \
		"$HEDDLE_SOURCE/tests/upc/cache/tuned/${name}_tuned.upc" > "${name}_tuned.upc"
	"$heddle" upcc -O2 -g --inst -o "$name-original" "$HEDDLE_SOURCE/examples/$name.upc" -lm || exit 1
	"$heddle" upcc -O2 -g -include "$here/predicted/timed.h" -o "$name-tuned" "${name}_tuned.upc" -lm || exit 1
	# shellcheck disable=SC2086
	on_ranks "$heddle" run --accesses --sample-hz 0 -o "$name" -- "./$name-original" ${arguments[$name]}
done
left=("${!arguments[@]}") always_busy=1
for ((i = 1; i <= most && ${#left[@]}; i++)); do
	echo "attempt $i, load $(load)"
	is_busy || always_busy=0
	[ $always_busy -eq 0 ] || [ "$i" -le $least ] || break
	rm -f network
	on_ranks "$heddle" doctor --network -o network
	still=()
	for name in "${left[@]}"; do
		attempt "$name"
		if [ "$i" -ge $least ] && is_close "$name" 1.3; then
			echo "$name: within 30 % after $i attempts: predicted $(median "$name.predicted") ms, took $(median "$name.measured") ms"
		else
			still+=("$name")
		fi
	done
	left=(${still[@]+"${still[@]}"})
done

failed=0 unsure=0
for name in ${left[@]+"${left[@]}"}; do
	result="$name: predicted $(median "$name.predicted") ms, took $(median "$name.measured") ms"
	if [ $always_busy -eq 0 ] && ! is_close "$name" $wrong && is_steady "$name.measured" && is_steady "$name.predicted"; then
		echo "FAILED: $result"
		failed=1
	else
		echo "unsure: $result, from $(sort -g "$name.measured" | head -n 1) to $(sort -g "$name.measured" | tail -n 1) ms"
		unsure=$((unsure + 1))
	fi
done
[ $failed -eq 0 ] || exit 1
[ $unsure -lt 3 ] || { echo "skipped: $unsure of 5 loops are not within 30 %, as on a machine with other work"; exit 77; }
