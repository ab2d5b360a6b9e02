#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Rules that .clang-format cannot check: pointers are not compared with NULL, except if assigned in a condition (`while
# ((entry = readdir(d)) != NULL)`); no blank line follows the declarations that begin a function; each file states its
# purpose before its first include. First the check is tried on bad lines.
set -eu

# check ROOT: prints each bad line; fails if there is one.
check() {
	(cd "$1" && find format perf core sampling models profile analysis export tune cli upc -name '*.[ch]' 2>/dev/null | sort | xargs awk '
		function bad(what) {
			print FILENAME ":" FNR ": " what
			found = 1
		}
		FNR == 1 { start = 0; files++ }
		FNR == 2 && !/^\/\*/ { bad("no comment says what this file is for") }
		/[!=]= NULL/ && !/[^=!<>]= [^=].*\) [!=]= NULL/ { bad("compared with NULL") }
		/^\{$/ { start = 1; seen = 0; next }
		start && /^\t\t/ { next }
		start && /^\t[A-Za-z_][A-Za-z_0-9]* [A-Za-z_* ]*[A-Za-z_0-9]+(\[[^]]*\])*( = .*|,.*|;)$/ && !/^\t(return|goto|else|case) / {
			seen = 1
			next
		}
		start && seen && /^$/ { bad("a blank line after declarations") }
		{ start = 0 }
		END { if (!files) print "no files were found"; exit found || !files }')
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/cli"
good='/* S */\n/* For this. */\nint f(char *p)\n{\n\tint n = 1;\n\tchar *q;\n\tif ((q = g(p)) != NULL)\n\t\treturn n;\n\n\treturn !p;\n}\n'
printf '%b' "$good" >"$work/cli/a.c"
check "$work" || { echo "the check itself is broken: it refuses a good file"; exit 1; }
for change in 's/!p/p == NULL/' 's/!p/n != 1 \&\& p != NULL/' '2d' 's/^\tchar \*q;/&\n/'; do
	printf '%b' "$good" | sed "$change" >"$work/cli/a.c"
	! check "$work" >/dev/null || { echo "the check itself is broken: it lets $change pass"; exit 1; }
done
check "$HEDDLE_SOURCE"
