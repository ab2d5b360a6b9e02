#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Commands without a measurement read the newest one in the current directory, and print on standard error which it is.
. "$HEDDLE_SOURCE/tests/cli/measurement.sh"

# takes NAME: report, info, export and merge without an argument read NAME.
takes() {
	for command in report info export merge; do
		rm -f "$1-merged.heddle"
		"$heddle" "$command" >got 2>err || { echo "$command: exit status $?"; cat err; failed=1; }
		rm -f "$1-merged.heddle"
		"$heddle" "$command" "$1" >wanted 2>err.named
		cmp got wanted || { echo "$command: the output differs from that with $1"; failed=1; }
		grep -v '^heddle: left out' err >said
		[ "$(cat said)" = "heddle: $command: reading $1, the newest measurement in this directory" ] ||
			{ echo "$command does not say that it reads $1:"; cat err; failed=1; }
		[ ! -s err.named ] || { echo "$command $1:"; cat err.named; failed=1; }
		rm -f "$1-merged.heddle"
	done
}

# The times of profiles count; those of directories do not, nor directories without profiles and other files.
mkdir older empty others
cp m/a.heddle older/
touch -d '2020-01-01 00:00:00.1' older/a.heddle
touch -d '2020-01-01 00:00:00.2' m/a.heddle m/b.heddle
touch -d '2019-01-01' m upc
find upc -name '*.heddle' -exec touch -d '2018-01-01' {} +
echo text >others/text
cp m/a.heddle lone.heddle
cp m/a.heddle .heddle-hidden.heddle
takes m
touch -d '2020-01-01 00:00:00.3' older/a.heddle
takes older

# Inside a measurement, commands read that measurement.
cd m || exit 1
"$heddle" info >../got 2>../err || { cat ../err; failed=1; }
grep -q ' reading \., ' ../err && grep -q '/opt/cg/cg' ../got || { echo "inside a measurement:"; cat ../err; failed=1; }
cd ..

mkdir nothing
cd nothing || exit 1
for command in report info export merge; do
	refuses 3 'no measurement given, and none in this directory' "$heddle" "$command"
done
exit $failed
