#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# UPC threads are processes: known waiting at barriers and for locks is charged to culprit functions in other processes,
# within two points of all waiting; total blame equals measured waiting time; no files but profiles are left.
set -eu
. "$HEDDLE_SOURCE/tests/upc/common.sh"
heddle=$HEDDLE_BUILD/bin/heddle
"$heddle" upcc -O2 -g --inst --inst-functions "$here/programs/blame.upc" -o "$work/blame"
failed=0

# charged NAME FUNCTION...: what the program says of each function, against the blame of paths through it.
charged() {
	for function in $2; do
		charged_one "$1" "$function" || return
	done
}
charged_one() {
	awk -v name="$1" -v key="$2" 'FNR == NR { if ($1 == key) truth = $2; next }
		{ value = $NF; sub(/ [0-9]+$/, ""); all += value; if ((";" $0 ";") ~ ";" key ";") given += value }
		END { d = 100 * (given - truth) / all; right = truth > 0 && d >= -2 && d <= 2
			if (!right) print name ": " key ": waited " truth ", charged " given ", of " all
			exit !right }' "$work/$1.out" "$work/$1.folded"
}

# conserved NAME METRIC STATE...
conserved() {
	name=$1 metric=$2
	shift 2
	awk -v states=" $* " -v metric="$metric" -v name="$name" '$1 == metric { given = $2 }
		index(states, " " $1 " ") { waited += $2 }
		END { d = given - waited; if (d < 0) d = -d; right = waited > 0 && d <= 20000 + waited / 2000
			if (!right) print name ": " metric " " given ", waited " waited
			exit !right }' "$work/$name.numbers" || failed=1
}

# measure NAME THREADS OPTION...
measure() {
	name=$1 threads=$2
	shift 2
	rm -rf "${work:?}/$name"
	timeout 100 "$heddle" run -n "$threads" --blame "$@" -o "$work/$name" -- "$work/blame" >"$work/$name.out" 2>"$work/$name.err" ||
		{ echo "$name: ends with $?"; cat "$work/$name.err"; return 1; }
	"$heddle" export "$work/$name" --format folded --metric blame >"$work/$name.folded"
}

# try NAME THREADS FUNCTIONS OPTION...
# On a busy machine, a thread may lose the processor while it reports that it waits; what its culprit does when it has
# one again is charged with that time. Only a fault of Heddle fails in each of three attempts.
try() {
	name=$1 threads=$2 functions=$3 attempt=1
	shift 3
	measure "$name" "$threads" "$@" || { failed=1; return; }
	while ! charged "$name" "$functions"; do
		[ $attempt -lt 3 ] || { failed=1; break; }
		attempt=$((attempt + 1))
		measure "$name" "$threads" "$@" || { failed=1; return; }
	done
	"$HEDDLE_BUILD/tests/numbers" "$work/$name" >"$work/$name.numbers"
	conserved "$name" lock-blame in_LOCK_WAIT
	conserved "$name" barrier-blame in_BARRIER_WAIT in_COLLECTIVE_WAIT
	[ "$(find "$work/$name" -type f ! -name '*.heddle' | wc -l)" -eq 0 ] || { echo "$name: a file is left"; failed=1; }
}

try events-2 2 'late holder' --sample-hz 0
try events-3 3 'late holder' --sample-hz 0
try sampled-2 2 'late holder' --sample-hz 1000 --sample-clock wall
try sampled-3 3 'late holder' --sample-hz 1000 --sample-clock wall

# A thread that is killed can't tidy up.
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
timeout 60 "$heddle" run --sample-hz 0 -n 2 --blame -o "$work/kill" -- "$work/killed" 2>"$work/kill.err" && { echo "kill: it ended well"; failed=1; }
[ "$(find "$work/kill" -type f ! -name '*.heddle' | wc -l)" -eq 0 ] || { echo "kill: a file is left"; failed=1; }
exit $failed
