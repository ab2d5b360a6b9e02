#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Programs that replace malloc run normally, and one line says what is not measured. A library's malloc that Heddle's
# wrappers call (jemalloc, linked as a library) is measured.
. "${BASH_SOURCE%/*}/lib.sh"

hz=1000
run_options=(--memory)
# shellcheck disable=SC2317 # called by expect
not_measured() { [ "$(grep -c '^heddle: .*memory is not measured' "$work/$1.err")" = 1 ] && [ "$(heddle_lines "$1")" = 1 ]; }
clash() {
	same_behaviour "$@"
	expect "$1: one line says so" not_measured "$1"
	folded "$1" --metric samples
}

compile own_malloc own_malloc.c -fno-builtin
clash own_malloc "$work/own_malloc"
hz=0

CC=gcc compile memory_asan memory.c -fno-builtin -fsanitize=address
export ASAN_OPTIONS=allocator_may_return_null=1:detect_leaks=0
same_behaviour memory_asan "$work/memory_asan"
expect "gcc's ASan: one line says so" not_measured memory_asan
if compile memory_clang_asan memory.c -fno-builtin -fsanitize=address 2> /dev/null; then
	same_behaviour memory_clang_asan "$work/memory_clang_asan"
	expect "clang's ASan: one line says so" not_measured memory_clang_asan
fi

if echo 'int main(void){return 0;}' | gcc -x c - -ljemalloc -o "$work/probe" 2> /dev/null; then
	CC=gcc compile memory_jemalloc memory.c -fno-builtin -Wl,--no-as-needed -ljemalloc
	same_behaviour memory_jemalloc "$work/memory_jemalloc"
	folded memory_jemalloc --metric bytes-allocated
	expect "jemalloc behind ours is measured" between 1028437 "$(path_sum memory_jemalloc '@memory.c')" 1028437
	if [ -e "$(gcc -print-file-name=libjemalloc.a)" ]; then
		CC=gcc compile memory_static memory.c -fno-builtin -l:libjemalloc.a -lm -lstdc++
		same_behaviour memory_static "$work/memory_static"
		expect "jemalloc inside the program: one line says so" not_measured memory_static
	fi
else
	echo "  without jemalloc: install libjemalloc-dev"
fi
finish
