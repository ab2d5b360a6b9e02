#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# `heddle run` as a launcher: what it refuses and how, what it passes to the program, and how it ends. A replacement of
# libheddle.so writes an empty profile, so only the command is tested. $run is intentionally split into two words.
# shellcheck disable=SC2086
set -u
if [ ! -x "$HEDDLE_BUILD/bin/heddle" ]; then
	echo "skipped: this tree has no heddle command yet"
	exit 77
fi
work=$(mktemp -d)
chmod 755 "$work" # otherwise, programs get a copy of the library
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
mkdir bin lib tmp
cp "$HEDDLE_BUILD/bin/heddle" bin/
cat >library.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
__attribute__((destructor)) static void leave(void)
{
	char path[4096];
	FILE *file;
	snprintf(path, sizeof path, "%s/p-%d.heddle", getenv("HEDDLE_OUTPUT"), (int)getpid());
	file = fopen(path, "w");
	if (file)
		fclose(file);
}
END
cat >program.c <<'END'
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
extern char **environ;
static void end(int number) { _exit(number == SIGTERM ? 33 : 34); }
int main(int argc, char **argv)
{
	if (argc > 1 && !strcmp(argv[1], "raise"))
		raise(atoi(argv[2]));
	if (argc > 1 && !strcmp(argv[1], "wait")) {
		signal(SIGTERM, end);
		signal(SIGHUP, end);
		puts("ready");
		fflush(stdout);
		sleep(20);
	}
	if (argc > 1 && !strcmp(argv[1], "streams")) /* a bit for each standard stream that is open */
		return (fcntl(0, F_GETFD) >= 0) + 2 * (fcntl(1, F_GETFD) >= 0) + 4 * (fcntl(2, F_GETFD) >= 0);
	if (argc > 1 && !strcmp(argv[1], "environment"))
		for (char **at = environ; *at; at++)
			puts(*at);
	return argc > 2 && !strcmp(argv[1], "exit") ? atoi(argv[2]) : 0;
}
END
gcc -shared -fPIC library.c -o lib/libheddle.so && echo "" | gcc -shared -x c - -o lib/libheddle-memory.so && gcc program.c -o program && gcc -static program.c -o static || exit 1
unset "${!HEDDLE_@}" LD_PRELOAD LD_LIBRARY_PATH
export TMPDIR=$work/tmp
bad=0
count=0

# expect STATUS LINES-ON-STDERR PATTERN COMMAND...: checks exit status, number of lines and an extended regular
# expression.
expect() {
	local status=$1 lines=$2 pattern=$3 got
	shift 3
	count=$((count + 1))
	"$@" >stdout 2>stderr </dev/null
	got=$?
	if [ $got -ne "$status" ] || [ "$(wc -l <stderr)" -ne "$lines" ] ||
		{ [ "$lines" -gt 0 ] && ! grep -Eq -- "$pattern" stderr; }; then
		echo "FAILED: $*: status $got, wanted $status; wanted $lines line(s) like '$pattern', got:"
		cat stderr
		bad=1
	fi
}
run="bin/heddle run"

# Refused before the start, with one line each.
expect 2 1 '^heddle: run: no program given' $run
expect 2 1 "^heddle: run: unknown option '--bogus'" $run --bogus ./program
expect 2 1 '^heddle: run: a running process cannot be measured, .*: start it with `heddle run --paused`$' $run --pid 1
expect 2 1 '^heddle: run: a running process cannot be measured' $run -p 1
expect 2 1 "^heddle: run: --sample-hz: 'many' is not a number" $run --sample-hz many ./program
expect 2 1 "^heddle: run: --sample-hz: '-5' is not a number" $run --sample-hz -5 ./program
expect 2 1 "^heddle: run: --sample-hz: '100001' is not a number from 0 to 100000" $run --sample-hz=100001 ./program
expect 2 1 "^heddle: run: option '--sample-hz' needs an argument" $run --sample-hz
expect 2 1 "^heddle: run: --sample-clock: 'sun' is not one of cpu\|wall" $run --sample-clock sun ./program
expect 2 1 "^heddle: run: --models: 'openmp,pvm' is not a list" $run --models openmp,pvm ./program
expect 2 1 "^heddle: run: option '--paused' takes no argument" $run --paused=yes ./program
expect 2 1 '^heddle: run: --openmp-runtime /nowhere: no LLVM' $run --openmp-runtime /nowhere ./program
expect 2 1 "^heddle: run: HEDDLE_SAMPLE_HZ: 'x' is not a number" env HEDDLE_SAMPLE_HZ=x $run ./program
expect 2 1 "^heddle: run: --sample-signal: 9 is SIGKILL, which cannot be handled: " $run --sample-signal 9 ./program
expect 2 1 "^heddle: run: HEDDLE_SAMPLE_SIGNAL: 19 is SIGSTOP, " env HEDDLE_SAMPLE_SIGNAL=19 $run ./program
expect 2 1 "^heddle: run: --trace-last: '0s' is not a time above 0" $run --trace-last 0s ./program
expect 2 1 "^heddle: run: --trace-last: '5' is not a time" $run --trace-last 5 ./program
expect 2 1 "^heddle: run: --trace-window: '1:2' is not two times" $run --trace-window 1:2 ./program
expect 2 1 "^heddle: run: --metric: no counter is named" $run --metric , ./program
expect 2 1 "^heddle: run: --events: cannot read 'no-such-file': No such file" $run --events no-such-file ./program
expect 2 1 "^heddle: run: --events: cannot read '\.': Is a directory" $run --events . ./program
expect 2 1 "^heddle: run: option '--events' needs an argument: FILE" $run --events
expect 2 1 "^heddle: run: option '--memory' takes no argument" $run --memory=yes ./program
expect 2 1 "^heddle: run: HEDDLE_EVENTS: cannot read 'no-such-file'" env HEDDLE_EVENTS=no-such-file $run ./program
expect 127 1 '^heddle: run: no-such-program: program not found on PATH' $run no-such-program
expect 127 1 '^heddle: run: ./no-such-program: program not found$' $run ./no-such-program
expect 127 1 '^heddle: run: program: program not found on PATH; did you mean \./program\?$' $run program
expect 127 1 '^heddle: run: program.c: program not found on PATH; did you mean \./program\?$' $run -- program.c
cp program 'my program'
expect 127 1 "did you mean '\./my program'\?\$" $run -- 'my program'
expect 127 1 '^heddle: run: library.c: program not found on PATH; did you mean \./library.c\?$' $run -- library.c
expect 126 1 'program.c: not executable' $run ./program.c
expect 126 1 'tmp: is a directory' $run ./tmp
expect 6 1 'output directory program.c: cannot be made: Not a directory' $run -o program.c ./program
expect 6 1 'output directory program.c/x: cannot be made' $run -o program.c/x ./program
expect 6 1 'output directory /proc/nowhere: cannot be made' $run -o /proc/nowhere ./program exit 9
if unshare -rm mount -t tmpfs none tmp 2>/dev/null; then
	# A full and a read-only file system.
	expect 6 1 'output directory tmp: cannot be written to: No space left on device' unshare -rm sh -c \
		'mount -t tmpfs -o size=4k none tmp; head -c 4096 /dev/zero >tmp/all; exec bin/heddle run -o tmp ./program'
	expect 6 1 'output directory tmp/x: cannot be made: Read-only file system' unshare -rm sh -c \
		'mount -t tmpfs -o ro none tmp; exec bin/heddle run -o tmp/x ./program'
else
	echo "not tried here: full and read-only file systems (no user namespaces)"
fi
printf 'echo no interpreter line\n' >script && chmod +x script
expect 126 1 'script: cannot be executed: Exec format error' $run -o refused ./script
printf '#!/nowhere/sh\n' >script
expect 127 1 'script: the interpreter or dynamic linker that it names was not found' $run -o refused ./script
[ ! -e refused ] || { echo "FAILED: a directory was left behind"; bad=1; }

# A limit on file sizes is refused like a full disk, without SIGXFSZ. (Through a pipe: a file could not take the line.)
(ulimit -f 0 && exec $run -o limited ./program) 2>&1 | cat >stdout
got=${PIPESTATUS[0]}
if [ "$got" -ne 6 ] || ! grep -q 'cannot be written to: File too large' stdout; then
	echo "FAILED: under ulimit -f 0: status $got: $(cat stdout)"
	bad=1
fi

# The command ends like the program.
expect 0 1 '^heddle: measured ./program: first; see: bin/heddle report first$' $run -o first -- ./program
expect 6 1 'already holds a measurement' $run -o first ./program
expect 7 1 '^heddle: measured' $run -o second/deep ./program exit 7
expect 0 1 "report 'two words'$" $run -o 'two words' ./program
expect 0 1 'report heddle-program-[0-9]+$' $run ./program
expect 143 1 'no profile of ./program was written' $run -o third ./program raise 15
[ ! -e third ] || { echo "FAILED: an empty directory was left behind"; bad=1; }
expect 137 1 'killed by SIGKILL' $run -o third ./program raise 9
expect 139 1 'no profile' $run -o third ./program raise 11
expect 0 1 'static is statically linked.* runs unmeasured' $run -o fourth ./static
expect 5 1 'statically linked' $run ./static exit 5

# If the parent ignores SIGCHLD, the command still gets the program's exit status, and the program inherits that.
if env --ignore-signal=CHLD true 2>/dev/null; then
	ignoring="env --ignore-signal=CHLD"
	expect 7 1 '^heddle: measured ./program' $ignoring $run -o ignored ./program exit 7
	expect 137 1 'no profile of ./program was written: it was killed by SIGKILL' $ignoring $run ./program raise 9
	for parent in "$ignoring" env; do
		$parent grep SigIgn /proc/self/status >alone
		rm -rf ignored
		$parent $run -o ignored grep SigIgn /proc/self/status >stdout 2>stderr
		cmp -s alone stdout || { echo "FAILED: $parent: ignored signals: $(cat stdout), not $(cat alone)"; bad=1; }
	done
else
	echo "not tried here: a parent that ignores SIGCHLD (no env --ignore-signal)"
fi

# Closed standard streams: no file of the command takes their numbers, and the program finds them closed.
closing() { # STREAMS COMMAND...: runs the command with these streams closed
	local streams=$1
	shift
	(
		case $streams in *0*) exec 0<&- ;; esac
		case $streams in *1*) exec 1>&- ;; esac
		case $streams in *2*) exec 2>&- ;; esac
		exec "$@"
	)
}
for streams in 0 1 2 01 02 12 012; do
	lines=1
	case $streams in *2*) lines=0 ;; esac
	expect 127 $lines 'dynamic linker that it names was not found' closing $streams $run -o refused ./script
	closing $streams ./program streams
	expect $? $lines '' closing $streams $run -o "closed$streams" ./program streams
done

# Sampling is on by default.
samples() { # VALUE COMMAND...: HEDDLE_SAMPLE_HZ of the program; "": not set
	local wanted=$1
	shift
	rm -rf rate
	"$@" -o rate ./program environment >stdout 2>stderr || { echo "FAILED: $*: $(cat stderr)"; bad=1; }
	[ "$(sed -n 's/^HEDDLE_SAMPLE_HZ=//p' stdout)" = "$wanted" ] || { echo "FAILED: $*: sampling at '$(grep HEDDLE_SAMPLE stdout)', not '$wanted'"; bad=1; }
}
samples 1000 $run
samples 1000 env HEDDLE_SAMPLE_HZ= $run
samples 0 $run --sample-hz 0
samples 0 env HEDDLE_SAMPLE_HZ=0 $run
samples 50 env HEDDLE_SAMPLE_HZ=7 $run --sample-hz=50
samples '' $run --sample-event page-faults@100

# -n is for UPC programs, which are recognized by their symbols, if they have any.
expect 0 2 '^heddle: -n 4 has no effect on ./program, which is not a UPC program' $run -n 4 -o threads ./program
strip -o stripped program
expect 0 1 'measured ./stripped' $run -n 4 -o threads2 ./stripped
echo 'int hupc__anything; int main(void) { return hupc__anything; }' | gcc -x c - -o upc
expect 0 1 'measured ./upc' $run -n 4 -o threads3 ./upc
expect 2 1 "^heddle: run: -n: 'x' is not a number of UPC threads" $run -n x ./program

# The environment of the program.
expect 0 1 '' env HEDDLE_MODELS=openmp HEDDLE_SAMPLE_HZ=3 LD_PRELOAD=libm.so.6 $run --sample-hz 12 --sample-clock=wall --paused \
	--flush-seconds 2 --events program.c --memory -o fifth ./program environment
for line in HEDDLE_MODELS=openmp HEDDLE_SAMPLE_HZ=12 HEDDLE_SAMPLE_CLOCK=wall HEDDLE_START_PAUSED=1 HEDDLE_FLUSH_SECONDS=2 \
	"HEDDLE_EVENTS=$work/program.c" HEDDLE_MEMORY=1 "HEDDLE_OUTPUT=$work/fifth" "LD_PRELOAD=$work/lib/libheddle.so:$work/lib/libheddle-memory.so:libm.so.6"; do
	grep -qxF "$line" stdout || { echo "FAILED: the program does not get $line"; bad=1; }
done
expect 0 1 '' env HEDDLE_OUTPUT=sixth $run ./program
[ -e sixth ] || { echo "FAILED: HEDDLE_OUTPUT has no effect"; bad=1; }

# A path of the library that LD_PRELOAD cannot contain.
mkdir 'a place' && cp -r bin lib 'a place/'
expect 0 1 "measured ./program: seventh; see: 'a place/bin/heddle' report seventh\$" 'a place/bin/heddle' run -o seventh ./program

# Signals are forwarded.
for pair in TERM=33 HUP=34; do
	rm -rf eighth stdout
	mkfifo stdout
	$run -o eighth ./program wait >stdout 2>stderr &
	pid=$!
	read -r _ <stdout
	kill -"${pair%=*}" $pid
	wait $pid
	got=$?
	[ $got -eq "${pair#*=}" ] || { echo "FAILED: SIG${pair%=*}: status $got"; bad=1; }
done
rm -f stdout

# GCC's OpenMP, and the same program with LLVM's.
cat >omp.c <<'END'
#include <stdio.h>
#include <string.h>
int main(void)
{
	char line[4096];
	int llvm = 0, gcc = 0, sum = 0;
#pragma omp parallel reduction(+ : sum)
	sum++;
	for (FILE *maps = fopen("/proc/self/maps", "r"); fgets(line, sizeof line, maps);) {
		llvm |= strstr(line, "libomp") != NULL;
		gcc |= strstr(line, "libgomp") != NULL;
	}
	printf("%s%s\n", llvm ? "llvm" : "", gcc ? "gcc" : "");
	return sum == 0;
}
END
if gcc -fopenmp omp.c -o omp 2>/dev/null; then
	expect 0 2 "uses GCC's OpenMP runtime .*add --openmp-runtime llvm" $run -o ninth ./omp
	grep -qx gcc stdout || { echo "FAILED: the program does not run on libgomp"; bad=1; }
	if ! $run --openmp-runtime llvm -o tenth true 2>&1 | grep -q 'no LLVM OpenMP runtime'; then
		expect 0 1 'measured ./omp' $run --openmp-runtime llvm -o eleventh ./omp
		grep -qx llvm stdout || { echo "FAILED: not on LLVM's runtime: $(cat stdout)"; bad=1; }
	fi
fi
left=$(ls tmp)
[ -z "$left" ] || { echo "FAILED: left in TMPDIR: $left"; bad=1; }

expect 0 0 '' $run --help
for word in --sample-hz --openmp-runtime HEDDLE_SAMPLE_HZ 'Exit status'; do
	grep -q -- "$word" stdout || { echo "FAILED: --help does not name $word"; bad=1; }
done
echo "$count calls"
exit $bad
