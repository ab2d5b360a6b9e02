#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The keeper is not counted among the program's threads, merged or not. The waiting time that --blame shows includes all
# wait states that are charged, such as those of collectives.
. "$HEDDLE_SOURCE/tests/cli/measurement.sh"

one() { # words about the helper's values
	printf '%s\n' 'process program /opt/one' 'process pid 7' 'process cpu_ns 2000000000' 'process sample_source perf' \
		'process sample_hz 1000' 'process samples_taken 2000' 'module 1 1 - /nowhere/one' 'node 0 ROOT 0 0 0' \
		'node 0 FRAME 0 1 1100' 'thread 0 -1 main' 'value samples 1 2000' 'value cpu-time 1 2000000000' \
		'thread 1 -1 heddle' "$@"
}
mkdir one charged
one | "$make_profile" one/a.heddle || exit 1
one 'value cpu-time 1 5000000' | "$make_profile" charged/a.heddle || exit 1
"$heddle" merge -o merged.heddle one || exit 1

says() { # fixed words, command...
	words=$1
	shift
	"$@" >got 2>&1
	grep -qF -e "$words" got && return
	echo "$*: nothing of '$words':"
	cat got
	failed=1
}
lacks() { # pattern, command...
	pattern=$1
	shift
	"$@" >got 2>&1
	grep -q -e "$pattern" got || return
	echo "$*: says '$pattern':"
	cat got
	failed=1
}
for what in one merged.heddle charged; do
	says '1 process · 1 thread ·' "$heddle" report $what
	says 'threads            1' "$heddle" info $what
done
for what in one merged.heddle; do
	lacks 'heddle\|all [0-9]' "$heddle" report --threads $what
done
# Values of the keeper are shown if there are any.
says 'heddle' "$heddle" report --threads charged
says 'all 1 thread ' "$heddle" report --threads charged
for copy in 1 2 3 4 5; do mkdir -p many && cp one/a.heddle many/$copy.heddle; done
says ' 1 thread ' "$heddle" info many
lacks '2 threads' "$heddle" info many
says '5 processes · 5 threads' "$heddle" report many

mkdir upcwait
{
	printf '%s\n' 'process program /opt/one' 'event 1 upc 4 GASP_UPC_BARRIER barrier' \
		'event 2 upc 10 GASP_UPC_ALL_REDUCE upc_all_reduce' 'string one.upc' 'node 0 ROOT 0 0 0' \
		'source 0 1 0 5' 'source 0 2 0 6' 'thread 0 -1 main' 'thread-field rank 1' 'value wall-time 0 1000000000' \
		'value wall-time 1 9270000000' 'value wall-time 2 1130000000' 'value blame 0 10400000000' \
		'value barrier-blame 0 10400000000'
} | "$make_profile" upcwait/a.heddle || exit 1
says 'waited: 10.4 s · barrier wait 9.27 s (89.1 %) · collective wait 1.13 s (10.9 %)' "$heddle" report --blame upcwait
says 'total blame: 10.4 s' "$heddle" report --blame upcwait
says 'work 1.00 s (8.8 %) · barrier wait 9.27 s (81.3 %) · collective wait 1.13 s (9.9 %)' "$heddle" report --messages upcwait
exit $failed
