#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Blocks have the same place in paths of samples and of events: below the function that opens one, above the functions
# that it calls there.
# shellcheck disable=SC2317 # functions are called by others
. "${BASH_SOURCE%/*}/lib.sh"
. "${BASH_SOURCE%/*}/openmp_runtimes.sh"
simulate

block_paths() {
	local region='omp parallel @[^;]*' loop='omp for @[^;]*'
	cat <<-EOT
		burn_loop ^main;loops;$region;$loop;burn_loop(;|$)
		burn_inlined ^main;loops;$region;$loop;put_inline;burn_inlined(;|$)
		burn_critical ^main;loops;$region;$loop;omp critical @[^;]*;burn_critical(;|$)
		burn_orphan ^main;orphaned;$region;orphan;$loop;burn_orphan(;|$)
		burn_ordered ^main;loops;$region;$loop;omp ordered @[^;]*;burn_ordered(;|$)
		burn_section ^main;others;$region;omp sections @[^;]*;burn_section(;|$)
		burn_single ^main;others;$region;omp single @[^;]*;burn_single(;|$)
		burn_master ^main;others;$region;omp masked @[^;]*;burn_master(;|$)
		burn_group ^main;others;$region;omp single @[^;]*;omp taskgroup @[^;]*;burn_group(;|$)
		burn_task ^main;others;$region;omp single @[^;]*;omp taskgroup @[^;]*;omp task @[^;]*;burn_task(;|$)
		burn_cancelled ^main;cancelled;$region;$loop;burn_cancelled(;|$)
		burn_after ^main;cancelled;$region;burn_after(;|$)
	EOT
}

# Paths and visits without the functions, which events alone do not see: "path count" lines, sorted.
visits_of_regions() {
	folded "$1" --metric visits
	awk '{ count = $NF; sub(/ [0-9]+$/, ""); n = split($0, part, ";"); path = ""
			for (i = 1; i <= n; i++) if (part[i] ~ /^omp /) path = path ";" part[i]
			sum[path] += count }
		END { for (path in sum) if (path) print path, sum[path] }' "$work/$1.folded" |
		grep -E ';omp (for|sections|single|masked|taskgroup|critical|ordered) @[^;]*$' | sort
}

check_runtime() {
	local version=$1
	measured "sampled-$version" env OMP_CANCELLATION=true "$work/blocks" 1500
	expect "LLVM $version: ends well" ended "sampled-$version" "exit 0"
	folded "sampled-$version" --metric cpu-time
	truth_exact "sampled-$version" < <(block_paths)
	hz=0 measured "events-$version" env OMP_CANCELLATION=true "$work/blocks" 150
	expect "LLVM $version: the same blocks by events alone" diff <(visits_of_regions "events-$version") \
		<(visits_of_regions "sampled-$version")
}

compile blocks blocks.c -fopenmp
for_each_runtime check_runtime
line=$(line_of blocks.c critical)
folded "sampled-$installed_runtime" --metric cpu-time --lines
expect "source lines stand inside the block that they run in" has_path "sampled-$installed_runtime" \
	"omp for @blocks.c:[0-9]+;omp critical @blocks.c:[0-9]+;loops blocks.c:$line;burn_critical "

# LLVM's runtime does not report the end of single constructs compiled by GCC: the next barrier must not be in them.
gcc_barriers() {
	measured "gcc-$1" env OMP_CANCELLATION=true "$work/blocks-gcc" 300
	expect "GCC's program on LLVM $1: ends well" ended "gcc-$1" "exit 0"
	folded "gcc-$1" --metric visits
	expect "GCC's program on LLVM $1: no barrier in a single construct" no_path "gcc-$1" "omp single @[^;]*;omp (implicit )?barrier"
	expect "GCC's program on LLVM $1: barriers outside of it" has_path "gcc-$1" ';omp barrier @|;omp implicit barrier @'
}
CC=gcc compile blocks-gcc blocks.c -fopenmp
run_options=(--openmp-runtime llvm)
for_each_runtime gcc_barriers
finish
