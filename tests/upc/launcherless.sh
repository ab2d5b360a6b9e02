#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# A program linked by `heddle upcc` measures itself if OMP_TOOL=enabled or one of Heddle's variables requests it: the
# same as with `heddle run`, in one directory. Otherwise nothing is measured, written or printed.
# shellcheck disable=SC2317 # functions are called by expect
. "$HEDDLE_SOURCE/tests/run/lib.sh"
[ -x "$HEDDLE_BUILD/libexec/heddle/heddle-upcc1" ] || skip "the UPC compiler was not built (clang-N, llvm-N-dev, libclang-N-dev)"
need nm
cd "$work" || exit 1
"$heddle" upcc -O2 -g -fopenmp --inst "$HEDDLE_SOURCE/tests/upc/mixed/mixed.upc" -o mixed || { fail "does not compile"; finish; }
cat > tell.upc << 'END_UPC'
#include <stdio.h>
#include <upc.h>
int main(int argc, char **argv)
{
	for (int i = 1; MYTHREAD == 0 && i < argc; i++)
		printf("%s ", argv[i]);
	upc_barrier;
	return 0;
}
END_UPC
"$heddle" upcc -O2 -g --inst tell.upc -o tell || { fail "does not compile"; finish; }

# Waiting threads sleep, and working ones take little time except where samples are needed.
export OMP_WAIT_POLICY=passive MIXED_PERCENT=5
directories() { find . -maxdepth 1 -type d -name 'heddle-*' | wc -l; }
files() { find "$1" -name '*.heddle' 2> /dev/null | wc -l; }
# Only one of the processes prints a line, with the measurement's directory.
nothing_said() {
	local measured=0
	[ "$(directories)" = 0 ] || measured=1
	[ "$(grep -Exc 'heddle: measured [a-z]+: [^ ]*heddle-[^ ]+; see: heddle report [^ ]+' "$1.err")" = "$measured" ] &&
		[ "$(wc -l < "$1.err")" = "$measured" ] || { cat "$1.err"; false; }
}

# alone NAME VARIABLE=VALUE... PROGRAM ARGUMENT...: runs it without launcher; its measurement becomes NAME.heddle.d
alone() {
	name=$1
	shift
	rm -rf heddle-*
	timeout "$seconds" env "$@" > "$name.out" 2> "$name.err"
	expect "$name: ends well" test $? = 0
	expect "$name: nothing is said" nothing_said "$name"
	expect "$name: at most one directory" between 0 "$(directories)" 1
	rm -rf "$name.heddle.d"
	[ "$(directories)" = 0 ] || mv heddle-* "$name.heddle.d"
}
unmeasured() { expect "$1: nothing is measured" test ! -e "$1.heddle.d"; }

for setting in OMP_TOOL=disabled HEDDLE_VERBOSE=0 OMP_TOOL_LIBRARIES=; do
	alone "plain-$setting" "$setting" ./mixed -n 2
	unmeasured "$name"
done
alone other OMP_TOOL=enabled OMP_TOOL_LIBRARIES=/nowhere/libother.so ./mixed -n 2
unmeasured other

# By events: path by path the same as with the launcher.
timeout "$seconds" "$heddle" run --sample-hz 0 -n 2 -o launcher.heddle.d -- ./mixed 2> launcher.err
folded launcher --metric visits
sort launcher.folded > wanted
for setting in OMP_TOOL=enabled OMP_TOOL=ENABLED "OMP_TOOL_LIBRARIES=$library" HEDDLE_SAMPLE_HZ=0; do
	alone events "$setting" ./mixed -n 2
	expect "$setting: a profile for each UPC thread" test "$(files events.heddle.d)" = 2
	folded events --metric visits
	expect "$setting: the same as with heddle run" diff wanted <(sort events.folded)
done
"$heddle" info events.heddle.d > info.txt
expect "threads are known by their numbers" grep -q 'UPC thread 1' info.txt
"$heddle" report --threads events.heddle.d > threads.txt
expect "a group of threads for each UPC thread" test "$(grep -c '^UPC thread [01] ' threads.txt)" = 2
expect "a row for each UPC thread, and one for its worker" test "$(grep -cE '^ +[0-9]+\.[0-9]+ +(UPC [01]|openmp worker 1) ' threads.txt)" = 4

alone samples HEDDLE_SAMPLE_HZ=2000 MIXED_PERCENT=100 ./mixed -n 2
folded samples --metric cpu-time
expect "samples are in the same tree" has_path samples "^main;upc_forall [^;]*;phase outer;team;omp parallel [^;]*;fetch;burn"

# OpenMP is not measured if its variable says so.
alone silent OMP_TOOL=disabled HEDDLE_OUTPUT="$work/heddle-here" ./mixed -n 2
expect "OMP_TOOL=disabled: UPC is measured" test "$(files silent.heddle.d)" = 2
folded silent --metric visits
expect "OMP_TOOL=disabled: events of UPC" has_path silent '^upc_forall'
expect "OMP_TOOL=disabled: none of OpenMP" no_path silent '(^|;)omp '

# One UPC thread: there is only the process that was started.
rm -rf heddle-*
OMP_TOOL=enabled ./mixed &
wait $!
expect "one thread: the directory is named after it" test -d "heddle-mixed-$!"
expect "one thread: one profile" test "$(files "heddle-mixed-$!")" = 1

alone argument ./tell -n 3 first --heddle-sample-hz=100 second
expect "an argument for Heddle asks, too" test "$(files argument.heddle.d)" = 3
expect "an argument for Heddle does not reach the program" test "$(cat argument.out)" = "first second "
alone kept ./tell -n 3 first -- --heddle-sample-hz=100
unmeasured kept
expect "behind -- it is the program's" test "$(cat kept.out)" = "first -- --heddle-sample-hz=100 "

# With the launcher, the program is measured once, in the launcher's directory.
OMP_TOOL=enabled "$heddle" run --sample-hz 0 -n 2 -o once.heddle.d -- ./mixed 2> once.err
folded once --metric visits
expect "with both: once" diff wanted <(sort once.folded)

# The library was removed: a line is printed, and the program runs.
mkdir -p prefix
cp -r "$HEDDLE_BUILD/bin" "$HEDDLE_BUILD/lib" "$HEDDLE_BUILD/libexec" "$HEDDLE_SOURCE/include" prefix/
expect "a copied installation compiles" prefix/bin/heddle upcc -O1 tell.upc -o gone
rm -rf prefix/lib
OMP_TOOL=enabled ./gone -n 2 word > gone.out 2> gone.err
expect "without the library it runs" test "$(cat gone.out)" = "word "
expect "the missing library is reported once: $(cat gone.err)" test "$(grep -c 'libheddle.so is missing' gone.err)" = 1
finish
