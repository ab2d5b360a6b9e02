#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Jobs of launchers continue when strangers write to their ranks' ports: the connections are dropped, and each rank
# reports it once. A faulty rank ends the job with one line. On one machine, ranks listen only at the loopback
# interface, unless UPC_NETWORK_DEVICES names another one.
set -u
# shellcheck source=tests/upc/common.sh
. "$HEDDLE_SOURCE/tests/upc/common.sh"
# shellcheck source=tests/upc/launchers.sh
. "$HEDDLE_SOURCE/tests/upc/launchers.sh"
need_network
unset UCX_NET_DEVICES UPC_NETWORK_DEVICES
export UPC_NODE_SIZE=1 UCX_TLS=tcp,self UPC_NETWORK_COUNTS=1
failed=0

fail() {
	echo "FAILED: $*"
	head -n 20 "$work/output"
	failed=1
}

# begin LAUNCHER: starts two ranks; the addresses at which they listen are in $work/addresses
begin() {
	rm -f "$work/addresses" "$work/enough"
	launch "$1" 2 "$work/listening" "$work/addresses" "$work/enough" > "$work/output" 2>&1 < /dev/null &
	job=$!
	wait_until grep -qs '^all$' "$work/addresses" || fail "$1: no addresses"
}

# end: lets the job end; returns its status
end() {
	: > "$work/enough"
	wait "$job"
}

# stranger ADDRESS BYTES: writes the bytes, and waits until the connection is dropped
stranger() {
	local port=${1##*:}
	(exec 3<> "/dev/tcp/127.0.0.1/$port" && printf '%b' "$2" >&3 && timeout "$seconds" cat <&3) > "$work/received" 2>&1
	[ $? != 124 ] || fail "a stranger is not dropped"
}

ucx='\x78\x56\x34\x12\xbe\xba\xfe\xca'
many=$(printf '\\xff%.0s' $(seq 64))
"$HEDDLE_BUILD/bin/heddle" upcc -O1 -o "$work/listening" "$here/network/listening.upc" || exit 1
for launcher in "${found[@]}"; do
	begin "$launcher"
	grep -v '^all$' "$work/addresses" | grep -Evq '^127\.0\.0\.1:[0-9]+$' && fail "$launcher: ranks listen at other interfaces, too"
	mapfile -t addresses < <(grep -v '^all$' "$work/addresses")
	for address in "${addresses[@]}"; do
		for bytes in "$ucx$many" "$ucx" x "heddleu1$many" "$many"; do
			stranger "$address" "$bytes"
		done
	done
	end || fail "$launcher: status $?"
	grep -q '^right$' "$work/output" || fail "$launcher: the job computed wrong values"
	[ "$(grep -c 'dropped a connection from 127.0.0.1:' "$work/output")" = 2 ] || fail "$launcher: not each rank reported it once"
	[ "$(grep -c ', 5 strangers$' "$work/output")" = 2 ] || fail "$launcher: not each rank counted five strangers"
done

# A rank that sends an invalid message ends the job, with one line of the receiver.
cc -D_GNU_SOURCE -I"$HEDDLE_SOURCE" -c -o "$work/breaks.o" "$here/network/breaks.c" &&
	"$HEDDLE_BUILD/bin/heddle" upcc -O1 -o "$work/broken" "$here/network/broken.upc" "$work/breaks.o" || exit 1
for launcher in "${found[@]}"; do
	(launch "$launcher" 3 timeout "$seconds" "$work/broken") > "$work/output" 2>&1 < /dev/null
	case $? in 0 | 124) fail "$launcher: a faulty rank: status $?" ;; esac
	[ "$(grep -c '^upc: ' "$work/output")" = 1 ] || fail "$launcher: a faulty rank: not one line"
	grep -q '^upc: thread 0: thread 1 sent a message that is not part of this program (a message of an unknown kind)' \
		"$work/output" || fail "$launcher: a faulty rank: another line"
done

# The variable of UCX; the runtime's own has priority.
UCX_NET_DEVICES=none UPC_NETWORK_DEVICES=lo begin "${found[0]}"
grep -q '^127\.0\.0\.1:' "$work/addresses" || fail "UPC_NETWORK_DEVICES has no priority"
end || fail "UPC_NETWORK_DEVICES=lo: status $?"
launch "${found[0]}" 2 env UPC_NETWORK_DEVICES=none "$work/listening" "$work/addresses" "$work/enough" > "$work/output" 2>&1
grep -q 'UPC_NETWORK_DEVICES' "$work/output" || fail "a missing interface is not reported"
exit $failed
