#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# An invalid access is reported with its file and line whatever the optimizer does: with a line next to it if an
# instruction has lost its line; without debug information, with its function.
set -eu -o pipefail
# shellcheck source=tests/upc/common.sh
. "$HEDDLE_SOURCE/tests/upc/common.sh"
command -v addr2line >/dev/null || { echo "skipped: no addr2line"; exit 77; }
source=$here/programs/lost.upc
functions=(- stencil sum scale clear read_again choose by_value get put copy set)
bad=0

# told OPTIONS NODE_SIZE CASE: prints the program's message
told() {
	! UPC_NODE_SIZE=$2 timeout "$seconds" "$work/lost" -n 2 -shared-heap 16M "$3" >"$work/said" 2>&1 || echo "ends well"
	sed -n 1p "$work/said"
}

# expect REGEX OPTIONS NODE_SIZE CASE
expect() {
	local said
	said=$(told "$2" "$3" "$4")
	[[ $said =~ ^"upc: thread 0: "$1 ]] && return 0
	echo "$2, node size '$3', case $4: '$said'"
	bad=1
}

for options in "-O0 -g" "-O1 -g" "-O3 -g" "-O2 -g --inst" -O2; do
	# shellcheck disable=SC2086
	"$upcc" $options "$source" -o "$work/lost"
	for ((number = 1; number < ${#functions[@]}; number++)); do
		line=$(grep -n "/\* bad $number \*/" "$source" | cut -d: -f1)
		case $options in
		-O0*) place="$source:$line: " ;;
		*-g*) place="(near )?$source:$line: " ;;
		*) place="in ${functions[number]}: " ;;
		esac
		# Loop-invariant accesses are moved before the loop.
		[ $number != 5 ] || place=${place/:$line:/:($line|$((line - 1))):}
		expect "$place" "$options" "" $number
		expect "$place" "$options" 1 $number
	done
done
exit $bad
