#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# The events that a GASP tool receives: each in its 1.5 form, in order, with its place; without a tool, none are sent.
. "$HEDDLE_SOURCE/tests/upc_runtime/lib.sh"
sanitized && { echo "skipped: sanitizers do not take a preloaded library before them"; exit 77; }
events="$programs/upc_events"

run "$events" -n 2
expect 1
UPC_TOOL_LOG=log LD_PRELOAD=$programs/libupc_tool.so run "$events" -n 2 --for-the-tool
expect 1
for thread in 0 1; do
	sed "s/THREAD/$thread/g" "$HEDDLE_SOURCE/tests/upc_runtime/events.expected" | diff - log.$thread ||
		fail "thread $thread: other events"
done

# A thread that ends the program reports this; the other threads report nothing.
rm log.*
UPC_TOOL_LOG=log LD_PRELOAD=$programs/libupc_tool.so run "$events" -n 2 global
expect 4
tail -1 log.1 | grep -qx 'atomic GASP_UPC_NONCOLLECTIVE_EXIT program.upc:61:0 4' || fail "no exit event: $(tail -1 log.1)"
grep -q 'end GASP_UPC_COLLECTIVE_EXIT' log.0 && fail "an exit event of another thread"
finish
