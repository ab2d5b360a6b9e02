#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The rate at which traces of 1, 8 and 64 threads are merged by time (`heddle report --late`), and added up without
# order (`heddle report --from 0s`), on 1, 2, 4, ... processors: millions of events per second of elapsed time (in the
# fastest run), CPU seconds, peak memory. Usage: bench/trace_merge.sh [EVENTS] (of all threads; default 9600000)
. "${BASH_SOURCE%/*}/lib.sh"
events=${1:-9600000} repeats=${REPEATS:-5}
have "$heddle" heddle "./dev build" || exit 77
have taskset "choosing processors" "package util-linux" || exit 77
have python3 "the measuring of memory" "package python3" || exit 77
build phases trace_phases.c -I "$here/../include" -ldl

cat > "$work/cost.py" << 'END'
import resource, subprocess, sys, time
start = time.time()
subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print("s %.4f\ncpu %.4f\nmib %.1f" % (time.time() - start, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024))
END

# The numbers of the processors that this script may use.
processors=$(taskset -cp $$ | sed 's/.*: //' | tr ',' '\n' | awk -F- '{ for (i = $1; i <= $NF; i++) print i }')
all=$(echo "$processors" | wc -l)

# first COUNT: prints the first COUNT of them as a list for taskset.
first() { echo "$processors" | head -n "$1" | paste -sd, -; }

machine
: > "$work/results"
for threads in 1 8 64; do
	rm -rf "$work/out.$threads"
	HEDDLE_TRACE=1 HEDDLE_SAMPLE_HZ=0 HEDDLE_OUTPUT=$work/out.$threads LD_PRELOAD=$library "$work/phases" $threads \
		$((events / threads)) > /dev/null 2>&1
done
for _ in $(seq "$repeats"); do
	for threads in 1 8 64; do
		for ((count = 1; count <= all && count <= 8; count *= 2)); do
			for what in --late "--from 0s"; do
				read -ra options <<< "$what"
				taskset -c "$(first "$count")" python3 "$work/cost.py" "$heddle" report "${options[@]}" \
					"$work/out.$threads" | record "${options[0]}/$threads/$count"
			done
		done
	done
done
printf '%-12s %8s %10s %10s %8s %8s\n' "$events" threads processors "M events/s" "CPU s" MiB
for what in --late --from; do
	for threads in 1 8 64; do
		for ((count = 1; count <= all && count <= 8; count *= 2)); do
			key=$what/$threads/$count
			awk -v n="$events" -v s="$(quantile "$key/s" 0)" -v cpu="$(quantile "$key/cpu" 0)" \
				-v mib="$(quantile "$key/mib" 0)" -v what="$what" -v t="$threads" -v p="$count" 'BEGIN {
				printf "%-12s %8d %10d %10.1f %8.2f %8.0f\n", what, t, p, n / s / 1e6, cpu, mib }'
		done
	done
done
