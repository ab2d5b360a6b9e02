#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# measuring.sh [network]: --inst and related options: the events that a program sends, and their lines; without --inst
# it sends none. The stand-in runtime prints them. With `network`, a GASP tool receives the same events from the
# runtime, with each thread on a separate node, with each launcher.
set -eu -o pipefail
# shellcheck source=tests/upc/common.sh
. "$HEDDLE_SOURCE/tests/upc/common.sh"
program=$here/programs/measured.upc
if [ "${1:-}" = network ]; then
	# shellcheck source=tests/upc/launchers.sh
	. "$HEDDLE_SOURCE/tests/upc/launchers.sh"
	tool=$HEDDLE_BUILD/tests/upc_runtime/libupc_tool.so
	[ -e "$tool" ] || { echo "skipped: no tool was built"; exit 77; }
	need_network
	export UPC_NODE_SIZE=1 UCX_TLS=tcp,self LD_LIBRARY_PATH=$HEDDLE_BUILD/lib
else
	with_standin
	found=(none)
fi

# as_standin THREAD: prints the tool's output as the stand-in would: no end of statements and calls, `local` as a flag
as_standin() {
	awk -v me="$1" '
		/ GASP_(HUPC_STATIC_SHARED|UPC_COLLECTIVE_EXIT) / || $1 == "init" { next }
		{ place = $3; sub(/.*\//, "", place); sub(/:0$/, "", place)
			name = tolower($2); sub(/^gasp_(upc_)?/, "", name); sub(/^mem/, "upc_mem", name) }
		name == "get" || name == "put" {
			split(name == "get" ? $6 : $5, pointer, ":")
			flags = ($4 == 0) + 2 * (pointer[1] == me)
			print me, name "_" $1, "thread=" pointer[1], "size=" $7, "flags=" flags, "@" place
			next }
		name == "forall" { print me, name "_" $1, "@" place; next }
		name == "c_func" { print me, "function_" $1, $4, "@" place; next }
		$1 == "start" { print me, name, "@" place }' "$work/log.$1"
}

# events: prints the events of both threads
events() {
	if [ "$launcher" = none ]; then
		UPC_TRACE=1 UPC_THREADS=2 timeout "$seconds" "$work/program" 2>&1 | sed "s|@$here/programs/|@|"
		return
	fi
	rm -f "$work"/log.*
	timeout "$seconds" bash -c "$(declare -f launch); launch \"\$@\"" - "$launcher" 2 \
		env UPC_TOOL_LOG="$work/log" LD_PRELOAD="$tool" "$work/program" >"$work/output" 2>&1 </dev/null ||
		{ cat "$work/output" >&2; return 1; }
	as_standin 0
	as_standin 1
}

# trace OPTION...: writes the sorted events, without the folder of the source, to $work/trace.LAUNCHER
trace() {
	"$upcc" -O2 -g "$@" "$program" -o "$work/program"
	for launcher in "${found[@]}"; do
		events | sort >"$work/trace.$launcher"
	done
}

# expect WHAT: the traces must equal standard input
expect() {
	sort >"$work/expected"
	for launcher in "${found[@]}"; do
		diff -u "$work/expected" "$work/trace.$launcher" || { echo "wrong events: $1"; exit 1; }
	done
}

trace
expect "without --inst" </dev/null

statements='0 barrier @measured.upc:23
1 barrier @measured.upc:23
0 fence @measured.upc:40
1 fence @measured.upc:40
0 forall_end @measured.upc:32
1 forall_end @measured.upc:32
0 forall_start @measured.upc:32
1 forall_start @measured.upc:32
0 notify @measured.upc:34
1 notify @measured.upc:34
0 wait @measured.upc:35
1 wait @measured.upc:35
1 upc_memget @measured.upc:42'
accesses='0 put_start thread=1 size=4 flags=0 @measured.upc:25
0 put_end thread=1 size=4 flags=0 @measured.upc:25
0 get_start thread=1 size=4 flags=0 @measured.upc:17
0 get_end thread=1 size=4 flags=0 @measured.upc:17
1 get_start thread=0 size=4 flags=1 @measured.upc:29
1 get_end thread=0 size=4 flags=1 @measured.upc:29
1 get_start thread=0 size=4 flags=0 @measured.upc:30
1 get_end thread=0 size=4 flags=0 @measured.upc:30'

trace --inst
printf '%s\n%s\n' "$statements" "$accesses" | expect --inst

trace --inst-local
printf '%s\n%s\n%s\n%s\n' "$statements" "$accesses" '0 put_start thread=0 size=4 flags=2 @measured.upc:26' \
	'0 put_end thread=0 size=4 flags=2 @measured.upc:26' | expect --inst-local

trace --inst-functions
printf '%s\n%s\n' "$statements" "$accesses" >"$work/all"
cat >>"$work/all" <<'END'
0 function_start main @measured.upc:20
1 function_start main @measured.upc:20
0 function_end main @measured.upc:43
1 function_end main @measured.upc:43
0 function_start function @measured.upc:15
0 function_end function @measured.upc:17
END
expect --inst-functions <"$work/all"

printf 'GASP_UPC_BARRIER\nGASP_UPC_MEMGET\n' >"$work/only"
trace --inst-only "$work/only"
expect --inst-only <<'END'
0 barrier @measured.upc:23
1 barrier @measured.upc:23
1 upc_memget @measured.upc:42
END
