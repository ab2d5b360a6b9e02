#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The critical path follows messages and collectives: it leads through the ranks that others waited for, for as long as
# they slept. They sleep after the others have arrived, so minimum times are known on a busy machine, too, but no
# maximum. Blame is charged to the same code, exactly by the trace, and roughly without it.
. "$HEDDLE_SOURCE/tests/mpi/lib.sh"
hz=0
late=(late_sender late_sender_of_request late_receiver late_receiver_of_request late_at_barrier late_in_half late_root late_member)
after=(after_receive after_wait after_send after_wait_for_receiver after_barrier after_half after_broadcast after_reduce)

# on_path NAME PHASE: prints the milliseconds of the critical path in that phase
on_path() {
	awk -v phase="$2" '$NF == phase { ms = $3; ms *= $4 == "s" ? 1000 : $4 == "us" ? 0.001 : $4 == "ns" ? 0.000001 : 1; sum += ms }
		END { print sum + 0 }' "$1.critical"
}

# blamed NAME PHASE: prints the milliseconds that others waited for the phase
blamed() { sed 's/ms /ms  /' "$1.blame" | awk -v phase="$2" '$NF == phase { ms = $3; ms *= $4 == "s" ? 1000 : $4 == "us" ? 0.001 : $4 == "ns" ? 0.000001 : 1; sum += ms }
	END { print sum + 0 }'; }

# half_of_late FUNCTION NAME: prints half of the sum of FUNCTION over all late phases
half_of_late() {
	for phase in "${late[@]}"; do "$1" "$2" "$phase"; done | awk '{ sum += $1 } END { print sum / 2 }'
}
less() { awk -v a="$1" -v b="$2" 'BEGIN { exit !(a < b) }'; }

# Each phase makes three ranks wait, as the others wait for a rank that waits. A phase without blame is missing in the
# report. Early ranks make others wait only by chance.
blame() {
	"$heddle" report --blame --flat --min 0 "$mpi.heddle.d" > "$mpi.blame" || fail "$mpi: report --blame"
	for phase in "${late[@]}"; do
		case $phase in
		late_member) expect "$mpi: others wait for $phase" between 80 "$(blamed "$mpi" "$phase")" 1e9 ;; # the others do not wait at once
		*) expect "$mpi: others wait for $phase" between 120 "$(blamed "$mpi" "$phase")" 1e9 ;;
		esac
	done
	for phase in "${after[@]}"; do
		expect "$mpi: others wait for $phase" between 75 "$(blamed "$mpi" "$phase")" 1e9
	done
	expect "$mpi: ranks do not wait for an early rank" less "$(blamed "$mpi" early)" "$(half_of_late blamed "$mpi")"
	expect "$mpi: by the trace" grep -q '^ranks waited .* for each other; by the trace, ' "$mpi.blame"

	cp -r "$mpi.heddle.d" "$mpi-without.heddle.d"
	rm "$mpi-without.heddle.d"/*-trace
	"$heddle" report --blame --flat --min 0 "$mpi-without.heddle.d" > "$mpi-without.blame" || fail "$mpi: report --blame without a trace"
	expect "$mpi: by imbalance" grep -q 'without a trace, this is charged by imbalance' "$mpi-without.blame"
	for phase in "${late[@]}"; do
		expect "$mpi: $phase is to blame by imbalance" between 50 "$(blamed "$mpi-without" "$phase")" 1e9
	done
	expect "$mpi: an early rank is not to blame by imbalance" less "$(blamed "$mpi-without" early)" "$(half_of_late blamed "$mpi-without")"
}

critical() {
	compile_mpi critical critical.c -I"$HEDDLE_SOURCE/include"
	run_options=(--trace)
	rm -f come && truncate -s 4096 come
	ranks "$mpi" 4 ./critical come
	expect "$mpi: ends well" ended "$mpi" "exit 0"
	"$heddle" report --critical --flat --min 0 "$mpi.heddle.d" > "$mpi.critical" || fail "$mpi: report --critical"
	for phase in "${late[@]}"; do
		expect "$mpi: $phase is on the path" between 100 "$(on_path "$mpi" "$phase")" 1e9
	done
	for phase in "${after[@]}"; do
		expect "$mpi: $phase is on the path" between 50 "$(on_path "$mpi" "$phase")" 1e9
	done
	expect "$mpi: a waiting rank is not on the path" less "$(on_path "$mpi" early)" "$(half_of_late on_path "$mpi")"
	blame
	expect "$mpi: all ranks are on the path" grep -q '^critical path: .*, on 4 threads, ' "$mpi.critical"
}
for_each_mpi critical
finish
