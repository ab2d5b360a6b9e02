#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The page of a measurement of 1,000 threads and 50,000 paths: its size is bounded, and every view of it opens.
. "$HEDDLE_SOURCE/tests/page/page.sh"

# large_process NUMBER: 25 threads, 1,250 paths of its own
large_process() {
	process "$1" | sed '/^module/,$d'
	awk -v own="$1" 'BEGIN {
		srand(own)
		print "module 1 1 - /nowhere/cg\nnode 0 ROOT 0 0 0\nnode 0 FRAME 0 1 1100\nnode 1 PHASE 0 0 0"
		for (i = 3; i < 1250; i++) {
			if (i % 50 == 1)
				parent = i - 1 # a barrier in its parallel region
			else
				parent = i > 300 ? i - 1 - int(rand() * 250) : 1 + int(rand() * (i - 1))
			if (i % 50 > 1 || i < 50)
				printf "node %d FRAME 0 1 %x\n", parent, 4096 + (own * 1250 + i) * 16
			else
				printf "node %d REGION %d 1 %x\n", parent, 3 + i % 50, 4096 + i * 16
		}
		for (t = 0; t < 25; t++) {
			printf "thread %d %d %s\n", t, t, t ? "openmp worker" : "main"
			for (i = 3 + int(rand() * 8); i < 1250; i += 1 + int(rand() * 20))
				printf "value wall-time %d %d\nvalue blame %d %d\nvalue barrier-blame %d %d\n",
					i, 1000 + i, i, 500 + t, i, 500 + t
		}
	}'
}

mkdir large
for number in $(seq 100 139); do
	large_process "$number" | "$make_profile" "large/$number.heddle" || exit 1
done
"$heddle" report large --html large.html || exit 1
size=$(wc -c <large.html)
if [ "$size" -gt $((1500000 + 60 * 50000)) ]; then
	echo "the page has $size bytes"
	exit 1
fi
/usr/bin/python3 "$HEDDLE_SOURCE/tests/page/page_large.py" "$work/large.html"
