#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# UPC threads are processes: known waiting at barriers and for locks is charged to culprit functions in other processes,
# to the nanosecond; total blame equals measured waiting time; no files but profiles are left.
set -eu
. "$HEDDLE_SOURCE/tests/upc/common.sh"
heddle=$HEDDLE_BUILD/bin/heddle
# Lets the program find the functions of the simulated machine when it starts.
"$heddle" upcc -O2 -g -fPIC -Wl,-z,dynamic-undefined-weak --inst --inst-functions "$here/programs/blame.upc" -o "$work/blame"
failed=0

simulated=$HEDDLE_BUILD/tests/simulated/bin/heddle # one machine for all processes; time passes as the program says
export HEDDLE_SIMULATED_MACHINE="$work/machine"

# charged NAME FUNCTION...: the blame of paths through a function is what the program printed; other paths have none
charged() {
	awk -v name="$1" 'FNR == NR { truth[$1] = $2; next }
		{ value = $NF; sub(/ [0-9]+$/, ""); all += value
			for (key in truth) if ((";" $0 ";") ~ ";" key ";") given[key] += value }
		END { for (key in truth) { sum += truth[key]
				if (!truth[key] || given[key] != truth[key]) {
					print name ": " key ": waited " truth[key] ", charged " given[key]; bad = 1 } }
			if (all != sum) { print name ": waited " sum " in all, charged " all; bad = 1 }
			exit bad }' "$work/$1.out" "$work/$1.folded" || failed=1
}

# conserved NAME METRIC STATE...
conserved() {
	name=$1 metric=$2
	shift 2
	awk -v states=" $* " -v metric="$metric" -v name="$name" '$1 == metric { given = $2 }
		index(states, " " $1 " ") { waited += $2 }
		END { right = waited > 0 && given == waited
			if (!right) print name ": " metric " " given ", waited " waited
			exit !right }' "$work/$name.numbers" || failed=1
}

# try NAME THREADS OPTION...
try() {
	name=$1 threads=$2
	shift 2
	rm -f "$HEDDLE_SIMULATED_MACHINE"
	timeout "$seconds" "$simulated" run -n "$threads" --blame "$@" -o "$work/$name" -- "$work/blame" >"$work/$name.out" 2>"$work/$name.err" ||
		{ echo "$name: ends with $?"; cat "$work/$name.err"; failed=1; return; }
	"$heddle" export "$work/$name" --format folded --metric blame >"$work/$name.folded"
	charged "$name"
	"$HEDDLE_BUILD/tests/numbers" "$work/$name" >"$work/$name.numbers"
	conserved "$name" lock-blame in_LOCK_WAIT
	conserved "$name" barrier-blame in_BARRIER_WAIT in_COLLECTIVE_WAIT
	[ "$(find "$work/$name" -type f ! -name '*.heddle' | wc -l)" -eq 0 ] || { echo "$name: a file is left"; failed=1; }
}

for threads in 2 3; do
	try "events-$threads" "$threads" --sample-hz 0
	try "sampled-$threads" "$threads" --sample-hz 1000 --sample-clock wall
done

# A killed thread cannot remove its files.
cat >"$work/killed.upc" <<'EOF'
#include <signal.h>
#include <unistd.h>
#include <upc.h>
int main(void)
{
	upc_barrier;
	if (MYTHREAD == 1)
		kill(getpid(), SIGKILL);
	upc_barrier;
	return 0;
}
EOF
"$heddle" upcc --inst "$work/killed.upc" -o "$work/killed"
timeout "$seconds" "$heddle" run --sample-hz 0 -n 2 --blame -o "$work/kill" -- "$work/killed" 2>"$work/kill.err" && { echo "kill: it ended well"; failed=1; }
[ "$(find "$work/kill" -type f ! -name '*.heddle' | wc -l)" -eq 0 ] || { echo "kill: a file is left"; failed=1; }
exit $failed
