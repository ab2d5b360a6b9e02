#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Messages and bytes between ranks of MPI_COMM_WORLD, also from a merged file; and waiting without a trace.
. "$HEDDLE_SOURCE/tests/mpi/lib.sh"
hz=0

# grid MEASUREMENT: prints the matrix of ranks, without repeated blanks.
grid() { "$heddle" report --messages "$1" | sed -n '/^bytes from rank to rank/,/^$/p' | sed 's/  */ /g'; }

exchanges() {
	compile_mpi exchanges exchanges.c
	ranks "$mpi" 4 ./exchanges
	expect "$mpi: ends well" ended "$mpi" "exit 0"
	cat > wanted <<-'END'
	bytes from rank to rank, in messages and through windows
	 to MPI 0 MPI 1 MPI 2 MPI 3 all
	 from
	 MPI 0 . . . . .
	 MPI 1 1.95 KiB . . . 1.95 KiB
	 MPI 2 2.93 KiB 2.93 KiB . . 5.86 KiB
	 MPI 3 3.91 KiB 3.91 KiB 3.91 KiB . 11.7 KiB
	 all 8.79 KiB 6.84 KiB 3.91 KiB . 19.5 KiB

	END
	grid "$mpi.heddle.d" > got
	expect "$mpi: matrix" diff wanted got
	expect "$mpi: merged" "$heddle" merge -o "$mpi.merged" "$mpi.heddle.d"
	grid "$mpi.merged" > got
	expect "$mpi: matrix, merged" diff wanted got
	expect "$mpi: by communicator" sh -c "'$heddle' report --messages '$mpi.heddle.d' | grep -Eq '^ +20 +19\.5 KiB .*communicator of 4 ranks, [0-9a-f]{4}-[01]\$'"
	expect "$mpi: by size" sh -c "'$heddle' report --messages '$mpi.heddle.d' | grep -Eq '^ +20 +19\.5 KiB .*  1\.00 KiB\$'"
	expect "$mpi: a receive that never completes" sh -c "'$heddle' report --messages '$mpi.heddle.d' | grep -Eq '^ +1  MPI 1 with MPI 2, MPI_COMM_WORLD\$'"
	expect "$mpi: a collective" sh -c "'$heddle' report --messages '$mpi.heddle.d' | grep -Eq '^ +1  MPI 1 with all, communicator of 1 rank, [0-9a-f]{4}-[0-9]\$'"
	expect "$mpi: an access to a file" sh -c "'$heddle' report --messages '$mpi.heddle.d' | grep -Eq '^ +1  MPI 1 with a file, $work/left.data\$'"
	expect "$mpi: begin and end" sh -c "'$heddle' report --messages '$mpi.heddle.d' | sed -n '/^begin and end/,/^\$/p' | grep -c -E ' MPI_(Init|Finalize) ' | grep -qx 2"
	expect "$mpi: first sentence" sh -c "'$heddle' report '$mpi.heddle.d' | grep -Eq '^- MPI takes [0-9]+ % of the MPI ranks. time .*waiting.* in collectives, most at .MPI_Allreduce @exchanges.c:[0-9]+.; MPI 0 makes the others wait'"
	"$heddle" export --format json -o "$mpi.json" "$mpi.heddle.d"
	expect "$mpi: JSON" python3 -c "
import json
rows = [row for row in json.load(open('$mpi.json'))['exchanges'] if row['kind'] == 'sent']
assert sum(row['messages'] for row in rows) == 20 and sum(row['bytes'] for row in rows) == 20000, rows
assert {(row['rank'], row['partner']) for row in rows} == {(1, 0), (2, 0), (2, 1), (3, 0), (3, 1), (3, 2)}, rows"
	# Three ranks wait 300 ms for one, or less if they are late as well: the test mpi_late checks exact times.
	waited=$(sum_of "$mpi" message-wait 'MPI_Allreduce')
	expect "$mpi: waiting" between 300000000 "$waited" 1e12
	expect "$mpi: the late rank waits less" test "$(sum_of "$mpi" message-wait 'MPI_Allreduce' 0)" -lt $((waited / 2))
}

# row FUNCTION: prints calls, received and sent of the path on which FUNCTION sends.
row() {
	"$heddle" report --messages "$mpi.paths.heddle.d" | sed -n '/by call path/,/^$/p' |
		awk -v path=";$1;.*MPI_Send" '$0 ~ path { print $1, $4, $5, $6 }'
}

# Ranks 1 to 3 send first messages to 1, 2, 3 others, and 1, 2, 3 more to each. With sampling, call paths are known.
paths() {
	hz=100
	ranks "$mpi.paths" 4 ./exchanges
	hz=0
	expect "$mpi: by call path, one message each" test "$(row first)" = "6 - 5.86 KiB"
	expect "$mpi: by call path, the other messages" test "$(row others)" = "14 - 13.7 KiB"
}

# A call that both sends and receives divides its time between the two messages.
times() {
	compile_mpi halo ../../examples/halo.c -lm
	ranks "$mpi.times" 4 ./halo 60 20
	"$heddle" export --format json -o "$mpi.times.json" "$mpi.times.heddle.d"
	expect "$mpi: time of messages" python3 -c "
import json
rows = [row for row in json.load(open('$mpi.times.json'))['exchanges'] if row['kind'] in ('sent', 'received')]
messages, calls = sum(row['time_ns'] for row in rows), $(sum_of "$mpi.times" wall-time MPI_Sendrecv)
assert 0 < messages <= 1.01 * calls, (messages, calls)"
	"$heddle" report --messages "$mpi.times.heddle.d" > "$mpi.times.txt"
	expect "$mpi: tables have the time of both sides" python3 -c "
import json, re
rows = [row for row in json.load(open('$mpi.times.json'))['exchanges'] if row['kind'] in ('sent', 'received')]
wanted = sum(row['time_ns'] for row in rows)
unit = {'ns': 1, 'us': 1e3, 'ms': 1e6, 's': 1e9}
text = open('$mpi.times.txt').read()
for name in ('16 B', 'MPI_COMM_WORLD'):
    value, of = re.search(r'^ +[\d,]+ +[\d.]+ [KM]?i?B +([\d,.]+) (\w+) .* ' + name + r'\$', text, re.M).groups()
    assert abs(float(value.replace(',', '')) * unit[of] - wanted) <= 0.01 * wanted, (name, value, of, wanted)"
}

exchanges_and_paths() {
	exchanges
	paths
	times
}
for_each_mpi exchanges_and_paths
finish
