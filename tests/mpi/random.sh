#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Calls, messages, bytes and partners of programs generated from a seed are exact, and traces agree with the profile.
# HEDDLE_RANDOM_SEEDS lists seeds to use instead of the default ones, each with and without threads.
. "$HEDDLE_SOURCE/tests/mpi/lib.sh"
hz=0
seconds=$((seconds / 4))

# known NAME RANKS: each rank's measured values are those that it wrote.
known() {
	local name=$1 rank
	"$heddle" export "$name.heddle.d" --format json -o "$name.json" 2> /dev/null
	for ((rank = 0; rank < $2; rank++)); do
		awk '$3' "expected.$rank" | sort > wanted
		measured_as "$name.heddle.d/random.rank$rank".*.heddle | sort > got
		expect "$name: rank $rank: numbers" diff wanted got
		sort "pairs.$rank" > wanted
		python3 "$HEDDLE_SOURCE/tests/mpi/pairs.py" "$name.json" "$rank" | sort > got
		expect "$name: rank $rank: partners" diff wanted got
	done
	cat files.[0-9]* | awk '{ for (i = 2; i <= 6; i++) sum[$1, i] += $i; names[$1] }
		END { for (name in names) print name, sum[name, 2], sum[name, 3], sum[name, 4], sum[name, 5], sum[name, 6] }' | sort > wanted
	python3 -c "
import json, os
for file in json.load(open('$name.json')).get('files', []):
	print(os.path.basename(file['name']), *(file[member] for member in ('opens', 'reads', 'writes', 'bytes_read', 'bytes_written')))" | sort > got
	expect "$name: files" diff wanted got
	[ ${#run_options[@]} = 0 ] || expect "$name: trace and profile" "$heddle" info --check-trace "$name.heddle.d"
}

# random SEED RANKS STEPS [THREADS]
random() {
	local name=$mpi.$1.$2.${4:-0}
	rm -f expected.* pairs.* files.* ./*.data
	ranks "$name" "$2" ./random "$1" "${@:3}"
	expect "$name: ends well" ended "$name" "exit 0"
	grep -q "no threads" "$name.out" && { echo "left out: $mpi without threads"; return; }
	known "$name" "$2"
}

randoms() {
	local seed
	compile_mpi random random.c "$HEDDLE_SOURCE/tests/mpi/random_messages.c" \
		"$HEDDLE_SOURCE/tests/mpi/random_collectives.c" "$HEDDLE_SOURCE/tests/mpi/random_files.c" -std=gnu17 -pthread
	for seed in ${HEDDLE_RANDOM_SEEDS:-}; do
		run_options=(--trace)
		random "$seed" $((2 + (seed - 1) % 3)) 15
		random "$seed" $((2 + seed % 3)) 8 3
	done
	[ -z "${HEDDLE_RANDOM_SEEDS:-}" ] || return 0
	run_options=()
	for seed in 4 2 9; do
		random "$seed" $((2 + (seed - 1) % 3)) 15
	done
	run_options=(--trace)
	random 5 3 15
	random 6 2 8 3
}
for_each_mpi randoms
finish
