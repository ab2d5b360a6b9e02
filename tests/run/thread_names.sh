#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Threads are shown with the names that the program gave them, at any time, but not with the program's own name.
. "${BASH_SOURCE%/*}/lib.sh"

compile thread_names thread_names.c
same_behaviour names "$work/thread_names"
"$heddle" report --threads "$work/names.heddle.d" > "$work/table"
named() { grep -qE "^[0-9]+\.[0-9]+ +thread $1 " "$work/table" || { cat "$work/table"; false; }; }
expect "a thread that named itself" named io-pool
expect "a thread that its creator named" named prefetch
expect "a thread that was at work at the end" named progress
expect "the program's name is not repeated" grep -qE '^[0-9]+\.[0-9]+ +thread +[0-9.]+ [mu]?s ' "$work/table"
expect "the program's name is not the main thread's" grep -qE '^[0-9]+\.0 +main +[0-9.]+ [mu]?s ' "$work/table"
finish
