#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# docs/settings.md and heddle-run.1 list exactly the settings of format/settings.h. --write updates the document's list.
# shellcheck disable=SC2013
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
document=$HEDDLE_SOURCE/docs/settings.md

cat >"$work/print.c" <<'END'
#include "format/settings.h"
#include <stdio.h>
static void row(const char *variable, const char *option, const char *argument, const char *initial, const char *help)
{
	printf("- `%s`", variable);
	if (option)
		printf(", `%s%s%s`", option, argument ? " " : "", argument ? argument : "");
	if (*initial)
		printf(", default `%s`", initial);
	printf(":\n  %s\n", help);
}
int main(void)
{
#define X(name, variable, option, argument, kind, low, high, initial, help) row(variable, option, argument, initial, help);
	HEDDLE_SETTINGS(X)
	return 0;
}
END
"${CC:-gcc}" -I"$HEDDLE_SOURCE" "$work/print.c" -o "$work/print"
"$work/print" >"$work/table"

if [ "${1:-}" = --write ]; then
	awk -v table="$work/table" '
		/^- `HEDDLE_/ && !skip { while ((getline line < table) > 0) print line; skip = 1 }
		skip && /^(- `HEDDLE_|  )/ { next }
		{ skip = 0; print }' "$document" >"$work/new"
	cat "$work/new" >"$document"
fi
sed -n '/^- `HEDDLE_/,/^$/p' "$document" | sed '/^$/d' >"$work/found"
diff -u "$work/table" "$work/found"

# The documents name no variable that neither the table nor a command (such as a compiler's name) has.
for name in $(grep -ohE 'HEDDLE_[A-Z_]+' "$document" "$HEDDLE_SOURCE/README.md" "$HEDDLE_SOURCE"/docs/man/*.1 | sort -u); do
	grep -q "\`$name\`" "$work/table" || grep -rqF "\"$name\"" "$HEDDLE_SOURCE/cli" "$HEDDLE_SOURCE/profile/names" "$HEDDLE_SOURCE/tune" "$HEDDLE_SOURCE/upc/driver" "$HEDDLE_SOURCE/format/live.h" || { echo "$name is documented, and is no setting"; exit 1; }
done
"$work/print" | grep -oE '`-[-a-zA-Z]+' | tr -d '`' | while read -r option; do
	grep -Eq "^\.It Fl ${option#-}( |\$)" "$HEDDLE_SOURCE/docs/man/heddle-run.1" || {
		echo "heddle-run.1 does not describe $option"
		exit 1
	}
done
