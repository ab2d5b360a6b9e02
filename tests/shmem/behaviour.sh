#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Programs end and print the same as unmeasured, in each way to end, with MPI, and under a measured launcher.
. "$HEDDLE_SOURCE/tests/shmem/lib.sh"
hz=1000
visits() {
	"$heddle" export "$work/$1.heddle.d" --format folded --metric visits > "$work/$1.folded" 2> /dev/null
	path_sum "$1" "(^|;)$2( @|\$)"
}

# same NAME PES COMMAND...: the launcher's status and the sorted output are those of the bare program.
same() {
	local name=$1
	bare_pes "$name.bare" "${@:2}"
	pes "$name" "${@:2}"
	expect "$name: $(outcome "$name.bare")" ended "$name" "$(outcome "$name.bare")"
	expect "$name: output" diff <(sort "$name.bare.out") <(sort "$name.out")
}

profiles_of_pes() { find "$work/$1.heddle.d" -name '*.rank[0-9]*.heddle' | wc -l; }

compile_shmem ends ends.c
for how in without global exit fork status unfinalized; do
	same "$how" 2 ./ends "$how"
done
run_options=(--flush-seconds 1)
same kill 2 ./ends kill
run_options=()
expect "without: measured" test "$(profile_files without)" = 2
# The launcher kills PE 0, perhaps before its profile is complete.
has_pe_1() { [ -n "$(find "$work/$1.heddle.d" -name 'ends.rank1.*.heddle')" ]; }
expect "global: the profile of PE 1" has_pe_1 global
expect "global: ended by" sh -c "'$heddle' info global.heddle.d/ends.rank1.*.heddle | grep -q shmem_global_exit"
expect "exit: the profile of PE 1" has_pe_1 exit
expect "fork: a child is no PE" test "$(profiles_of_pes fork)" = 2
expect "fork: a child is not shown as a PE" sh -c "[ \$('$heddle' report --threads fork.heddle.d | grep -c '^  [0-9.]* *PE [01] ') -eq 2 ]"
expect "fork: barriers" test "$(visits fork shmem_barrier_all)" = 4
expect "unfinalized: the library's own barrier is not the program's" test "$(visits unfinalized shmem_barrier_all)" = 4

# Only the program's processes are PEs.
of_launcher launcher 2 ./ends
expect "launcher: ends well" ended launcher "exit 0"
expect "launcher: PEs" test "$(profiles_of_pes launcher)" = 2
expect "launcher: barriers" test "$(visits launcher shmem_barrier_all)" = 4

compile_shmem both both.c
for how in "" after; do
	same "both$how" 2 ./both $how
	expect "both, $how: the program's calls of MPI" test "$(visits "both$how" MPI_Allreduce)" = 2
	expect "both, $how: no other calls of MPI" test \
		"$(visits "both$how" 'MPI_[A-Za-z_]*')" = $((8 + (${#how} ? 0 : 2)))
	expect "both, $how: puts" test "$(visits "both$how" shmem_long_p)" = 2
	"$heddle" report "both$how.heddle.d" --messages > "both$how.messages"
	expect "both, $how: who sent to whom" grep -Eq '^ +PE 0 +\. +8 B' "both$how.messages"
done

run_options=(--models mpi)
pes alone 2 ./both
run_options=()
expect "MPI alone: the program's calls" test "$(visits alone 'MPI_[A-Za-z_]*')" = 10
expect "MPI alone: nothing of OpenSHMEM" test "$(visits alone 'shmem_[A-Za-z_]*')" = 0

# Accesses of all threads are counted for the PE.
compile_shmem threads threads.c -pthread
same threads 2 ./threads
if grep -q "no threads" threads.out; then
	echo "left out: the library has no threads"
else
	expect "threads: puts" test "$(visits threads shmem_long_put)" = 6000
	"$heddle" report threads.heddle.d --accesses --by pair > threads.pairs
	expect "threads: pairs" grep -Eq '^ +6,000 .* PE 1 -> PE 0$' threads.pairs
fi

# A program without OpenSHMEM is not linked with Heddle's wrappers for it.
printf 'int main(void) { return 0; }\n' > none.c
expect "a program without OpenSHMEM compiles" gcc -o none none.c
expect "no wrappers of OpenSHMEM are preloaded" sh -c "! '$heddle' run -o none.heddle.d -- sh -c 'echo \$LD_PRELOAD' | grep libheddle-shmem"
finish
