#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Commands that read debug information contact no debuginfod server unless HEDDLE_DEBUGINFOD is set; a measured program
# finds that variable unchanged. The test's server accepts connections and does not answer.
. "$HEDDLE_SOURCE/tests/run/lib.sh"
need python3
need strip
unset HEDDLE_DEBUGINFOD
python3 "$HEDDLE_SOURCE/tests/cli/silent_server.py" "$work/log" &
until [ -s "$work/log" ]; do sleep 0.1; done
DEBUGINFOD_URLS=http://127.0.0.1:$(head -n 1 "$work/log")
export DEBUGINFOD_URLS DEBUGINFOD_CACHE_PATH=$work/cache DEBUGINFOD_TIMEOUT=1
asked() { grep -c connection "$work/log"; }

# The program's debug information is missing, so it would be requested.
compile plain plain.c -DPERCENT=5
strip "$work/plain"
measured stripped "$work/plain"
run_options=(--live)
measured live "$work/plain"
cd "$work" || exit 1
for command in "report" "report --lines" "report --html page.html" "info" "export --format folded -o folded" advise "merge -o merged.heddle"; do
	read -ra words <<< "$command"
	in_time "$heddle" "${words[@]}" stripped.heddle.d > "$work/command.out" 2>&1
	expect "$command: hangs" test $? != 124
done
in_time "$heddle" diff stripped.heddle.d -- live.heddle.d > "$work/command.out" 2>&1
expect "no server is contacted; connections: $(asked)" test "$(asked)" = 0

run_options=()
measured passed sh -c 'echo "$DEBUGINFOD_URLS"'
expect "a measured program has the variable" test "$(cat "$work/passed.out")" = "$DEBUGINFOD_URLS"

ldconfig -p 2> /dev/null | grep -q libdebuginfod || { echo "asking not tried: no libdebuginfod"; finish; }
HEDDLE_DEBUGINFOD=0 "$heddle" report stripped.heddle.d > "$work/command.out" 2>&1
expect "HEDDLE_DEBUGINFOD=0 contacts no server; connections: $(asked)" test "$(asked)" = 0
HEDDLE_DEBUGINFOD=1 "$heddle" report stripped.heddle.d > "$work/command.out" 2>&1
expect "servers are contacted if HEDDLE_DEBUGINFOD is set" test "$(asked)" -gt 0
finish
