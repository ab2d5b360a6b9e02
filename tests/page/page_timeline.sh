#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The data of a page's timeline: messages with both ends; curves; and for many events as many numbers as the budget
# allows, with the same sums by state (page_timeline.py). The test makes the measurements.
. "$HEDDLE_SOURCE/tests/cli/measurement.sh"

command -v python3 >/dev/null || { echo "skipped: no python3 on this machine"; exit 77; }
make_trace=$HEDDLE_BUILD/tests/make_trace
if ! "$heddle" report m --html m.html >/dev/null 2>&1; then
	echo "skipped: this build has no pages (esbuild, or the package preact, was missing)"
	exit 77
fi

rank() { # DIR RANK; records on stdin
	printf 'process program /opt/lu\nprocess pid %s\nprocess duration_ns 9000000\nevent 1 mpi 8 MPI_Send MPI_Send\nevent 2 mpi 8 MPI_Recv MPI_Recv\n' $((100 + $2))
	printf 'module 1 1 - /nowhere/lu\nnode 0 ROOT 0 0 0\nnode 0 FRAME 0 1 1000\nnode 1 REGION 1 1 1010\nnode 1 REGION 2 1 1020\n'
	printf 'thread 0 -1 main\nthread-field rank %s\nvalue messages-sent 2 1\nvalue messages-received 3 1\n' $(($2 + 1))
} >"$1.profile"
write() { # DIR RANK
	mkdir -p "$1"
	rank "$1" "$2"
	"$make_profile" "$1/$2.heddle" <"$1.profile" && "$make_trace" "$1/$2.heddle-trace" || exit 1
}
world=$((2 << 40 | 77))

# Rank 0 sends 100 bytes and then 900, rank 1 receives them; then rank 1 answers.
write few 0 <<END
info 1000 0 0 1700000000000000000 9000
nodes 4
group $world 1 0 0 0
thread 0
mark 0 thread-begin
begin 100 2
message 10 sent 1 1 5 100 0
end 50
begin 100 2
message 10 sent 1 1 5 900 0
end 50
begin 400 3
message 300 received 1 1 6 7 0
end 300
mark 100 thread-end
END
write few 1 <<END
info 1000 0 0 1700000000000000000 9000
nodes 4
group $world 1 0 1 1
thread 0
mark 0 thread-begin
begin 200 3
message 100 received 1 0 5 100 0
end 100
begin 100 3
message 50 received 1 0 5 900 0
end 100
begin 200 2
message 20 sent 1 0 6 7 0
end 50
mark 500 thread-end
END

# 400,000 spans of two threads, with five lengths.
for number in 0 1; do
	{
		printf 'info 1000 0 0 1700000000000000000 0\nnodes 4\nthread 0\nmark 0 thread-begin\n'
		awk 'BEGIN { for (i = 0; i < 100000; i++) printf "begin %d %d\nend %d\n", i % 5 * 7, 2 + i % 2, 1 + i % 3 }'
		printf 'mark 5 thread-end\n'
	} | write many $number
done

# As many spans again; in the last quarter, waits are thirty times as long.
{
	printf 'info 1000 0 0 1700000000000000000 0\nnodes 4\nthread 0\nmark 0 thread-begin\n'
	awk 'BEGIN { for (i = 0; i < 100000; i++) printf "begin %d 3\nend %d\n", i < 75000 ? 30 : 1, i < 75000 ? 1 : 30 }'
	printf 'mark 5 thread-end\n'
} | write late 0
# The second sample is late: it has the CPU time of much more than the time since the first one.
write close 0 <<END
info 1000 0 0 1700000000000000000 9000000
nodes 4
thread 0
mark 0 thread-begin
begin 4000000 2
sample 0 2 1000000
end 100
sample 0 1 1000000
mark 4999900 thread-end
END
# The same process on one processor.
mkdir single && cp close/0.heddle-trace single
{
	printf 'process host node\nprocess processors 01\n'
	cat close.profile
} | "$make_profile" single/0.heddle || exit 1
for name in few many late close single; do
	"$heddle" report $name --html $name.html >/dev/null || exit 1
	"$heddle" report $name --from 0ns --flat --metric wall-time --min 0 --no-color >$name.flat || exit 1
done
python3 "$HEDDLE_SOURCE/tests/page/page_timeline.py" few.html many.html many.flat late.html close.html single.html
