#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Each command has a man page (its own, or by a line .so another's), the page names each option that the command's --help does, and mandoc finds no fault.
set -eu
cd "$HEDDLE_SOURCE"
bad=0
commands=0

for source in cli/*.c; do
	command=$(sed -n '/^const struct heddle_command heddle__command_/,/^};/s/^\t\.name = "\(.*\)",$/\1/p' "$source")
	[ -n "$command" ] || continue
	commands=$((commands + 1))
	page=docs/man/heddle-$command.1
	if [ ! -e "$page" ]; then
		echo "heddle $command has no man page"
		bad=1
		continue
	fi
	[ -x "$HEDDLE_BUILD/bin/heddle" ] || continue
	other=$(sed -n 's/^\.so man1\///p' "$page")
	page=docs/man/${other:-heddle-$command.1}
	for option in $("$HEDDLE_BUILD/bin/heddle" "$command" --help 2>/dev/null | grep -oE '(^|[ ,])--[a-z][a-z-]+' | tr -d ' ,' | sort -u); do
		grep -Eq "^\.It .*Fl -${option#--}( |\$)" "$page" || { echo "$page does not describe $option"; bad=1; }
	done
done
if command -v mandoc >/dev/null; then
	for page in docs/man/*.1; do
		[ "$(sed -n 's/^\(\.so\) .*/\1/p' "$page")" = .so ] || mandoc -Tlint -Wwarning "$page" || bad=1
	done
fi
[ "$commands" -eq "$(grep -c '^	X(' cli/commands.h)" ] || { echo "$commands commands were looked at"; bad=1; }
exit $bad
