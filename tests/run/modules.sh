#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Code of libraries that were unloaded before the end has names, even if two libraries had the same addresses.
. "${BASH_SOURCE%/*}/lib.sh"

for name in hot_a hot_b; do
	compile $name.so hot.c -shared -fPIC -DHOT=$name
done
compile modules modules.c
simulate
same_behaviour modules "$work/modules" "$work/hot_a.so" 20 "$work/hot_b.so" 40 "$work/hot_a.so" 10
addresses=$(sort -u "$work/modules.err" | grep -c hot_entry)
echo "  the libraries were at $addresses different addresses"
folded modules --metric cpu-time

path_of() { echo "^main;burn_in_library;hot_entry;${1}_call;$1(;|\$)"; }
expect "time of hot_a" is_sum modules "$(path_of hot_a)" 30000000
expect "time of hot_b" is_sum modules "$(path_of hot_b)" 40000000
expect "no code without a name" no_path modules 'hot_[ab]\.so\+0x'
finish
