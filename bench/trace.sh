#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The cost of a trace: nanoseconds of an event with and without --trace, of OpenMP constructs and of GASP events, by the
# size of the buffers; bytes of an event in the UPC example cg; and the rate at which events are written, beside dd.
# Usage: bench/trace.sh [DIRECTORY]   (default: where temporary files are)
#   BUFFERS        sizes of buffers to compare
. "${BASH_SOURCE%/*}/lib.sh"
repeats=${REPEATS:-5}
disk=$(mktemp -d "${1:-${TMPDIR:-/tmp}}/heddle-bench.XXXXXX")
trap 'rm -rf "$work" "$disk"' EXIT
have "$heddle" heddle "./dev build" || exit 77
build constructs constructs.c -fopenmp
build gasp gasp.c -I "$here/../include" -L "$HEDDLE_BUILD/lib" -lheddle
build phases trace_phases.c -I "$here/../include" -ldl

# traced VARIANT COMMAND...: VARIANT is "plain" or a size of buffers
traced() {
	local variant=$1
	shift
	rm -rf "$disk/out"
	if [ "$variant" = plain ]; then
		HEDDLE_OUTPUT=$disk/out HEDDLE_SAMPLE_HZ=0 "$@"
	else
		HEDDLE_TRACE=1 HEDDLE_TRACE_BUFFER=$variant HEDDLE_OUTPUT=$disk/out HEDDLE_SAMPLE_HZ=0 "$@"
	fi 2> /dev/null
}

machine
read -ra variants <<< "plain ${BUFFERS:-64K 256K 1M 8M}"
for run in 1 "1 cpu" 2; do
	: > "$work/results"
	for _ in $(seq "$repeats"); do
		for variant in "${variants[@]}"; do
			# shellcheck disable=SC2086 # two arguments
			traced "$variant" env LD_PRELOAD="$library" "$work/constructs" $run | record "$variant"
		done
	done
	echo "OpenMP, threads: ${run/cpu/(CPU time of the thread)}, $repeats repeats"
	for construct in parallel barrier for critical lock task flush; do
		table "$construct" ns "${variants[@]}"
	done
done

: > "$work/results"
for _ in $(seq "$repeats"); do
	for variant in "${variants[@]}"; do
		traced "$variant" env LD_LIBRARY_PATH="$HEDDLE_BUILD/lib" "$work/gasp" on | record "$variant"
	done
done
echo "GASP, $repeats repeats"
for key in fence get user; do
	table "$key" ns "${variants[@]}"
done

# Threads that only produce events, so that the disk is the limit.
: > "$work/results"
for _ in $(seq "$repeats"); do
	for variant in "${variants[@]}"; do
		for threads in 1 2; do
			traced "$variant" env LD_PRELOAD="$library" "$work/phases" "$threads" 8000000 | sed "s/^/$threads./" |
				record "$variant"
			[ "$variant" = plain ] && continue
			find "$disk/out" -name '*-trace' -printf "$threads.bytes %s\n" | record "$variant"
		done
	done
	sync
	dd if=/dev/zero of="$disk/dd" bs=256k count=1024 2>&1 | sed -nE 's/.*, ([0-9.e-]+) s, .*/dd.s \1/p' | record dd
	rm -f "$disk/dd"
done
echo "events only, $repeats repeats"
for threads in 1 2; do
	table "$threads.event" ns "${variants[@]}"
	for variant in "${variants[@]:1}"; do
		awk -v v="$variant" -v b="$(median "$variant/$threads.bytes")" -v s="$(median "$variant/$threads.s")" \
			'BEGIN { printf "%-26s %12.0f MB/s\n", "written, " v, b / s / 1e6 }'
	done
done
awk -v s="$(median dd/dd.s)" 'BEGIN { printf "%-26s %12.0f MB/s\n", "dd, 256 KiB blocks", 268.435456 / s }'

if "$heddle" upcc -O2 -g --inst -o "$work/cg" "$here/../examples/cg.upc" 2> "$work/upcc.err"; then
	measure --sample-hz 0 --trace -- "$work/cg" -n 2 > /dev/null
	"$heddle" info "$work"/measured.* | grep -A5 '^traces'
else
	echo "without cg: $(head -n 1 "$work/upcc.err")" >&2
fi
