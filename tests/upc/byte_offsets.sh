#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# The programs of programs/ run if all addresses in clang's bitcode are computed in bytes, without types
# (byte_offsets.c): the lowering gets types from the typing pass. Every other program is optimized: the addresses are
# the same.
set -eu -o pipefail
# shellcheck source=tests/upc/common.sh
. "$HEDDLE_SOURCE/tests/upc/common.sh"
real=$(dirname "$(dirname "$(dirname "$("$clang" -print-resource-dir)")")")/bin/clang # not ccache, which would search PATH
[ -x "$real" ] || { echo "skipped: no $real"; exit 77; }
mkdir "$work/bin"
cat >"$work/bin/$clang" <<END
#!/bin/bash
"$real" "\$@" || exit
[[ " \$* " == *" -emit-llvm "*" -o "* ]] || exit 0
while [ "\$1" != -o ]; do shift; done
echo >>"\$REWRITTEN"
exec "$HEDDLE_BUILD/tests/upc_byte_offsets" "\$2"
END
chmod +x "$work/bin/$clang"
export PATH=$work/bin:$PATH

# check PROGRAM LEVEL: checks that it runs, and that clang's output was rewritten
check() {
	REWRITTEN=$work/rewritten.$1 BRIEF=$2 bash "$here/language.sh" "$1" 3 >"$work/output.$1" 2>&1 ||
		{ cat "$work/output.$1"; echo "$1 fails"; return 1; }
	[ -s "$work/rewritten.$1" ] || { echo "$1: nothing was rewritten"; return 1; }
}

pids=()
levels=(O2 O0)
for program in "$@"; do
	check "$program" "${levels[${#pids[@]} % 2]}" &
	pids+=($!)
	while [ "$(jobs -r | wc -l)" -ge 2 ]; do
		wait -n || : # the result is checked below
	done
done
failed=0
for pid in "${pids[@]}"; do
	wait "$pid" || failed=1
done
exit $failed
