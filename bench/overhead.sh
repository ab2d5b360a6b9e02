#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The overhead of sampling at 1,000 Hz on whole programs: the CPU seconds of all their processes, including the
# profiler's, bare and under Heddle, `perf record -g` and gperftools' CPU profiler; if possible, with an empty handler
# on perf's clock. Programs that compute, and programs whose threads switch often: more threads than processors, locks
# handed over, workers that sleep. All variants run in turn, so that a busy machine affects all equally.
# Usage: bench/overhead.sh [PROGRAM...]
. "${BASH_SOURCE%/*}/lib.sh"
repeats=${REPEATS:-5}
programs=("$@")
[ $# -gt 0 ] || programs=(compute upc_1 upc_2 upc_2_events handover short_regions)

build spent spent.c
build compute compute.c -fopenmp
build handover handover.c
build empty_sampler.so empty_sampler.c -shared -fPIC
profiler=${LIBPROFILER:-$(library_path libprofiler.so.0)}
upcc=$HEDDLE_BUILD/libexec/heddle/heddle-upcc1
if have "$upcc" "the UPC programs" "clang-N, llvm-N-dev, libclang-N-dev"; then
	"$upcc" -O2 -g -fopenmp "$here/../examples/cg.upc" -o "$work/cg"
	"$upcc" -O2 -g -fopenmp --inst "$here/../examples/cg.upc" -o "$work/cg_inst"
fi

variants=(bare empty_handler)
have "$heddle" heddle "./dev build" && variants+=(heddle)
have perf "perf record" "apt install linux-perf" && variants+=(perf)
have "${profiler:-libprofiler.so.0}" gperftools "apt install libgoogle-perftools4" && variants+=(gperftools)

# Prints the command of a program, with its environment first, and a description.
command_of() {
	case $1 in
	compute) command=("$work/compute" 2 800) what="2 threads that compute (parallel loops of 2 ms)" ;;
	upc_1) command=(env UPC_THREADS=1 OMP_NUM_THREADS=2 OMP_WAIT_POLICY=passive "$work/cg" 32)
		what="examples/cg, 1 UPC thread of 2 OpenMP threads, no events" ;;
	upc_2) command=(env UPC_THREADS=2 OMP_NUM_THREADS=2 OMP_WAIT_POLICY=passive "$work/cg" 32)
		what="examples/cg, 2 UPC threads of 2 OpenMP threads, no UPC events" ;;
	upc_2_events) command=(env UPC_THREADS=2 OMP_NUM_THREADS=2 OMP_WAIT_POLICY=passive "$work/cg_inst" 32)
		what="the same with --inst, as in ./dev demo: events are measured, too" ;;
	handover) command=("$work/handover" 100000) what="2 threads on one processor that hand over 100,000 times" ;;
	short_regions) command=(env KMP_BLOCKTIME=0 "$work/compute" 2 30000 18)
		what="30,000 parallel loops of 20 us on 2 threads, KMP_BLOCKTIME=0: workers sleep in between" ;;
	*) echo "overhead.sh: no program '$1'; there are: compute upc_1 upc_2 upc_2_events handover short_regions" >&2; exit 2 ;;
	esac
}

run() {
	case $1 in
	bare) "$work/spent" "${command[@]}" ;;
	empty_handler) LD_PRELOAD=$work/empty_sampler.so SAMPLER_HZ=1000 "$work/spent" "${command[@]}" ;;
	heddle) "$work/spent" "$heddle" run --sample-hz 1000 -o "$work/heddle.$2" -- "${command[@]}" ;;
	perf) "$work/spent" perf record -q -e cpu-clock:u -F 1000 -g -o "$work/perf.data" -- "${command[@]}" ;;
	gperftools) LD_PRELOAD=$profiler CPUPROFILE=$work/gperf CPUPROFILE_FREQUENCY=1000 "$work/spent" "${command[@]}" ;;
	esac
}

machine
echo "$repeats repeats each. gperftools takes about 250 of the 1,000 samples on kernels with HZ=250."
for program in "${programs[@]}"; do
	command_of "$program"
	: > "$work/results"
	for repeat in $(seq "$repeats"); do
		for variant in "${variants[@]}"; do
			run "$variant" "$repeat" 2> "$work/said" |
				record "$variant"
			rm -rf "$work/heddle.$repeat"
		done
	done
	printf '\n%s: %s\n' "$program" "$what"
	table cpu_s "CPU seconds" "${variants[@]}"
done
