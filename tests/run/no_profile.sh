#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# If no profile was written, the last line says what happened to the program: which signal killed it, that the dynamic
# linker refused it, or that it ended with a status without running exit handlers. The exit status is the program's.
. "${BASH_SOURCE%/*}/lib.sh"
need gcc

cat > "$work/raw.c" << 'END'
#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Ends by system calls that no library intercepts: raw SIGNAL, or raw 0 STATUS. */
int main(int argc, char **argv)
{
	long action[4] = {0}; /* SIG_DFL */
	int signal = argc > 1 ? atoi(argv[1]) : 0;
	if (signal == 0)
		syscall(SYS_exit_group, argc > 2 ? atoi(argv[2]) : 0);
	syscall(SYS_rt_sigaction, signal, action, NULL, 8);
	syscall(SYS_tgkill, getpid(), syscall(SYS_gettid), signal);
	return 0;
}
END
echo 'int gone(void) { return 0; }' > "$work/gone.c"
echo 'int gone(void); int main(void) { return gone(); }' > "$work/needs.c"
(cd "$work" && gcc -O2 -Wall -Werror -o raw raw.c && gcc -shared -fPIC -o libgone.so gone.c &&
	gcc -o needs needs.c -L. -lgone -Wl,-rpath,"$work" && rm libgone.so) || { fail "does not compile"; finish; }

# says NAME OUTCOME PATTERN COMMAND...
says() {
	local name=$1 outcome=$2 pattern=$3
	shift 3
	measured "$name" "$@"
	expect "$name: ends as ever" test "$(cat "$work/$name.outcome")" = "$outcome"
	expect "$name: says what happened: $(grep '^heddle:' "$work/$name.err")" \
		grep -Eq "^heddle: no profile of [^:]*: $pattern$" "$work/$name.err"
	expect "$name: nothing is left" test ! -e "$work/$name.heddle.d"
}
says segv 'signal 11' 'it was killed by SIGSEGV before one was written: `--flush-seconds N` writes one every N seconds, the first after N' "$work/raw" 11
says sys 'signal 31' 'it was killed by SIGSYS before one was written: `--flush-seconds N` writes one every N seconds, the first after N' "$work/raw" 31
says real_time "signal 40" 'it was killed by SIGRTMIN\+6 before one was written: `--flush-seconds N` writes one every N seconds, the first after N' "$work/raw" 40
says refused 'exit 127' 'the dynamic linker could not start it, or ended it: a library or symbol is missing \(exit status 127\); see: .*heddle doctor' "$work/needs"
says past 'exit 5' 'it exited with status 5 without running exit handlers, is a wrapper that clears LD_PRELOAD, or could no longer write .*; see: .*heddle doctor' "$work/raw" 0 5
finish
