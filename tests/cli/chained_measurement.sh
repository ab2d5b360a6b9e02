# SPDX-License-Identifier: BSD-3-Clause
# For tests of efficiency with a trace, after measurement.sh: `chained`, two UPC threads that meet at two barriers.
# Thread 0 computes for 100 ms before each barrier, thread 1 for 140 and 40 ms; the barriers end 10 and 20 ms after the
# last arrival. On an ideal network, 240 of the 270 ms would remain; the largest time outside of barriers is 200 ms.
mkdir chained
chained_process() { # pid, rank, ms outside of barriers, ms inside
	cat <<END
process program /opt/chained/chained
process host node7
process pid $1
process start_unix_ns 1700000000000000000
process duration_ns 270000000
process ended_by exit
event 1 upc 4 GASP_UPC_BARRIER upc barrier
model 1 upc
model-field rank UPC
model-field ranks UPC thread
string main
string /home/you/chained.upc
node 0 ROOT 0 0 0
node 0 FUNCTION 0 0 0
source 1 1 1 10
thread 0 0 main
thread-field wall_ns 270000000
thread-field rank $2
thread-field rank_model 1
value wall-time 1 ${3}000000
value wall-time 2 ${4}000000
END
}
chained_trace() { # ms since the event before: arrival, end, arrival, end
	printf 'info 1000 0 0 1700000000000000000 270000000\nnodes 3\nthread 0\nmark 0 thread-begin\n'
	printf 'begin %s000000 2\nend %s000000\n' "$@"
	printf 'mark 0 thread-end\n'
}
make_trace=$HEDDLE_BUILD/tests/make_trace
chained_process 300 1 200 70 | "$make_profile" chained/a.heddle || exit 1
chained_process 301 2 180 90 | "$make_profile" chained/b.heddle || exit 1
chained_trace 100 50 100 20 | "$make_trace" chained/a.heddle-trace || exit 1
chained_trace 140 10 40 80 | "$make_trace" chained/b.heddle-trace || exit 1
