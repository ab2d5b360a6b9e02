# shellcheck shell=bash disable=SC2034,SC2154 # variables are of tests/run/lib.sh
# SPDX-License-Identifier: BSD-3-Clause
# For tests of programs that use OpenSHMEM. A script sources this file instead of tests/run/lib.sh.
#
#   compile_shmem NAME SOURCE [FLAGS...]   compiles a source of tests/shmem
#   pes NAME PES COMMAND...                every PE below `heddle run`; as `measured`: NAME.out .err .outcome .heddle.d
#   of_launcher NAME PES COMMAND...        the launcher below `heddle run`
#   bare_pes NAME PES COMMAND...           unmeasured
. "$HEDDLE_SOURCE/tests/run/lib.sh"
need oshcc
need oshrun
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_mpi_yield_when_idle=1
# Open MPI 5 starts PEs by PRRTE, which has separate variables.
export PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe
# Otherwise shmem_finalize crashes in Debian's library, measured or not.
export OMPI_MCA_memory=^patcher
# UCX 1.18 prints warnings to standard output about memory that Open MPI 5 does not free.
export UCX_LOG_LEVEL=error
cd "$work" || exit 1

compile_shmem() {
	local name=$1 source=$2
	shift 2
	oshcc -O1 -g -fno-optimize-sibling-calls -Wno-deprecated-declarations -o "$name" "$HEDDLE_SOURCE/tests/shmem/$source" \
		"$@" > "$name.log" 2>&1 || { cat "$name.log"; fail "$source does not compile"; finish; }
}

pes() {
	local name=$1 count=$2
	shift 2
	rm -rf "$work/$name.heddle.d"
	run_as "$name" -- oshrun -np "$count" "$heddle" run --sample-hz "$hz" "${run_options[@]}" \
		-o "$work/$name.heddle.d" -- "$@"
}

of_launcher() {
	local name=$1 count=$2
	shift 2
	measured "$name" oshrun -np "$count" "$@"
}

bare_pes() {
	local name=$1 count=$2
	shift 2
	bare "$name" oshrun -np "$count" "$@"
}
