#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# `heddle report`, `info` and `export` of data from events: arguments of user events, messages, memory, UPC threads.
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

# On two nodes: accesses that stayed on the node are counted separately.
mkdir nodes
{
	upc_process 400
	upc_thread 0 1 1500000000 100000000 100
	printf 'value same-node-accesses 4 250\nvalue same-node-bytes 4 2000\n'
} | "$make_profile" nodes/a.heddle || exit 1
{
	upc_process 401
	printf 'process host node8\n'
	upc_thread 0 2 1000000000 600000000 100
	upc_thread 1 3 1000000000 600000000 100
	printf 'value same-node-accesses 4 250\nvalue same-node-bytes 4 2000\n'
} | "$make_profile" nodes/b.heddle || exit 1
check events_nodes_messages "$heddle" report nodes --messages
check events_nodes_tree "$heddle" report nodes --metric same-node-bytes
check events_nodes_threads "$heddle" report nodes --threads --metric remote-accesses
check events_nodes_info "$heddle" info nodes
"$heddle" merge nodes -o nodes.heddle >/dev/null && "$heddle" report nodes.heddle --threads --metric remote-accesses |
	grep -q 'UPC thread 0 on node7' || { echo "hosts of a merged file"; failed=1; }
cp -r nodes many
for rank in 4 5 6 7; do
	{ upc_process 40$rank; printf 'process host node%d\n' $((rank / 2)); upc_thread 0 $rank 1 1 1; } |
		"$make_profile" many/$rank.heddle || exit 1
done
"$heddle" info many >got
grep -q 'ended by exit, on node8$' got && grep -q '^  node2 * 2 processes, 2 threads, UPC threads 3 to 4$' got ||
	{ echo "info of many hosts"; cat got; failed=1; }
check events_nodes_folded "$heddle" export nodes --format folded --metric same-node-accesses

check events_no_messages "$heddle" report m/b.heddle --messages
check events_no_memory "$heddle" report m/b.heddle --memory
refuses 2 'bytes-held has no values by thread' "$heddle" report upc --stats --metric bytes-held
refuses 2 "--metric: 'bytes' is unknown" "$heddle" report upc --metric bytes
"$heddle" report upc --metric bytes 2>&1 | grep -q 'bytes-put.*bytes-held' || { echo "metrics are not listed"; failed=1; }
refuses 7 'no values in m' "$heddle" report m --metric bytes-held
"$heddle" report upc --threads --metric bytes-held | grep -q 'no values by thread' || { echo "held by threads"; failed=1; }

# A measurement of memory only has a default metric, too.
printf 'process memory_measured 1\nnode 0 ROOT 0 0 0\nthread 0 -1 main\nvalue bytes-allocated 0 5\n' |
	"$make_profile" bytes.heddle
"$heddle" report bytes.heddle | grep -q 'bytes-allocated' || { echo "bytes alone"; failed=1; }

# Numbers and texts that no program writes.
mkdir odd
{
	printf 'event 1 upc 8 GASP_UPC_GET get\nprocess memory_measured 1\nprocess memory_peak 18446744073709551615\n'
	printf 'process memory_in_use 18446744073709551615\nprocess memory_peak_ns 18446744073709551615\n'
	printf 'phase \033[2J\nstring a=%%d\002\nstring %0900d%%\nstring /\nstring %%s%%s%%n\n' 0
	printf 'node 0 ROOT 0 0 0\nnode 0 PHASE 0 0 0\nsource 1 1 3 16777215\nnode 2 FUNCTION 0 0 0\n'
	for thread in 0 1; do
		printf 'thread %d -1 heddles\nthread-field rank 4294967295\n' $thread
		for metric in wall-time visits bytes-got local-accesses remote-accesses bytes-allocated bytes-freed; do
			printf 'value %s 2 18446744073709551615\nvalue %s 3 9223372036854775808\n' $metric $metric
		done
		printf 'distribution 2 0 0 18446744073709551615 nan inf -inf 18446744073709551615 1 18446744073709551615\n'
		printf 'distribution 3 0 0 1 -1e300 1e300 nan\ndistribution 3 0 0 0 5 5 5 7\n'
		printf 'distribution 1 1 2 18446744073709551615 nan nan nan\ndistribution 1 1000 2 1 inf -inf 1e308\n'
		printf 'distribution 1 2 3 5 -1e-300 1e19 1e15\ndistribution 1 3 5 1 -5 -5 -5\ndistribution 1 4 0 1 1 1 1\n'
	done
} | "$make_profile" odd/a.heddle
cp odd/a.heddle odd/b.heddle
for arguments in --tree '--min 0' --stats '--flat --stats' --messages --memory --threads; do
	# shellcheck disable=SC2086
	"$heddle" report odd $arguments >out 2>err || { echo "odd numbers: $arguments"; cat err; failed=1; }
	[ -s err ] && { cat err; failed=1; }
	tr -d '\n' <out | LC_ALL=C grep -q '[[:cntrl:]]' && { echo "control characters: $arguments"; failed=1; }
done
"$heddle" report odd | grep -qF '%s%s%n, argument 3  min -5' || { echo "a hostile description"; failed=1; }
"$heddle" info odd >/dev/null || { echo "odd numbers: info"; failed=1; }

# Thousands of events with unknown names: only the first ones are listed.
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

# No line is wider than the terminal (python3 can create terminals).
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
