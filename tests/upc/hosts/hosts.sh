#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# The examples verify with two ranks on each of two hosts (network namespaces), alternating between the launchers. With
# each launcher, a measurement of all ranks is in one directory, with both hosts' names, and traces of both hosts are
# put in one order, though the second host's clock is seconds ahead.
set -u
# shellcheck source=tests/upc/common.sh
. "$HEDDLE_SOURCE/tests/upc/common.sh"
# shellcheck source=tests/upc/launchers.sh
. "$HEDDLE_SOURCE/tests/upc/launchers.sh"
# shellcheck source=tests/upc/hosts/two_hosts.sh
. "$HEDDLE_SOURCE/tests/upc/hosts/two_hosts.sh"
need_network
missing=$(hosts_missing)
[ -z "$missing" ] || { echo "skipped: two hosts: $missing"; exit 77; }
trap 'hosts_remove; rm -rf "$work"' EXIT
hosts_make "$work"
heddle=$HEDDLE_BUILD/bin/heddle
# UCX would use shared memory across network namespaces.
export UCX_TLS=tcp,self OMP_NUM_THREADS=1
failed=0

fail() {
	head -n 20 "$work/output"
	echo "FAILED: $*"
	failed=1
}

# on LAUNCHER COMMAND...: runs two ranks on each host
on() {
	"on_hosts_$1" 2 "${@:2}" > "$work/output" 2>&1 < /dev/null &
	local ranks=$!
	(sleep 100; kill $ranks) > /dev/null 2>&1 &
	local guard=$!
	wait $ranks
	local status=$?
	pkill -P $guard
	kill $guard 2> /dev/null
	return $status
}

turn=0
while read -r name arguments; do
	launcher=${found[turn++ % ${#found[@]}]}
	"$heddle" upcc -O2 -g -fopenmp --inst -I"$HEDDLE_SOURCE/include/heddle" "$HEDDLE_SOURCE/examples/$name.upc" -lm -o "$work/$name" || fail "$name is not compiled"
	# shellcheck disable=SC2086
	on "$launcher" "$work/$name" $arguments || fail "$name by $launcher: status $?"
	grep -q "^$name: 4 UPC threads, .*: verified\$" "$work/output" || fail "$name by $launcher does not say that it is right"
done < <(small_examples)

for launcher in "${found[@]}"; do
	on "$launcher" "$heddle" run --sample-hz 1000 -o "$work/$launcher.d" -- "$work/cg" 2 || fail "measured by $launcher: status $?"
	grep -q '^cg: 4 UPC threads, .*: verified$' "$work/output" || fail "measured by $launcher: not right"
	[ "$(grep -c '^heddle: measured ' "$work/output")" = 1 ] || fail "measured by $launcher: not one closing line"
	"$heddle" report --threads "$work/$launcher.d" > "$work/output" 2>&1 || fail "report by $launcher"
	for rank in 0:host1 1:host1 2:host2 3:host2; do
		grep -q "UPC thread ${rank%:*} on ${rank#*:}" "$work/output" || fail "by $launcher: thread ${rank%:*} is not on ${rank#*:}"
	done
	# The network belongs to the run-time system, not to the program: its functions are on no path.
	"$heddle" report --min 0 "$work/$launcher.d" > "$work/output" 2>&1
	grep -Eq 'upc get|upc reduce' "$work/output" && ! grep -Eq 'hupc__ucx|ucp_|uct_|PMIx_' "$work/output" || fail "paths by $launcher: the network's functions"
	"$heddle" merge "$work/$launcher.d" -o "$work/$launcher.heddle" > "$work/output" 2>&1 || fail "merge by $launcher"
done

missing=$(hosts_clock_missing)
[ -z "$missing" ] || { echo "left out: clocks that differ: $missing"; exit $failed; }
export hosts_clock=5
for launcher in "${found[@]}"; do
	on "$launcher" "$heddle" run --trace -o "$work/$launcher.t" -- "$work/cg" 2 || fail "traced by $launcher: status $?"
	grep -q '^cg: 4 UPC threads, .*: verified$' "$work/output" || fail "traced by $launcher: not right"
	python3 "$here/clocks/offsets.py" check "0:0 0:0 $hosts_clock:0" "$work/$launcher.t"/*-trace || fail "traced by $launcher: offsets are wrong"
	"$heddle" info --check-trace "$work/$launcher.t" > "$work/output" 2>&1 || fail "the trace by $launcher is not the profile"
	"$heddle" info "$work/$launcher.t" > "$work/output" 2>&1 || fail "info of the trace by $launcher"
	sed -n '/^traces/,/^$/p' "$work/output"
	grep -q ' 2 processes have measured offsets, ' "$work/output" || fail "traced by $launcher: no measured offsets"
	grep -Eq '^  causality +[0-9,]+ barriers: (none violated|.* 0 beyond it, )' "$work/output" || fail "traced by $launcher: effects before causes"
	if grep -q ' 0 barriers' "$work/output"; then fail "traced by $launcher: no barriers"; fi
done
exit $failed
