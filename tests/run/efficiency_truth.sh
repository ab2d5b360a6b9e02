#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Factors of a real run. Its threads measure their own CPU time, so the parallel efficiency is within 2 points of the
# truth on a busy machine, too; the single factors are within 5 points if the threads did not wait for processors.
. "${BASH_SOURCE%/*}/lib.sh"
. "${BASH_SOURCE%/*}/openmp_runtimes.sh"
need python3

try_runtime() {
	measured "truth-$1" env OMP_WAIT_POLICY=active "$work/truth" 100
	expect "$1: ends well" ended "truth-$1" "exit 0"
	"$heddle" export --format json -o "$work/$1.json" "$work/truth-$1.heddle.d"
	expect "$1: factors are those of the program" python3 - "$work/$1.json" "$work/truth-$1.out" <<-'END'
		import json, math, sys
		of = json.load(open(sys.argv[1]))["efficiency"]
		truth = dict(line.split() for line in open(sys.argv[2]) if len(line.split()) == 2)
		factors = of["factors"]
		product = math.prod(factors.values())
		wanted = int(truth["useful"]) / (2 * int(truth["elapsed"]))
		print("efficiency", product, "in truth", wanted, factors)
		assert of["threads"] == 2, of["threads"]
		assert abs(product - wanted) <= 0.02, (product, wanted)
		if factors["processors"] < 0.95:
		    print("other programs had the processors: single factors are not compared")
		    sys.exit()
		# 4 of 16 ms are idle, then 6 of 12 are waits at the barrier, whose length depends on the other thread.
		assert abs(factors["serialization"] - 14 / 16) <= 0.05, factors
		assert abs(factors["thread_balance"] - 10 / 14) <= 0.05, factors
	END
}

compile truth efficiency_truth.c -fopenmp
for_each_runtime try_runtime
finish
