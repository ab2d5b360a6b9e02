#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Programs end and print the same as unmeasured, in each way to end, with threads, errors, and other wrappers.
. "$HEDDLE_SOURCE/tests/mpi/lib.sh"
hz=1000
sum_of_rank() { [ -n "${4:-}" ] && sum_of "$@" || sum_of "$1" "$2" "$3"; }
visits() { sum_of_rank "$1" visits "(^|;)$2( @|\$)" "${3:-}"; }

alike() { [ "$(outcome "$1")" = "$(outcome "$1.bare")" ] && diff -q <(grep -v '^=' "$1.bare.out" | sort) <(grep -v '^=' "$1.out" | sort) >/dev/null; }

# same NAME RANKS COMMAND...: the launcher's status and the sorted output are those of the bare program. MPICH's
# launcher may or may not send a signal to a rank that ends without MPI_Finalize, so one of five bare runs must match.
same() {
	local name=$1 try
	ranks "$name" "${@:2}"
	for try in 1 2 3 4 5; do
		bare_ranks "$name.bare" "${@:2}"
		! alike "$name" || break
		echo "$name: bare run $try differs: $(outcome "$name.bare")"
	done
	expect "$name: $(outcome "$name.bare")" ended "$name" "$(outcome "$name.bare")"
	grep -v '^=' "$name.bare.out" | sort > "$name.wanted"
	expect "$name: output" diff "$name.wanted" <(grep -v '^=' "$name.out" | sort)
}

ends() {
	compile_mpi ends ends.c
	for how in without abort longjmp errors fork pcontrol; do
		same "$mpi.$how" 3 ./ends "$how"
	done
	# Without MPI_Finalize. MPICH's launcher kills the other ranks, if any, when the first one has ended.
	same "$mpi.unfinalized" 1 ./ends unfinalized
	expect "$mpi.unfinalized: a profile" test "$(visits "$mpi.unfinalized" MPI_Barrier)" = 1
	# MPICH's launcher ends with the status of the first process whose end it observes, or of those that it kills.
	ranks "$mpi.exit" 3 ./ends exit
	expect "$mpi.exit: a failure" test "$(outcome "$mpi.exit")" != "exit 0"
	for how in abort exit longjmp errors; do
		expect "$mpi.$how: the profile of rank 1" test "$(visits "$mpi.$how" MPI_Barrier 1)" -ge 1
	done
	expect "$mpi.abort: ended by" sh -c "'$heddle' info '$mpi.abort.heddle.d'/ends.rank1.*.heddle | grep -q MPI_Abort"
	expect "$mpi.longjmp: each call" test "$(visits "$mpi.longjmp" MPI_Send)" = 30
	expect "$mpi.longjmp: calls after the jump" test "$(visits "$mpi.longjmp" MPI_Barrier)" = 6
	expect "$mpi.pcontrol: paused" test "$(visits "$mpi.pcontrol" MPI_Bcast)" = 0
	expect "$mpi.pcontrol: measured again after the pause" test "$(visits "$mpi.pcontrol" MPI_Barrier)" = 6
	expect "$mpi.fork: a child is no rank" sh -c "[ \$(ls '$mpi.fork.heddle.d' | grep -c '\.rank[012]\.') -eq 3 ]"
	expect "$mpi.fork: a child is not shown as a rank" sh -c "[ \$('$heddle' report --threads '$mpi.fork.heddle.d' | grep -c '^  [0-9.]* *MPI [012] ') -eq 3 ]"
	expect "$mpi.without: measured" test "$(profile_files "$mpi.without")" = 3
}

killed() {
	run_options=(--flush-seconds 1)
	same "$mpi.kill" 3 ./ends kill
	run_options=()
}

threads() {
	compile_mpi threads threads.c -pthread
	same "$mpi.threads" 2 ./threads
	grep -q "no threads" "$mpi.threads.out" && { echo "left out: $mpi without threads"; return; }
	expect "$mpi.threads: sends" test "$(sum_of "$mpi.threads" messages-sent .)" = 4000
	expect "$mpi.threads: receives" test "$(sum_of "$mpi.threads" messages-received .)" = 4000
	expect "$mpi.threads: bytes" test "$(sum_of "$mpi.threads" bytes-received .)" = "$(sum_of "$mpi.threads" bytes-sent .)"
}

chain() {
	compile_mpi wrapped chain.c
	same "$mpi.wrapped" 2 ./wrapped
	expect "$mpi.wrapped: calls by the program's wrappers" test "$(visits "$mpi.wrapped" MPI_Allreduce)" = 10
	expect "$mpi.wrapped: barriers by the program's wrappers" test "$(visits "$mpi.wrapped" MPI_Barrier)" = 10
	compile_mpi libhidden.so chain.c -DLIBRARY -shared -fPIC
	expect "$mpi: a loader" gcc -DLOADER -o loader "$HEDDLE_SOURCE/tests/mpi/chain.c"
	same "$mpi.hidden" 2 ./loader ./libhidden.so
	expect "$mpi.hidden: counted" test "$(visits "$mpi.hidden" MPI_Allreduce)" = 10
}

behaviour() {
	ends
	killed
	threads
	chain
}
for_each_mpi behaviour
finish
