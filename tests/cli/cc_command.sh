#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# `heddle cc` and `heddle c++` with real compilers: what they add, what they leave alone, what they refuse. Blanks,
# quotes and dollar signs are for compilers and scripts, and must not be expanded here.
# shellcheck disable=SC2016
set -u
heddle=$HEDDLE_BUILD/bin/heddle
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
unset HEDDLE_CC HEDDLE_CXX HEDDLE_UPCC CC CXX CFLAGS CXXFLAGS LDFLAGS MAKEFLAGS
PATH=$HEDDLE_BUILD/bin:$PATH
bad=0
count=0

# ok MESSAGE COMMAND...: the command must succeed.
ok() {
	local message=$1
	shift
	count=$((count + 1))
	"$@" || { echo "FAILED: $message"; bad=1; }
}

# refused STATUS PATTERN COMMAND...: the command must exit with that status, and print one line on stderr that matches
# the extended regular expression.
refused() {
	local status=$1 pattern=$2 got
	shift 2
	count=$((count + 1))
	"$@" >stdout 2>stderr </dev/null
	got=$?
	if [ $got -ne "$status" ] || [ "$(wc -l <stderr)" -ne 1 ] || ! grep -Eq -- "$pattern" stderr; then
		echo "FAILED: $*: status $got, wanted $status and a line like '$pattern':"
		cat stderr
		bad=1
	fi
}

has() { nm "$1" | grep -q "$2"; }
hasnt() { ! has "$@"; }
prints() { [ "$("$2")" = "$1" ] || { echo "  prints: $("$2")"; false; }; }
same() { cmp -s "$1" "$2" || { diff "$1" "$2" | head -n 5; false; }; }

cat >work.c <<'END_C'
#include <pupc.h>
#include <stdio.h>
#if __UPC_PUPC__ != 1
#error no __UPC_PUPC__
#endif
#pragma pupc off
int twice(int x);
#pragma pupc on
__attribute__((noinline)) int twice(int x)
{
	return 2 * x;
}
int main(void)
{
	unsigned int event = pupc_create_event("step", "x=%d");

	pupc_event_start(event, 21);
	printf("%d\n", twice(21));
	pupc_event_end(event, 21);
	return 0;
}
END_C
cat >work.cpp <<'END_CXX'
#include <pupc.h>
#include <stdexcept>
#include <cstdio>
#include <vector>
#pragma pupc on
struct left { ~left() { std::puts("left"); } };
static void deep(int n)
{
	left mark;
	if (n == 0)
		throw std::runtime_error("42");
	deep(n - 1);
}
int main()
{
	try {
		pupc_event_atomic(pupc_create_event("deep", nullptr));
		deep(std::vector<int>(1, 2)[0]);
	} catch (const std::exception &error) {
		std::puts(error.what());
	}
}
END_CXX

for compiler in gcc "$HEDDLE_CLANG"; do
	command -v "$compiler" >/dev/null || { echo "not tried here: $compiler"; continue; }
	export HEDDLE_CC="$compiler -Wall -Wextra -Werror"
	for inst in --inst --inst-local --inst-functions --profile --profile-local; do
		ok "$compiler $inst compiles without a warning" heddle cc $inst -O2 -o with work.c
		ok "$compiler $inst: same output" prints 42 ./with
		ok "$compiler $inst compiles user events in" has with 'heddle__pupc_event\|heddle__find\|dlsym'
		if [ $inst != --inst ] && [ $inst != --inst-local ]; then
			ok "$compiler $inst: hooks" has with __cyg_profile_func_enter
		else
			ok "$compiler $inst: no hooks" hasnt with __cyg_profile_func_enter
		fi
		ok "$compiler $inst: Heddle is not linked" sh -c '! ldd with | grep -q heddle'
	done
	ok "$compiler: no events without an option" heddle cc -Wno-unknown-pragmas -O2 -o without work.c
	ok "$compiler: the compiler itself compiles it" "$compiler" -Wno-unknown-pragmas -D__UPC_PUPC__=1 \
		-I"$HEDDLE_SOURCE/include/heddle" -O2 -o bare work.c
	nm bare | awk '{ print $NF }' | sort >bare.names
	nm without | awk '{ print $NF }' | sort >without.names
	ok "$compiler: without an option, the program has nothing that $compiler alone does not add" \
		same bare.names without.names
	ok "$compiler: the last option holds" heddle cc --inst-functions --noinst -Wno-unknown-pragmas -o last work.c
	ok "$compiler: --noinst cancels the option" hasnt last __cyg_profile_func_enter
	ok "$compiler: the last option holds" heddle cc --noinst work.c --inst-functions -o last
	ok "$compiler: a later option cancels --noinst" has last __cyg_profile_func_enter

	ok "$compiler: linked statically" heddle cc --inst-functions -static -o static work.c
	ok "$compiler: runs" prints 42 ./static

	# Steps of a build.
	ok "$compiler: -c" heddle cc --inst-functions -c work.c -o work.o
	ok "$compiler: hooks in the object" has work.o 'U __cyg_profile_func_exit'
	ok "$compiler: objects link" heddle cc --inst-functions work.o -o linked
	ok "$compiler: runs" prints 42 ./linked
	ok "$compiler: -E" sh -c 'heddle cc --inst -E work.c | grep -q "define\|heddle__pupc_event"'
	ok "$compiler: -M" sh -c "heddle cc -M work.c | grep -q 'heddle/pupc.h'"
	ok "$compiler: -MMD leaves system headers out" heddle cc -Wno-unknown-pragmas -MMD -MF work.d -MT here -c work.c
	ok "$compiler: -MMD" grep -qx 'here: work.c' work.d
	echo '-O1 -Wno-unknown-pragmas "work.c" -o answered' >answers
	ok "$compiler: a response file" heddle cc @answers
	ok "$compiler: runs" prints 42 ./answered
	ok "$compiler: several sources and a linker option" sh -c '
		printf "int other(void); int other(void) { return 1; }\n" >other.c
		heddle cc --inst -Wl,-Map,linked.map work.c other.c -o several && test -s linked.map'
	ok "$compiler: standard input" sh -c 'echo "int main(void) { return 0; }" | heddle cc --inst -x c - -o piped && ./piped'
	ok "$compiler: a file named like an option" sh -c 'heddle cc --inst -o --inst work.c && test -x ./--inst'

	# Output and status are exactly those of the compiler.
	echo 'int main(void) { return missing; }' >broken.c
	$compiler -Wall -Wextra -Werror -c broken.c >bare.out 2>&1
	bare=$?
	heddle cc -c broken.c >wrapped.out 2>&1
	ok "$compiler: an error's status" test $? -eq $bare
	ok "$compiler: an error's text" same bare.out wrapped.out
	for question in --version -dumpmachine -print-prog-name=ld; do
		$compiler $question >bare.out 2>&1
		heddle cc $question >wrapped.out 2>&1
		ok "$compiler $question" same bare.out wrapped.out
	done
done

# C++: exceptions pass through instrumented functions.
for compiler in g++ "$HEDDLE_CLANGXX"; do
	command -v "$compiler" >/dev/null || { echo "not tried here: $compiler"; continue; }
	export HEDDLE_CXX="$compiler -Wall -Wextra -Werror"
	ok "$compiler compiles" heddle c++ --inst-functions -O2 -o thrower work.cpp
	ok "$compiler: hooks" has thrower __cyg_profile_func_enter
	ok "$compiler: exceptions" prints "$(printf 'left\nleft\nleft\n42')" ./thrower
	ok "$compiler, no option" heddle c++ -Wno-unknown-pragmas -O2 -o thrower work.cpp
	ok "$compiler, no option: no hooks" hasnt thrower __cyg_profile_func_enter
done
unset HEDDLE_CC HEDDLE_CXX

# The list of --inst-only.
printf '# what to measure\nGASP_UPC_BARRIER\n\nGASP_C_FUNC # functions\nompt_callback_work\n' >functions.list
printf 'GASP_C_MALLOC\n' >malloc.list
printf 'GASP_C_FUN\nGASP_C_FUNC\nnonsense\n' >wrong.list
for option in '--inst-only functions.list' --inst-only=functions.list '--profile-only functions.list'; do
	# shellcheck disable=SC2086
	ok "$option compiles" heddle cc $option -o listed work.c
	ok "$option: functions" has listed __cyg_profile_func_enter
done
ok "a list without functions" heddle cc --inst-functions --inst-only malloc.list -o listed work.c
ok "a list without functions leaves them out" hasnt listed __cyg_profile_func_enter
ok "unknown names are no error" heddle cc --inst-only wrong.list -o listed work.c 2>stderr
ok "a line for each unknown name" test "$(grep -c "^heddle: cc: wrong.list: no event is named '\(GASP_C_FUN\|nonsense\)'" stderr)" = 2
ok "no other line than for unknown names" test "$(wc -l <stderr)" = 2
refused 2 "^heddle: cc: --inst-only: cannot read 'nowhere': No such file" heddle cc --inst-only nowhere work.c
refused 2 "^heddle: cc: --inst-only: cannot read '\\.': Is a directory" heddle cc --inst-only . work.c
refused 2 "^heddle: cc: option '--inst-only' needs an argument" heddle cc work.c --inst-only
refused 2 "^heddle: cc: option '--inst-only' needs an argument" heddle cc --inst-only= work.c
sed -nE 's/^#define (GASP_[A-Z_]+) GASP_(HEDDLE_EVENT|UPC_(NON)?COLLECTIVE).*/\1/p' \
	"$HEDDLE_SOURCE"/include/heddle/gasp_{c,upc}.h >all.list
ok "the headers' events are found" test "$(wc -l <all.list)" -ge 44
ok "each event of the headers is known" heddle cc --inst-only all.list -c work.c 2>stderr
ok "each event of the headers is known: $(cat stderr)" test ! -s stderr

# Lists of functions and files to leave out.
ok "exclusion by function" heddle cc --with-cc=gcc --inst-functions --inst-exclude-functions=twice,main -c work.c -o less.o
ok "exclusion by function" hasnt less.o __cyg_profile_func_enter
ok "exclusion by file" heddle cc --with-cc gcc --inst-functions --inst-exclude-files work.c -c work.c -o less.o
if command -v "$HEDDLE_CLANG" >/dev/null; then
	refused 2 '^heddle: cc: clang cannot exclude functions by lists.*no_instrument_function' \
		heddle cc --with-cc="$HEDDLE_CLANG" --inst-functions --inst-exclude-functions=twice -c work.c
fi

# Selection of the compiler.
mkdir 'a place'
printf '#!/bin/sh\nfor word; do printf "<%%s>\\n" "$word"; done\n' >'a place/my cc'
chmod +x 'a place/my cc'
HEDDLE_CC="'a place/my cc' -DA=\"x y\" \\\"q\\\"" heddle cc -DB='a "b" $c' '' -o 'two words' >words
ok "HEDDLE_CC is split as by a shell" grep -qxF '<-DA=x y>' words
ok "HEDDLE_CC: backslashes" grep -qxF '<"q">' words
tail -n 4 words >rest
printf '<%s>\n' '-DB=a "b" $c' '' -o 'two words' >expected
ok "arguments arrive untouched, in order" same expected rest
ok "--with-cc overrides HEDDLE_CC" sh -c "HEDDLE_CC=false heddle cc --with-cc='a place/my cc' -x | grep -qx '<-x>'"
ok "an empty HEDDLE_CC counts as unset" sh -c 'HEDDLE_CC= heddle cc --version | head -n 1 | grep -q .'
refused 127 "^heddle: cc: the compiler 'no-such-cc' was not found" env HEDDLE_CC='no-such-cc -m64' heddle cc -c work.c
refused 126 "^heddle: c\+\+: the compiler './work.c' can't be executed" heddle c++ --with-cc=./work.c
refused 2 '^heddle: cc: HEDDLE_CC=.*quote is not closed' env "HEDDLE_CC=gcc 'x" heddle cc -c work.c
refused 2 "^heddle: cc: the compiler 'heddle' is this command itself" env 'HEDDLE_CC=heddle cc' heddle cc -c work.c
refused 127 '^heddle: cc: no compiler found \(cc, gcc, clang\): install one' env PATH=/nowhere "$heddle" cc -c work.c

# A parent ignores SIGCHLD: the compiler inherits exactly that.
if env --ignore-signal=CHLD true 2>/dev/null; then
	printf '#!/bin/bash\nexec grep SigIgn /proc/self/status\n' >showing && chmod +x showing
	for parent in "env --ignore-signal=CHLD" env; do
		# shellcheck disable=SC2086
		$parent ./showing >bare.signals
		# shellcheck disable=SC2086
		$parent heddle cc --with-cc=./showing -c work.c >with.signals
		ok "$parent: signals that the compiler ignores" same bare.signals with.signals
	done
fi

# Build tools.
cat >Makefile <<'END_MAKE'
program: main.o part.o
	$(CC) $(CFLAGS) $^ -o $@
END_MAKE
printf '#include <stdio.h>\nint part(void);\nint main(void)\n{\n\tprintf("%%d\\n", part());\n\treturn 0;\n}\n' >main.c
printf 'int part(void);\nint part(void)\n{\n\treturn 42;\n}\n' >part.c
ok 'make CC="heddle cc"' make -s CC="heddle cc" CFLAGS='--inst-functions -O1'
ok "made by make: hooks" has part.o __cyg_profile_func_enter
ok "made by make: runs" prints 42 ./program
cat >CMakeLists.txt <<'END_CMAKE'
cmake_minimum_required(VERSION 3.25)
project(built LANGUAGES C)
add_executable(built main.c part.c)
END_CMAKE
ok "cmake configures" cmake -S . -B built -DCMAKE_C_COMPILER="$heddle;cc" -DCMAKE_C_FLAGS=--inst-functions >cmake.log 2>&1
ok "cmake builds" cmake --build built >>cmake.log 2>&1
ok "made by cmake: hooks" has built/built __cyg_profile_func_enter
ok "made by cmake: runs" prints 42 built/built

ok "--help is that of heddle cc" sh -c 'heddle cc --help | grep -q inst-functions && heddle help c++ | grep -q inst-functions'
echo "$count checks"
[ $bad -eq 0 ] && [ $count -gt 100 ]
