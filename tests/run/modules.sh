#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Code of libraries that were unloaded before the end has names, even if two libraries had the same addresses.
. "${BASH_SOURCE%/*}/lib.sh"

for name in hot_a hot_b; do
	compile $name.so hot.c -shared -fPIC -DHOT=$name
done
compile modules modules.c
same_behaviour modules "$work/modules" "$work/hot_a.so" 200 "$work/hot_b.so" 400 "$work/hot_a.so" 100
addresses=$(sort -u "$work/modules.err" | grep -c hot_entry)
echo "  the libraries were at $addresses different addresses"
folded modules --metric cpu-time
for expected in hot_a:3e8 hot_b:4e8; do
	name=${expected%:*}
	got=$(path_sum modules "^main;burn_in_library;hot_entry;${name}_call;$name(;|$)")
	expect "time of $name" between "$(awk -v t="${expected#*:}" 'BEGIN { print t * .9 }')" "$got" \
		"$(awk -v t="${expected#*:}" 'BEGIN { print t * 1.1 }')"
done
expect "no code without a name" no_path modules 'hot_[ab]\.so\+0x'
finish
