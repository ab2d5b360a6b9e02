#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Ways to intercept entries and exits of functions, on x86-64: nanoseconds of a pair with a nearly empty handler, by the
# compiler's hooks (-finstrument-functions), by patched entries (-fpatchable-function-entry, gcc) with and without
# exits, and by XRay (clang); the latter two also while they are off. Usage: bench/entries.sh
. "${BASH_SOURCE%/*}/lib.sh"
repeats=${REPEATS:-7}
[ "$(uname -m)" = x86_64 ] || { echo "without entries: not x86-64" >&2; exit 77; }
clangxx=${CC/clang/clang++}
CC=gcc build libentries.so entries_library.c -shared -fPIC
CC=gcc build entries entries.c -finstrument-functions -finstrument-functions-exclude-file-list=clocks.h \
	-fno-omit-frame-pointer "$work/libentries.so"
CC=$clangxx build xray entries.c -DXRAY -std=c++17 -fxray-instrument -w 2> "$work/complaint" ||
	echo "without xray: $(head -n 1 "$work/complaint")" >&2
: > "$work/results"
machine
echo "$repeats repeats"
for _ in $(seq "$repeats"); do
	"$work/entries" | sed 's/ / pair /' >> "$work/pairs"
	[ ! -x "$work/xray" ] || "$work/xray" | sed 's/ / pair /' >> "$work/pairs"
done
while read -r name key value; do echo "$key $value" | record "$name"; done < "$work/pairs"
table pair ns hooks patchable_off patched_entry patched_both xray_off xray
