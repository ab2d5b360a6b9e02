#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Code for AArch64 has a full fence on both sides of each strict access of any kind, and none for relaxed accesses. An
# emulator would not show a difference, so the generated code is checked.
set -eu
. "$HEDDLE_SOURCE/tests/upc/common.sh"
cat >"$work/strict.upc" <<'END'
#include <upc_relaxed.h>
strict shared int flag;
strict shared struct cell { int low : 7, high : 9; double real; } cell;
shared int data;
void put(int value) { flag = value; }
int get(void) { return flag; }
void put_bits(int value) { cell.high = value; }
int get_relaxed(void) { return data; }
END
"$upcc" -O2 -target aarch64-linux-gnu -S "$work/strict.upc" -o "$work/strict.s" 2>"$work/messages" ||
	{ cat "$work/messages"; exit 1; }

# between FUNCTION: prints its fences (f), loads (l), stores (s) and returns, in their order
between() {
	awk -v name="$1.direct:" '$1 == name { on = 1 } /End function/ { on = 0 }
		on && $1 == "dmb" && $2 == "ish" { printf "f" } on && $1 ~ /^(ldr|ldrh)$/ && $2 !~ /^x/ { printf "l" }
		on && $1 ~ /^(str|strh)$/ { printf "s" }' "$work/strict.s"
}

for wanted in put:fsf get:flf get_relaxed:l; do
	name=${wanted%:*}
	found=$(between "$name")
	[ "$found" = "${wanted#*:}" ] || { echo "$name: $found, not ${wanted#*:}"; cat "$work/strict.s"; exit 1; }
done
case $(between put_bits) in
f*lf*fsf) ;;
*) echo "put_bits: $(between put_bits)"; exit 1 ;;
esac
