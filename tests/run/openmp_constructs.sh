#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Each construct is counted under its label, as openmp_constructs.txt lists, on each runtime; on one with samples, too.
# shellcheck disable=SC2317 # functions are called by others
. "${BASH_SOURCE%/*}/lib.sh"
. "${BASH_SOURCE%/*}/openmp_runtimes.sh"
list=${BASH_SOURCE%/*}/openmp_constructs.txt

# Prints sorted "label count" lines. In samples, Heddle recognizes that the region which LLVM's runtime reports in each
# team of a league is not the program's code.
wanted() {
	sed -n "s/^$2: //p" "$list" | tr ',' '\n' | sed 's/^ *//' |
		awk -v version="$1" '/\[/ { if (index($0, version) == 0) next; sub(/ *\[.*/, "") } { print }' |
		if [ "$3" = 0 ]; then
			cat
		elif [ "$2" = distribute_parallel_for ]; then
			sed 's/^omp parallel 2/omp parallel 1/'
		elif [[ $2 =~ teams|distribute ]]; then
			grep -v '^omp parallel'
		else
			cat
		fi | sort
}

# Prints the same lines for the measurement: the last part of each path, without its place.
counted() {
	awk '{ count = $NF; sub(/ [0-9]+$/, ""); sub(/.*;/, ""); sub(/ @.*/, ""); sum[$0] += count }
		END { for (label in sum) print label, sum[label] }' "$work/$1.folded" | grep '^omp ' |
		if [ "$2" = parallel ]; then cat; else grep -vE '^omp (thread|initial task|implicit (task|barrier)) '; fi |
		sort
}

counts_match() {
	wanted "$1" "$2" "$4" > "$work/wanted"
	counted "$3" "$2" > "$work/counted"
	cmp -s "$work/wanted" "$work/counted" || { diff "$work/wanted" "$work/counted"; false; }
}

check_counts() {
	folded "$3" --metric visits
	expect "$3: counts as listed" counts_match "$1" "$2" "$3" "$4"
}

measure_constructs check_counts "$installed_runtime"
finish
