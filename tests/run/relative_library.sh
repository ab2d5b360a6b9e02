#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# A library opened by a relative path is named, even if all samples are in the C library that it calls and the working
# directory has changed since.
. "${BASH_SOURCE%/*}/lib.sh"
need gcc

cat > "$work/plugin.c" <<'END'
#include <string.h>
static char block[1 << 20];
void fill_blocks(int times);
void fill_blocks(int times)
{
	for (int i = 0; i < times; i++) {
		memset(block, i, sizeof(block));
		__asm__ volatile("" : : : "memory");
	}
}
END
cat > "$work/opens.c" <<'END'
#include <dlfcn.h>
#include <unistd.h>
int main(int argc, char **argv)
{
	void *library = dlopen(argv[1], RTLD_NOW);
	void (*fill_blocks)(int) = library ? (void (*)(int))dlsym(library, "fill_blocks") : 0;
	if (!fill_blocks || (argc > 2 && chdir(argv[2]) != 0))
		return 1;
	fill_blocks(10000);
	return 0;
}
END
gcc -O2 -g -fPIC -shared -Wl,--build-id -o "$work/plugin.so" "$work/plugin.c" &&
	gcc -O2 -g -o "$work/opens" "$work/opens.c" -ldl || { fail "compile"; finish; }

cd "$work" || exit 1
for directory in . /; do
	name=from$([ "$directory" = . ] && echo here || echo elsewhere)
	measured "$name" "$work/opens" ./plugin.so "$directory"
	expect "$name: ends well" ended "$name" "exit 0"
	folded "$name" --metric cpu-time
	expect "$name: the library's function" has_path "$name" '^main;fill_blocks(;|$)'
	expect "$name: no code without a name" no_path "$name" 'plugin\.so\+0x'
done
finish
