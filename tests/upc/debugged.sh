#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Debug information describes the source: the unit's name, functions (main among them), lines, inlined frames. None
# without -g.
set -eu
. "$HEDDLE_SOURCE/tests/upc/common.sh"
for tool in llvm-dwarfdump-14 llvm-symbolizer-14 llvm-nm-14; do
	command -v $tool >/dev/null || { echo "skipped: no $tool (package llvm-14)"; exit 77; }
done
cd "$here/programs"

complain() {
	echo "$*"
	exit 1
}

for level in -O0 -O2; do
	"$upcc" -g $level -c located.upc -o "$work/located.o"
	"$upcc" -g $level located.upc -o "$work/program"
	llvm-dwarfdump-14 --debug-info "$work/located.o" >"$work/info"
	grep -A12 DW_TAG_compile_unit "$work/info" | grep -q 'DW_AT_name.*("located.upc")' || complain "$level: the unit has another name"
	grep -q 'heddle-upcc' "$work/info" && complain "$level: a temporary file is named"
	for function in main sum; do
		grep -q "DW_AT_name.*(\"$function\")" "$work/info" || complain "$level: $function is missing"
	done
	address=$(llvm-nm-14 "$work/program" | awk '$3 == "main" && $2 == "t" { print "0x" $1 }')
	llvm-symbolizer-14 -e "$work/program" "$address" >"$work/where"
	grep -q '^main$' "$work/where" && grep -q "located.upc:2[2-4]:" "$work/where" || { cat "$work/where"; complain "$level: main"; }
	llvm-dwarfdump-14 --debug-line "$work/located.o" >"$work/lines"
	for line in 10 18 25 26; do
		awk -v line=$line '/^0x/ && $2 == line { found = 1 } END { exit !found }' "$work/lines" ||
			complain "$level: no code is from line $line"
	done
done
# The read of line 10, inlined into sum: both frames, in some version of sum.
for address in $(llvm-dwarfdump-14 --debug-line "$work/program" | awk '/^0x/ && $2 == 10 { print $1 }'); do
	llvm-symbolizer-14 -e "$work/program" "$address"
	echo
done >"$work/where"
tr '\n' ' ' <"$work/where" | grep -Eq '(^| )twice [^ ]*located.upc:10:[0-9]+ sum(\.direct)? [^ ]*located.upc:18:' ||
	{ cat "$work/where"; complain "the inlined frame"; }

"$upcc" -O2 -c located.upc -o "$work/plain.o"
llvm-dwarfdump-14 --debug-info "$work/plain.o" | grep -q DW_TAG && complain "there is debug information without -g"
exit 0
