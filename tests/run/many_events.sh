#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# A million OpenMP events, 250,000 tasks, 2,500 parallel regions nested four deep, with and without samples: no event
# and no sample is lost, and memory does not depend on their number.
. "${BASH_SOURCE%/*}/lib.sh"

compile many_events many_events.c -fopenmp
export OMP_WAIT_POLICY=passive OMP_DYNAMIC=false # on a busy machine, spinning threads would wait for a processor
events=1000000 tasks=250000 nests=2500
seconds=$((seconds / 2))

# Prints the size of Heddle's own memory, in KiB.
memory() { "$heddle" info "$work/$1.heddle.d" | grep -oE '[0-9]+ KiB of memory' | grep -oE '[0-9]+'; }
is_counted() { # NAME WHAT PATH COUNT
	local got
	got=$(path_sum "$1" "$3")
	expect "$1: $2: $got, not $4" test "$got" = "$4"
}

all_is_there() {
	local name=$1 place=' @many_events.c:[0-9]+'
	local region="omp parallel$place"
	folded "$name" --metric visits
	is_counted "$name" "locks set" "(^|;)omp lock$place\$" $((events / 4))
	is_counted "$name" "flushes" "(^|;)omp flush$place\$" $((events / 4))
	is_counted "$name" "tasks created" "(^|;)omp task$place\$" "$tasks"
	is_counted "$name" "tasks begun" '(^|;)omp task schedule$' "$tasks"
	is_counted "$name" "outermost regions" "^([a-z_;]*;)?$region\$" $((nests + 2))
	is_counted "$name" "regions four deep" "$region;.*$region;.*$region;.*$region\$" $((4 * nests))
	[ "$hz" != 0 ] || return
	folded "$name" --metric samples
	expect "$name: periods counted = samples in paths" test "$(info_number "$name" '^ *periods')" = "$(path_sum "$name" .)"
}

newest=$(other_runtimes | awk '{ print $NF }')
for version in "$installed_runtime" $newest; do
	if [ "$version" != "$installed_runtime" ]; then
		dir=$(runtime_dir "$version")
		export LD_LIBRARY_PATH=$dir
		events=400000 tasks=100000 nests=1000
	fi
	bare "bare-$version" "$work/many_events" "$events" "$tasks" "$nests"
	for hz in 0 1000; do
		name=many-$version-$hz
		measured "few-$version-$hz" "$work/many_events" $((events / 10)) $((tasks / 10)) $((nests / 10))
		measured "$name" "$work/many_events" "$events" "$tasks" "$nests"
		expect "$name: same outcome" ended "$name" "$(outcome "bare-$version")"
		expect "$name: same output" same_output "bare-$version" "$name"
		all_is_there "$name"
		echo "  $name: $(memory "$name") KiB, of a tenth of the events $(memory "few-$version-$hz") KiB"
		expect "$name: memory does not grow with the events" \
			between 1 "$(memory "$name")" $(($(memory "few-$version-$hz") + 64))
	done
done
finish
