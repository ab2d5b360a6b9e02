#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Debug information describes the source: the unit's name, functions (including main), lines, inlined frames. There is
# none without -g.
set -eu
. "$HEDDLE_SOURCE/tests/upc/common.sh"
dwarfdump=$("$clang" -print-prog-name=llvm-dwarfdump)
symbolizer=$("$clang" -print-prog-name=llvm-symbolizer)
for tool in "$dwarfdump" "$symbolizer"; do
	[ -x "$tool" ] || { echo "skipped: no $tool (package llvm-N)"; exit 77; }
done
cd "$here/programs"

complain() {
	echo "$*"
	exit 1
}

for level in -O0 -O2; do
	"$upcc" -g $level -c located.upc -o "$work/located.o"
	"$upcc" -g $level located.upc -o "$work/program"
	"$dwarfdump" --debug-info "$work/located.o" >"$work/info"
	grep -A12 DW_TAG_compile_unit "$work/info" | grep -q 'DW_AT_name.*("located.upc")' || complain "$level: the unit has another name"
	grep -q 'heddle-upcc' "$work/info" && complain "$level: a temporary file is named"
	for function in main sum; do
		grep -q "DW_AT_name.*(\"$function\")" "$work/info" || complain "$level: $function is missing"
	done
	address=$(nm "$work/program" | awk '$3 == "main" && $2 == "t" { print "0x" $1 }')
	"$symbolizer" -e "$work/program" "$address" >"$work/where"
	grep -q '^main$' "$work/where" && grep -q "located.upc:2[2-4]:" "$work/where" || { cat "$work/where"; complain "$level: main"; }
	"$dwarfdump" --debug-line "$work/located.o" >"$work/lines"
	for line in 10 18 25 26; do
		awk -v line=$line '/^0x/ && $2 == line { found = 1 } END { exit !found }' "$work/lines" ||
			complain "$level: no code is from line $line"
	done
done
# The read of line 10, inlined into sum: both frames, in some version of sum.
for address in $("$dwarfdump" --debug-line "$work/program" | awk '/^0x/ && $2 == 10 { print $1 }'); do
	"$symbolizer" -e "$work/program" "$address"
	echo
done >"$work/where"
tr '\n' ' ' <"$work/where" | grep -Eq '(^| )twice [^ ]*located.upc:10:[0-9]+ sum(\.direct)? [^ ]*located.upc:18:' ||
	{ cat "$work/where"; complain "the inlined frame"; }

"$upcc" -O2 -c located.upc -o "$work/plain.o"
"$dwarfdump" --debug-info "$work/plain.o" | grep -q DW_TAG && complain "there is debug information without -g"
exit 0
