#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Who sent how much to whom, by ranks of MPI_COMM_WORLD; the same of a merged file. Waiting, without a trace.
. "$HEDDLE_SOURCE/tests/mpi/lib.sh"
hz=0

# grid MEASUREMENT: the matrix of ranks, without blanks.
grid() { "$heddle" report --messages "$1" | sed -n '/^bytes from rank to rank/,/^$/p' | sed 's/  */ /g'; }

exchanges() {
	compile_mpi exchanges exchanges.c
	ranks "$mpi" 4 ./exchanges
	expect "$mpi: ends well" ended "$mpi" "exit 0"
	cat > wanted <<-'END'
	bytes from rank to rank, in messages and by windows
	 to MPI 0 MPI 1 MPI 2 MPI 3 all
	 from
	 MPI 0 . . . . .
	 MPI 1 1.95 KiB . . . 1.95 KiB
	 MPI 2 2.93 KiB 2.93 KiB . . 5.86 KiB
	 MPI 3 3.91 KiB 3.91 KiB 3.91 KiB . 11.7 KiB
	 all 8.79 KiB 6.84 KiB 3.91 KiB . 19.5 KiB

	END
	grid "$mpi.heddle.d" > got
	expect "$mpi: matrix" diff wanted got
	expect "$mpi: merged" "$heddle" merge -o "$mpi.merged" "$mpi.heddle.d"
	grid "$mpi.merged" > got
	expect "$mpi: matrix, merged" diff wanted got
	expect "$mpi: by communicator" sh -c "'$heddle' report --messages '$mpi.heddle.d' | grep -Eq '^ +20 +19\.5 KiB .*communicator of 4 ranks, [0-9a-f]{4}-[01]\$'"
	expect "$mpi: by size" sh -c "'$heddle' report --messages '$mpi.heddle.d' | grep -Eq '^ +20 +19\.5 KiB .*  1\.00 KiB\$'"
	# Three ranks wait 300 ms for one.
	expect "$mpi: waiting" between 850000000 "$(sum_of "$mpi" message-wait 'MPI_Allreduce')" 2000000000
	expect "$mpi: not the late one" test "$(sum_of "$mpi" message-wait 'MPI_Allreduce' 0)" -lt 200000000
}
for_each_mpi exchanges
finish
