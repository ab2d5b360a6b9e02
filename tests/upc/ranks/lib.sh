# shellcheck shell=bash disable=SC2154 # work is of tests/run/lib.sh
# SPDX-License-Identifier: BSD-3-Clause
# For tests of programs that mpirun starts, one process for each UPC thread. A script sources it after tests/run/lib.sh.
#
#   for_each_launcher FUNCTION          calls FUNCTION with $launcher = mpich and openmpi, if they are installed
#   launch NAME RANKS COMMAND...        runs mpirun; $work/NAME.out .err .status: 124 if it does not end in a minute
#   none_left PROGRAM                   no process of that program runs, at once or soon
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMP_NUM_THREADS=1

[ -x "$HEDDLE_BUILD/libexec/heddle/heddle-upcc1" ] || skip "the UPC compiler was not built (clang-N, llvm-N-dev, libclang-N-dev)"
launcher=

launch_once() {
	local name=$1 ranks=$2 more=()
	shift 2
	[ "$launcher" = openmpi ] && more=(--oversubscribe)
	timeout "$seconds" "mpirun.$launcher" "${more[@]}" -n "$ranks" "$@" > "$work/$name.out" 2> "$work/$name.err" < "${input:-/dev/null}"
	echo $? > "$work/$name.status"
}

# On a busy machine, MPICH's launcher loses the output of a process that ends at once in about one of a hundred runs.
launch() {
	for _ in 1 2 3; do
		launch_once "$@"
		[ "$launcher" = mpich ] && status_is_not_0 "$1" && [ ! -s "$work/$1.out" ] && [ ! -s "$work/$1.err" ] || break
	done
}
status_is() { [ "$(cat "$work/$1.status")" = "$2" ] || { tail -n 20 "$work/$1.err"; false; }; }
status_is_not_0() { [ "$(cat "$work/$1.status")" -ne 0 ] && [ "$(cat "$work/$1.status")" -ne 124 ]; }
fails() { status_is_not_0 "$1" || { echo "status $(cat "$work/$1.status")"; tail -n 20 "$work/$1.out" "$work/$1.err"; false; }; }
ends_by_itself() { [ "$(cat "$work/$1.status")" -ne 124 ]; }
all_right() { [ "$(grep -c ": right$" "$1.out")" = "$2" ] && [ "$(wc -l < "$1.out")" = "$2" ] && grep -q "of $2: " "$1.out"; }
says_once() { [ "$(grep -c "^upc: .*$2" "$work/$1.err")" = 1 ] || { cat "$work/$1.err"; false; }; }
runs_not() { ! pgrep -f "^(\./|$work/)$1( |\$)" > /dev/null; }
none_left() { wait_until runs_not "$1"; }

for_each_launcher() {
	local found=0
	for launcher in mpich openmpi; do
		if ! command -v "mpirun.$launcher" > /dev/null; then
			echo "left out: no mpirun.$launcher on this machine"
		elif [ "$launcher" = openmpi ] && [ ! -e "$HEDDLE_BUILD/lib/libheddle-upc-pmix.so" ]; then
			echo "left out: Open MPI, because libheddle-upc-pmix.so was not built (libpmix-dev)"
		else
			found=1
			"$1"
		fi
	done
	[ $found = 1 ] || skip "no mpirun.mpich or mpirun.openmpi on this machine"
}
