#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# The call paths of examples/cg.upc as users expect them: regions between the functions of the source, no frame of the
# UPC runtime, and OpenMP's workers below what their UPC thread called. However the program is started.
# shellcheck disable=SC2317 # functions are called by expect
. "$HEDDLE_SOURCE/tests/run/lib.sh"
[ -x "$HEDDLE_BUILD/libexec/heddle/heddle-upcc1" ] || skip "the UPC compiler was not built (clang-N, llvm-N-dev, libclang-N-dev)"
need python3
source=$HEDDLE_SOURCE/examples/cg.upc
export OMP_NUM_THREADS=2
cd "$work" || exit 1

# line PATTERN: prints its line number in the source
line() { grep -n -m 1 "$1" "$source" | cut -d: -f1; }
forall=upc_forall\ @cg.upc:$(($(line 'get_parts(block);') - 1))
parallel=omp\ parallel\ @cg.upc:$(($(line 'block \* ROWS; row < (block + 1)') - 1))
loop=${parallel/parallel/for}
point=upc\ get\ @cg.upc:$(line '= direction\[partner')
run=upc\ memget\ @cg.upc:$(line 'direction\[first\], ROWS')
barrier=upc\ barrier\ @cg.upc:$(line 'upc_barrier;')

# paths OPTION...: prints all paths
paths() { "$heddle" export out --format folded "$@"; }
some() { [ "$(paths --metric "$1" | grep -c "^$2")" -gt 0 ]; }
none() { ! paths "$2" visits | cat - <(paths) | grep -qE "$1"; }

# The activity of each UPC thread's workers, from the threads' own profiles.
workers_are_below() {
	"$heddle" export out --format speedscope --metric samples -o out.json
	python3 - "$1" "$forall" "$parallel" <<'END'
import json, re, sys
document = json.load(open("out.json"))
names = [frame["name"] for frame in document["shared"]["frames"]]
below, processes = set(), set()
for profile in document["profiles"]:
    process = re.search(r"of process (\d+)", profile["name"])
    if profile["name"].startswith("UPC"):
        processes.add(process[1])
    if profile["name"].startswith("openmp worker"):
        for stack in profile["samples"]:
            if [names[number] for number in stack][:4] == ["main", sys.argv[2], "multiply", sys.argv[3]]:
                below.add(process[1])
sys.exit(len(processes) != int(sys.argv[1]) or below != processes)
END
}

# Whether a sample is taken in them depends on chance. On a busy machine threads switch often, for which a timer with a
# period of some milliseconds is used: therefore the perf clock is requested.
runtime_can_be_had() {
	for _ in 1 2 3 4 5 6 7 8; do
		if paths --runtime-frames | grep -Eq "get_parts;.*;(__upcrt_[a-z_]*get|memget_slowly)"; then
			return 0
		fi
		rm -rf out
		HEDDLE_SAMPLE_SOURCE=perf "$heddle" run --sample-hz 5000 -n 3 -o out -- ./cg 12 >printed 2>messages
	done
	return 1
}

"$heddle" upcc -O2 -g -fopenmp --inst -o cg "$source" -lm || exit 1
"$heddle" run --sample-hz 2000 -n 3 -o out -- ./cg 12 >printed 2>messages
expect "cg is right under measurement" grep -q 'cg: 3 UPC threads.*verified' printed
expect "the kernel is below its regions" some samples "main;$forall;multiply;$parallel;$loop;multiply_row"
expect "gets are in the function that does them" some visits "main;$forall;get_parts;$point "
expect "runs are in the function that gets them" some visits "main;$forall;get_parts;$run "
expect "the barrier is main's" some visits "main;$barrier "
expect "a region is one node, whatever it calls" none ";get_parts;upc_forall" --metric
# Heddle's own frames may be below what the program called.
expect "no frames of the runtime" none "__upcrt|hupc__|;upc_memget;[^[]" --metric
expect "samples in the runtime are possible" runtime_can_be_had
expect "workers are below their UPC thread's path" workers_are_below 3

# Without Heddle's launcher.
./cg -n 2 2 >printed
expect "-n, not measured" grep -q 'cg: 2 UPC threads, 8192 rows.*verified' printed
UPC_THREADS=4 ./cg 4 >printed
expect "UPC_THREADS, not measured" grep -q 'cg: 4 UPC threads, 16384 rows.*verified' printed

# When a variable requests measurement, the program loads the library itself.
rm -rf out
HEDDLE_OUTPUT=out HEDDLE_SAMPLE_HZ=2000 ./cg -n 2 8 >printed 2>messages
expect "measured without the launcher" grep -q 'cg: 2 UPC threads, 32768 rows.*verified' printed
expect "the kernel is below its regions without the launcher, too" some samples "main;$forall;multiply;$parallel;$loop;multiply_row"
expect "main is there once" none "main;main" --metric
finish
