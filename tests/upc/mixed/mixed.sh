#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# UPC, OpenMP, phases and functions form one path, however they nest: with events alone, with samples alone and with
# both, on each OpenMP runtime. A region opened by an event and seen in samples is one node.
# shellcheck disable=SC2317 # functions are called by others, by name
. "$HEDDLE_SOURCE/tests/run/lib.sh"
. "$HEDDLE_SOURCE/tests/run/openmp_runtimes.sh"
export HEDDLE_SAMPLE_SOURCE=perf # pieces of 30 ms are compared, at the requested rate
[ -x "$HEDDLE_BUILD/libexec/heddle/heddle-upcc1" ] || skip "the UPC compiler was not built (clang-N, llvm-N-dev, libclang-N-dev)"
source=$HEDDLE_SOURCE/tests/upc/mixed/mixed.upc
at() { echo "@mixed.upc:$(grep -n "line: $1 " "$source" | head -n 1 | cut -d: -f1)"; }

team="main;upc_forall $(at forall);phase outer;team;omp parallel $(at team)"
tasks="main;tasks;omp parallel $(at tasks);omp single $(at single)"
task="hand_out;phase first;omp task $(at task)"
alone="main;alone;phase calculation;omp parallel $(at alone)"
handed="main;open_phase;phase handed"
opened=$handed
between="main;upc_forall $(at forall);phase outer"

# Visits and paths of two UPC threads with two OpenMP threads each.
regions() {
	cat <<- EOT
		2 main;upc_forall $(at forall)
		2 main;upc_forall $(at forall);phase outer
		2 $team
		200 $team;fetch;upc memget $(at memget)
		200 $team;fetch;upc get $(at get)
		4 $team;orphan;omp barrier $(at barrier)
		4 $team;guarded;omp critical wait $(at critical)
		4 $team;guarded;omp critical $(at critical)
		4 $team;loop;omp for $(at loop)
		4 $team;loop;omp implicit barrier $(at loop)
		2 ${tasks%;*}
		2 $tasks
		2 $tasks;hand_out;phase first
		8 $tasks;$task
		400 $tasks;$task;child;fetch;upc memget $(at memget)
		400 $tasks;$task;child;fetch;upc get $(at get)
		2 $tasks;hand_out;phase second
		2 $tasks;hand_out;phase second;omp taskwait $(at taskwait)
		2 main;alone;phase calculation
		2 $alone
		2 $handed
		2 main;upc barrier $(at upc_barrier)
	EOT
}

# Lines "MS NAME PATH": samples must be there, for at least that many milliseconds, and for nearly all of the time that
# the program prints by that name.
burned() {
	cat <<- EOT
		40 fetch $team;fetch;burn
		30 in_between $between;in_between;burn
		86 orphan $team;orphan;burn
		120 guarded $team;guarded;omp critical $(at critical);burn
		90 loop $team;loop;omp for $(at loop);burn
		200 child $tasks;$task;child
		60 alone $alone;burn
		30 open_phase $opened;burn
		30 in_phase $handed;in_phase;burn
		30 close_phase $handed;close_phase;burn
	EOT
}

visits_are() {
	local count=$1 path=$2
	expect "$name: $count visits of $path, not $(awk -v p="$path $count" '$0 == p' "$work/$name.visits" | wc -l) times" \
		grep -qxF "$path $count" "$work/$name.visits"
}

# Paths up to that label, from events and samples, have one node.
is_one_node() {
	local path=$1 label=${1##*;} more
	more=$(cat "$work/$name.visits" "$work/$name.cpu" | LABEL=$label awk '{
		sub(/ [0-9]+$/, ""); n = split($0, part, ";"); path = ""
		for (i = 1; i <= n; i++) { path = path (i > 1 ? ";" : "") part[i]; if (part[i] == ENVIRON["LABEL"]) print path }
	}' | sort -u | grep -vxF "$path")
	[ "$label" = "upc memget $(at memget)" ] || [ "$label" = "upc get $(at get)" ] ||
		expect "$name: '$label' is one node; it is $more as well" test -z "$more"
}

read_back() {
	"$heddle" export "$work/$name.heddle.d" --format folded --metric visits > "$work/$name.visits" || fail "$name: export"
	: > "$work/$name.cpu"
	case $name in
	events-*) ;;
	*) "$heddle" export "$work/$name.heddle.d" --format folded --metric cpu-time > "$work/$name.cpu" || fail "$name: export" ;;
	esac
}

check_events() {
	while read -r count path; do
		visits_are "$count" "$path"
		is_one_node "$path"
	done < <(regions)
}

# The program prints how long it burned. On a busy virtual machine that is longer than requested, as other threads' time
# may be counted. A late sample may charge this time to a neighbouring path, so the sum of all paths is compared.
check_samples() {
	local ms place path truth got all_truth=0 all_got=0
	cp "$work/$name.cpu" "$work/$name.folded"
	while read -r ms place path; do
		truth=$(awk -v place="$place" '$1 == place { sum += $2 } END { printf "%.0f\n", sum }' "$work/$name.out")
		expect "$name: burns at least $ms ms in $place" between "$((ms * 1000000))" "$truth" 1e12
		got=$(path_sum "$name" "^$path(;|\$)")
		expect "$name: something is burned in $path" test "$got" -gt 0
		all_truth=$((all_truth + truth)) all_got=$((all_got + got))
	done < <(burned)
	expect "$name: what is burned in all of them" between "$((all_truth * 9 / 10 - 50000000))" "$all_got" "$((all_truth * 11 / 10 + 50000000))"
	samples_are_whole
}

samples_are_whole() {
	expect "$name: samples taken are all in paths" test \
		"$("$heddle" info "$work/$name.heddle.d" | awk '$1 == "periods" { gsub(",", ""); s += $2 } END { print s }')" = \
		"$("$heddle" export "$work/$name.heddle.d" --format folded --metric samples | awk '{ s += $NF } END { print s }')"
}

# try NAME PROGRAM OPTION...: runs the program with $arguments
# shellcheck disable=SC2086
try() {
	local program=$2
	name=$1
	shift 2
	timeout "$seconds" "$heddle" run -n 2 "$@" -o "$work/$name.heddle.d" -- "$work/$program" $arguments > "$work/$name.out" 2> "$work/$name.err"
	expect "$name: ends well: $(cat "$work/$name.err")" test $? = 0
	read_back
}

try_runtime() {
	MIXED_PERCENT=5 try "events-$1" functions --sample-hz 0
	check_events
	try "samples-$1" plain --models openmp --sample-hz 2000
	team="main;team;omp parallel $(at team)" opened="main;open_phase" \
		between=main handed=main task="hand_out;omp task $(at task)" check_samples
	try "both-$1" told --sample-hz 2000
	check_events
	check_samples
	try "functions-$1" functions --sample-hz 2000
	check_events
	check_samples
}

upcc() { "$heddle" upcc -O2 -g -fopenmp -fno-optimize-sibling-calls "$@" "$source" || { fail "does not compile"; finish; }; }
upcc -o "$work/plain"
cd "$HEDDLE_SOURCE" || exit 1 # debug information then names files relative to this folder, events in full
upcc --inst -o "$work/told"
cd "$work" || exit 1
upcc --inst-functions -o "$work/functions"
arguments=
for_each_runtime try_runtime

# All samples in Heddle's callbacks are present, at the path of the event or of the reporting code.
arguments=many
MIXED_PERCENT=5 try callbacks told --sample-hz 5000 --inst-time all
samples_are_whole
visits_are 600000 "main;many_gets;upc get $(at many)"
expect "samples in callbacks are charged to Heddle" between 50 "$("$heddle" export "$work/$name.heddle.d" --format folded \
	--metric samples | awk '/^main;many_gets;.*\[heddle\]/ { s += $NF } END { print s + 0 }')" 1e9
finish
