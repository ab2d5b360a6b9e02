#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# docs/format.md lists the numbers and names of format/ids.h: sections, node kinds, states, categories, metrics,
# kinds of code.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat >"$work/print.c" <<'END'
#include "format/ids.h"
#include <stdio.h>
int main(void)
{
	printf("| 8 | 4 | version: %u |\n", HEDDLE_FILE_VERSION);
#define X(number, name, message) printf("| %d | %s | `%s` |\n", number, #name, #message);
	HEDDLE_SECTIONS(X)
#undef X
#define X(number, name, ...) printf("| %d | %s |\n", number, #name);
	HEDDLE_NODE_KINDS(X)
#undef X
#define X(number, name, label) printf("| %d | %s | %s |\n", number, #name, label);
	HEDDLE_STATES(X)
#undef X
#define X(number, name, state) printf("| %d | %s | %s |\n", number, #name, #state);
	HEDDLE_CATEGORIES(X)
#undef X
#define X(number, name, text, unit, ...) printf("| %d | %s | %s | %s |\n", number, #name, text, unit);
	HEDDLE_METRICS(X)
#undef X
#define X(number, name, text) printf("| %d | %s |\\n", number, #name);
	HEDDLE_NAMED_CODE(X)
	return 0;
}
END
gcc -I"$HEDDLE_SOURCE" "$work/print.c" -o "$work/print"
"$work/print" >"$work/rows"
[ "$(wc -l <"$work/rows")" -gt 20 ]
bad=0
while read -r row; do
	grep -qF "$row" "$HEDDLE_SOURCE/docs/format.md" || { echo "docs/format.md lacks: $row"; bad=1; }
done <"$work/rows"
exit $bad
