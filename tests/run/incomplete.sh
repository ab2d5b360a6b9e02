#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# A profile could not be written, or only before the end: the library's advice fits the error, `heddle run` does not
# guess other causes, and the head of every report says how far the profile reaches.
# Variables in quotes are for the shells that are measured; helpers are called by `expect`:
# shellcheck disable=SC2016,SC2317
. "${BASH_SOURCE%/*}/lib.sh"

hz=0 # writing is the same with and without samples
small=$work/small
# shellcheck disable=SC2317 # called by the trap
unmount() { umount "$small" 2> /dev/null; cleanup; }

# Defines a shell function that works for at least that many seconds, by the shell's clock.
work_on='work() { local end=$((SECONDS + $1 + 1)); while [ $SECONDS -lt $end ]; do :; done; }; '

# said NAME: Heddle's messages in one line, with the directory as DIR
said() { messages "$work/$1.err" | sed "s|$work/[a-z/]*$1\.heddle\.d|DIR|g" | tr '\n' '|'; }
says() { said "$1" | grep -Exq -- "$2" || { echo "  $1: $(said "$1")"; false; }; }

# fails NAME ERROR ADVICE COMMAND...: nothing is written; two lines appear, the second one with the same reason
fails() {
	local name=$1 error=$2 advice=$3
	shift 3
	measured "$name" "$@"
	expect "$name: the program ends as ever" ended "$name" "exit 7"
	expect "$name: the reason and its advice, and no guess" says "$name" \
		"heddle: cannot write the profile to DIR: $error; ${advice}[^|]*\|heddle: no profile of [^|]*: it could not be written to DIR: $error\|"
	expect "$name: nothing is left" test -z "$(ls -A "$work/$name.heddle.d" 2> /dev/null)"
}
fails descriptors 'Too many open files' 'too many open files: raise the limit' bash -c 'ulimit -n 3; exit 7'
fails size 'File too large' 'raise the limit of file sizes' bash -c 'ulimit -f 1; exit 7'

if [ "$(id -u)" = 0 ]; then
	mkdir "$small"
	if mount -t tmpfs -o size=64k tmpfs "$small" 2> /dev/null; then
		trap unmount EXIT
		fill="while printf '%4096s' x; do :; done > '$small/filler' 2> /dev/null; exit 7"
		run_as full -- "$heddle" run --sample-hz 0 -o "$small/full.heddle.d" -- bash -c "$fill"
		expect "full: free space" says full \
			"heddle: cannot write the profile to DIR: No space left on device; free space or choose[^|]*\|heddle: no profile of bash: it could not be written to DIR: No space left on device\|"
		rm -f "$small/filler"
		mkdir "$small/reader.heddle.d" && chmod 711 "$work"
		# Another user may have no access to the build, for example in root's home directory.
		mkdir -p "$work/copy/bin" "$work/copy/lib"
		cp "$heddle" "$work/copy/bin" && cp "$library" "$work/copy/lib"
		if command -v setpriv > /dev/null && command -v perl > /dev/null; then
			chown 65534 "$small/reader.heddle.d"
			run_as reader -- setpriv --reuid=65534 --regid=65534 --clear-groups "$work/copy/bin/heddle" run --sample-hz 0 -o "$small/reader.heddle.d" -- \
				perl -e 'chmod 0500, $ENV{HEDDLE_OUTPUT}; exit 7'
			expect "no right to write: owner and mode" says reader \
				"heddle: cannot write the profile to DIR: Permission denied; look at the owner and mode of[^|]*\|heddle: no profile of perl: it could not be written to DIR: Permission denied\|"
		fi
	else
		echo "a full file system and one without rights are not tried: no mounting here"
	fi
else
	echo "a full file system and one without rights are not tried: that needs root"
fi
run_options=()

# incomplete NAME OUTCOME REASON COMMAND...: the profile was flushed once before the end
incomplete() {
	local name=$1 outcome=$2 failed_then=$3
	shift 3
	run_options=(--flush-seconds 1)
	measured "$name" "$@"
	run_options=()
	expect "$name: the program ends as without Heddle" ended "$name" "$outcome"
	expect "$name: the incomplete profile is reported: $(said "$name")" grep -Eq "^heddle: incomplete: the profile of process [0-9]+ ends [0-9.]+ (m?s|min) after its start, when it was last written$failed_then\$" "$work/$name.err"
	expect "$name: one profile and nothing else" test "$(find "$work/$name.heddle.d" -mindepth 1 | wc -l)" = 1
	for form in --tree --flat --threads --lines --messages --memory --blame; do
		"$heddle" report $form "$work/$name.heddle.d" > "$work/$name.report"
		expect "$name: report $form says it in its head" grep -q '^incomplete: ends after ' <(head -n 4 "$work/$name.report")
	done
	"$heddle" diff "$work/$name.heddle.d" "$work/$name.heddle.d" > "$work/$name.diff"
	expect "$name: diff says it of both" test "$(grep -c '^incomplete: ends after ' "$work/$name.diff")" = 2
	"$heddle" merge "$work/$name.heddle.d" -o "$work/$name.merged"
	"$heddle" report "$work/$name.merged" > "$work/$name.report"
	expect "$name: a report of the merged file says so" grep -q '^incomplete: ends after ' "$work/$name.report"
	"$heddle" info "$work/$name.heddle.d" > "$work/$name.info"
	expect "$name: heddle info says so" grep -q '^  incomplete ' "$work/$name.info"
}
incomplete killed 'signal 9' '' bash -c "$work_on"'work 2; kill -KILL $$'
incomplete unwritten 'exit 7' ' \(then: Too many open files\)' bash -c "$work_on"'work 2; ulimit -n 3; exit 7'

# A profile written again at the end is complete; an earlier failure is not reported.
run_options=(--flush-seconds 1)
measured whole bash -c "$work_on"'work 2; exit 7'
expect "whole: nothing is missing" says whole 'heddle: measured bash: DIR; see: [^|]*\|'
measured between bash -c "$work_on"'ulimit -S -n 3; work 2; ulimit -S -n 100; exit 7'
expect "between: a failure is said, and then it is whole" says between '(heddle: cannot write the profile to DIR: Too many open files;[^|]*\|)+heddle: measured bash: DIR; see: [^|]*\|'
for name in whole between; do
	"$heddle" report "$work/$name.heddle.d" > "$work/$name.report"
	expect "$name: the report says nothing of it" test "$(grep -c '^incomplete' "$work/$name.report")" = 0
	expect "$name: no mark is left" test "$(find "$work/$name.heddle.d" -mindepth 1 | wc -l)" = 1
done
run_options=()

# Without the launcher, the process that made the directory prints its name at its end; children and later runs do not.
cd "$work" || exit 1
bare alone env LD_PRELOAD="$library" HEDDLE_SAMPLE_HZ=0 bash -c '(:); (:); exit 7'
expect "without the launcher: same outcome" ended alone "exit 7"
expect "without the launcher: one line that names the directory" grep -Exq "heddle: measured bash: heddle-bash-[0-9]+; see: heddle report heddle-bash-[0-9]+" "$work/alone.err"
expect "without the launcher: only one" test "$(messages "$work/alone.err" | wc -l)" = 1
expect "without the launcher: it is there" test -d "$(sed -n 's/.* report //p' "$work/alone.err")"
bare blank env LD_PRELOAD="$library" HEDDLE_SAMPLE_HZ=0 HEDDLE_OUTPUT="my dir" bash -c 'exit 7'
expect "without the launcher: a name with a blank is quoted" grep -q "see: heddle report 'my dir'\$" "$work/blank.err"
# Nobody reads Heddle's standard error any more: the program must not notice.
cat > "$work/deaf.c" << 'END'
#include <unistd.h>
int main(void)
{
	int ends[2];
	if (pipe(ends) != 0 || dup2(ends[1], 2) != 2 || close(ends[0]) != 0 || close(ends[1]) != 0)
		return 1;
	execlp("bash", "bash", "-c", "exit 7", (char *)0);
	return 1;
}
END
gcc "$work/deaf.c" -o "$work/deaf" || fail "deaf.c does not compile"
bare deaf env LD_PRELOAD="$library" HEDDLE_SAMPLE_HZ=0 "$work/deaf"
expect "without the launcher, standard error a broken pipe: same outcome" ended deaf "exit 7"
mkdir here.heddle.d
bare here env LD_PRELOAD="$library" HEDDLE_OUTPUT="$work/here.heddle.d" bash -c 'exit 7'
expect "without the launcher, into a directory that is there: nothing" test "$(messages "$work/here.err" | wc -l)" = 0
finish
