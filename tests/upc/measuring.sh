#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# --inst and related options: which events a program sends, and from which lines; without --inst it sends none.
set -eu
. "$HEDDLE_SOURCE/tests/upc/common.sh"
with_standin
program=$here/programs/measured.upc

# trace OPTION...: the sorted events of both threads, without the folder of the source, in $work/trace
trace() {
	"$upcc" -O2 -g "$@" "$program" -o "$work/program"
	UPC_TRACE=1 UPC_THREADS=2 timeout 60 "$work/program" 2>&1 | sed "s|@$here/programs/|@|" | sort >"$work/trace"
}

# expect WHAT: standard input is what the trace must be
expect() {
	sort >"$work/expected"
	diff -u "$work/expected" "$work/trace" || { echo "wrong events: $1"; exit 1; }
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
