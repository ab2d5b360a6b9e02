#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Spawned ranks have their own world: they wait for each other, not for ranks of the first world with equal numbers.
. "$HEDDLE_SOURCE/tests/mpi/lib.sh"
hz=0
run_options=(--trace)

# waited LINE RANK MS: others waited for RANK at the barrier in LINE, at least that long.
waited() {
	"$heddle" report --late "$mpi.heddle.d" | grep -A 1 "  MPI_Barrier @spawn.c:$1\$" | head -n 2 > rows
	cat rows
	tail -n 1 rows | grep -Eq "for .* MPI $2\$" && awk -v least="$3" 'NR == 1 { exit !($2 == "s" || $2 == "ms" && $1 >= least) }' rows
}

spawned() {
	compile_mpi spawn spawn.c
	seconds=$((seconds / 4)) bare_ranks "$mpi.bare" 2 ./spawn # under Open MPI 5 in a container it waits forever
	[ "$(outcome "$mpi.bare")" = "exit 0" ] || { echo "left out: $mpi, which does not spawn here"; return; }
	of_launcher "$mpi" 2 ./spawn
	expect "$mpi: ends well" ended "$mpi" "exit 0"
	expect "$mpi: a profile of each rank" sh -c "[ \$(ls '$mpi.heddle.d' | grep -c '^spawn\.rank[01]\..*\.heddle\$') -eq 4 ]"
	expect "$mpi: the trace and the profile agree" "$heddle" info --check-trace "$mpi.heddle.d"
	expect "$mpi: the first world waits for its own rank" waited 24 0 200
	expect "$mpi: the spawned world waits for its own rank" waited 17 1 75
}
for_each_mpi spawned
if [ "$checks" -eq 0 ]; then
	echo "skipped: no MPI here spawns processes"
	exit 77
fi
finish
