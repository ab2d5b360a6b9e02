#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Ranks that end early or are killed: the launcher's status is one that also occurs unmeasured, and each rank has a
# profile, or a line says why not. Programs that start the launcher: its ranks' calls are measured, or a line names the
# option.
. "$HEDDLE_SOURCE/tests/mpi/lib.sh"
summaries() { grep -Ec '^heddle: (measured|no profile of) ' "$work/$1.err"; }
says() { reason=$(grep '^heddle' "$work/$1.err"); grep -q "$2" "$work/$1.err" && reason=; }
left_over() { find "$work/$1.heddle.d" -name '.*' -type f 2> /dev/null | grep -c .; }

# early HOW WORD STATUS...: one of three ranks ends early. Each STATUS occurred in some bare run.
early() {
	local how=$1 word=$2 name=$mpi.$1
	shift 2
	bare_ranks "$name.bare" 3 ./ends "$how"
	ranks "$name" 3 ./ends "$how"
	# Open MPI's launcher kills ranks a second after SIGTERM, or sooner, which is too soon on a busy machine.
	if [ "$mpi" = openmpi ] && [ "$(summaries "$name")" = 0 ]; then
		echo "again: $name: no summary within the launcher's time"
		OMPI_MCA_odls_base_sigkill_timeout=$((seconds / 24)) PRTE_MCA_odls_base_sigkill_timeout=$((seconds / 24)) \
			ranks "$name" 3 ./ends "$how"
	fi
	expect "$name: $(outcome "$name"): as bare ($(outcome "$name.bare")) or of: $*" \
		grep -qxF "$(outcome "$name")" <(outcome "$name.bare"; printf 'exit %s\n' "$@")
	case "$how $(outcome "$name")" in # SIGKILL or SIGHUP from the launcher, perhaps before the summary
	"unfinalized exit 9" | "unfinalized exit 1") [ "$mpi" != mpich ] || return 0 ;;
	esac
	expect "$name: one summary" test "$(summaries "$name")" = 1
	expect "$name: it says: $word" says "$name" "$word"
	expect "$name: no temporary file of the ranks is left" test "$(left_over "$name")" = 0
}

# The first rank that fails reports how the others ended. MPICH's launcher kills all ranks immediately after MPI_Abort
# and a fatal error: then the rank itself reports.
failures() {
	case $mpi in
	mpich)
		early abort 'incomplete: rank 1 of 3 ends the job' 37
		early fatal 'incomplete: rank 1 of 3 ends the job' 6
		for how in abort fatal; do
			expect "$mpi.$how: a profile of rank 1" test "$(sum_of "$mpi.$how" visits '(^|;)MPI_Barrier( @|$)' 1)" = 1
		done
		# Its launcher kills the other ranks, and combines the statuses of those whose ends it observed before.
		early kill 'no profile of .*killed by SIGKILL' 9
		early exit 'incomplete: of 3 ranks, 2 had not ended' 5 9
		early unfinalized 'measured ./ends' 0 1 9
		;;
	openmpi)
		early abort 'measured ./ends' 37
		early fatal 'measured ./ends' 6
		early kill 'no profile of rank 1 of ./ends .*killed by SIGKILL' 137
		early exit 'measured ./ends.*' 5
		early unfinalized 'measured ./ends' 1
		;;
	esac
}

# of_whole_job HOW END REASON: a rank ends a job under a measured launcher: the summary names ranks without a profile.
of_whole_job() {
	local name=$mpi.launcher.$1
	bare_ranks "$name.bare" 3 ./ends "$1"
	end_left_over ends # MPICH 4.2 lets the others run on after a fatal error
	of_launcher "$name" 3 ./ends "$1"
	end_left_over ends
	expect "$name: $(outcome "$name.bare")" ended "$name" "$(outcome "$name.bare")"
	expect "$name: one summary" test "$(summaries "$name")" = 1
	expect "$name: each rank is accounted for" all_known "$name" 3
	expect "$name: the profile of rank 1 names its end" sh -c "'$heddle' info '$work/$name.heddle.d'/ends.rank1.*.heddle | grep -q '$2'"
	[ -z "$(missing "$name")" ] || expect "$name: the reason for a missing profile" says "$name" "no profile: rank 1 $3"
}

# started NAME COMMAND...: COMMAND starts the launcher of two ranks.
started() {
	local name=$mpi.$1
	shift
	measured "$name" "$@"
	expect "$name: ended" ended "$name" "exit 0"
	expect "$name: each rank's MPI_Barrier" test "$(sum_of "$name" visits '(^|;)MPI_Barrier( @|$)')" = 4
	expect "$name: no other line" test "$(grep -c 'calls of MPI were not measured' "$work/$name.err")" = 0
}

launched() {
	local command="mpirun.$mpi -n 2 ./ends once"
	printf '#!/bin/sh\n# A job.\n%s\n' "$command" > "$mpi.job"
	chmod +x "$mpi.job"
	printf 'all:\n\t%s\n' "$command" > "$mpi.mk"
	started script "./$mpi.job"
	started shell sh -c "$command"
	started timeout timeout 200 "mpirun.$mpi" -n 2 ./ends once
	started environment env X=1 sh "./$mpi.job"
	# shellcheck disable=SC2016 # the inner shell's
	COMMAND=$command measured "$mpi.hidden" sh -c 'eval "$COMMAND"'
	expect "$mpi.hidden: the line names the option" says "$mpi.hidden" 'calls of MPI were not measured.*--models mpi'
	run_options=(--models openmp)
	# shellcheck disable=SC2016
	COMMAND=$command measured "$mpi.others" sh -c 'eval "$COMMAND"'
	expect "$mpi.others: no advice if the user chose the models" test "$(grep -c 'calls of MPI' "$work/$mpi.others.err")" = 0
	run_options=(--models mpi)
	# shellcheck disable=SC2016
	COMMAND=$command started asked sh -c 'eval "$COMMAND"'
	run_options=()
}

ends_early() {
	compile_mpi ends ends.c
	failures
	of_whole_job abort MPI_Abort 'called MPI_Abort'
	[ "$mpi" != mpich ] || of_whole_job fatal 'fatal MPI error' 'had a fatal error'
	launched
}
for_each_mpi ends_early
finish
