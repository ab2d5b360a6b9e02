# SPDX-License-Identifier: BSD-3-Clause
# For tests of efficiency, after measurement.sh: `hybrid`, a run with known losses, of two UPC threads with two OpenMP
# threads each.
hybrid_process() { # pid
	cat <<END
process program /opt/hybrid/hybrid
argument ./hybrid
process host node7
process pid $1
process start_unix_ns 1700000000000000000
process duration_ns 1000000000
process cpu_ns 1000000000
process ended_by exit
process sample_source perf task-clock
process sample_clock cpu
process sample_hz 1000
event 1 openmp 1 ompt_callback_parallel omp parallel
event 2 openmp 3 ompt_callback_work omp for
event 3 openmp 4 ompt_callback_sync_region omp implicit barrier
event 4 upc 4 GASP_UPC_BARRIER upc barrier
model 1 openmp
model-field state omp
model 2 upc
model-field rank UPC
model-field ranks UPC thread
string main
phase solve
string /home/you/hybrid.upc
string read_input
node 0 ROOT 0 0 0
node 0 FUNCTION 0 0 0
node 1 PHASE 0 0 1
source 2 1 2 10
source 3 2 2 20
source 3 3 2 20
source 1 4 2 50
node 0 STATE 2 0 1
node 1 FUNCTION 0 0 3
END
}
# Rank 0 reads alone for 0.3 s, then its threads work for 0.6 s and 0.3 s; rank 1 waits for it for 0.4 s.
mkdir hybrid
{
	hybrid_process 300
	cat <<END
thread 0 0 main
thread-field wall_ns 1000000000
thread-field rank 1
thread-field rank_model 2
value cpu-time 4 600000000
value cpu-time 8 300000000
value wall-time 6 100000000
thread 1 1 openmp worker
thread-field wall_ns 1000000000
thread-field rank 1
thread-field rank_model 2
thread-field model 1
value cpu-time 4 300000000
value wall-time 5 300000000
value wall-time 7 400000000
END
} | "$make_profile" hybrid/a.heddle || exit 1
{
	hybrid_process 301
	cat <<END
thread 0 0 main
thread-field wall_ns 1000000000
thread-field rank 2
thread-field rank_model 2
value cpu-time 4 500000000
value wall-time 6 500000000
thread 1 1 openmp worker
thread-field wall_ns 1000000000
thread-field rank 2
thread-field rank_model 2
thread-field model 1
value cpu-time 4 500000000
value wall-time 7 500000000
END
} | "$make_profile" hybrid/b.heddle || exit 1
