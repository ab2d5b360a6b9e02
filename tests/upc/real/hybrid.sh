#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# hybrid.sh UPC-THREADS OPENMP-THREADS: the shares of a hybrid program's activities equal those that the program
# measures itself, in one tree of all threads: with events alone, with samples alone and with both. All time and bytes
# are present once. Shares may differ by two percentage points: a thread that loses the processor between the program's
# clock and Heddle's has some milliseconds more in one of them, and 500 samples a second hit an activity by chance.
# shellcheck disable=SC2317 # functions are called by others, by name
. "$HEDDLE_SOURCE/tests/run/lib.sh"
[ -x "$HEDDLE_BUILD/libexec/heddle/heddle-upcc1" ] || skip "the UPC compiler was not built (clang-N, llvm-N-dev, libclang-N-dev)"
# More threads than processors: waiting threads must not use a processor.
export OMP_NUM_THREADS=$2 OMP_WAIT_POLICY=passive KMP_BLOCKTIME=0
upc_threads=$1
tolerance=2
tries=3

build() {
	"$heddle" upcc -O2 -g -fopenmp -fno-optimize-sibling-calls "$@" "$HEDDLE_SOURCE/tests/upc/real/hybrid.upc" ||
		{ fail "does not compile"; finish; }
}
build -o "$work/plain"
build --inst-functions -o "$work/told"

# The activity of a path is the first one that it matches: the functions of hybrid.upc, by any of their names.
shares() {
	awk '
	FILENAME == ARGV[1] { own[$1] += $2; all_own += $2; next }
	{ path = ";" $0; sub(/ [0-9]+$/, ";", path); what = "" }
	path ~ /;run_task;/ { what = "task" }
	what == "" && path ~ /;get_all;|;upc memget / { what = "get" }
	what == "" && path ~ /;put_all;|;upc memput / { what = "put" }
	# Computing while the lock is held is below the lock, which is below the function that takes it.
	what == "" && path ~ /;compute;/ { what = "compute" }
	what == "" && path ~ /;take_lock(_of_all)?;/ { what = "lock" }
	what == "" && path ~ /;(meet|meet_all|share_tasks);|;omp implicit barrier/ { what = "barrier" }
	what == "" && path ~ /;\[omp idle\]/ { what = "idle" }
	what != "" { told[what] += $NF; all_told += $NF }
	what == "" { other += $NF }
	END {
		for (what in own) {
			program = 100 * own[what] / all_own
			measured = all_told ? 100 * told[what] / all_told : 0
			difference = measured - program
			if (difference < 0) difference = -difference
			if (difference > worst) worst = difference
			printf "  %-8s program %5.1f %%  measured %5.1f %%\n", what, program, measured
		}
		printf "  none of these: %.2f %% of what was measured; worst difference %.2f points\n",
			100 * other / (all_told + other), worst
		exit !(worst <= '"$tolerance"' && other < 0.05 * all_told)
	}' "$1" "$2"
}

# measure NAME PROGRAM METRIC OPTION...
measure() {
	local name=$1 program=$2 metric=$3
	shift 3
	rm -rf "${work:?}/$name"
	timeout "$seconds" "$heddle" run -n "$upc_threads" "$@" -o "$work/$name" -- "$work/$program" "${ROUNDS:-12}" \
		> "$work/$name.printed" 2> "$work/$name.err" || { cat "$work/$name.err"; return 1; }
	"$heddle" export "$work/$name" --format folded --metric "$metric" > "$work/$name.folded"
	shares "$work/$name.printed" "$work/$name.folded"
}

# On a busy machine, clocks and events differ now and then: one of three tries must succeed.
compare() {
	local try
	for try in $(seq "$tries"); do
		echo "by $1, try $try:"
		measure "$@" && return
	done
	return 1
}

number() { "$HEDDLE_BUILD/tests/numbers" "$work/events" | awk -v key="$1" '$1 == key { print $2 }'; }
bytes() { "$heddle" export "$work/events" --format folded --metric "$1" | awk '{ s += $NF } END { printf "%.0f", s }'; }
moved=$((upc_threads * OMP_NUM_THREADS * ${ROUNDS:-12} * 100 * 65536 * 4))

expect "by events" compare events told wall-time --sample-hz 0
expect "nothing is counted twice: the paths' time is the threads' time" between "$(($(number threads_wall_ns) - 100000))" \
	"$(number wall-time)" "$(($(number threads_wall_ns) + 100000))"
expect "bytes got are those that the program got" test "$(bytes bytes-got)" = "$moved"
expect "bytes put are those that the program put" test "$(bytes bytes-put)" = "$moved"
expect "by samples" compare samples plain samples --sample-hz 500 --sample-clock wall
expect "by both" compare both told wall-time --sample-hz 500 --sample-clock wall
finish
