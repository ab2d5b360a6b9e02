#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# A program linked by `heddle upcc --inst` measures itself: the library and the bridge are linked in, the compiler's
# event numbers are translated, arguments for Heddle do not reach the compiler. The UPC compilers are stand-ins
# (tests/upc/standin/compilers) that refuse what the real ones refuse: Berkeley UPC, installed with one configuration or
# several, Clang UPC and GNU UPC.
. "${BASH_SOURCE%/*}/lib.sh"
need gcc
hz=0
need ar
need python3
need make
cd "$work" || exit 1
compilers=$HEDDLE_SOURCE/tests/upc/standin/compilers
export PATH=$PATH:$HEDDLE_BUILD/bin

cat > program.upc << 'END_C'
#include <stdio.h>
#include <upc.h>
static void __attribute__((noinline)) work(void)
{
	STANDIN_FUNCTION("work");
	for (int i = 0; i < 30; i++)
		STANDIN_GET(); /* line: get */
	STANDIN_MEMGET(100); /* line: memget */
	__asm__ volatile("");
}
int main(int argc, char **argv)
{
	if (MYTHREAD == 0)
		for (int i = 1; i < argc; i++)
			puts(argv[i]);
	work();
	return argv[argc] != NULL;
}
END_C

# builds NAME COMPILER ARGUMENT...
builds() {
	local name=$1 compiler=$2
	shift 2
	HEDDLE_UPCC=$compiler expect "$name: compiles and links" "$heddle" upcc "$@"
}

# tells NAME VISITS-OF-A-GET: checks the profile of two threads.
tells() {
	expect "$1: ends well" ended "$1" "exit 0"
	folded "$1" --metric visits
	expect "$1: gets" test "$(path_sum "$1" '(^|;)upc get @program.upc:7$')" = 60
	expect "$1: bulk gets" test "$(path_sum "$1" '(^|;)upc memget @program.upc:8$')" = 2
	expect "$1: functions" test "$(path_sum "$1" '(^|;)work$')" = "$2"
	folded "$1" --metric remote-accesses
	expect "$1: the bridge reports the owner of memory" test "$(path_sum "$1" .)" = 62
}

# try NAME COMPILER: builds and measures; `start` runs the program with two threads.
try() {
	local name=$1 compiler=$2
	builds "$name" "$compiler" --inst-local -O2 -Wall -std=gnu11 -fPIC -pthread -Wl,--as-needed -o "$name.program" program.upc -lm
	bare "$name" env HEDDLE_OUTPUT="$work/$name.heddle.d" "${start[@]}" "./$name.program" "${before[@]}" first \
		--heddle-models=upc second -- --heddle-kept
	expect "$name: arguments for Heddle are taken out" \
		test "$(tr '\n' ' ' < "$name.out")" = 'first second -- --heddle-kept '
	expect "$name: only the directory is named: $(cat "$name.err")" test "$(grep -vc '^heddle: measured ' "$name.err")" = 0
	tells "$name" 0
	measured "$name.run" "${start[@]}" "./$name.program" "${before[@]}" again
	tells "$name.run" 0
	# In two steps, with functions; the compiler and the program's file have other names.
	ln -sf "$compiler" "$work/cc-$name"
	builds "$name" "$work/cc-$name" --inst --inst-functions -O2 -c program.upc
	builds "$name" "$work/cc-$name" --inst --inst-functions -T 2 -o "$name.functions" program.o
	bare "$name.functions" env HEDDLE_OUTPUT="$work/$name.functions.heddle.d" "${start[@]}" "./$name.functions" "${before[@]}"
	tells "$name.functions" 2
}

# Without events, the program contains nothing of Heddle.
plain() {
	builds "$1" "$2" -O1 -o "$1.plain" program.upc
	expect "$1: without events the library is not in it" sh -c "! ldd $1.plain | grep -q heddle"
	bare "$1.plain" "${start[@]}" "./$1.plain" "${before[@]}" --heddle-models=upc
	expect "$1: all arguments reach the program" grep -qx -- --heddle-models=upc "$1.plain.out"
}

before=()
start=(env GASNET_PSHM_NODES=2)
unset STANDIN_INSTALLED
try berkeley "$compilers/upcc"
builds berkeley-plain "$compilers/upcc" -O1 -o berkeley.plain program.upc
bare berkeley-plain env HEDDLE_OUTPUT="$work/berkeley-plain.heddle.d" ./berkeley.plain
expect "Berkeley's single configuration links with the tool, also without events" ended berkeley-plain "exit 0"
export STANDIN_INSTALLED=multi
try berkeley-multi "$compilers/upcc"
plain berkeley-multi "$compilers/upcc"
printf 'GASP_UPC_GET\n' > only.events
HEDDLE_UPCC=$compilers/upcc expect "--inst-only where the compiler has none" \
	"$heddle" upcc --inst-only only.events -o only program.upc 2> only.err
expect "--inst-only without support is reported: $(cat only.err)" grep -q '^heddle: upcc: --inst-only: ' only.err

# The stand-in accepts the options in the examples' Makefile; it cannot check that the examples are valid UPC.
expect "the examples' Makefile" env STANDIN_PARSE_ONLY=1 HEDDLE_UPCC="$compilers/upcc" \
	make -s -C "$HEDDLE_SOURCE/examples" upc OUT="$work/examples" HEDDLE="$heddle"
expect "the examples' Makefile makes hybrid" test -e "$work/examples/hybrid"

start=()
before=(-n 2)
try clang "$compilers/clang-upc"
plain clang "$compilers/clang-upc"
try gnu "$compilers/gupc"
plain gnu "$compilers/gupc"
finish
