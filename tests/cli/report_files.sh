#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The sentence of `heddle report` about MPI-IO, which appears only if MPI-IO takes a twentieth of the ranks' time.
. "$HEDDLE_SOURCE/tests/cli/measurement.sh"

rank() { # measurement, number, ms of 2 s for writing out.dat
	cat <<END | "$make_profile" "$1/$2.heddle"
process program /opt/halo/halo
process host node7
process pid 30$2
process start_unix_ns 1700000000000000000
process duration_ns 2000000000
process ended_by exit
event 1 mpi 8 MPI_File_write_all MPI_File_write_all
event 2 mpi 8 MPI_Init MPI_Init
role 14
string /data/out.dat
string /data/in.dat
model 1 mpi
model-field label MPI
model-field rank MPI
model-field ranks MPI rank
node 0 ROOT 0 0 0
node 0 REGION 1 0 0
node 0 REGION 2 0 0
thread 0 -1 main
thread-field rank $(($2 + 1))
thread-field rank_model 1
thread-field end_ns 2000000000
value wall-time 1 $(($3 + 20))000000
exchange 1 0 10 31 4 4194304 ${3}000000
exchange 2 0 9 21 1 1048576 20000000
END
}
mkdir much little
rank much 0 300 && rank much 1 500 && rank little 0 40 && rank little 1 60 || exit 1
sentence='- Calls with files take 21 % of the MPI ranks'"'"' time (840 ms), 95 % of it with `out.dat`, 8.00 MiB written, 16.0 MiB/s; `heddle report --messages` has all files.'
"$heddle" report much >out
grep -qxF -- "$sentence" out || { echo "missing: $sentence"; cat out; failed=1; }
"$heddle" report little >out
! grep 'Calls with files' out || { echo "a sentence about 3.5 %"; failed=1; }
exit $failed
