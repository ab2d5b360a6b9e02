#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# `heddle doctor` checks what measurement needs, and its exit status follows from that: a missing or broken library is a
# failure.
set -u
if [ ! -x "$HEDDLE_BUILD/bin/heddle" ]; then
	echo "skipped: this tree has no heddle command yet"
	exit 77
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
mkdir bin lib
cp "$HEDDLE_BUILD/bin/heddle" bin/
bad=0

check() {
	local what=$1
	shift
	"$@" || { echo "FAILED: $what"; bad=1; cat out 2>/dev/null; }
}

bin/heddle doctor >out 2>&1
check "no library: exit status 1" [ $? -eq 1 ]
check "no library: a line reports it" grep -q '^\[missing\] *libheddle.so' out

echo garbage >lib/libheddle.so
bin/heddle doctor >out 2>&1
check "broken library: exit status 1" [ $? -eq 1 ]
check "broken library: a line reports it" grep -q '^\[missing\] *libheddle.so' out

echo '__attribute__((constructor)) static void broken(void) { __builtin_trap(); }' >library.c
gcc -shared -fPIC library.c -o lib/libheddle.so
bin/heddle doctor >out 2>&1
check "a library that crashes programs: a line reports it" grep -q '^\[missing\] *libheddle.so.*programs fail' out

echo 'int harmless;' >library.c
gcc -shared -fPIC library.c -o lib/libheddle.so
bin/heddle doctor >out 2>&1
status=$?
check "good library: a line reports it" grep -q '^\[ok\] *libheddle.so' out
timers=$(grep -cE '^\[(ok|limited)\] +(perf clock|POSIX timers)' out)
check "good library, timers work: exit status 0" [ "$status" -eq 0 ] || [ "$timers" -eq 0 ]
for line in machine 'perf clock' 'POSIX timers' clock unwinding 'OpenMP runtime' 'open files' 'this directory' counters 'hardware counters' PAPI; do
	check "a line on $line" grep -Eq "^\[(ok|limited|missing)\] +$line" out
done
check "every line but the last has a verdict" [ "$(grep -cvE '^\[(ok|limited|missing)\] ' out)" -eq 1 ]

# An OpenMP runtime in a directory that only its compiler knows.
mkdir -p tools compiler/lib/clang/19
printf 'void __kmpc_fork_call(void) {}\nvoid ompt_start_tool(void) {}\n' >runtime.c
gcc -shared -fPIC runtime.c -o compiler/lib/libiomp5.so
printf '#!/bin/sh\n[ "$1" = -print-resource-dir ] && echo "%s/compiler/lib/clang/19"\n' "$PWD" >tools/icx
chmod +x tools/icx
PATH=$PWD/tools:$PATH bin/heddle doctor >out 2>&1
check "the runtime of a compiler" grep -q '^\[ok\] *OpenMP runtime *.*/compiler/lib/libiomp5\.so' out

if env --ignore-signal=CHLD true 2>/dev/null; then
	env --ignore-signal=CHLD bin/heddle doctor >out 2>&1
	check "SIGCHLD ignored by the parent" grep -q '^\[ok\] *libheddle.so' out
fi

# A kernel without perf events, which has neither the system call nor the setting.
cat >without.c <<'END'
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
FILE *fopen(const char *path, const char *mode)
{
	int file = strstr(path, "perf_event_paranoid") ? -1 : open(path, O_RDONLY);
	if (file < 0)
		errno = ENOENT;
	return file < 0 ? NULL : fdopen(file, mode);
}
long syscall(long number, ...)
{
	errno = ENOSYS;
	return number == SYS_gettid ? getpid() : -1;
}
END
gcc -D_GNU_SOURCE -shared -fPIC without.c -o without.so
if LD_PRELOAD=./without.so bin/heddle --version >/dev/null 2>&1; then # a sanitizer must be the first library
	LD_PRELOAD=./without.so bin/heddle doctor >out 2>&1
	check "no perf events: a line reports it" grep -q '^\[limited\] *perf clock *forbidden: the kernel or a container.s filter' out
	check "no perf events: no setting is advised" [ "$(grep -c 'To allow it' out)" -eq 0 ]
fi

mkdir 'a place' && cp -r bin lib 'a place/'
'a place/bin/heddle' doctor >out 2>&1
check "a path with a blank" grep -q '^\[ok\] *libheddle.so' out

bin/heddle doctor --nonsense >out 2>&1
check "unknown argument: exit status 2" [ $? -eq 2 ]
exit $bad
