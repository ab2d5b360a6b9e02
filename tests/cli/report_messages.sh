#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# `heddle report --messages` of two MPI ranks on two hosts: who sends how much to whom, by rank and by host.
. "$HEDDLE_SOURCE/tests/cli/measurement.sh"

rank() { # number, host, bytes sent to the other
	cat <<END | "$make_profile" "hosts/$1.heddle"
process program /opt/halo/halo
argument ./halo
process host $2
process pid 30$1
process start_unix_ns 1700000000000000000
process duration_ns 2000000000
process ended_by exit
event 1 mpi 8 MPI_Send MPI_Send
string MPI_COMM_WORLD
model 1 mpi
model-field rank MPI
model-field ranks MPI rank
node 0 ROOT 0 0 0
node 0 REGION 1 0 0
thread 0 -1 main
thread-field rank $(($1 + 1))
thread-field rank_model 1
thread-field wall_ns 2000000000
value wall-time 1 500000000
value visits 1 10
exchange 1 $((2 - $1)) 1 11 10 $3 500000000
END
}
mkdir hosts
rank 0 node7 10240 && rank 1 node8 20480 || exit 1
"$heddle" report --messages hosts | sed -n '/^bytes from/,$p' >got
cat >wanted <<'END'
bytes from rank to rank, in messages and through windows
        to    MPI 0    MPI 1      all
      from
     MPI 0        . 10.0 KiB 10.0 KiB
     MPI 1 20.0 KiB        . 20.0 KiB
       all 20.0 KiB 10.0 KiB 30.0 KiB

bytes from host to host
        to   host 0   host 1      all
      from
    host 0        . 10.0 KiB 10.0 KiB
    host 1 20.0 KiB        . 20.0 KiB
       all 20.0 KiB 10.0 KiB 30.0 KiB
  host 0: node7
  host 1: node8
END
sed '/^  host 1: /q' got | diff wanted - || failed=1
exit $failed
