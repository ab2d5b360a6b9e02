#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# A thread that waits for a message does not yield the processor again and again where each yield takes long, because
# other programs compute: it sleeps. Two ranks share one processor, so that they yield without polling first.
set -u
# shellcheck source=tests/upc/common.sh
. "$HEDDLE_SOURCE/tests/upc/common.sh"
# shellcheck source=tests/upc/launchers.sh
. "$HEDDLE_SOURCE/tests/upc/launchers.sh"
need_network
${CC:-cc} -shared -fPIC "$here/network/slow_yield.c" -o "$work/slow_yield.so" || exit 1
"$HEDDLE_BUILD/bin/heddle" upcc "$here/network/gets.upc" -o "$work/gets" || exit 1
export UPC_NODE_SIZE=1 UCX_TLS=tcp,self
one=$(taskset -cp $$ | sed 's/.*: *\([0-9]*\).*/\1/')
failed=0
for launcher in "${found[@]}"; do
	timeout "$seconds" bash -c "$(declare -f launch); launch \"\$@\"" - "$launcher" 2 taskset -c "$one" \
		env LD_PRELOAD="$work/slow_yield.so" "$work/gets" > "$work/output" 2> "$work/errors" < /dev/null
	status=$?
	yields=$(awk '$1 == "yields" && $2 > most { most = $2 } END { print most + 0 }' "$work/errors")
	echo "$launcher: $yields yields"
	# Each of 1,000 gets waits. A wait yields at most several times where yields are short, and one in 64 does here.
	if [ $status != 0 ] || ! grep -q '^sum 499500$' "$work/output" || [ "$yields" -gt 250 ]; then
		echo "FAILED: $launcher: status $status, $yields yields"
		cat "$work/output" "$work/errors"
		failed=1
	fi
done
exit $failed
