#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Calls, messages and bytes of a program with known numbers, on 1 to 4 ranks, must be exact.
. "$HEDDLE_SOURCE/tests/mpi/lib.sh"
hz=0

exact() {
	local count rank
	compile_mpi exact exact.c
	for count in 1 2 3 4; do
		rm -f expected.*
		ranks "exact$count" "$count" ./exact
		expect "$mpi: $count ranks: ends well" ended "exact$count" "exit 0"
		for ((rank = 0; rank < count; rank++)); do
			awk '$3' "expected.$rank" | sort > wanted
			measured_as "exact$count.heddle.d/exact.rank$rank".*.heddle | sort > got
			expect "$mpi: $count ranks: rank $rank has a profile" test -s got
			expect "$mpi: $count ranks: rank $rank: numbers" diff wanted got
		done
	done
}
for_each_mpi exact
finish
