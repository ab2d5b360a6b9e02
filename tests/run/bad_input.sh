#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Bad input to the command: it prints one line on stderr, ends with its own exit status, and damages no file.
. "${BASH_SOURCE%/*}/lib.sh"

compile plain plain.c -DPERCENT=5
measured good "$work/plain"
expect "a good measurement to begin with" test "$(profile_files good)" = 1
good=$(find "$work/good.heddle.d" -name '*.heddle' | head -n 1)

# complains NAME ARGUMENTS...: the command prints one line on stderr; its exit status is in $status
complains() {
	local name=$1
	shift
	timeout "$seconds" "$heddle" "$@" > "$work/refused.out" 2> "$work/refused.err" < /dev/null
	status=$?
	expect "$name: refused with a status of its own, not $status" between 1 $status 127
	[ $status != 124 ] || fail "$name: hangs"
	expect "$name: one line, not: $(head -n 3 "$work/refused.err")" test "$(wc -l < "$work/refused.err")" = 1
}

# refused NAME ARGUMENTS...: as complains, with nothing on stdout
refused() {
	complains "$@"
	expect "$1: nothing on stdout" test ! -s "$work/refused.out"
}

refused "unknown command" frobnicate
refused "unknown option" run --no-such-option -o "$work/x" -- touch "$work/ran"
usage=$status
refused "no program" run -o "$work/x"
refused "no program after --" run -o "$work/x" --
refused "program not found" run -o "$work/x" -- "$work/nonexistent"
expect "program not found differs from a wrong option" test $status != $usage
echo "not a program" > "$work/text"
refused "not executable" run -o "$work/x" -- "$work/text"
expect "not executable differs from a wrong option" test $status != $usage
refused "unwritable directory" run -o /proc/heddle-nowhere -- touch "$work/ran"
refused "not a rate" run --sample-hz often -o "$work/x" -- touch "$work/ran"
refused "negative rate" run --sample-hz -5 -o "$work/x" -- touch "$work/ran"
refused "option without value" run -o
expect "no refused program ran" test ! -e "$work/ran"
expect "no refused run left a profile" test -z "$(find "$work/x" -name '*.heddle' 2> /dev/null)"

mkdir -p "$work/nothing"
cd "$work/nothing" || exit 1
for command in report info; do
	refused "$command: no directory, and none here" $command
	refused "$command: no such directory" $command "$work/nonexistent"
	mkdir -p "$work/empty"
	refused "$command: empty directory" $command "$work/empty"
	refused "$command: unknown option" $command "$work/good.heddle.d" --no-such-option
done
refused "unknown format" export "$work/good.heddle.d" --format nonesuch
refused "unknown metric" export "$work/good.heddle.d" --format folded --metric nonesuch
refused "export to nowhere" export "$work/good.heddle.d" --format folded -o /proc/heddle-nowhere/file

# A second run into the same directory leaves the first one's file as it was.
sum=$(cksum < "$good")
timeout "$seconds" "$heddle" run -o "$work/good.heddle.d" -- "$work/plain" > /dev/null 2>&1
expect "an existing measurement is not overwritten" test "$(cksum < "$good")" = "$sum"
find "$work/good.heddle.d" -name '*.heddle' ! -path "$good" -delete

size=$(stat -c %s "$good")
mkdir "$work/bad"
bad=$work/bad/$(basename "$good")
for length in 0 1 8 15 16 17 31 40 $((size / 2)) $((size - 17)) $((size - 1)); do
	head -c "$length" "$good" > "$bad"
	complains "truncated to $length bytes" report "$work/bad"
done
echo "This is another program's file, and a long enough one to be taken for something." > "$bad"
refused "foreign file" report "$work/bad"
cp "$good" "$bad" && printf '\143' | dd of="$bad" bs=1 seek=8 conv=notrunc 2> /dev/null
refused "newer version" report "$work/bad"
expect "newer version: the line says which" grep -q 99 "$work/refused.err"

# With any byte changed, the file is refused or the change is ignored; the command never crashes.
for step in $(seq 1 40); do
	cp "$good" "$bad" && printf '\377' | dd of="$bad" bs=1 seek=$((size * step / 41)) conv=notrunc 2> /dev/null
	timeout "$seconds" "$heddle" export "$work/bad" --format folded > /dev/null 2>&1
	status=$?
	expect "byte $((size * step / 41)) changed: no crash, no hang (status $status)" test $status -lt 124
done

# A bad file beside a good one only causes one line.
cp "$good" "$work/bad/another.heddle"
head -c $((size / 2)) "$good" > "$bad"
sum=$(cksum < "$bad")
timeout "$seconds" "$heddle" export "$work/bad" --format folded > "$work/mixed.folded" 2> "$work/mixed.err"
expect "beside a bad file, the good one is shown" has_path mixed '(^|;)burn_near(;|$)'
expect "the bad one is named in one line" test "$(grep -c "$(basename "$bad")" "$work/mixed.err")" = 1
expect "the bad file is left alone" test "$(cksum < "$bad")" = "$sum"
finish
