#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Exported traces of real programs: in each format, every region has the visits and the exclusive time of the profile;
# tasks, teams and locks match. With events alone, so that events account for all time; then with samples.
# shellcheck disable=SC2317 # functions are called by others
. "${BASH_SOURCE%/*}/lib.sh"
check_chrome=$HEDDLE_SOURCE/tests/cli/check_chrome.py
schema=$HEDDLE_SOURCE/tests/cli/chrome_trace.schema.json
read_otf2=$HEDDLE_BUILD/tests/read_otf2
export OMP_WAIT_POLICY=passive

# by_name METRIC DIR: prints exclusive values by the last part of paths, "value name" sorted by name
by_name() {
	"$heddle" export "$2" --metric "$1" |
		awk '{ value = $NF; sub(/ [0-9]+$/, ""); sub(/.*;/, ""); sum[$0] += value }
			END { for (name in sum) if (name !~ /^(\[program\]|main)$/) printf "%.0f %s\n", sum[name], name }' | sort -k 2
}

# Compares lines "visits enters ns own_ns name" in $2: equal visits, and own times up to rounding at each event.
same_values() {
	by_name visits "$1" >"$work/visits"
	awk '/^[0-9]+ [0-9]+ [0-9]+ [0-9]+ / && $1 { count = $1; sub(/^[0-9]+ [0-9]+ [0-9]+ [0-9]+ /, ""); print count, $0 }' "$2" |
		sort -k 2 | diff "$work/visits" - || return 1
	by_name wall-time "$1" >"$work/times"
	[ -s "$work/times" ] && awk 'NR == FNR { value = $1; sub(/^[0-9]+ /, ""); profile[$0] = value; next }
		/^[0-9]+ [0-9]+ [0-9]+ [0-9]+ / { events += $2; own = $4; sub(/^[0-9]+ [0-9]+ [0-9]+ [0-9]+ /, ""); trace[$0] = own }
		END {
			for (name in profile) {
				apart = profile[name] - trace[name]
				if (apart > 2 * events || -apart > 2 * events) {
					print name ": profile " profile[name] " ns, trace " trace[name] " ns"
					bad = 1
				}
			}
			exit bad
		}' "$work/times" "$2"
}

chrome() { # NAME DIR
	"$heddle" export "$2" --format chrome -o "$work/$1.json.gz" &&
		"$check_chrome" "$work/$1.json.gz" "$schema" >"$work/$1.chrome"
}

otf2() { # NAME DIR
	"$heddle" export "$2" --format otf2 -o "$work/$1.otf2" &&
		"$read_otf2" "$work/$1.otf2/traces.otf2" >"$work/$1.regions" || { cat "$work/$1.regions"; return 1; }
	! command -v otf2-print >/dev/null || otf2-print "$work/$1.otf2/traces.otf2" >"$work/print" 2>"$work/print.err" &&
		[ ! -s "$work/print.err" ]
}

counts() { grep -qx "$1" "$work/$2.regions"; }

# both NAME [same]: exports in both formats; same: and compares with the profile's values
both() {
	local measurement=$work/$1.heddle.d
	if command -v python3 >/dev/null; then
		expect "$1: chrome" chrome "$1" "$measurement"
		[ $# -eq 1 ] || expect "$1: chrome has the profile's values" same_values "$measurement" "$work/$1.chrome"
	fi
	[ -x "$read_otf2" ] || return
	expect "$1: otf2" otf2 "$1" "$measurement"
	[ $# -eq 1 ] || expect "$1: otf2 has the profile's values" same_values "$measurement" "$work/$1.regions"
}

# Small buffers, so that there are many chunks.
run_options=(--trace --trace-buffer 4K)
compile traced traced.c -fopenmp
hz=0
measured events "$work/traced"
both events same
if [ -x "$read_otf2" ]; then
	for line in "forks: 5" "joins: 5" "team begins: 15" "task creations: 200" "task completions: 200" \
		"lock acquisitions: 30" "lock releases: 30"; do
		expect "events: $line" counts "$line" events
	done
fi
hz=1000
measured sampled "$work/traced"
both sampled

if [ -x "$HEDDLE_BUILD/libexec/heddle/heddle-upcc1" ]; then
	"$heddle" upcc -O2 -g -fopenmp --inst -o "$work/cg" "$HEDDLE_SOURCE/examples/cg.upc" || { fail "cg.upc"; finish; }
	hz=0
	run_options=(--trace -n 2)
	OMP_NUM_THREADS=2 measured upc "$work/cg" 2
	both upc same
	if [ -x "$read_otf2" ]; then
		expect "upc: no operation is open" counts "open operations: 0" upc
		gets=$(by_name local-accesses "$work/upc.heddle.d" | awk '{sum += $1} END {print sum + 0}')
		near=$(by_name same-node-accesses "$work/upc.heddle.d" | awk '{sum += $1} END {print sum + 0}')
		expect "upc: an operation for each access" counts "gets: $((gets + near))" upc
	fi

	# Nonblocking accesses that complete at once, a split-phase barrier, and collectives.
	"$heddle" upcc -O2 -g --inst -o "$work/collective" "$programs/collective.upc" || { fail "collective.upc"; finish; }
	measured collective "$work/collective"
	both collective same
	if [ -x "$read_otf2" ]; then
		for line in "open operations: 0" "windows: 2" "collectives: 8" "gets: 2"; do
			expect "collective: $line" counts "$line" collective
		done
	fi
fi
finish
