#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# A function identified by its first address has its own name, not that of a function inlined there.
. "${BASH_SOURCE%/*}/lib.sh"

for compiler in gcc "$HEDDLE_CLANG"; do
	command -v "$compiler" > /dev/null || continue
	CC=$compiler compile "entry-$compiler" entry.c -fomit-frame-pointer
	hz=0 same_behaviour "entry-$compiler" "$work/entry-$compiler"
	folded "entry-$compiler" --metric wall-time
	expect "$compiler: the thread's function" has_path "entry-$compiler" '^thread$'
	expect "$compiler: no inlined function's name" no_path "entry-$compiler" first
done
finish
