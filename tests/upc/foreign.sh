#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Programs of Berkeley UPC and Clang UPC: their main is shown as main, and no path has frames of their run-time systems,
# with processes and with pthreads, with and without debug information.
. "${BASH_SOURCE%/*}/../run/lib.sh"

runtime='(^|;)(user_main|upc_main|_?upcri?_|bupc_|_?pupc_event|__[gp]et|__[gp]ut|start_thread|clone3?|gasp_)'

# visits NAME PATH COUNT
visits() {
	expect "$1: $3 visits of $2" test "$(path_sum "$1" "^$2\$")" = "$3"
}

judge_visits() {
	local name=$1 get=$2 put=$3
	folded "$name" --metric visits
	expect "$name: no frame of the run-time system at events" no_path "$name" "$runtime"
	visits "$name" main 2
	visits "$name" 'main;solve' 10
	visits "$name" 'main;solve;phase step' 10
	visits "$name" 'main;solve;phase step;phase step' 10
	visits "$name" "main;solve;phase step;$get @foreign_upc\.c:[0-9]+" 10
	[ -z "$put" ] || visits "$name" "main;solve;phase step;$put @foreign_upc\.c:[0-9]+" 10
}

judge() {
	local name=$1 get=$2 put=$3 runs_as=$4
	measured "$name" "$work/${name%-*}" "$runs_as"
	expect "$name: ends well" ended "$name" "exit 0"
	judge_visits "$name" "$get" "$put"
	folded "$name" --metric cpu-time
	expect "$name: nothing above main, and no run-time system below" \
		no_path "$name" ';main(;|$)|(^|;)(user_main|upc_main|_?pupc_event|__[gp]et|__[gp]ut|upcri_pevt|start_thread|clone3?|gasp_)'
	for path in 'main(;burn_ms)?' "main;solve;phase step;$get [^;]*(;gupcr_move)?(;burn_ms)?" 'main;solve;phase step;compute' 'main;solve;compute'; do
		expect "$name: $path was sampled" has_path "$name" "^$path(;|\$)"
	done
}

hz=2000
for debug in -g -g0; do
	for runs_as in processes threads; do
		for family in berkeley clang; do
			flag=-DCLANG_UPC
			[ "$family" = clang ] || flag=-DBERKELEY
			name=$family$debug
			[ -x "$work/$name" ] || CC=gcc compile "$name" foreign_upc.c $debug $flag -I"$HEDDLE_SOURCE/include" \
				-L"${library%/*}" -Wl,--no-as-needed -lheddle -Wl,-rpath,"${library%/*}"
			judge "$name-$runs_as" 'upc get' "$([ "$family" = clang ] && echo 'upc put')" "$runs_as"
		done
	done
done

# A program without UPC may have functions with these names.
cat > "$work/plain.c" <<'END'
#include "burn.h"
NOINLINE void user_main(void);
NOINLINE void user_main(void)
{
	burn_ms(200);
	__asm__ volatile("");
}
int main(void)
{
	user_main();
	return 0;
}
END
(cd "$work" && gcc -O2 -g -D_GNU_SOURCE -I"$programs" -o plain plain.c) || fail "plain.c does not compile"
measured plain "$work/plain"
folded plain --metric cpu-time
expect "plain: user_main is a function like others" has_path plain '^main;user_main(;|$)'

# By events alone: functions have the names in the events.
hz=0
for family in berkeley clang; do
	name=$family-events
	measured "$name" "$work/$family-g" processes
	judge_visits "$name" 'upc get' ''
done

# Without a bridge, their pointers-to-shared are not interpreted, so owners are unknown; lines are known.
run_options+=(--accesses)
for family in berkeley clang; do
	name=$family-accesses
	measured "$name" "$work/$family-g" processes
	in_time "$heddle" report --by line "$work/$name.heddle.d" > "$work/$name.lines"
	expect "$name: ten gets, of unknown affinity" grep -Eq '^ +[12]0 +\? .* foreign_upc\.c:[0-9]+$' "$work/$name.lines"
done
finish
