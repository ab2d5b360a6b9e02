#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# library_events.sh [network]: with --inst, a GASP tool receives START and END of each library call once, with the file
# and line of the source; without --inst, no events. With `network`, each thread is on a separate node, with each
# launcher.
# shellcheck source=tests/upc/common.sh
. "$HEDDLE_SOURCE/tests/upc/common.sh"
upcc=$HEDDLE_BUILD/libexec/heddle/heddle-upcc1
tool=$HEDDLE_BUILD/tests/upc_runtime/libupc_tool.so
[ -e "$tool" ] || { echo "skipped: no tool was built"; exit 77; }
unset HEDDLE_UPC_HOME UPC_THREADS
program=$here/library/events.upc
where=${1:-}
# shellcheck source=tests/upc/launchers.sh
. "$HEDDLE_SOURCE/tests/upc/launchers.sh"
cd "$work" || exit 1
failed=0
if [ "$where" = network ]; then
	need_network
	export UPC_NODE_SIZE=1 UCX_TLS=tcp,self LD_LIBRARY_PATH=$HEDDLE_BUILD/lib
else
	found=(none)
fi

fail() {
	echo "FAILED: ${where:+by $launcher: }$*"
	failed=1
}

# told THREAD: prints library and access events that it received: START or ATOMIC event, line
told() {
	grep -E '^(start|atomic) GASP_' "log.$1" | grep -v -e GASP_UPC_COLLECTIVE_EXIT -e GASP_C_FUNC |
		sed -E 's/^[a-z]+ ([A-Z_]+) [^ ]*events\.upc:([0-9]+):.*/\1 \2/' | sort
}

# expected THREAD [GLOBAL]: prints what the program's comments say, those with `over a network:` only over a network
expected() {
	{
		grep -n 'event: GASP' "$program"
		[ "$where" = network ] && grep -n 'over a network: GASP' "$program" | sed 's/event: .*over a network/event/'
	} | sed -E 's/^([0-9]+):.*event: ([A-Z_]+)( on 1)?( with an argument)?[ ;].*/\2 \1\3\4/' |
		sed -E "$([ "$1" = 1 ] && echo 's/ on 1//' || echo '/ on 1/d'); $([ "${2:-}" ] && echo 's/ with an argument//' || echo '/argument/d')" |
		sort
}

# run PROGRAM ARGUMENT...: runs it with the tool, on two threads
run() {
	rm -f log.*
	if [ "$where" = network ]; then
		timeout "$seconds" bash -c "$(declare -f launch); launch \"\$@\"" - "$launcher" 2 \
			env UPC_TOOL_LOG=log LD_PRELOAD="$tool" "$@" > out 2>&1 < /dev/null
	else
		UPC_TOOL_LOG=log LD_PRELOAD=$tool timeout "$seconds" "$1" -n 2 "${@:2}" > out 2>&1
	fi
}

try() {
	run ./with || fail "status $?: $(head -5 out)"
	for thread in 0 1; do
		diff <(expected $thread) <(told $thread) || fail "thread $thread: other events"
		[ "$(grep -c '^start GASP' log.$thread)" = "$(grep -c '^end GASP' log.$thread)" ] || fail "thread $thread: unequal pairs"
		tail -1 log.$thread | grep -q '^end GASP_UPC_COLLECTIVE_EXIT ' || fail "thread $thread: no collective exit at the end"
	done

	run ./with global
	[ $? = 3 ] || fail "upc_global_exit: another status"
	diff <(expected 1 global) <(told 1) || fail "upc_global_exit: other events"
	grep -q COLLECTIVE_EXIT log.0 && fail "upc_global_exit: an exit event of another thread"

	run ./without || fail "without --inst: status $?: $(head -5 out)"
	for thread in 0 1; do
		[ "$(grep -vc -e STATIC_SHARED -e '^init' -e COLLECTIVE_EXIT log.$thread)" = 0 ] || fail "events without --inst: $(head -3 log.$thread)"
	done
}

"$upcc" -O2 -g --inst "$program" -o with || exit 1
"$upcc" -O2 -g "$program" -o without || exit 1
for launcher in "${found[@]}"; do
	try
done
exit $failed
