#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# How ranks end: with the status that one requests; all together if one is lost; no process is left.
# shellcheck disable=SC2317 # functions are called by expect
. "$HEDDLE_SOURCE/tests/run/lib.sh"
. "$HEDDLE_SOURCE/tests/upc/ranks/lib.sh"
cd "$work" || exit 1
"$heddle" upcc -O1 -g "$HEDDLE_SOURCE/tests/upc/ranks/ranks.upc" -o ranks || { fail "does not compile"; finish; }

# True if the launcher may return 0 when a rank ends without its notice: that of MPICH 4.2, also with a C program.
may_succeed() { [ "$launcher" = mpich ] && mpirun.mpich --version | grep -q 'Version: *4\.2'; }

# ends NAME STATUS RANKS ARGUMENT...
ends() {
	local name=$1 status=$2
	shift 2
	launch "$name" "$1" ./ranks "${@:2}"
	if [ "$status" = ! ] && may_succeed; then
		echo "left out: mpich: $name: fails: the launcher's status is $(cat "$work/$name.status"), which may be 0"
	elif [ "$status" = ! ]; then
		expect "$launcher: $name: fails" fails "$name"
	else
		expect "$launcher: $name: status $status" status_is "$name" "$status"
	fi
	expect "$launcher: $name: ends by itself" ends_by_itself "$name"
	expect "$launcher: $name: nothing is left" none_left ranks
}
all_sleep() { [ "$(pgrep -fc '^\./ranks sleep')" -ge 3 ] && [ "$(grep -c right "$1.out")" = 3 ]; }
# Sends a signal to mpirun.
interrupted() {
	launch "$1" 3 ./ranks sleep &
	wait_until all_sleep "$1"
	pkill -"$2" -f "^(mpirun\.$launcher|prterun) .*\./ranks sleep" # Open MPI 5's mpirun executes prterun
	wait 2> /dev/null
	expect "$launcher: $1: no process is left" none_left ranks
	expect "$launcher: $1: ends by itself" ends_by_itself "$1"
}

launcher_test() {
	ends normal 0 3
	ends three 3 3 return 3 # the other threads wait for thread 1 in a barrier
	expect "$launcher: the waiting thread reports it" says_once three 'ranks.upc:68: upc_barrier waits for thread 1, which has ended with status 3'
	ends early 1 3 return 0 wait
	expect "$launcher: an early end" says_once early 'waits for thread 1, which has ended with status 0'
	ends global 37 4 global 37
	expect "$launcher: output just before the end" grep -q 'last words' global.out
	expect "$launcher: output of the other threads" test "$(grep -c right global.out)" = 4
	ends global_0 0 4 global 0
	ends quit ! 3 quit 4 wait
	ends killed ! 4 kill 0 wait
	ends null 1 3 null 0
	expect "$launcher: a null pointer" says_once null 'ranks.upc:46: access through a null pointer-to-shared'
	interrupted int INT
	interrupted term TERM
	interrupted dead KILL
}
for_each_launcher launcher_test
finish
