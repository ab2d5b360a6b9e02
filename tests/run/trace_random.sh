#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Programs generated from a seed (tests/programs/random_work.c): the profile computed from the trace equals the measured
# one, with blame and function events, and the program ends as without Heddle. RANDOM_SEEDS="FIRST LAST" in the
# environment selects other seeds.
. "${BASH_SOURCE%/*}/lib.sh"

[ ! -e "$HEDDLE_BUILD/tests/sanitized" ] || seconds=$((seconds * 5 / 2))
read -r first last <<< "${RANDOM_SEEDS:-1 100}"
compile random_work random_work.c -O1 -finstrument-functions -fopenmp -I "$HEDDLE_SOURCE/include"
compile librandom.so random_library.c -finstrument-functions -shared -fPIC

# A forked child writes the end of its profile itself: its measurement is compared as well.
one() { # SEED
	local seed=$1 variants=("--sample-hz 1000" "--sample-hz 0" "--sample-hz 5000 --trace-buffer 4K" \
		"--sample-hz 1000 --sample-clock wall")
	read -ra run_options <<< "${variants[$((seed % 4))]} --trace --blame"
	export OMP_NUM_THREADS=$((1 + seed % 3))
	bare bare "$work/random_work" "$seed" "$work/librandom.so"
	measured measured "$work/random_work" "$seed" "$work/librandom.so"
	expect "seed $seed: same outcome" ended measured "$(outcome bare)"
	in_time "$heddle" info --check-trace "$work/measured.heddle.d" > "$work/check" 2>&1
	expect "seed $seed (${run_options[*]}): the trace agrees" grep -q '^the trace and the profile agree: ' "$work/check"
}

for seed in $(seq "$first" "$last"); do
	one "$seed"
	grep -q '^the trace and the profile agree: ' "$work/check" || sed 's/^/  /' "$work/check" | head -n 8
done
finish
