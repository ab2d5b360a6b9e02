#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Structures passed by value from shared memory: they have the right values, also from far memory, and cause the same
# events as the same program which first reads each value into a private variable (by_value.py).
# HEDDLE_FUZZ_SEEDS="FIRST LAST" uses other seeds than the default.
set -eu -o pipefail
# shellcheck source=tests/upc/common.sh
. "$HEDDLE_SOURCE/tests/upc/common.sh"
command -v python3 >/dev/null || { echo "skipped: no python3"; exit 77; }
read -r first last <<<"${HEDDLE_FUZZ_SEEDS:-1 4}"
source=$work/by_value.upc options=

complain() {
	echo "seed $seed, $options: $*" >&2
	exit 1
}

# run PROGRAM NODE_SIZE: prints its output and events with two threads, sorted
run() {
	UPC_TRACE=${trace:-} UPC_NODE_SIZE=$2 UPC_THREADS=2 timeout "$seconds" "$work/$1" >"$work/output" 2>&1 || {
		grep -v ' @' "$work/output" >&2 || true
		complain "$1, node size '$2', ends with an error"
	}
	sort "$work/output"
}

compare() {
	# shellcheck disable=SC2086
	"$upcc" -w -g $options "$source" -o "$work/direct"
	run direct 1 >"$work/events.direct"
	run direct 2 >/dev/null
	[ -n "${trace:-}" ] || return 0
	# shellcheck disable=SC2086
	"$upcc" -w -g $options -DCOPIED "$source" -o "$work/copied"
	run copied 1 >"$work/events.copied"
	grep -q '^1 get_start thread=0 ' "$work/events.copied" || complain "no event"
	diff "$work/events.copied" "$work/events.direct" || complain "other events"
}

with_standin
# Compilers take most of the time: each program is compiled in one of three ways with events, every other one without.
ways=("-O0 --inst" "-O2 --inst" "-O2 --inst -fupc-threads=2")
for seed in $(seq "$first" "$last"); do
	python3 "$here/by_value.py" "$seed" >"$source"
	options=${ways[seed % 3]} trace=1 compare
	[ $((seed % 2)) = 0 ] || options=-O2 compare
done
