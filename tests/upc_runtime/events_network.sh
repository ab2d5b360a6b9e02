#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# The events that a GASP tool receives if each UPC thread is on a separate node, with each launcher: those of events.sh.
# A pointer to another thread's memory has no local address, and nonblocking transfers have handles and data events.
. "$HEDDLE_SOURCE/tests/upc_runtime/lib.sh"
# shellcheck source=tests/upc/launchers.sh
. "$HEDDLE_SOURCE/tests/upc/launchers.sh"
sanitized && { echo "skipped: sanitizers do not take a preloaded library before them"; exit 77; }
need_network
export UPC_NODE_SIZE=1 UCX_TLS=tcp,self LD_LIBRARY_PATH=$HEDDLE_BUILD/lib
events="$programs/upc_events"

# by LAUNCHER ARGUMENT...: runs the program with the tool; launchers add lines to `err` when a program fails.
by() {
	rm -f log.*
	run bash -c "$(declare -f launch); launch \"\$@\"" - "$1" 2 \
		env UPC_TOOL_LOG=log "LD_PRELOAD=$programs/libupc_tool.so" "$events" "${@:2}"
	ran="upc_events ${*:2} by $1"
	grep '^upc:' err && fail "$ran: a message"
}

# expected THREAD: prints the events of one node, changed where they describe the other thread's memory. Thread 1 gets
# and puts memory of thread 0 (lines 34 to 37).
expected() {
	local other=$((1 - $1))
	sed "s/THREAD/$1/g; s/ $other:0/ $other:0null/g" "$HEDDLE_SOURCE/tests/upc_runtime/events.expected" |
		if [ "$1" = 0 ]; then cat; else
			sed -E '/^end GASP_UPC_NB_[A-Z]*_INIT/ s/null$/set/; /NB_SYNC/ s/null$/set/
				/^end GASP_UPC_NB_SYNC program.upc:35/ { i start GASP_UPC_NB_GET_DATA program.upc:35:0 set
					i end GASP_UPC_NB_GET_DATA program.upc:35:0 set
				}
				/^end GASP_UPC_NB_SYNC program.upc:37/ { i start GASP_UPC_NB_PUT_DATA program.upc:37:0 set
					i end GASP_UPC_NB_PUT_DATA program.upc:37:0 set
				}'
		fi
}

for launcher in "${found[@]}"; do
	by "$launcher" --for-the-tool
	[ "$status" = 1 ] || fail "$ran: status $status: $(head -5 err)"
	for thread in 0 1; do
		expected $thread | diff - log.$thread || fail "$ran: thread $thread: other events"
	done
	by "$launcher" global
	[ "$status" = 4 ] || fail "$ran: status $status: $(head -5 err)"
	tail -1 log.1 | grep -qx 'atomic GASP_UPC_NONCOLLECTIVE_EXIT program.upc:61:0 4' ||
		fail "$ran: no exit event: $(tail -1 log.1)"
	grep -q 'end GASP_UPC_COLLECTIVE_EXIT' log.0 && fail "$ran: an exit event of another thread"
done
finish
