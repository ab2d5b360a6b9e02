#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Debug information that exists but cannot be read, or that is incomplete: one line for each such module reports it.
. "$HEDDLE_SOURCE/tests/run/lib.sh"
need "$HEDDLE_CLANG"
need objcopy
cd "$work" || exit 1
cat > inlined.c << 'END'
static inline __attribute__((always_inline)) int inner(int n) { __asm__ volatile("nop; inside: nop"); return n * 3; }
__attribute__((noinline)) int outer(int n) { return inner(n) + 1; }
int main(int argc, char **argv) { (void)argv; return outer(argc) > 99; }
END

# shown NAME [SYMBOL]: reports, with lines, a measurement with a frame at that symbol (`outer`) of $work/NAME
shown() {
	mkdir -p "$1.m"
	{
		echo "process program $work/$1"
		echo "module 1 1 $(readelf -n "$1" | awk '/Build ID/ { print $3 }') $work/$1"
		echo 'node 0 ROOT 0 0 0'
		echo "node 0 FRAME 0 1 $(nm "$1" | awk -v at="${2:-outer}" '$3 == at { sub(/^0*/, "", $1); print $1 }')"
		echo 'thread 0 -1 main'
		echo 'value samples 1 10'
	} | "$HEDDLE_BUILD/tests/make_profile" "$1.m/p.heddle" || exit 1
	"$heddle" report --lines "$1.m" > "$1.out" 2> "$1.err"
}
has_line() { grep -q 'outer inlined.c:2' "$1.out"; }
# says NAME TEXT: the only line is about the module, with the text
says() {
	reason=$(cat "$1.err")
	[ "$(wc -l < "$1.err")" = 1 ] && grep -q "^heddle: $work/$1: .*$2.* so lines or inlined functions are missing: " "$1.err" &&
		reason=
}

build() {
	local name=$1
	shift
	"$HEDDLE_CLANG" -O1 -Wl,--build-id "$@" -o "$name" inlined.c || exit 1
}
build plain -g
shown plain
expect "plain: the line" has_line plain
expect "plain: no message" test ! -s plain.err
build without -g0
shown without
expect "no debug information: no message" test ! -s without.err

if objcopy --compress-debug-sections=zstd plain zstd 2> /dev/null && readelf -t zstd | grep -q ZSTD; then
	shown zstd
	# A libdw with support for zstd reads them.
	has_line zstd || expect "zstd: message" says zstd "zstd"
	objcopy --strip-debug --add-gnu-debuglink=zstd plain apart
	shown apart
	has_line apart || expect "zstd in a separate file: message" says apart "zstd"
else
	echo "zstd not tried: objcopy lacks it"
fi

"$HEDDLE_CLANG" -O1 -g -gsplit-dwarf -c -o split.o inlined.c && "$HEDDLE_CLANG" -Wl,--build-id -o split split.o || exit 1
shown split
expect "split: the line" has_line split
expect "split: no message" test ! -s split.err
shown split inside
expect "split: the inlined function" grep -q 'inner inlined.c:1' split.out
mv split.dwo kept.dwo
shown split
expect "split: the message names the missing file" says split "$work/split.dwo"
cp kept.dwo split.dwo
dwp=$(PATH=${HEDDLE_LLVM_BIN:-$PATH}:$PATH command -v llvm-dwp)
if [ -n "$dwp" ] && "$dwp" -e split -o split.dwp 2> /dev/null; then
	rm split.dwo
	shown split inside
	grep -q 'inner inlined.c:1' split.out || expect "package: the message names the missing package" says split "split.dwp"
else
	echo "a package not tried: no llvm-dwp"
fi

# The section that dwz writes: the name of a file, and its build id.
printf '/usr/lib/debug/.dwz/nowhere.debug\0 0123456789abcdefghi' > 'link'
objcopy --add-section .gnu_debugaltlink=link plain dwz
shown dwz
expect "dwz: the message names the missing file" says dwz "/usr/lib/debug/.dwz/nowhere.debug"
finish
