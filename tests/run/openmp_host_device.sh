#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# LLVM 14 has no target events. Its host device calls kernels through libraries, which must not appear in paths:
# kernels' regions are below the function with the target construct, and kernels, whose files were removed, are in one
# path each.
. "${BASH_SOURCE%/*}/lib.sh"

(cd "$work" && "$HEDDLE_CLANG" -O2 -g -fopenmp -fopenmp-targets=x86_64-pc-linux-gnu -o host_device "$programs/host_device.c") \
	> "$work/compiled" 2>&1 || skip "$HEDDLE_CLANG makes no program for the host device here: $(head -n 1 "$work/compiled")"
export OMP_NUM_THREADS=2
at() { printf '@host_device\\.c:%s' "$(line_of host_device.c "$1")"; }
visits() { expect "$1: $2 times $3" test "$(path_sum "$1" "$3\$")" = "$2"; }

for hz in 1000 0; do
	measured "$hz" "$work/host_device"
	expect "$hz: ends well" ended "$hz" "exit 0"
	folded "$hz" --metric visits
	expect "$hz: no library in paths" no_path "$hz" 'libffi|libomptarget|__tgt_|ffi_call|tmpfile_'
	if [ "$hz" = 0 ]; then # the construct's place is unknown, as kernels jump into the runtime
		visits "$hz" 20 '^omp teams'
		visits "$hz" 10 '^omp parallel'
	else
		visits "$hz" 20 "^main;omp teams $(at teams)"
		visits "$hz" 10 "^main;omp parallel $(at parallel)"
		folded "$hz" --metric cpu-time
		expect "$hz: the serial kernel" has_path "$hz" '^main;target kernel$'
		# Except the libraries' constructors, which run before Heddle knows the libraries.
		expect "$hz: no library in paths of samples" no_path "$hz" \
			'^(main|omp [^;]*)(;|;.*;)(libffi|libomptarget|__tgt_|ffi_call|tmpfile_)'
	fi
done
finish
