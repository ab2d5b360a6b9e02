#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# over_network.sh [all]: the programs of the tests and the examples on the ranks of a launcher. UPC_NODE_SIZE=1 makes
# each rank a node of its own, so that all shared memory of others is reached over the network. Without `all`, each
# program runs in one of four ways, another one than the program before; with it, in all of them.
set -u
# shellcheck source=tests/upc/common.sh
. "$HEDDLE_SOURCE/tests/upc/common.sh"
# shellcheck source=tests/upc/launchers.sh
. "$HEDDLE_SOURCE/tests/upc/launchers.sh"
need_network
which=${1:-some}
failed=0 runs=0

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

# run_in WAY PROGRAM ARGUMENT...
run_in() {
	local launcher ranks node transports status
	read -r launcher ranks node transports <<< "$1"
	shift
	unset UPC_NODE_SIZE UCX_TLS
	[ "$node" = 0 ] || export UPC_NODE_SIZE=$node
	[ "$transports" = any ] || export UCX_TLS=$transports
	timeout 300 bash -c "$(declare -f launch); launch \"\$@\"" - "$launcher" "$ranks" "$@" > "$work/output" 2>&1 < /dev/null
	status=$?
	runs=$((runs + 1))
	if [ $status != 0 ]; then
		head -n 20 "$work/output"
		echo "FAILED with status $status: $source$name $* on $ranks ranks of $launcher, nodes of $node, transports $transports"
		failed=1
	fi
}

# try PROGRAM ARGUMENT...: both launchers with each rank far, and with two ranks on a node, in turn
turn=0
try() {
	local way chosen=()
	if [ "$which" = all ]; then
		chosen=("${ways[@]}")
	else
		turn=$((turn + 1))
		chosen=("${found[turn % ${#found[@]}]} 3 1 tcp,self")
		[ $((turn % 4)) -lt 2 ] || chosen=("${found[turn % ${#found[@]}]} 4 2 any")
	fi
	for way in "${chosen[@]}"; do
		run_in "$way" "$@"
	done
}

compile() {
	"$HEDDLE_BUILD/bin/heddle" upcc "$@" -lm -o "$work/program" 2> "$work/messages" || { cat "$work/messages"; echo "FAILED: $* is not compiled"; failed=1; return 1; }
}

name=
for source in "$here"/library/*.upc; do
	case $source in */ends.upc | */events.upc) continue ;; esac
	compile -O2 "$source" && try "$work/program" -shared-heap 64M
done
# What is generated is checked elsewhere (upc_language_*): without optimization, it is compiled in half of the time.
for source in "$here"/programs/*.upc; do
	# helped.upc makes hundreds of thousands of strict accesses, to be sampled: a minute over TCP.
	case $source in */several_* | */measured.upc | */located.upc | */blame.upc | */helped.upc) continue ;; esac
	compile -O0 -fopenmp "$source" && try "$work/program"
done
source=
while read -r name arguments; do
	# shellcheck disable=SC2086
	compile -O2 -fopenmp -I"$HEDDLE_SOURCE/include/heddle" "$HEDDLE_SOURCE/examples/$name.upc" && OMP_NUM_THREADS=2 try "$work/program" $arguments
done < <(small_examples)
echo "$runs runs"
exit $failed
