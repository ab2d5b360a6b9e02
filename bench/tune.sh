#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The gain of `heddle tune DIR FILE` on ten programs with irregular accesses (bench/tune), beside the best result of
# options given by hand: four ranks, each a separate node, over TCP. Times are those of the programs' loops, without the
# start; medians, all variants in turn. Then the results of all programs are compared: original and tuned, on 1 to 4
# threads, on one node and with a node for each thread, with the compiler of each build. A comment in each loop gives
# the best options by hand. Ends with 1 if a bound does not hold: equal results, tuned within 1.5 times of the best, and
# at least 0.95 times as fast as the original.
# Usage: bench/tune.sh [PROGRAM...]; REPEATS: default 5; HEDDLE_OTHER_BUILDS: builds with other versions of clang, to
# compare results
. "${BASH_SOURCE%/*}/lib.sh"
repeats=${REPEATS:-5}
have "$heddle" heddle "./dev build" || exit 77
have mpirun.openmpi "Open MPI" "Debian: openmpi-bin" || exit 77
have "$HEDDLE_BUILD/lib/libheddle-upc-ucx.so" "the network plug-in" "Debian: libucx-dev, then ./dev build" || exit 77
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 UCX_TLS=tcp,self
read -ra builds <<< "$HEDDLE_BUILD ${HEDDLE_OTHER_BUILDS:-}"
names=("$@")
[ $# -gt 0 ] || names=(bfs hash_join histogram knapsack list_ranking pagerank random_access sample_sort sparse
	union_find)
cp "$here"/tune/* "$work"
cd "$work"

on_ranks() {
	local ranks=$1
	shift
	UPC_NODE_SIZE=1 timeout 120 mpirun.openmpi --oversubscribe --bind-to none -np "$ranks" "$@"
}

# time_once NAME VARIANT: runs the variant if it exists
time_once() {
	[ -x "$1.$2" ] || return 0
	on_ranks 4 "./$1.$2" 2>&1 > "$1.out" | sed -n 's/^seconds /time /p' | record "$1.$2"
}

# by_hand NAME: prints the options that the loops' comments give
by_hand() {
	awk -v file="$1.upc" 'match($0, /by hand: /) {
		options = substr($0, RSTART + RLENGTH)
		sub(/ *\*\/.*/, "", options)
		printf " --loop %s:%d", file, NR
		if (split(options, word) && !seen[options]++)
			printf " %s", options }' "$1.upc"
}

# make_variants NAME: builds original, tuned, and, if its text differs, by_hand; records what tune prints
make_variants() {
	local name=$1
	"$heddle" upcc -O2 -g --inst -o measured "$name.upc"
	on_ranks 4 "$heddle" run --accesses --sample-hz 0 -o "$name.measured" -- ./measured > log 2>&1 ||
		{ cat log >&2; exit 1; }
	"$heddle" upcc -O2 -o "$name.original" "$name.upc"
	if "$heddle" tune --network network "$name.measured" "$name.upc" -o "$name-tuned.upc" 2> "$name.said"; then
		"$heddle" upcc -O2 -o "$name.tuned" "$name-tuned.upc"
	fi
	# shellcheck disable=SC2046 # words
	if "$heddle" tune "$name.upc" $(by_hand "$name") -o "$name-hand.upc" 2> "$name.hand_said"; then
		cmp -s "$name-tuned.upc" "$name-hand.upc" || "$heddle" upcc -O2 -o "$name.by_hand" "$name-hand.upc"
	else
		sed "s/^/by hand: /" "$name.hand_said"
	fi
}

# row NAME: prints a row, and sets `worst` if a bound does not hold
row() {
	local name=$1 variant absent=-
	! cmp -s "$name-tuned.upc" "$name-hand.upc" || absent="same text"
	for variant in original tuned by_hand; do
		value=$(median "$name.$variant/time")
		printf '%s ' "${value:--}"
	done | awk -v name="$name" -v absent="$absent" '{
		original = $1; tuned = $2 == "-" ? original : $2
		best = $3 != "-" && $3 < original ? $3 : original
		if (tuned < best) best = tuned
		printf "| %s | %.1f | %.1f | %s | %.2f | %.2f |%s\n", name, original * 1000,
			tuned * 1000, ($3 == "-" ? absent : sprintf("%.1f", $3 * 1000)), original / tuned, tuned / best,
			($2 == "-" ? " not changed" : "")
		exit tuned > 1.5 * best || original / tuned < 0.95 }' || worst=1
}

# same NAME WHAT COMMAND...: checks that the command prints the same as the first run
same() {
	local name=$1 what=$2
	shift 2
	compared=$((compared + 1))
	if ! "$@" > out 2> log; then
		echo "$name, $what: failed: $(tail -n 1 log)"
		different=$((different + 1))
	elif ! cmp -s out "$name.expected"; then
		echo "$name, $what: other results"
		different=$((different + 1))
	fi
}

# compare_results NAME
compare_results() {
	local name=$1 build threads variant source
	for build in "${builds[@]}"; do
		for variant in original tuned; do
			source=$name.upc
			[ $variant = original ] || [ ! -f "$name-tuned.upc" ] || source=$name-tuned.upc
			"$build/bin/heddle" upcc -O2 -o compared "$source"
			[ -f "$name.expected" ] || ./compared -n 1 > "$name.expected" 2> log
			for threads in 1 2 3 4; do
				same "$name" "$variant, $threads threads, $build" ./compared -n "$threads"
				same "$name" "$variant, $threads nodes, $build" on_ranks "$threads" ./compared
			done
		done
	done
}

on_ranks 4 "$heddle" doctor --network -o network > log 2>&1 || { cat log >&2; exit 1; }
for name in "${names[@]}"; do
	make_variants "$name"
done
for _ in $(seq "$repeats"); do
	for name in "${names[@]}"; do
		for variant in original tuned by_hand; do
			time_once "$name" $variant
		done
	done
done
worst=0 compared=0 different=0
machine
echo "| program | original, ms | tuned, ms | by hand, ms | original / tuned | tuned / best |"
echo "|---|---|---|---|---|---|"
for name in "${names[@]}"; do
	row "$name"
done
for name in "${names[@]}"; do
	sed "s/^heddle: tune: //; /^wrote /d; s/^/    /" "$name.said"
done
for name in "${names[@]}"; do
	compare_results "$name"
done
echo "$compared results compared, $different differ"
[ $different -eq 0 ] || worst=1
exit $worst
