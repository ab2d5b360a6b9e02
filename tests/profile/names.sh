#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Names of code that the test compiles: inlined functions, C++, stripped files, separate debug files, changed and
# missing files, the vdso, start code, outlined functions. The profile is written by the test, with places from nm.
set -eu
heddle=$HEDDLE_BUILD/bin/heddle make_profile=$HEDDLE_BUILD/tests/make_profile
for tool in gcc g++ nm strip objcopy readelf; do
	command -v $tool >/dev/null || { echo "skipped: no $tool"; exit 77; }
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
failed=0
unset HEDDLE_DEBUG_PATH

cat >code.c <<'END'
__attribute__((always_inline)) static inline int innermost(int a)
{
	__asm__ volatile("nop\n.globl at_innermost\nat_innermost: nop");
	return a + 1;
}
__attribute__((always_inline)) static inline int middle(int a)
{
	return innermost(a) * 3;
}
__attribute__((noinline)) int outer(int a)
{
	return middle(a) - 7;
}
__attribute__((always_inline)) static inline int twice(int a)
{
	__asm__ volatile(".globl at_twice\nat_twice: nop");
	return a * 2;
}
__attribute__((noinline)) int plain(int a)
{
	return a ^ 5;
}
__attribute__((noinline)) int outlined(int a) __asm__("work._omp_fn.0");
int outlined(int a)
{
	__asm__ volatile(".globl at_body\nat_body: nop");
	return twice(a);
}
int main(int argc, char **argv)
{
	(void)argv;
	return outer(argc) + plain(argc) + outlined(argc);
}
END
cat >cxx.cpp <<'END'
namespace fem {
template <class T> struct Solver {
	T state;
	__attribute__((noinline)) void step(T by) { state += by; }
};
template struct Solver<double>;
}
END
cat >throws.cpp <<'END'
__attribute__((noinline)) static void raise(int a)
{
	if (a > 1)
		throw a;
}
__attribute__((noinline)) static int guard(int a)
{
	try {
		raise(a);
	} catch (int) {
		__asm__ volatile(".globl at_guard\nat_guard: nop");
	}
	return a;
}
int main(int argc, char **) { return guard(argc); }
END
gcc -O1 -g -o code code.c
g++ -O1 -g -shared -fPIC -o libcxx.so cxx.cpp

offset() { nm "$1" | awk -v name="$2" '$3 == name {print $1; exit}'; }
build_id() { readelf -n "$1" | awk '/Build ID/ {print $3; exit}'; }
line() { grep -n "$2" "$1" | head -n 1 | cut -d: -f1; }

# one_place FILE ID OFFSET [report options]: a profile with one sample at OFFSET of FILE, exported.
one_place() {
	file=$1 id=$2 at=$3
	shift 3
	rm -rf one && mkdir one
	"$make_profile" one/p.heddle <<END
process program $work/code
module 1 1 $id $file
node 0 ROOT 0 0 0
node 0 FRAME 0 1 $at
thread 0 -1 main
value samples 1 5
END
	"$heddle" export one "$@" 2>stderr
}

expect() { # what, expected, got
	[ "$2" = "$3" ] && return
	echo "$1:"
	echo "  expected: $2"
	echo "  got:      $3"
	failed=1
}

inner=$(offset code at_innermost)
# by_event METRIC: outer was visited, and called plain, which was visited, too. Events report the entries of functions.
by_event() { # metric
	rm -rf one && mkdir one
	"$make_profile" one/p.heddle <<END
process program $work/code
module 1 1 - $work/code
node 0 ROOT 0 0 0
node 0 FRAME 0 1 $(offset code outer)
node 1 FRAME 0 1 $(offset code plain)
thread 0 -1 main
value visits 1 7
value visits 2 8
END
	"$heddle" export one --metric "$1" | tr '\n' ' '
}

expect "a function that events report is shown at its entry" "outer 7 outer;plain 8 " "$(by_event visits)"
expect "inlined functions are frames of their own" "outer;middle;innermost 5" "$(one_place "$work/code" - "$inner")"
calls="$(line code.c 'return middle(a) - 7') $(line code.c 'return innermost') $(line code.c 'at_innermost: nop')"
# shellcheck disable=SC2086
set -- $calls
expect "each inlined function has its line" "outer code.c:$1;middle code.c:$2;innermost code.c:$3 5" \
	"$(one_place "$work/code" - "$inner" --lines)"
for flags in -gdwarf-4 -gdwarf-5 "-g -gz" "-gsplit-dwarf -gdwarf-4" "-gsplit-dwarf -gdwarf-5"; do
	for compiler in gcc "$HEDDLE_CLANG"; do
		command -v "$compiler" >/dev/null || continue
		# shellcheck disable=SC2086
		"$compiler" -O1 $flags -o form code.c
		expect "whatever the form of debug information ($compiler $flags)" \
			"outer code.c:$1;middle code.c:$2;innermost code.c:$3 5" \
			"$(one_place "$work/form" - "$(offset form at_innermost)" --lines)"
	done
done
if gcc -O1 -g -flto -gsplit-dwarf -o form code.c 2>/dev/null && [ -n "$(offset form at_innermost)" ]; then
	expect "an inlined call without a name is not the function around it" "" \
		"$(one_place "$work/form" - "$(offset form at_innermost)" | tr ';' '\n' | sort | uniq -d)"
fi
gcc -O1 -gsplit-dwarf -o form code.c
rm -f ./*.dwo
expect "debug information that was moved away leaves symbols" "outer 5" \
	"$(one_place "$work/form" - "$(offset form at_innermost)")"
expect "the right build id is accepted" "plain 5" \
	"$(one_place "$work/code" "$(build_id code)" "$(offset code plain)")"
expect "C++ names are readable" "fem::Solver<double>::step 5" \
	"$(one_place "$work/libcxx.so" - "$(offset libcxx.so _ZN3fem6SolverIdE4stepEd)")"

place=$(offset libcxx.so _ZN3fem6SolverIdE4stepEd)
cp libcxx.so stripped.so && strip stripped.so
expect "a stripped library has its dynamic symbols" "fem::Solver<double>::step 5" \
	"$(one_place "$work/stripped.so" - "$place")"
place=$(offset code plain)
short=$(printf '%x' "0x$place")
cp code bare && strip bare
expect "a stripped program has offsets" "bare+0x$short 5" "$(one_place "$work/bare" - "$place")"
expect "instructions of a stripped function are that function" \
	"bare+0x$(printf '%x' "0x$(offset code outer)") 5" "$(one_place "$work/bare" - "$(offset code at_innermost)")"
g++ -O1 -o throws throws.cpp && cp throws throws.bare && strip throws.bare
expect "so are instructions of a function that catches exceptions" \
	"throws.bare+0x$(printf '%x' "0x$(offset throws _ZL5guardi)") 5" \
	"$(one_place "$work/throws.bare" - "$(offset throws at_guard)")"
objcopy --only-keep-debug code split.debug && cp code split && strip split && objcopy --add-gnu-debuglink=split.debug split
expect "a separate debug file is found" "plain 5" "$(one_place "$work/split" - "$place")"
id=$(build_id split)
mkdir -p "found/.build-id/$(echo "$id" | cut -c1-2)" && mv split.debug "found/.build-id/$(echo "$id" | cut -c1-2)/$(echo "$id" | cut -c3-).debug"
expect "a debug file in another directory is not found" "split+0x$short 5" "$(one_place "$work/split" "$id" "$place")"
export HEDDLE_DEBUG_PATH="/nowhere:$work/found"
expect "a debug file in HEDDLE_DEBUG_PATH is found" "plain 5" "$(one_place "$work/split" "$id" "$place")"
rm split
expect "a debug file is found without the program" "plain 5" "$(one_place "$work/split" "$id" "$place")"
HEDDLE_DEBUG_PATH=
expect "no debug file is looked for" "split+0x$short 5" "$(one_place "$work/split" "$id" "$place")"
unset HEDDLE_DEBUG_PATH
expect "a missing file has offsets" "gone.so+0x$short 5" "$(one_place "$work/gone.so" - "$place")"
expect "a changed file has offsets" "code+0x$short 5" "$(one_place "$work/code" 00112233445566778899 "$place")"
expect "one message about the changed file" "1" "$(grep -c "$work/code changed after the measurement" stderr)"
expect "a file that is not a program has offsets" "code.c+0x$short 5" "$(one_place "$work/code.c" - "$place")"
expect "a directory has offsets" "tmp+0x$short 5" "$(one_place /tmp - "$place")"
head -c 3000 code >cut_short
expect "a program cut short does no harm" "5" "$(one_place "$work/cut_short" - "$place" | sed 's/.* //')"

# A symbol without a size names the code after it, up to the body of another function, but not code far away.
cat >assembly.S <<'END'
	.text
	.globl unsized, sized, late
	.type unsized, @function
unsized:
	.skip 64
	.type sized, @function
sized:
	.skip 64
	.size sized, 32
	.type late, @function
late:
	.skip 8192
	.section .note.GNU-stack,"",@progbits
END
gcc -shared -nostdlib -o assembly.so assembly.S
sized=0x$(offset assembly.so sized)
late=0x$(offset assembly.so late)
at() { one_place "$work/assembly.so" - "$(printf '%x' $(($1)))" | sed 's/0x[0-9a-f]*/N/'; }
expect "a symbol without a size" "unsized 5" "$(at "$sized - 8")"
expect "a symbol with a size" "sized 5" "$(at "$sized + 31")"
expect "code that the size of no symbol covers" "assembly.so+N 5" "$(at "$sized + 32")"
expect "near a symbol without a size" "late 5" "$(at "$late + 4000")"
expect "far from a symbol without a size" "assembly.so+N 5" "$(at "$late + 5000")"

# Stubs have no symbols; on x86-64 their relocation names them.
if [ "$(uname -m)" = x86_64 ] && command -v objdump >/dev/null; then
	cat >stub.c <<'END'
#include <stdlib.h>
int main(int argc, char **argv) { return argc > 1 ? atoi(argv[1]) : abs(rand()); }
END
	for flags in "-Wl,-z,lazy" "-Wl,-z,now" "-Wl,-z,lazy -fcf-protection=full"; do
		# shellcheck disable=SC2086
		gcc -O0 $flags -o stub stub.c
		place=$(objdump -d stub | awk '/<rand@plt>:$/ {print $1; exit}')
		expect "a stub has its function's name ($flags)" "rand@plt 5" "$(one_place "$work/stub" - "$place")"
	done
fi

# Stubs of the measurement's own functions are not functions of the program, even in a library of the user.
if [ "$(uname -m)" = x86_64 ] && command -v objdump >/dev/null; then
	cat >calls.c <<'END'
void gasp_event_notify(int), __cyg_profile_func_enter(void *, void *), start(int), gaspipe(int);
void call(int a) { gasp_event_notify(a); __cyg_profile_func_enter(&a, &a); start(a); gaspipe(a); }
END
	gcc -O0 -shared -fPIC -o libcalls.so calls.c
	for stub in 'gasp_event_notify=[program]' '__cyg_profile_func_enter=[program]' start=start@plt gaspipe=gaspipe@plt; do
		place=$(objdump -d libcalls.so | awk -v name="<${stub%=*}@plt>:" '$2 == name {print $1; exit}')
		shown=$(one_place "$work/libcalls.so" - "$place")
		expect "the stub of ${stub%=*}" "${stub#*=} 5" "$shown"
	done
fi

# C++ functions to which GCC gives no linkage name: static ones, and those with a lambda as argument.
cat >local.cpp <<'END'
namespace app {
namespace {
struct Counter {
	int count;
	template <class F> __attribute__((noinline)) void each(F &&f) { for (int i = 0; i < count; i++) f(i); }
};
}
__attribute__((noinline)) static int twice(int a) { __asm__ volatile("nop\n.globl at_twice\nat_twice: nop"); return 2 * a; }
template <class F> __attribute__((always_inline)) static inline void apply(F &&f, int a) { f(a); }
}
int sum;
extern "C" __attribute__((noinline)) int start(int count)
{
	app::Counter counter = {count};
	counter.each([](int i) { __asm__ volatile("nop\n.globl at_body\nat_body: nop"); sum += app::twice(i); });
	app::apply([](int i) { __asm__ volatile("nop\n.globl at_applied\nat_applied: nop"); sum += i; }, count);
	return sum;
}
END
g++ -O1 -g -shared -fPIC -o liblocal.so local.cpp
lambda() { one_place "$work/liblocal.so" - "$(offset liblocal.so "$1")" | sed 's/<lambda([^;]*)>/<lambda(..)>/'; }
expect "a static function" "app::twice 5" "$(lambda at_twice)"
expect "a function called with a lambda" \
	"app::(anonymous namespace)::Counter::each<start(int)::<lambda(..)> >;start::<lambda>::operator() 5" "$(lambda at_body)"
expect "an inlined function called with a lambda" "start;app::apply<start(int)::<lambda(..)> >;start::<lambda>::operator() 5" "$(lambda at_applied)"

# Code made by the kernel, or by a compiler at run time.
mkdir other
"$make_profile" other/p.heddle <<END
process program $work/code
module 1 5 - [vdso]
node 0 ROOT 0 0 0
node 0 FRAME 0 0 7f12345
node 0 FRAME 0 1 10
node 0 FRAME 0 77 10
thread 0 -1 main
value samples 1 1
value samples 2 2
value samples 3 3
END
expect "code in no module is an address" "0x7f12345 1
[vdso]+0x10 2
[unlisted module]+0x10 3" "$("$heddle" export other)"

# Start code is folded if code of another module is below it, whether or not the C library has names.
libc=$(ldd ./code | awk '/libc.so/ {print $3}')
mkdir start
start_profile() {
	"$make_profile" start/p.heddle <<END
process program $work/code
event 1 openmp 1 ompt_callback_parallel omp parallel
module 1 1 - $work/code
module 2 4 - $1
node 0 ROOT 0 0 0
node 0 FRAME 0 1 $(offset code _start)
node 1 FRAME 0 2 10
node 2 FRAME 0 1 $(offset code main)
node 3 REGION 1 1 $(offset code main)
node 4 OUTLINED_FRAME 0 1 $(offset code at_twice)
node 4 FRAME 0 1 $(offset code at_body)
node 3 FRAME 0 1 $(offset code at_body)
node 0 FRAME 0 2 20
thread 0 -1 main
value samples 3 3
value samples 5 5
value samples 6 6
value samples 7 7
value samples 8 8
END
}
start_profile "$libc"
region="omp parallel @code.c:$(line code.c '^int main' | awk '{print $1 + 1}')"
expected="main 3
main;$region 6
main;$region;twice 5
main;work._omp_fn.0 7
libc.so.6+0x20 8"
expect "start code and outlined bodies are folded" "$expected" "$("$heddle" export start)"
start_profile /nowhere/libc.so.6
expect "start code is folded if the C library is missing, too" "$expected" "$("$heddle" export start)"
body=$(line code.c 'at_body: nop')
expect "with lines, a body's line stays under its user function" "1" \
	"$("$heddle" export start --lines | grep -c "^main code.c:[0-9]*;$region;main code.c:$body 6$")"
expect "all frames are shown on request" "1" \
	"$("$heddle" export start --runtime-frames | grep -c "^_start;libc.so.6+0x10;main;$region;work._omp_fn.0 6$")"
exit $failed
