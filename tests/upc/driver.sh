#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A compiler like any other: stages, names of outputs, several files and libraries, dependencies, macros, exit status.
set -eu
. "$HEDDLE_SOURCE/tests/upc/common.sh"
programs=$here/programs
cd "$work"

complain() {
	echo "$*"
	exit 1
}

works() {
	UPC_THREADS=3 timeout "$seconds" "$1" x || complain "$1 failed: $2"
}

# Compiled in one step, and in parts; with objects of another compiler and archives.
"$upcc" -O1 "$programs/several_a.upc" "$programs/several_b.upc" "$programs/several_c.c" -o at-once
works ./at-once "compiled at once"
"$upcc" -c "$programs/several_a.upc"
"$upcc" -O2 -c -o b.o "$programs/several_b.upc"
cc -c "$programs/several_c.c"
ar rc libc-part.a several_c.o
"$upcc" several_a.o b.o -L. -lc-part -Wl,--as-needed -lm
works ./a.out "linked from objects"
"$upcc" -DBLOCK=7 -I "$programs" -include stdio.h -std=gnu99 -Wall "$programs/several_a.upc" "$programs/several_b.upc" several_c.o -o blocks
works ./blocks "with another macro"
# The program contains the measurement library's path, and no compiler is started to add it.
"$upcc" --tool-library="$work/measuring.so" -v several_a.o b.o several_c.o -o with-tool 2>messages
works ./with-tool "linked with a measurement library's path"
grep -aqF "$work/measuring.so" with-tool || complain "no path of the measurement library"
! grep -Eq '\.(s|c|i) |warning' messages || { cat messages; complain "linking compiles, or warns"; }
cp "$programs/several_a.upc" "$programs/check.h" "$programs/several.h" .
cp several_a.upc named.c
"$upcc" -fPIC -c named.c -o named.o && "$upcc" -fPIC -c "$programs/several_b.upc" -o pic-b.o
"$upcc" -pie named.o pic-b.o several_c.o -o movable
works ./movable "position independent, from a .c file"

# An available sanitizer is inserted once, at any level of optimization.
echo 'int main(void) { return 0; }' >plain.c
if "$clang" -fsanitize=address plain.c -o plain 2>/dev/null; then
	"$upcc" -O0 -fsanitize=address "$programs/several_a.upc" "$programs/several_b.upc" several_c.o -o sanitized
	works ./sanitized "with a sanitizer, not optimized"
fi

# Commands' exit statuses are known, whatever signals the parent ignores.
if env --ignore-signal=CHLD true 2>/dev/null; then
	env --ignore-signal=CHLD "$upcc" -c plain.c -o plain.o || complain "SIGCHLD ignored by the parent"
	env --ignore-signal=CHLD "$upcc" -Dmain=1 -c plain.c -o plain.o 2>/dev/null && complain "SIGCHLD ignored by the parent: an error is lost"
fi

# Other stages.
"$upcc" -E several_a.upc >preprocessed
grep -q 'upc_barrier;' preprocessed || complain "-E does not keep UPC"
"$upcc" -E several_a.upc -o several_a.i && "$upcc" -c several_a.i -o from-i.o
"$upcc" -S several_a.upc && grep -q '__upcrt_user_main' several_a.s || complain "-S"
"$upcc" -M several_a.upc | tr ' ' '\n' | grep -q '^check.h$' || complain "-M"
"$upcc" -MD -MP -c several_a.upc -o out.o
grep -q '^out.o:' out.d && grep -q '^check.h:' out.d || complain "-MD: $(cat out.d)"
"$upcc" -MMD -MF told.d -MT target -c several_a.upc
grep -q '^target:' told.d && ! grep -q stdio told.d || complain "-MF, -MT: $(cat told.d)"

mkdir checked && cd checked
"$upcc" -fsyntax-only ../several_a.upc && [ -z "$(ls)" ] || complain "-fsyntax-only: $(ls)"
cd ..
for question in --version -v -dumpmachine -print-search-dirs; do
	"$HEDDLE_BUILD/bin/heddle" upcc $question >answer 2>&1 || complain "$question: $(cat answer)"
done

# Predefined macros.
cat >macros.upc <<'END'
#if __UPC__ != 1 || __UPC_VERSION__ < 201311L || UPC_MAX_BLOCK_SIZE < 65535
#error macros
#endif
#ifdef __UPC_STATIC_THREADS__
int threads[THREADS];
#if THREADS != 5
#error static
#endif
#elif defined FIVE
#error dynamic, although five were asked for
#elif __UPC_DYNAMIC_THREADS__ != 1
#error dynamic
#endif
END
"$upcc" -c macros.upc && "$upcc" -c -fupc-threads=5 macros.upc && "$upcc" -c --threads 5 macros.upc

# Other compilers' options for the number of threads, and options that only they have.
for five in "-T 5" -T=5 -T5 "-threads 5" -fupc-threads-5 "-n 5" -n5; do
	# shellcheck disable=SC2086
	"$upcc" -c macros.upc $five -Werror -DFIVE 2>messages && [ ! -s messages ] || { cat messages; complain "$five"; }
done
"$upcc" -T5 macros.upc -c -Wc,-DNOTHING,-g -inst -fupc-instrument -network=udp -pthreads 2 --opt -shared-heap 64M \
	-fupc-debug 2>messages || complain "other compilers' options"
[ "$(grep -c 'of other UPC compilers, ignored$' messages)" = 5 ] || { cat messages; complain "ignored options"; }

"$upcc" -c macros.upc -Wu,-x -Ww,-y 2>messages && [ "$(grep -c 'ignored$' messages)" = 2 ] || complain "-Wu, -Ww,"

# clang checks constant indices of arrays.
printf '%s\n' 'shared [2] int array[10];' 'void set(void) { array[12] = 3; }' >bounds.upc
"$upcc" -fupc-threads=2 -c bounds.upc 2>messages && grep -q 'bounds.upc:2:18: warning: .*-Warray-bounds' messages ||
	{ cat messages; complain "an index behind an array"; }
printf '%s\n' 'shared [2] int grid[10][2];' 'void set(int i) { grid[i][2] = grid[i][1]; grid[1][-1] = 1; }' >rows.upc
"$upcc" -fupc-threads=2 -c rows.upc 2>messages && [ "$(grep -c 'rows.upc:2:[0-9]*: warning: .*-Warray-bounds' messages)" -eq 2 ] ||
	{ cat messages; complain "an index behind a row"; }
"$upcc" -fupc-threads=2 -c rows.upc -Wno-array-bounds 2>messages && [ ! -s messages ] || complain "-Wno-array-bounds"
"$upcc" -fupc-threads=2 -c rows.upc -Werror 2>messages && complain "-Werror of a row"
grep -q 'rows.upc:2:19: error: .*-Warray-bounds' messages ||
	{ cat messages; complain "the error of a row"; }

# Several options for one stage, as one word.
cat >stages.upc <<'END'
#if !defined ONE || TWO != 2 || !defined __OPTIMIZE__ || __STDC_VERSION__ != 199901L || THREE != 3 || !defined FOUR
#error not all options have come
#endif
int main(void)
{
	return 0;
}
END
"$upcc" -Wc,"-O3 -std=gnu99 -D ONE" -Wc,-DTWO=2,-Wa,-I,. -Wp,"-D THREE=3  -DFOUR" -Wl,-Wl,-Map,first.map \
	-Wl,"-Wl,-defsym,five=5 -L. -lm" -Werror stages.upc -o stages || complain "-Wc, -Wp, and -Wl, with several options"
grep -q libheddle-upc first.map || complain "-Wl,-Wl,"
nm stages | grep -q ' five$' || complain '-Wl,"-Wl, ..."'
"$upcc" -Wc,"-O0 -g" -c stages.upc 2>messages && complain "-Wc,-O0: still optimized"

# Failures print a message.
for wrong in "-fupc-threads=0 macros.upc" "macros.upc -threads" "-fupc-threads=5000 macros.upc" "" "missing.upc" "-c -o x.o several_a.upc macros.upc" \
	"--inst-only missing macros.upc"; do
	# shellcheck disable=SC2086
	if "$upcc" $wrong >messages 2>&1; then complain "accepted: $wrong"; fi
	[ -s messages ] || complain "no message: $wrong"
done
# refuses WORDS OPTION...: the message is one line.
refuses() {
	words=$1
	shift
	if "$upcc" "$@" 2>messages; then complain "accepted: $*"; fi
	[ "$(wc -l <messages)" -eq 1 ] && grep -q -e "$words" messages || { cat messages; complain "not '$words': $*"; }
}
refuses 'no input files' -o prog
refuses '-o needs the name of a file' -c macros.upc -o
# Languages: by -x, also for standard input, or by suffix; assembly as well.
cat >body.inc <<'END'
#include <upc.h>
shared int a[THREADS];
int answer(void);
int main(void)
{
	upc_forall (int i = 0; i < THREADS; i++; &a[i])
		a[i] = answer();
	upc_barrier;
	return a[THREADS - 1] != 42;
}
END
printf '\t.globl answer\nanswer:\n\tmovl $42, %%eax\n\tret\n' >answer.s
printf '#ifdef ANSWER\n\t.globl answer\nanswer:\n\tmovl $ANSWER, %%eax\n\tret\n#endif\n' >more.S
cp more.S more.inc
"$upcc" -x upc -c body.inc -o body.o && "$upcc" -c answer.s && "$upcc" body.o answer.o -o by-object
works ./by-object "an assembled object, and UPC by -x"
"$upcc" -xupc body.inc -xassembler-with-cpp -DANSWER=42 more.inc -x none -o by-language
works ./by-language "languages by -x"
"$upcc" -DANSWER=42 -x c - -x none more.S -o by-suffix <body.inc
works ./by-suffix "standard input, and assembly by suffix"
"$upcc" -x upc -c -o piped.o - <body.inc && "$upcc" piped.o answer.s -o piped && works ./piped "standard input"
"$upcc" -E -dM - </dev/null | grep -q '__UPC__ 1' || complain "macros of standard input"
"$upcc" -MD -c -DANSWER=1 more.S && grep -q '^more.o: *more.S' more.d && [ -s more.o ] || complain "-MD of assembly: $(ls)"
[ "$("$upcc" -E -DANSWER=7 more.S | grep -c 'movl $7')" -eq 1 ] || complain "-E of assembly"
"$upcc" -c macros.upc --param large-unit-insns=1 -Xassembler --noexecstack || complain "values of options are inputs"
echo nonsense >wrong.s
if "$upcc" -fsyntax-only wrong.s 2>/dev/null; then complain "-fsyntax-only of assembly"; fi
refuses "body.inc: not a UPC source by its suffix: write '-x upc'" -c body.inc
refuses "body.inc: not a UPC source" -E -x none body.inc
refuses '-x needs the name of a language' -c macros.upc -x
for unused in "-c several_c.o" "-c libc-part.a -o none.o" "-S answer.s" "-E several_c.o"; do
	# shellcheck disable=SC2086
	"$upcc" $unused 2>messages && [ "$(wc -l <messages)" -eq 1 ] && grep -q 'warning: .*: unused, because' messages ||
		{ cat messages; complain "unused: $unused"; }
done

# Files of options.
cat >quoted.upc <<'END'
#include <string.h>
int main(void) { return FOUR != 4 || strcmp(TEXT, "a 'b\" c") != 0; }
END
printf '%s\n' "-DFOUR=4 '-DTEXT=\"a \\'b\\\\\" c\"'" '  -O1' @more.rsp >options.rsp
printf '%s' '-o "quoted program"' >more.rsp
"$upcc" @options.rsp quoted.upc && works "./quoted program" "with options from a file"
echo @own.rsp >own.rsp
refuses 'include itself' @own.rsp quoted.upc
refuses "cannot read 'missing.rsp'" -c quoted.upc @missing.rsp
echo 'int f(int n) { if (n = 1) return 2; return 3; }' >warned.c
"$upcc" -c warned.c 2>messages && grep -q 'warned.c:1:22: warning: using the result of an assignment' messages || { cat messages; complain "a warning"; }
if "$upcc" -Werror -c warned.c 2>messages; then complain "-Werror"; fi

# Code that only old C allowed causes a warning, unless the user makes it an error.
cat >old.upc <<'END'
#include <upc.h>
static twice(number) int number; { return 2 * number; }
int main(void)
{
	int (*pointer)(char *) = twice;
	return pointer == 0 || later(twice(2)) != 4;
}
int later(int number) { return number; }
END
"$upcc" old.upc -o old 2>messages && works ./old "calls without declarations" &&
	[ "$(grep -c 'old.upc:[0-9:]* warning: ' messages)" -ge 2 ] || { cat messages; complain "old C"; }
for name in implicit-int implicit-function-declaration; do
	if "$upcc" -Werror=$name -c old.upc 2>messages || ! grep -q "old.upc:[0-9:]* error: .*\[-W$name\]" messages; then
		cat messages
		complain "-Werror=$name"
	fi
done
[ -z "$(find /tmp -maxdepth 1 -name 'heddle-upcc-*' -newer macros.upc -user "$(id -u)" 2>/dev/null | head -1)" ] ||
	echo "a temporary folder was left, perhaps another run's"
exit 0
