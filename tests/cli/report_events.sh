#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# `heddle report`, `info` and `export` of what events tell: user events' arguments, messages, memory, UPC threads.
. "$HEDDLE_SOURCE/tests/cli/measurement.sh"

check events_tree "$heddle" report upc
check events_tree_ascii env LC_ALL=C "$heddle" report upc
check events_tree_stats "$heddle" report upc --stats
check events_flat_stats "$heddle" report upc --stats --flat --metric visits
check events_waiting_stats "$heddle" report upc --stats --metric waiting
check events_messages "$heddle" report upc --messages
check events_messages_ascii env LC_ALL=C "$heddle" report upc --messages --min 0
check events_memory "$heddle" report upc --memory
check events_memory_one_process "$heddle" report upc/a.heddle --memory
check events_threads "$heddle" report upc --threads
check events_two_parts "$heddle" report upc --messages --threads --metric waiting
check events_info "$heddle" info upc
check events_folded_visits "$heddle" export upc --format folded --metric visits
check events_folded_held "$heddle" export upc --metric bytes-held

check events_no_messages "$heddle" report m/b.heddle --messages
check events_no_memory "$heddle" report m/b.heddle --memory
refuses 2 'bytes-held is no thread' "$heddle" report upc --stats --metric bytes-held
refuses 2 'metric=bytes is unknown' "$heddle" report upc --metric bytes
"$heddle" report upc --metric bytes 2>&1 | grep -q 'bytes-put.*bytes-held' || { echo "metrics are not listed"; failed=1; }
refuses 7 'no values in m' "$heddle" report m --metric bytes-held
"$heddle" report upc --threads --metric bytes-held | grep -q 'not told by threads' || { echo "held by threads"; failed=1; }

# A measurement of memory alone has a default metric too.
printf 'process memory_measured 1\nnode 0 ROOT 0 0 0\nthread 0 -1 main\nvalue bytes-allocated 0 5\n' |
	"$make_profile" bytes.heddle
"$heddle" report bytes.heddle | grep -q 'bytes-allocated' || { echo "bytes alone"; failed=1; }

# Thousands of events of unknown names: the first are told.
mkdir unknown
{
	for i in 1 2 3 4 5 6; do printf 'event %d upc 0 GASP_%d GASP event %d\ngenerated\n' $i $i $i; done
	printf 'event 9 c 0 C_9 C event 9\ngenerated\nevent 10 upc 0 GASP_10 not visited\ngenerated\nnode 0 ROOT 0 0 0\n'
	for i in 1 2 3 4 5 6 9 10; do printf 'node 0 REGION %d 0 0\n' $i; done
	printf 'thread 0 -1 main\n'
	for i in 1 2 3 4 5 6 7; do printf 'value visits %d 1\n' $i; done
} | "$make_profile" unknown/a.heddle
"$heddle" report unknown | grep ^note: >got
diff - got <<'END' || { echo "^ events of unknown names"; failed=1; }
note: UPC events of unknown names (GASP event 1, GASP event 2, GASP event 3, GASP event 4, ... 6 in all): link by `heddle upcc`
note: c events of unknown names (C event 9)
END

# On a terminal no line is wider than it (python3 has terminals).
cat >terminal.py <<'END'
import fcntl, os, pty, re, struct, sys, termios

def show(columns, command):
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
    child = os.fork()
    if child == 0:
        os.close(ours)
        os.dup2(theirs, 1)
        os.execv(command[0], command)
    os.close(theirs)
    text = b""
    try:
        while part := os.read(ours, 65536):
            text += part
    except OSError:
        pass
    os.waitpid(child, 0)
    return re.sub("\033\\[[0-9;]*[mK]", "", text.decode()).splitlines()

bad = 0
parts = ["--tree", "--stats", "--flat --stats", "--messages", "--threads --metric waiting", "--threads"]
for columns, part in [(c, p) for c in (80, 90, 107, 125) for p in parts] + [(104, "--memory")]:
    lines = show(columns, [sys.argv[1], "report", "upc"] + part.split())
    for line in lines if len(lines) > 4 else ["nothing was printed"] :
        if len(line) > columns or len(lines) <= 4:
            print(f"{part} on {columns} columns: {line}")
            bad = 1
sys.exit(bad)
END
if command -v python3 >/dev/null; then
	TERM=xterm python3 terminal.py "$heddle" || failed=1
fi

"$heddle" export upc --format speedscope --metric bytes-held -o held.json || failed=1
grep -q '"unit":"bytes"' held.json && [ "$(grep -c '"type":"sampled"' held.json)" -eq 1 ] || { echo "speedscope"; failed=1; }
"$heddle" export upc --format speedscope --metric waiting | grep -q '"name":"UPC 3, thread 0 of process 300"' ||
	{ echo "speedscope, UPC threads"; failed=1; }
exit $failed
