#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Signals sent to the launcher: each rank gets a signal as often as unmeasured, and job and ranks end in the same way.
. "$HEDDLE_SOURCE/tests/mpi/lib.sh"
lines() { grep '^[0-9]: ' "$work/$1.out" | sort; }
summaries() { grep -Ec '^heddle: (measured|no profile of) ' "$work/$1.err"; }

# counted SIGNAL: sends it to programs that handle it.
counted() {
	kill_options=(-s "$(kill -l "$1")" 100 ready)
	bare_ranks "$mpi.$1.bare" 3 ./signals count
	lines "$mpi.$1.bare" > "$mpi.$1.wanted"
	ranks "$mpi.$1.ranks" 3 ./signals count
	of_launcher "$mpi.$1.launcher" 3 ./signals count
	for name in "$mpi.$1".{ranks,launcher}; do
		expect "$name: $(outcome "$mpi.$1.bare")" ended "$name" "$(outcome "$mpi.$1.bare")"
		expect "$name: signals arrive as often as unmeasured" diff "$mpi.$1.wanted" <(lines "$name")
		expect "$name: each rank's profile" test "$(sum_of "$name" visits '(^|;)MPI_Barrier( @|$)')" = 3
	done
	kill_options=()
}

# statuses NAME: prints the possible statuses, one in a line: those of bare runs. MPICH's launcher combines the statuses
# of the ranks whose ends it observes before or after it kills the others by signal 9. Ranks that write their profiles
# may all be among those killed. If it observes no end, its status is 0, as in 13 of 60 bare runs on a busy machine.
statuses() {
	local status
	cat "$work/$1".bare?.outcome
	[ "$mpi" != mpich ] || printf 'exit 0\nexit 9\n'
	[ "$mpi" != mpich ] || sed -n 's/^exit //p' "$work/$1".bare?.outcome | while read -r status; do
		echo "exit $((status | 9))"
	done
}

# forwards NAME: true if the launcher prints what a rank writes after the signal. That of Open MPI 5 does not.
forwards() {
	# shellcheck disable=SC2016
	bare_ranks "$1.late" 1 sh -c 'trap "echo late >&2; exit" INT TERM; echo ready; for i in 1 2 3 4 5 6 7 8 9; do sleep 1; done'
	grep -q '^late' "$work/$1.late.err"
}

# ending SIGNAL: sends it to programs that do not handle it.
ending() {
	local try name=$mpi.$1.default most=1
	kill_options=(-s "$(kill -l "$1")" 100 ready)
	forwards "$name" || most=0
	[ "$most" = 1 ] || echo "left out: the summary of ranks: mpirun.$mpi does not forward it after SIG$1"
	for try in 1 2 3 4 5; do
		bare_ranks "$name.bare$try" 3 ./signals
	done
	ranks "$name.ranks" 3 ./signals
	of_launcher "$name.launcher" 3 ./signals
	for name in "$mpi.$1".default.{ranks,launcher}; do
		expect "$name: $(outcome "$name"), as one of: $(statuses "$mpi.$1.default" | sort -u | paste -sd,)" \
			grep -qxF "$(outcome "$name")" <(statuses "$mpi.$1.default")
	done
	expect "$mpi.$1.default.ranks: one summary" test "$(summaries "$mpi.$1.default.ranks")" -ge "$most" -a \
		"$(summaries "$mpi.$1.default.ranks")" -le 1
	expect "$mpi.$1.default.launcher: one summary" test "$(summaries "$mpi.$1.default.launcher")" = 1
	expect "$mpi.$1.default.ranks: each rank's profile" \
		test "$(sum_of "$mpi.$1.default.ranks" visits '(^|;)MPI_Barrier( @|$)')" = 3
	expect "$mpi.$1.default.launcher: each rank is accounted for" all_known "$mpi.$1.default.launcher" 3
	kill_options=()
}

signals() {
	compile_mpi signals signals.c
	case $mpi in
	mpich) for number in INT TERM USR1; do counted "$number"; done ;;
	openmpi) counted USR1 ;; # other signals make it kill the ranks
	esac
	ending INT
	ending TERM
}
for_each_mpi signals
finish
