#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The rate at which a trace is written if the disk is the limit, beside dd on the same disk: a file system in a file,
# mounted so that each write waits for the disk (-o sync), whose device is limited to some MB/s (blkio.throttle of
# control groups version 1, io.max of version 2). Threads only produce events, and wait for their buffers. As root.
# Usage: bench/trace_disk.sh [DIRECTORY]   (for the file; default: where temporary files are)
#   LIMITS    of the device, in MB/s; 0: none   (default: 10 50 0)
#   EVENTS    of each thread   (default: 8000000)
. "${BASH_SOURCE%/*}/lib.sh"
repeats=${REPEATS:-3} events=${EVENTS:-8000000}
read -ra limits <<< "${LIMITS:-10 50 0}"
have "$heddle" heddle "./dev build" || exit 77
PATH=$PATH:/sbin:/usr/sbin
[ "$(id -u)" = 0 ] || { echo "without a disk: mounting needs root" >&2; exit 77; }
have mkfs.ext4 "a file system" "package e2fsprogs" || exit 77
build phases trace_phases.c -I "$here/../include" -ldl
image=$(mktemp "${1:-${TMPDIR:-/tmp}}/heddle-disk.XXXXXX")
mkdir "$work/disk"
device='' group=''

# The last process may leave its group shortly after its parent has waited for it.
remove() {
	cd /
	! mountpoint -q "$work/disk" || umount "$work/disk"
	[ -z "$device" ] || losetup -d "$device"
	[ -z "$group" ] || rmdir "$group" 2> /dev/null || { sleep 1; rmdir "$group"; }
	rm -rf "$image" "$work"
}
trap remove EXIT
truncate -s 4G "$image"
device=$(losetup --find --show --direct-io=on "$image" 2> /dev/null || losetup --find --show "$image") || {
	echo "without a disk: no loop device" >&2
	exit 77
}
mkfs.ext4 -q -E lazy_itable_init=0,lazy_journal_init=0 "$device"
mount -o sync "$device" "$work/disk"
number=$(printf '%d:%d' "0x$(stat -c %t "$device")" "0x$(stat -c %T "$device")")

# Creates a control group whose writes to the device can be limited.
if [ -e /sys/fs/cgroup/blkio/cgroup.procs ]; then
	group=/sys/fs/cgroup/blkio/heddle-bench.$$
	mkdir "$group"
elif grep -qw io /sys/fs/cgroup/cgroup.subtree_control 2> /dev/null; then
	group=/sys/fs/cgroup/heddle-bench.$$
	mkdir "$group"
else
	echo "without limits: no control group for block devices" >&2
	limits=(0)
fi

# limit MB-PER-SECOND
limit() {
	if [ -e "$group/blkio.throttle.write_bps_device" ]; then
		echo "$number $(($1 * 1000000))" > "$group/blkio.throttle.write_bps_device"
	elif [ -n "$group" ]; then
		echo "$number wbps=$([ "$1" = 0 ] && echo max || echo $(($1 * 1000000)))" > "$group/io.max"
	fi
}

# inside COMMAND...: executes it in the group.
inside() {
	# shellcheck disable=SC2016 # expanded by that shell
	sh -c '[ -z "$0" ] || echo $$ > "$0/cgroup.procs"; exec "$@"' "$group" "$@"
}

# written THREADS: prints the bytes of the trace, and the seconds of the program, as "KEY VALUE" lines
written() {
	rm -rf "$work/out" "$work/disk"/*
	inside env HEDDLE_TRACE=1 HEDDLE_TRACE_DIR="$work/disk" HEDDLE_SAMPLE_HZ=0 \
		HEDDLE_OUTPUT="$work/out" LD_PRELOAD="$library" /usr/bin/env time -f 's %e' "$work/phases" "$1" "$events" \
		2>&1 | sed -nE 's/^(s|event) ([0-9.]+)$/\1 \2/p' | tail -n 1
	find "$work/out" "$work/disk" -type f -name '*-trace' -printf '%s\n' | awk '{ s += $1 } END { print "bytes", s }'
}

machine
printf '%-34s %10s %10s\n' "limit of the device, MB/s" "MB/s" "of dd's"
for each in "${limits[@]}"; do
	limit "$each"
	: > "$work/results"
	for _ in $(seq "$repeats"); do
		rm -rf "$work/disk"/*
		inside dd if=/dev/zero of="$work/disk/dd" bs=256k count=$((each && each < 50 ? 200 : 800)) 2>&1 |
			sed -nE 's/^([0-9]+) bytes.*, ([0-9.e-]+) s, .*/mb \1 \2/p' | awk '{ print "mb", $2 / $3 / 1e6 }' | record dd
		for threads in 1 2; do
			written $threads | awk '{ v[$1] = $2 } END { print "mb", v["bytes"] / v["s"] / 1e6 }' | record $threads
		done
	done
	name=$([ "$each" = 0 ] && echo none || echo "$each")
	printf '%-34s %10.1f\n' "$name: dd, 256 KiB blocks" "$(median dd/mb)"
	for threads in 1 2; do
		awk -v n="$name: trace, threads: $threads" -v m="$(median "$threads/mb")" -v dd="$(median dd/mb)" \
			'BEGIN { printf "%-34s %10.1f %10.2f\n", n, m, m / dd }'
	done
done
