#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Code of libraries that were unloaded before the end has names, even if two libraries had the same addresses.
. "${BASH_SOURCE%/*}/lib.sh"

for name in hot_a hot_b; do
	compile $name.so hot.c -shared -fPIC -DHOT=$name
done
compile modules modules.c
same_behaviour modules "$work/modules" "$work/hot_a.so" 200 "$work/hot_b.so" 400 "$work/hot_a.so" 100
addresses=$(sort -u "$work/modules.err" | grep -c hot_entry)
echo "  the libraries were at $addresses different addresses"
folded modules --metric cpu-time

# agrees NAME NANOSECONDS: within 10 %, on the mean of $runs.
agrees() {
	local run times=()
	for run in "${runs[@]}"; do
		times+=("$(path_sum "$run" "^main;burn_in_library;hot_entry;${1}_call;$1(;|$)")")
	done
	between "$(awk -v t="$2" 'BEGIN { print t * .9 }')" "$(mean "${times[@]}")" "$(awk -v t="$2" 'BEGIN { print t * 1.1 }')"
}

# On a busy machine a sample has the weight of several periods, whose libraries may differ: chance is averaged out over
# up to three runs, an error of the profile is not.
runs=(modules)
while ! { agrees hot_a 3e8 && agrees hot_b 4e8; } && [ "${#runs[@]}" -lt 3 ]; do
	echo "  not within 10 % after ${#runs[@]} runs; once more"
	again modules "modules.again${#runs[@]}" || break
	runs+=("modules.again${#runs[@]}")
done
expect "time of hot_a in ${#runs[@]} runs" agrees hot_a 3e8
expect "time of hot_b in ${#runs[@]} runs" agrees hot_b 4e8
expect "no code without a name" no_path modules 'hot_[ab]\.so\+0x'
finish
