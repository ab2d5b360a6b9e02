#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Run-time overhead on a compute-bound OpenMP program at 1,000 samples per CPU second: bare, an empty handler on the same
# timer, Heddle, `perf record -g`, gperftools' CPU profiler. All variants in turn, so that a busy machine is busy for all.
# Usage: bench/overhead.sh [THREADS [STEPS]]
. "${BASH_SOURCE%/*}/lib.sh"
threads=${1:-2} steps=${2:-6000} repeats=${REPEATS:-11}
build compute compute.c -fopenmp
build empty_sampler.so empty_sampler.c -shared -fPIC
compute=("$work/compute" "$threads" "$steps")
profiler=${LIBPROFILER:-$(library_path libprofiler.so.0)}

variants=(bare empty_handler)
have "$heddle" heddle "./dev build" && variants+=(heddle)
have perf "perf record" "apt install linux-perf" && variants+=(perf)
have "${profiler:-libprofiler.so.0}" gperftools "apt install libgoogle-perftools4" && variants+=(gperftools)

run() {
	case $1 in
	bare) "${compute[@]}" ;;
	empty_handler) LD_PRELOAD=$work/empty_sampler.so SAMPLER_HZ=1000 "${compute[@]}" ;;
	heddle) "$heddle" run --sample-hz 1000 -o "$work/heddle.$2" -- "${compute[@]}" ;;
	perf) perf record -q -e cpu-clock:u -F 1000 -g -o "$work/perf.data" -- "${compute[@]}" 2> /dev/null ;;
	gperftools) LD_PRELOAD=$profiler CPUPROFILE=$work/gperf CPUPROFILE_FREQUENCY=1000 "${compute[@]}" 2> /dev/null ;;
	esac
}

for repeat in $(seq "$repeats"); do
	for variant in "${variants[@]}"; do
		run "$variant" "$repeat" | record "$variant"
	done
done
machine
echo "$threads threads, $repeats repeats each. gperftools takes about 250 of the 1,000 samples on kernels with HZ=250."
table cpu_s "CPU seconds" "${variants[@]}"
table wall_s "seconds" "${variants[@]}"
if [ -n "$(median heddle/cpu_s)" ]; then
	awk -v b="$(median bare/cpu_s)" -v e="$(median empty_handler/cpu_s)" -v h="$(median heddle/cpu_s)" 'BEGIN {
		printf "overhead in CPU time: empty handler %.2f %%, heddle %.2f %% = %.2f times the empty handler\n",
			100 * (e / b - 1), 100 * (h / b - 1), (h - b) / (e - b) }'
fi
