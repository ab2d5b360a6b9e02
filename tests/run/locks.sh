#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# A held lock is a region of the path, above the code that runs while it is held, whatever the order and function of the
# release. Waiting for it has a region, and blame is charged to the holder's path.
# shellcheck disable=SC2317 # functions are called by others
. "${BASH_SOURCE%/*}/lib.sh"
. "${BASH_SOURCE%/*}/openmp_runtimes.sh"
simulate
numbers=$HEDDLE_BUILD/tests/numbers

lock_paths() {
	local region='omp parallel @[^;]*' lock='omp lock @locks.c:[0-9]+' first second
	first=$(line_of locks.c first) second=$(line_of locks.c second)
	cat <<-EOT
		burn_held ^main;one_lock;$region;omp for @[^;]*;$lock;burn_held(;|$)
		burn_tested ^main;one_lock;$lock;burn_tested(;|$)
		burn_nest ^main;set_twice;$region;omp nest lock @[^;]*;burn_nest(;|$)
		burn_both ^main;two_locks;omp lock @locks.c:$first;omp lock @locks.c:$second;burn_both(;|$)
		burn_second ^main;two_locks;omp lock @locks.c:$second;burn_second(;|$)
		burn_wrapped ^main;wrapped;$region;acquire;$lock;burn_wrapped(;|$)
		burn_beyond ^main;beyond;$region;$lock;burn_beyond(;|$)
		burn_free ^main;wrapped;$region;burn_free(;|$)
	EOT
}

# Prints sorted "path count" lines without functions, which events alone do not report.
visits_of_locks() {
	folded "$1" --metric visits
	awk '{ count = $NF; sub(/ [0-9]+$/, ""); n = split($0, part, ";"); path = ""
			for (i = 1; i <= n; i++) if (part[i] ~ /^omp /) path = path ";" part[i]
			sum[path] += count }
		END { for (path in sum) if (path) print path, sum[path] }' "$work/$1.folded" |
		grep -E ';omp (nest )?lock (wait )?@[^;]*$' | sort
}

check_paths() {
	measured "sampled-$1" "$work/locks" 1500
	expect "LLVM $1: ends well" ended "sampled-$1" "exit 0"
	folded "sampled-$1" --metric cpu-time
	truth_exact "sampled-$1" < <(lock_paths)
	hz=0 measured "events-$1" "$work/locks" 150
	expect "LLVM $1: the same locks by events alone" diff <(visits_of_locks "events-$1") <(visits_of_locks "sampled-$1")
}

number() { awk -v key="$2" '$1 == key { print $2 }' "$work/$1.numbers"; }

# measure_blame NAME PROGRAM THREADS ITERATIONS: sets given, waited, hand_off, slow and unknown.
measure_blame() {
	local name=$1 program=$2 lock
	shift 2
	measured "$name" "$work/$program" "$@"
	expect "$name: ends well" ended "$name" "exit 0"
	"$numbers" "$work/$name.heddle.d" > "$work/$name.numbers"
	given=$(number "$name" lock-blame) waited=$(number "$name" in_LOCK_WAIT)
	folded "$name" --metric lock-blame
	lock="omp lock @lock_loop.c:$(line_of lock_loop.c set)"
	hand_off=$(path_sum "$name" "omp for @[^;]*;$lock;\\[hand-off\\]$")
	slow=$(path_sum "$name" "omp for @[^;]*;$lock;update_slow(;|$)")
	unknown=$(path_sum "$name" '\[no holder\]')
}

# Blame equals waiting time: hand-off is below the lock's line, the rest in update_slow below that line. There is one
# sample for ten holds, so parts of the last holds may be below no function.
check_blame() {
	local name=$1 given waited hand_off slow unknown
	measure_blame "$@"
	expect "$name: blame is waiting" test "$given" = "$waited"
	echo "  $name: update_slow $slow, hand-off $hand_off, no holder $unknown of $given"
	expect "$name: somebody waited" between 1000000 "$given" 1e18
	expect "$name: no waiting is without a holder" test "$unknown" = 0
	if [ "$hz" = 0 ]; then
		expect "$name: update_slow is to blame" test "$slow" = "$((given - hand_off))"
	else
		expect "$name: update_slow is to blame" between "$(((given - hand_off) * 8 / 10))" "$slow" "$given"
	fi
}

try_blame() {
	local threads=$((2 + $1 / 16 % 2 * 2)) # four threads with LLVM 16 and 19
	run_options=(--blame)
	check_blame "blame-$1-$threads" lock_loop "$threads" 800
	hz=0 check_blame "functions-$1" lock_functions 2 400
}

compile locks locks.c -fopenmp
compile lock_loop lock_loop.c -fopenmp
compile lock_functions lock_loop.c -fopenmp -finstrument-functions
for_each_runtime check_paths
for_each_runtime try_blame
finish
