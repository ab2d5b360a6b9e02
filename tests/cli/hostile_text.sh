#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# No command prints or writes text from a measurement that a terminal would interpret. Runs hostile_text.py on
# measurements with hostile text in every field, and on files with hostile names.
. "$HEDDLE_SOURCE/tests/cli/measurement.sh"
. "$HEDDLE_SOURCE/tests/cli/traced_measurement.sh"
command -v python3 >/dev/null || { echo "skipped: no python3"; exit 77; }

# An operating system command, a colour, line breaks, C1 controls, a change of direction, bytes that are not UTF-8.
hostile=$(printf '\033]0;owned\007\033[31m\r\nFORGED\t\b\177\302\23331m\342\200\256\342\201\246\377\233')
mkdir traced accessed names
for file in t/*.heddle; do
	"$HEDDLE_BUILD/tests/make_hostile" "$file" "traced/${file#t/}" "$hostile" || exit 1
done
cp t/*-trace traced
for file in upc/*.heddle; do
	"$HEDDLE_BUILD/tests/make_hostile" "$file" "accessed/${file#upc/}" "$hostile" || exit 1
done
mkdir "names/directory$hostile" "names/broken$hostile"
cp m/a.heddle "names/directory$hostile/a$hostile.heddle"
cp m/a.heddle "names/broken$hostile"
head -c 100 m/a.heddle >"names/broken$hostile/b$hostile.heddle"
echo 'int main(void) { return 0; }' >plain.upc
LC_ALL=C.UTF-8 python3 "$HEDDLE_SOURCE/tests/cli/hostile_text.py" "$heddle" traced accessed plain.upc || failed=1
exit $failed
