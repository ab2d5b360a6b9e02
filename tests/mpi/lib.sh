# shellcheck shell=bash disable=SC2154 # work, heddle are of tests/run/lib.sh
# SPDX-License-Identifier: BSD-3-Clause
# For tests of programs that use MPI. A script sources this file instead of tests/run/lib.sh.
#
#   for_each_mpi FUNCTION                  calls FUNCTION with $mpi = mpich and openmpi, if they are installed
#   compile_mpi NAME SOURCE [FLAGS...]     compiles a source of tests/mpi by the compiler of $mpi for its language
#   ranks NAME RANKS COMMAND...            every rank below `heddle run`; as `measured`: NAME.out .err .outcome .heddle.d
#   of_launcher NAME RANKS COMMAND...      the launcher below `heddle run`
#   bare_ranks NAME RANKS COMMAND...       unmeasured
#   all_known NAME RANKS                   each rank of a measured launcher has a profile, or the summary accounts for it
#   end_left_over PROGRAM                  ends processes of that name which run in the test's folder
#   measured_as FILE                       compares with lines FUNCTION METRIC VALUE of one rank, written by known.h
#   sum_of NAME METRIC REGEX [RANK]        the sum over the paths that match, of one rank or of all
. "$HEDDLE_SOURCE/tests/run/lib.sh"
# Open MPI 5 starts ranks by PRRTE, which has separate variables.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_mpi_yield_when_idle=1
export PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe OMP_NUM_THREADS=1
# The default of Open MPI 4 refuses windows over TCP or of one rank. Version 5 does not have the first component.
! mpirun.openmpi --version 2> /dev/null | grep -q ' 4\.' || export OMPI_MCA_osc=pt2pt,sm
cd "$work" || exit 1
mpi=

for_each_mpi() {
	local found=0
	for mpi in mpich openmpi; do
		if ! command -v "mpirun.$mpi" > /dev/null || ! command -v "mpicc.$mpi" > /dev/null; then
			echo "left out: no mpirun.$mpi or mpicc.$mpi on this machine"
		else
			found=1
			"$1"
		fi
	done
	[ $found = 1 ] || skip "no mpirun.mpich or mpirun.openmpi, with compilers, on this machine"
}

compile_mpi() {
	local name=$1 source=$2 compiler=mpicc
	shift 2
	case $source in
	*.f90) compiler=mpifort ;;
	*.cpp) compiler=mpicxx ;;
	esac
	"$compiler.$mpi" -O1 -g -fno-optimize-sibling-calls -o "$name" "$HEDDLE_SOURCE/tests/mpi/$source" "$@" > "$name.log" 2>&1 ||
		{ cat "$name.log"; fail "$mpi: $source does not compile"; finish; }
}

ranks() {
	local name=$1 count=$2
	shift 2
	rm -rf "$work/$name.heddle.d"
	run_as "$name" "${kill_options[@]}" -- "mpirun.$mpi" -n "$count" "$heddle" run --sample-hz "$hz" "${run_options[@]}" \
		-o "$work/$name.heddle.d" -- "$@"
}

of_launcher() {
	local name=$1 count=$2
	shift 2
	measured "$name" "mpirun.$mpi" -n "$count" "$@"
}

bare_ranks() {
	local name=$1 count=$2
	shift 2
	bare "$name" "mpirun.$mpi" -n "$count" "$@"
}

# missing NAME: prints the ranks without a profile in the summary of a measured launcher, one in a line.
missing() {
	sed -n 's/^heddle: incomplete: ranks\{0,1\} \(.*\) of [0-9]* ha[sv]e* no profile.*/\1/p' "$work/$1.err" | sed 's/, */\n/g' |
		awk '$2 == "to" { for (rank = $1; rank <= $3; rank++) print rank; next } { print }'
}

# all_known NAME RANKS: each rank has a profile, or the summary names it, or says that ranks still run.
all_known() {
	local found still
	still=$(sed -n 's/^heddle: measured .*, and \([0-9]*\) process[es]* that it started still runs*: .*/\1/p' "$work/$1.err")
	found=$({ find "$work/$1.heddle.d" -maxdepth 1 -name '*.rank*.heddle' | sed 's/.*[.]rank0*\([0-9]\).*/\1/'; missing "$1"; } | sort -n | paste -sd' ')
	reason="profiles and missing ones: $found"
	[ "$found" != "$(seq -s' ' 0 $(($2 - 1)))" ] || reason=
	[ $(($(wc -w <<< "$found") + ${still:-0})) != "$2" ] || reason=
	[ -z "$reason" ]
}

end_left_over() {
	local process
	for process in $(pgrep -x "$1"); do
		[ "$(readlink "/proc/$process/cwd")" != "$work" ] || kill -KILL "$process"
	done
}

sum_of() {
	local name=$1 metric=$2 regex=$3 files=("$work/$1.heddle.d")
	[ $# -lt 4 ] || files=("$work/$1.heddle.d/"*.rank"$4".*.heddle)
	"$heddle" export "${files[@]}" --format folded --metric "$metric" > "$work/$name.folded" 2> "$work/$name.why" ||
		grep -q "no values" "$work/$name.why" || cat "$work/$name.why" >&2
	path_sum "$name" "$regex"
}

measured_as() {
	local metric
	for metric in visits messages-sent bytes-sent messages-received bytes-received; do
		"$heddle" export "$1" --format folded --metric "$metric" 2> /dev/null |
			awk -v metric="$metric" '{ path = $0; sub(/ [0-9]+$/, "", path); sub(/.*;/, "", path); sub(/ @.*/, "", path)
				sum[path] += $NF } END { for (name in sum) printf "%s %s %.0f\n", name, metric, sum[name] }'
	done | grep -Ev '^MPI_(Init|Finalize|Comm_rank|Comm_size|Type_[a-z_]*) '
}
