#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# System calls that fail in processes with several threads, or that act on all threads, behave as without Heddle: in a
# process with one thread, in one that had several, and while the keeper exists.
. "${BASH_SOURCE%/*}/lib.sh"

compile alone alone.c
left_out() { echo "left out: $*"; }
hz=500

same_behaviour count "$work/alone" count
expect "one thread" grep -q '^1 tasks, 1 threads$' "$work/count.out"

# Runs the programs without more options. With --flush-seconds, Heddle's own thread exists as well.
try_programs() {
	if [ "$(id -u)" != 0 ]; then
		left_out "setpriv, which needs root"
	elif ! command -v setpriv > /dev/null; then
		left_out "setpriv is not on this machine"
	else
		same_behaviour "setpriv$1" setpriv --reuid=65534 --regid=65534 --clear-groups true
		expect "setpriv$1: succeeds" ended "setpriv$1" "exit 0"
		same_behaviour "setpriv_caps$1" setpriv --bounding-set=-all --inh-caps=-all --no-new-privs true
	fi
	if ! command -v unshare > /dev/null; then
		left_out "unshare is not on this machine"
	elif ! unshare -U true 2> "$work/unshare.err"; then
		left_out "user namespaces are forbidden here: $(cat "$work/unshare.err")"
	else
		same_behaviour "unshare$1" unshare -U true
		expect "unshare$1: succeeds" ended "unshare$1" "exit 0"
		same_behaviour "namespaces$1" unshare -U -r -m -p -f sh -c 'echo $$; id -u'
		same_behaviour "after_threads$1" "$work/alone" after_threads
		same_behaviour "with_function$1" "$work/alone" with_function
		expect "with_function$1: succeeds" grep -q 'unshare: done' "$work/with_function$1.out"
	fi
}
try_programs ""
same_behaviour past_library "$work/alone" past_library # a setting that needs the thread has priority
run_options=(--flush-seconds 1)
try_programs _flush

for options in "" "--flush-seconds 1"; do
	read -ra run_options <<< "$options"
	name=${options:+_flush}
	same_behaviour "each_capset$name" "$work/alone" each_capset
	same_behaviour "no_new_privileges$name" "$work/alone" no_new_privileges
	same_behaviour "borrowed$name" "$work/alone" borrowed
	same_behaviour "storm$name" "$work/alone" storm
	same_behaviour "filter$name" "$work/alone" filter 0
	same_behaviour "filter_of_all$name" "$work/alone" filter 1
done
run_options=()

# Heddle makes no call that the program's filter forbids: it writes the profile before the filter is installed.
for how in 0 1 2; do
	same_behaviour "confine_$how" "$work/alone" confine "$how"
	expect "confine_$how: the program survives" ended "confine_$how" "exit 5"
	expect "confine_$how: says so" grep -q 'measured up to this point' "$work/confine_$how.err"
	folded "confine_$how" --metric samples
	expect "confine_$how: sampled" has_path "confine_$how" '(^|;)work(;|$)'
done
# Likewise if another process has to answer the program's calls, even if no wrapper saw the filter's installation.
seconds=$((seconds / 4))
for way in listen listen_unseen; do
	same_behaviour "$way" "$work/alone" "$way"
	expect "$way: says so" grep -q 'measured up to this point' "$work/$way.err"
	folded "$way" --metric samples
	expect "$way: sampled" has_path "$way" '(^|;)work(;|$)'
done
seconds=${HEDDLE_TEST_SECONDS:-240}
# With a filter that allows the calls that Heddle needs, the whole program is measured.
folded filter --metric cpu-time
expect "filter: Heddle has nothing to say" test "$(heddle_lines filter)" = 0
expect "filter: measured after the filter, too" between 2.4e8 "$(path_sum filter '(^|;)work(;|$)')" 1e10

# The program can create as many threads as without Heddle where their number or memory is limited.
if [ "$(id -u)" = 0 ]; then
	same_behaviour processes "$work/alone" processes 4
	expect "processes: 3 threads" grep -qx '3 threads' "$work/processes.out"
else
	left_out "a limit on the number of threads, which needs root"
fi
bare size "$work/alone" space 2
size=$(awk '$1 == "size" { print $2 }' "$work/size.err")
# The limit leaves three megabytes beyond what Heddle's library needs, which is three less than a thread needs.
(
	failures=0
	ulimit -s 8192
	ulimit -v $((size + 6000))
	same_behaviour space "$work/alone" space 9
	expect "space: 2 threads" grep -qx '2 threads' "$work/space.out"
	[ "$failures" -eq 0 ]
) || fail "space"
finish
