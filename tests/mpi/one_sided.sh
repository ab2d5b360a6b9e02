#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Accesses to windows in exported OTF2: their kinds, completions, locks and groups; with an access that is not complete
# before measurement stops, and a rank that recorded nothing.
. "$HEDDLE_SOURCE/tests/mpi/lib.sh"
hz=0
command -v otf2-print > /dev/null || skip "no otf2-print (package otf2-tools)"

exported() {
	"$heddle" export "$1.heddle.d" --format otf2 -o "$1.otf2" && "$heddle" export "$1.heddle.d" --format json -o "$1.json"
}

one_sided() {
	local name ended last
	"$heddle" export --help | grep -q 'otf2.*not in this build' && skip "built without libotf2 (package libopen-trace-format2-dev)"
	compile_mpi one_sided one_sided.c -I"$HEDDLE_SOURCE/include"
	run_options=(--trace)
	for ended in complete open; do
		name=$mpi.$ended
		last=()
		[ "$ended" = complete ] || last=(open)
		ranks "$name" 3 ./one_sided "${last[@]}"
		expect "$name: ends well" ended "$name" "exit 0"
		expect "$name: the trace is the profile's" "$heddle" info --check-trace "$name.heddle.d"
		expect "$name: export" exported "$name"
		expect "$name: operations" /usr/bin/python3 "$HEDDLE_SOURCE/tests/mpi/one_sided.py" 3 "$ended" \
			"$name.otf2/traces.otf2" "$name.json"
	done
	# Accesses to rank 2, whose trace is missing, are not operations.
	rm "$name".heddle.d/*rank2*
	rm -r "$name.otf2" "$name.json"
	expect "$name: export of two ranks" exported "$name"
	otf2-print "$name.otf2/traces.otf2" > "$name.text"
	expect "$name: no operation of the missing rank" sh -c "! grep -q 'Remote: .*MPI 2' '$name.text'"
	expect "$name: locks of all ranks" test "$(grep -Ec '^RMA_REQUEST_LOCK .*Remote: UNDEFINED' "$name.text")" = 4
	expect "$name: those of the others" test "$(grep -Ec '^RMA_(PUT|GET|ATOMIC) ' "$name.text")" = 13
}
for_each_mpi one_sided
finish
