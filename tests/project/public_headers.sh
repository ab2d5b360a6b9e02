#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Each public header compiles alone, in C and in C++ (upc_cache.h, which is UPC, in the test upc_cache); heddle.h works without the library, however a program is linked.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
include=$HEDDLE_SOURCE/include
warnings="-Wall -Wextra -Wpedantic -Werror -I$include"

# alone COMPILER LANGUAGE STANDARD...: pupc.h needs variadic macros, but nothing else of C99; with __UPC_PUPC_INST__ it
# has other definitions. Warnings are complete without assembling.
alone() {
	compiler=$1 language=$2
	shift 2
	command -v "$compiler" >/dev/null || return 0
	for standard in "$@"; do
		for inst in $insts; do
			# shellcheck disable=SC2086
			"$compiler" -x "$language" "-std=$standard" $warnings -Wno-variadic-macros $inst \
				-S "$work/alone.c" -o /dev/null || { echo "$name: $compiler -std=$standard $inst"; exit 1; }
		done
	done
}

for header in "$include"/heddle/*.h; do
	name=heddle/$(basename "$header")
	[ "$name" != heddle/upc_cache.h ] || continue
	printf '#include <%s>\n#include <%s>\n' "$name" "$name" >"$work/alone.c"
	# The macro matters only in headers that test it.
	insts=-U__UPC_PUPC_INST__
	! gcc -E -dU "-I$include" "$work/alone.c" | grep -q __UPC_PUPC_INST__ || insts="$insts -D__UPC_PUPC_INST__=1"
	for compiler in gcc "$HEDDLE_CLANG"; do
		alone "$compiler" c c90 gnu90 c99 c17 gnu17
		alone "$compiler" c++ c++98 c++11 c++17
	done
done

cat >"$work/user.c" <<'END'
#include <heddle/heddle.h>
int main(void)
{
	if (heddle_start() != 0 || heddle_phase_begin("x") != 0 || heddle_phase_end("x") != 0)
		return 1;
	heddle_unmeasured_threads(1);
	heddle_unmeasured_threads(0);
	return heddle_stop() != 0 || heddle_flush() != 0 || heddle_version() != 0;
}
END
cat >"$work/library.c" <<'END'
#include <heddle/heddle.h>
int heddle_measure_start(void) { return -11; }
int heddle_measure_phase_begin(const char *name) { return name[0] == 'x' ? -12 : 0; }
static int excluded;
void heddle_measure_exclude_threads(int begin) { excluded = begin; }
int heddle_measure_flush(void) { return excluded; }
const char *heddle_measure_version(void) { return "found"; }
END
cat >"$work/measured.c" <<'END'
#include <heddle/heddle.h>
#include <string.h>
int main(void)
{
	heddle_unmeasured_threads(7);
	if (heddle_flush() != 7)
		return 1;
	int twice = heddle_start() == -11 && heddle_start() == -11;
	return !twice || heddle_phase_begin("x") != -12 || heddle_stop() != 0 || strcmp(heddle_version(), "found") != 0;
}
END
# shellcheck disable=SC2086
gcc -shared -fPIC $warnings "$work/library.c" -o "$work/library.so"

# try FLAGS: calls do nothing without the library; with it, unless linked statically, each call reaches it.
try() {
	# shellcheck disable=SC2086
	gcc $1 $warnings "$work/user.c" -o "$work/user"
	"$work/user" || { echo "heddle.h without the library fails with: $1"; exit 1; }
	case $1 in *static*) return ;; esac
	# shellcheck disable=SC2086
	gcc $1 $warnings "$work/measured.c" -o "$work/measured"
	LD_PRELOAD=$work/library.so "$work/measured" || { echo "heddle.h with the library fails with: $1"; exit 1; }
}

for flags in "" "-O2 -fno-plt -fPIE -pie" "-O2 -fno-pie -no-pie" "-static" "-static-pie -fPIE" "-O2 -flto" "-std=c99"; do
	try "$flags"
done
try "-x c++ -std=c++11"
