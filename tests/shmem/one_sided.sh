#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# One-sided operations in exported OTF2: their kinds, completions, waits and locks; with an access that nothing
# completes, and a PE that recorded nothing.
. "$HEDDLE_SOURCE/tests/shmem/lib.sh"
hz=0
command -v otf2-print > /dev/null || skip "no otf2-print (package otf2-tools)"
[ -x "$HEDDLE_BUILD/tests/read_otf2" ] || skip "built without libotf2 (package libopen-trace-format2-dev)"
compile_shmem one_sided one_sided.c -I"$HEDDLE_SOURCE/include"

# exported NAME: reads it back by libotf2, too
exported() {
	"$heddle" export "$1.heddle.d" --format otf2 -o "$1.otf2" &&
		"$HEDDLE_BUILD/tests/read_otf2" "$1.otf2/traces.otf2" > "$1.read" || { cat "$1.read"; return 1; }
	"$heddle" report "$1.heddle.d" --accesses --by pair --min 0 > "$1.pairs"
}

run_options=(--trace)
for count in 2 3; do
	pes "complete$count" "$count" ./one_sided
	expect "$count PEs: ends well" ended "complete$count" "exit 0"
	expect "$count PEs: the trace is the profile's" "$heddle" info --check-trace "complete$count.heddle.d"
	expect "$count PEs: export" exported "complete$count"
	expect "$count PEs: operations" /usr/bin/python3 "$HEDDLE_SOURCE/tests/shmem/one_sided.py" "$count" complete \
		"complete$count.otf2/traces.otf2" "complete$count.pairs" "complete$count.out"
done
pes open 2 ./one_sided open
expect "open: export" exported open
expect "open: operations" /usr/bin/python3 "$HEDDLE_SOURCE/tests/shmem/one_sided.py" 2 open open.otf2/traces.otf2 open.pairs open.out

# Accesses of PE 0 to PE 1, whose trace is missing, are not operations.
rm open.heddle.d/*rank1*
rm -r open.otf2
expect "one PE: export" exported open
expect "one PE: no operation" sh -c '! grep -q "^puts:" open.read'
finish
