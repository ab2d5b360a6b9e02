#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# The programs of programs/ run when clang's bitcode computes all addresses in bytes, without types (byte_offsets.c): the
# lowering takes what it knows of types from the typing pass.
set -eu -o pipefail
# shellcheck source=tests/upc/common.sh
. "$HEDDLE_SOURCE/tests/upc/common.sh"
real=$(dirname "$(dirname "$(dirname "$("$clang" -print-resource-dir)")")")/bin/clang # not one that looks for a compiler in PATH, such as ccache
[ -x "$real" ] || { echo "skipped: no $real"; exit 77; }
mkdir "$work/bin"
cat >"$work/bin/$clang" <<END
#!/bin/bash
"$real" "\$@" || exit
[[ " \$* " == *" -emit-llvm "*" -o "* ]] || exit 0
while [ "\$1" != -o ]; do shift; done
echo >>"$work/rewritten"
exec "$HEDDLE_BUILD/tests/upc_byte_offsets" "\$2"
END
chmod +x "$work/bin/$clang"
export PATH=$work/bin:$PATH
for program in "$@"; do
	: >"$work/rewritten"
	bash "$here/language.sh" "$program" 3 >"$work/output" 2>&1 || { cat "$work/output"; echo "$program fails"; exit 1; }
	[ -s "$work/rewritten" ] || { echo "$program: nothing was rewritten"; exit 1; }
done
