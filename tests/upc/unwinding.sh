#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Each function that the compiler emits has an unwind table: stacks without tables are unwound anew at each event. The
# program's main returns only 0, so that the optimizer does not pass its result to the calling function.
set -eu -o pipefail
# shellcheck source=tests/upc/common.sh
. "$HEDDLE_SOURCE/tests/upc/common.sh"
cat >"$work/zero.upc" <<'END'
#include <upc_relaxed.h>
shared int a[THREADS];
shared [] int *p = (shared [] int *)&a[0];
int main(void)
{
	upc_forall (int i = 0; i < THREADS; i++; i)
		a[(i + 1) % THREADS] += *p;
	upc_barrier;
	return 0;
}
END

# missing OPTION...: prints functions without a table
missing() {
	"$upcc" "$@" "$work/zero.upc" -o "$work/zero"
	readelf --debug-dump=frames "$work/zero" | sed -n 's/.* FDE .*pc=\([0-9a-f]*\)\.\..*/\1/p' >"$work/tables"
	nm "$work/zero" | awk '$2 ~ /[tT]/ && $3 ~ /^(__upc|main|\.upc)/ { print $1, $3 }' >"$work/functions"
	grep -q __upcrt_user_main "$work/functions" || { echo "no functions found"; exit 1; }
	awk 'FNR == NR { table[$1] = 1; next } !($1 in table) { print $2 }' "$work/tables" "$work/functions"
}

for options in "-O2" "-O2 --inst --inst-functions" "-O0 --inst"; do
	# shellcheck disable=SC2086 # several options
	found=$(missing $options)
	[ -z "$found" ] || { echo "$options: no unwind table: $found"; exit 1; }
done
