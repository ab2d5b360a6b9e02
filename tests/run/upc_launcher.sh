#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Launchers of UPC programs are left out: the measurement has the processes of the UPC threads, those that they started,
# and those with OpenMP. `-n N` starts programs of other UPC compilers. The compilers are stand-ins
# (tests/upc/standin/compilers).
. "${BASH_SOURCE%/*}/lib.sh"
need gcc
hz=0
need python3
need perl
cd "$work" || exit 1
compilers=$HEDDLE_SOURCE/tests/upc/standin/compilers

cat > program.upc << 'END_C'
#include <stdio.h>
#include <stdlib.h>
#include <upc.h>
int main(int argc, char **argv)
{
	STANDIN_GET();
	printf("thread %d of %d, %d arguments\n", MYTHREAD, THREADS, argc);
	fflush(stdout);
	return argc > 1 && MYTHREAD == 0 ? system(argv[1]) : 0;
}
END_C
for compiler in upcc clang-upc gupc; do
	HEDDLE_UPCC=$compilers/$compiler expect "$compiler" "$heddle" upcc --inst -o "$compiler.program" program.upc
done

# programs NAME: prints the programs of the measured processes, one in a line.
programs() { "$heddle" info "$work/$1.heddle.d" | awk '$1 == "program" || $1 == "process" && $3 != "(child" { sub(/.*\//, "", $0); print $1 == "process" ? $3 : $1 }'; }

# shows NAME PROGRAM...: the measurement has these programs and no others.
shows() {
	local name=$1
	shift
	programs "$name" | sort > shown
	printf '%s\n' "$@" | sort > wanted
	cmp -s shown wanted || { echo "  $name: wanted $*, got $(tr '\n' ' ' < shown)"; false; }
}

# The launcher is left out, but not a tool that a UPC thread starts.
measured launched "$compilers/upcrun" -n 2 ./upcc.program 'env -u x true'
expect "launched: ends well" ended launched "exit 0"
expect "launched: threads" test "$(grep -c 'thread [01] of 2' launched.out)" = 2
expect "launched: the threads and what they started" shows launched upcc.program upcc.program dash env true
expect "launched: processes set aside are reported: $(cat launched.err)" \
	grep -Eq '^heddle: set aside [0-9]+ processes that have no UPC thread \([a-z, ]*perl[a-z, ]*\) in .*/launched.heddle.d/launcher$' launched.err
expect "launched: processes set aside are readable" sh -c "'$heddle' info launched.heddle.d/launcher | grep -q perl"
folded launched --metric visits
expect "launched: no frame of the launcher" no_path launched '(^|;)(dash|perl|basename)'

# A measurement of only a launcher keeps the launcher.
measured alone sh -c 'basename x'
expect "alone: the launcher is measured" sh -c "'$heddle' info alone.heddle.d | grep -q /basename"
expect "alone: nothing is set aside" test ! -e alone.heddle.d/launcher

# In programs of GNU and Clang UPC, a process that is not a UPC thread forks the UPC threads.
for compiler in clang-upc gupc; do
	run_options=(-n 3)
	measured "$compiler" "./$compiler.program"
	expect "$compiler: ends well" ended "$compiler" "exit 0"
	expect "$compiler: threads" test "$(grep -c 'thread [012] of 3, 1 arguments' "$compiler.out")" = 3
	expect "$compiler: only the threads are measured" shows "$compiler" "$compiler.program" "$compiler.program" "$compiler.program"
	# The user's own -n has priority.
	measured "$compiler.own" "./$compiler.program" -n 2
	expect "$compiler: the user's own -n" test "$(grep -c 'thread [01] of 2, 1 arguments' "$compiler.own.out")" = 2
done
measured berkeley ./upcc.program
expect "berkeley: -n" test "$(grep -c 'thread [012] of 3, 1 arguments' berkeley.out)" = 3
expect "berkeley: its threads" shows berkeley upcc.program upcc.program upcc.program
expect "berkeley: nothing is set aside" test ! -e berkeley.heddle.d/launcher

# Threads and processes of Berkeley UPC: as many threads in a process as were compiled in, or a number that divides.
cat > nodes.c << 'END_C'
#include <stdio.h>
#include <stdlib.h>
volatile char text[] = "$UPCRDefaultPthreadCount: 2 $";
int main(int argc, char **argv)
{
	const char *each = getenv("UPC_PTHREADS_PER_PROC");
	(void)argv;
	return printf("%s/%s/%s/%d\n", getenv("UPC_THREADS"), getenv("GASNET_PSHM_NODES"), each ? each : "-", argc + (text[0] != '$')) < 0;
}
END_C
gcc nodes.c -o nodes || fail "nodes.c"
says() {
	local wanted=$1
	shift
	expect "$*: $wanted" test "$("$@" 2> /dev/null)" = "$wanted"
}
says 4/2/-/1 "$heddle" run -o n4 -n 4 -- ./nodes
says 3/3/1/1 "$heddle" run -o n3 -n 3 -- ./nodes
says 6/2/3/1 env UPC_PTHREADS_PER_PROC=3 "$heddle" run -o n6 -n 6 -- ./nodes
printf '#!/bin/sh\nexec ./nodes\n' > script && chmod +x script
says 2/2/-/1 "$heddle" run -o n2 -n 2 -- ./script
finish
