# shellcheck shell=bash
# SPDX-License-Identifier: BSD-3-Clause
# Launchers for UPC programs: Open MPI's and MPICH's mpirun, if installed. Sourced by tests.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1

# Prints the names of those installed, and a line on standard error for each other one.
launchers() {
	local name
	for name in openmpi mpich; do
		if command -v "mpirun.$name" > /dev/null; then
			echo $name
		else
			echo "left out: mpirun.$name is not installed (package ${name/openmpi/openmpi-bin})" >&2
		fi
	done
}

# Sets the array `found` to launchers that run this build's programs over the network. Without any, the test is skipped.
need_network() {
	[ -e "$HEDDLE_BUILD/lib/libheddle-upc-ucx.so" ] || { echo "skipped: the network was not built (libucx-dev)"; exit 77; }
	read -ra found <<< "$(launchers | xargs)"
	[ ${#found[@]} -gt 0 ] || { echo "skipped: no launcher"; exit 77; }
}

# launch LAUNCHER RANKS COMMAND...
launch() {
	local options=()
	[ "$1" = openmpi ] && options=(--oversubscribe --bind-to none)
	"mpirun.$1" "${options[@]}" -np "$2" "${@:3}"
}

# The examples, with arguments for little work.
small_examples() {
	cat <<- 'LIST'
		cc 300
		cg 2
		dot 2000
		ft 1
		histogram 3000
		hybrid 2
		is 3000 1
		mg 4
		plate 12 10
		sparse 300 2
		stencil 12 10
		uts 100
	LIST
}
