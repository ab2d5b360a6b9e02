#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Each command has a man page, the page names each option that the command's --help does, and mandoc finds no fault.
set -eu
cd "$HEDDLE_SOURCE"
bad=0

for source in cli/*.c; do
	command=$(sed -nE 's/^(int heddle_command_([a-z]+)\(int argc.*|const struct heddle_command heddle__command_([a-z]+) = .*)/\2\3/p' \
		"$source" | head -n 1)
	[ -n "$command" ] || continue
	page=docs/man/heddle-$command.1
	if [ ! -e "$page" ]; then
		echo "heddle $command has no man page"
		bad=1
		continue
	fi
	[ -x "$HEDDLE_BUILD/bin/heddle" ] || continue
	for option in $("$HEDDLE_BUILD/bin/heddle" "$command" --help 2>/dev/null | grep -oE '(^|[ ,])--[a-z][a-z-]+' | tr -d ' ,' | sort -u); do
		grep -Eq "^\.It .*Fl -${option#--}( |\$)" "$page" || { echo "$page does not describe $option"; bad=1; }
	done
done
if command -v mandoc >/dev/null; then
	for page in docs/man/*.1; do
		mandoc -Tlint -Wwarning "$page" || bad=1
	done
fi
exit $bad
