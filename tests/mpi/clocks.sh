#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Ranks on machines whose clocks are seconds apart and drift by 100 ppm: their traces are put in one order. The offsets
# are within the reported error of the truth, and no message or barrier contradicts them, as it would without the
# offsets. Measured ranks do not wait for unmeasured ones.
# shellcheck disable=SC2317 # functions are called by expect
. "$HEDDLE_SOURCE/tests/mpi/clocks_lib.sh"

# on_machines NAME SKEW RANKS COMMAND...: two ranks on each machine; the launcher does not report them as one host.
on_machines() {
	local name=$1 count=$3
	export SKEW=$2 SKEW_RANKS=2
	shift 3
	run_as "$name" -- "mpirun.$mpi" -n "$count" env -u MPI_LOCALNRANKS -u OMPI_COMM_WORLD_LOCAL_SIZE LD_PRELOAD="$work/skew.so" "$@"
}

machines() {
	compile_mpi clocks clocks.c
	try "$mpi-ahead" "0:0 5:100" 4
	try "$mpi-behind" "0:0 -4:-100 3:100" 6

	# Only rank 2, which would measure the offsets, is measured.
	cat > some.sh <<-'END'
		[ "${PMI_RANK:-$OMPI_COMM_WORLD_RANK}" = 2 ] || exec "$@"
		exec "$0.heddle" run --trace -o "$0.heddle.d" -- "$@"
	END
	ln -sf "$heddle" some.sh.heddle
	rm -rf some.sh.heddle.d
	on_machines "$mpi-some" "0:0 5:100" 4 bash ./some.sh ./clocks 100
	expect "$mpi: measured ranks do not wait for the others" ended "$mpi-some" "exit 0"

	run_options=(--trace)
	ranks "$mpi-one" 2 ./clocks 100
	info "$mpi-one"
	expect "$mpi: nothing is measured on one machine" grep -q 'clock .*counter of one machine$' "$mpi-one.info"
}
for_each_mpi machines
finish
