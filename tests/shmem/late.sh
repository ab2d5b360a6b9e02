#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# A trace shows which PE the others waited for. The profile is the same with and without it. Traces can be exported.
. "$HEDDLE_SOURCE/tests/shmem/lib.sh"
hz=0
run_options=(--trace)
compile_shmem late late.c -I"$HEDDLE_SOURCE"
pes late 2 ./late late.steps
expect "ends well" ended late "exit 0"
"$heddle" report late.heddle.d --late > late.txt 2> late.err
# waited_for FUNCTION PE: the row below the function's row names the PE.
waited_for() {
	awk -v function_="$1 @" -v pe="PE $2" 'found && / for / { exit index($0, pe) ? 0 : 1 } index($0, function_) { found = 1 }
		END { if (!found) exit 1 }' late.txt || { cat late.txt; false; }
}
expect "a barrier of all PEs" waited_for shmem_barrier_all 1
expect "a barrier of a set of PEs" waited_for shmem_barrier 0
expect "a synchronization without completion" waited_for shmem_sync_all 0
expect "the root of a collective" waited_for shmem_broadcast64 1
expect "a reduction" waited_for shmem_double_sum_to_all 1
expect "the holder of a lock" waited_for shmem_set_lock 0
"$heddle" report late.heddle.d --critical > critical.txt
expect "the critical path changes PEs" grep -Eq 'on 2 threads, [1-9][0-9]* changes' critical.txt
# Blame: the PEs' waiting time by the other report, at barriers and in collectives, and a little more for locks.
"$heddle" report late.heddle.d --blame > blame.txt
expect "blame of PEs by the trace" grep -q '^ranks waited .* for each other; by the trace' blame.txt
in_ms() { awk -v pattern="$1" '$0 ~ pattern { ms = $3; ms *= $4 == "s" ? 1000 : $4 == "us" ? 0.001 : 1; print ms; exit }' blame.txt; }
expect "blame equals the PEs' waiting time" between "$(in_ms '^total blame' | awk '{ print $1 * 0.98 - 1 }')" "$(in_ms '^ranks waited')" \
	"$(in_ms '^total blame' | awk '{ print $1 * 1.02 + 1 }')"
"$heddle" report late.heddle.d > report.txt
expect "the first sentences" grep -q "^- OpenSHMEM takes .* of the PEs' time .*, not counting .* of start-up and shutdown" report.txt
expect "locks are in the trace" sh -c "'$heddle' export late.heddle.d --format chrome -o late.json && grep -q shmem_set_lock late.json"

# OTF2 has all collective operations of all PEs, those of allocations included, which do not occur; and locks.
if command -v otf2-print > /dev/null; then
	expect "export" "$heddle" export late.heddle.d --format otf2 -o late.otf2
	otf2-print late.otf2/*.otf2 | awk '{ print $1 }' | sort | uniq -c > otf2.txt
	expect "OTF2: collectives" grep -Eq ' 38 RMA_COLLECTIVE_END$' otf2.txt
	expect "OTF2: locks" grep -Eq ' 6 RMA_ACQUIRE_LOCK$' otf2.txt
else
	echo "left out: no otf2-print on this machine"
fi

# The profile of a run without trace has the same numbers.
run_options=()
pes without 2 ./late without.steps
for metric in visits bytes-got bytes-put; do
	for name in late without; do
		"$heddle" export "$name.heddle.d" --format folded --metric "$metric" | sort > "$name.$metric"
	done
	expect "$metric" diff "late.$metric" "without.$metric"
done
finish
