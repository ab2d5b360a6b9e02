#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# A program that uses UPC, MPI and OpenMP: one tree with the events of all three, and ranks numbered as UPC threads.
. "$HEDDLE_SOURCE/tests/run/lib.sh"
. "$HEDDLE_SOURCE/tests/upc/ranks/lib.sh"
cd "$work" || exit 1

# Prints the options with which the MPI compiler links libraries.
libraries_of() { "$1" -show x.o | tr ' ' '\n' | grep -E '^-(L|lmpi)'; }

# visits REGEX: prints the visits of matching paths, of all ranks together.
visits() { awk -v regex="$1" '{ n = $NF; sub(/ [0-9]+$/, ""); if ($0 ~ regex) sum += n } END { print sum + 0 }' "$launcher.folded"; }

launcher_test() {
	local compiler=mpicc.$launcher libraries
	command -v "$compiler" > /dev/null || { echo "left out: no $compiler on this machine"; return; }
	mapfile -t libraries < <(libraries_of "$compiler")
	expect "$launcher: compiles C" "$compiler" -g -c "$HEDDLE_SOURCE/tests/upc/ranks/mpi.c" -o mpi.o
	expect "$launcher: compiles UPC and OpenMP" "$heddle" upcc -O1 -g --inst -fopenmp \
		"$HEDDLE_SOURCE/tests/upc/ranks/hybrid.upc" mpi.o -o hybrid "${libraries[@]}"
	launch hybrid 2 "$heddle" run --sample-hz 0 -o "$work/$launcher.heddle.d" -- ./hybrid
	expect "$launcher: status 0" status_is hybrid 0
	expect "$launcher: result" grep -qx 'sum 1001' hybrid.out
	"$heddle" export --format folded --metric visits "$launcher.heddle.d" > "$launcher.folded"
	expect "$launcher: UPC" test "$(visits 'upc barrier @hybrid.upc:25$')" = 6
	expect "$launcher: MPI" test "$(visits 'MPI_Allreduce @mpi.c:17$')" = 6
	expect "$launcher: OpenMP" test "$(visits 'omp parallel @hybrid.upc:16$')" = 6
	expect "$launcher: OpenMP's workers, too" test "$(visits 'omp parallel @hybrid.upc:16;omp implicit barrier')" = 12
	expect "$launcher: ranks are UPC's" sh -c "'$heddle' report --threads '$launcher.heddle.d' | grep -q 'UPC 1'"
}
for_each_launcher launcher_test
# shellcheck disable=SC2154 # of tests/run/lib.sh
[ "$checks" -gt 0 ] || skip "no mpicc.mpich or mpicc.openmpi on this machine"
finish
