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

# Threads complete each other's accesses: with the location that began them, in the order of time.
several_threads() {
	local name=$mpi.threads
	compile_mpi one_sided_threads one_sided_threads.c -pthread
	ranks "$name" 2 ./one_sided_threads
	expect "$name: ends well" ended "$name" "exit 0"
	grep -q 'one thread at a time' "$name.out" && return
	expect "$name: export" exported "$name"
	otf2-print "$name.otf2/traces.otf2" > "$name.text"
	expect "$name: each is complete here and at its target, in order" awk '
		$2 !~ /^[0-9]+$/ || $3 !~ /^[0-9]+$/ { next }
		$3 < last[$2] { print "before the event before it:", $0; wrong = 1 }
		{ last[$2] = $3 }
		$1 == "RMA_PUT" { begun[$2, $NF]++; puts++ }
		/^RMA_OP_COMPLETE/ { done += begun[$2, $NF] == 1 && ++ends[$1, $2, $NF] == 1 }
		END { exit wrong || puts != 1200 || done != 2400 }' "$name.text"
}
for_each_mpi one_sided
for_each_mpi several_threads
finish
