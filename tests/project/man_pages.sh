#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Each command has a man page (its own, or another one by a .so line), which lists each option of the command's --help;
# mandoc reports nothing. The pages list each environment variable that Heddle reads.
set -eu
cd "$HEDDLE_SOURCE"
bad=0
commands=0

for source in cli/*.c cli/*/*.c; do
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
# Settings, and variables read by the commands, the UPC compiler and its programs. Others are not Heddle's, or internal.
variables=$({
	sed -n 's/^	X([A-Z_]*, "\([A-Z_]*\)",.*/\1/p' format/settings.h
	grep -ohE 'getenv\("[A-Z_]+"' -r cli tune upc/driver upc/runtime
	grep -ohE 'environment_value\(environment, "[A-Z_]+"' -r upc/runtime
	sed -n 's/.*\.variable = \("[A-Z_]*"\).*/\1/p' cli/*.c
} | grep -oE '[A-Z]+(_[A-Z]+)*' | sort -u | grep -vx -e HOME -e PATH -e LD_LIBRARY_PATH -e LD_PRELOAD -e TERM)
for variable in $variables; do
	grep -Eqr "^\.(It )?Ev .*\<$variable\>" docs/man || { echo "no man page names $variable"; bad=1; }
done
[ "$(echo "$variables" | wc -l)" -gt 20 ] || { echo "too few variables were found: $variables"; bad=1; }
[ "$commands" -eq "$(grep -c '^	X(' cli/base/commands.h)" ] || { echo "$commands commands were looked at"; bad=1; }
exit $bad
