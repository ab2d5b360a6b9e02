#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Samples while a library patches the C library's memory functions, as UCX does when it is loaded: Heddle calls none of
# them in a signal handler, and the program ends.
. "${BASH_SOURCE%/*}/lib.sh"

compile patched_calls patched_calls.c -ldl
# libm has a large table of frames, for which Heddle's copy has to grow.
compile libpatched.so patched_calls.c -DLIBRARY -shared -fPIC -Wl,--no-as-needed -lm
bare bare "$work/patched_calls" "$work/libpatched.so"
[ "$(outcome bare)" = "exit 0" ] || skip "code of the C library cannot be written here: $(outcome bare)"
for count in 1 2 3 4; do
	measured "run$count" "$work/patched_calls" "$work/libpatched.so"
	expect "run $count: it ends" ended "run$count" "exit 0"
	folded "run$count" --metric cpu-time
	expect "run $count: samples half way" has_path "run$count" ';burn_half_way(;|$)'
done
finish
