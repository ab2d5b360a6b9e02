#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Messages and collectives in exported traces: OTF2's records, read by other tools, and arrows in Chrome's format.
. "$HEDDLE_SOURCE/tests/mpi/lib.sh"
hz=0
command -v otf2-print > /dev/null || skip "no otf2-print (package otf2-tools)"
[ -x "$HEDDLE_BUILD/tests/read_otf2" ] || skip "built without libotf2 (package libopen-trace-format2-dev)"

compare_exports() {
	compile_mpi messages messages.c
	run_options=(--trace)
	ranks "$mpi" 3 ./messages
	expect "$mpi: ends well" ended "$mpi" "exit 0"
	expect "$mpi: the trace and the profile agree" "$heddle" info --check-trace "$mpi.heddle.d"
	"$heddle" export "$mpi.heddle.d" --format otf2 -o "$mpi.otf2"
	"$heddle" export "$mpi.heddle.d" --format chrome -o "$mpi.json"
	expect "$mpi: messages match" /usr/bin/python3 "$HEDDLE_SOURCE/tests/mpi/messages.py" 3 "$(grep -c persistent "$mpi.out")" "$mpi.otf2/traces.otf2" "$mpi.json"
}
for_each_mpi compare_exports
finish
