#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# over_network.sh [all]: the programs of the tests and the examples on the ranks of a launcher. UPC_NODE_SIZE=1 makes
# each rank a separate node, so that all shared memory of others is accessed over the network. Without `all`, each
# program runs in one of four ways, in turn; with it, in all of them.
set -u
# shellcheck source=tests/upc/common.sh
. "$HEDDLE_SOURCE/tests/upc/common.sh"
# shellcheck source=tests/upc/launchers.sh
. "$HEDDLE_SOURCE/tests/upc/launchers.sh"
need_network
which=${1:-some}

# A way: launcher, ranks, ranks of a node (0: UPC_NODE_SIZE is not set), transports (any: UCX_TLS is not set).
ways=()
for launcher in "${found[@]}"; do
	for ranks in 1 2 3 4; do
		for node in 1 2 0; do
			for transports in tcp,self any; do
				ways+=("$launcher $ranks $node $transports")
			done
		done
	done
done

# run_in WAY COMMAND...
run_in() {
	local launcher ranks node transports status way=$1
	read -r launcher ranks node transports <<< "$way"
	shift
	unset UPC_NODE_SIZE UCX_TLS
	[ "$node" = 0 ] || export UPC_NODE_SIZE=$node
	[ "$transports" = any ] || export UCX_TLS=$transports
	timeout "$seconds" bash -c "$(declare -f launch); launch \"\$@\"" - "$launcher" "$ranks" "$@" > "$1.output" 2>&1 < /dev/null
	status=$?
	echo "$source $way" >> "$work/runs"
	[ $status = 0 ] && return
	head -n 20 "$1.output"
	fail "status $status on $ranks ranks of $launcher, nodes of $node, transports $transports"
}

fail() {
	echo "FAILED: $source: $*"
	: > "$work/failed"
}

# try SOURCE ARGUMENTS OPTION...: compiles it, and runs it in the chosen ways. Called in a separate process.
try() {
	local source=$1 arguments=$2 program=$work/$turn.run way
	shift 2
	"$HEDDLE_BUILD/bin/heddle" upcc "$@" "$source" -lm -o "$program" 2> "$program.messages" ||
		{ cat "$program.messages"; fail "is not compiled"; return; }
	for way in "${chosen[@]}"; do
		# shellcheck disable=SC2086
		run_in "$way" "$program" $arguments
	done
	rm -f "$work/$turn."*
}

# start SOURCE ARGUMENTS OPTION...: tries it in parallel to one other, as a run mostly waits for processes to start and
# end. Uses both launchers in turn, with each rank far, and with two ranks on a node.
turn=0
start() {
	local chosen=()
	turn=$((turn + 1))
	if [ "$which" = all ]; then
		chosen=("${ways[@]}")
	else
		chosen=("${found[turn % ${#found[@]}]} 3 1 tcp,self")
		[ $((turn % 4)) -lt 2 ] || chosen=("${found[turn % ${#found[@]}]} 4 2 any")
	fi
	while [ "$(jobs -r | wc -l)" -ge 2 ]; do
		wait -n
	done
	try "$@" &
}

for source in "$here"/library/*.upc; do
	case $source in */ends.upc | */events.upc) continue ;; esac
	start "$source" "-shared-heap 64M" -O2
done
# Generated code is checked elsewhere (upc_language_*): without optimization, compiling takes half of the time.
for source in "$here"/programs/*.upc; do
	# helped.upc makes hundreds of thousands of strict accesses, to be sampled: a minute over TCP.
	case $source in */several_* | */measured.upc | */located.upc | */blame.upc | */helped.upc) continue ;; esac
	openmp=
	grep -q 'omp\.h' "$source" && openmp=-fopenmp
	start "$source" "" -O0 $openmp
done
# More threads than processors: waiting threads sleep, or they would take the processors that others need.
export OMP_NUM_THREADS=2 OMP_WAIT_POLICY=passive
while read -r name arguments; do
	start "$HEDDLE_SOURCE/examples/$name.upc" "$arguments" -O2 -fopenmp -I"$HEDDLE_SOURCE/include/heddle"
done < <(small_examples)
wait
echo "$(wc -l < "$work/runs") runs"
[ "$(cut -d" " -f1 "$work/runs" | sort -u | wc -l)" = "$turn" ] || fail "not all of $turn programs were run"
[ ! -e "$work/failed" ]
