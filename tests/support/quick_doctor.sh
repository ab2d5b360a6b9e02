# shellcheck shell=bash
# SPDX-License-Identifier: BSD-3-Clause
# quick_doctor FOLDER: creates a heddle whose `doctor --network` measures for a tenth of the time, and prints the
# command's path. Its numbers are good enough for relations that hold by far, and its files are complete. Sourced by
# tests.
quick_doctor() {
	local part
	mkdir -p "$1/bin" "$1/share/heddle"
	ln "$HEDDLE_BUILD/bin/heddle" "$1/bin/heddle" 2> /dev/null || cp "$HEDDLE_BUILD/bin/heddle" "$1/bin/heddle"
	for part in lib libexec include; do
		ln -s "$HEDDLE_BUILD/$part" "$1/$part"
	done
	ln -s "$HEDDLE_BUILD/share/heddle/bridge.upc" "$1/share/heddle/"
	sed 's/^#define ROUND_US .*/#define ROUND_US 1000.0/; s/^#define LOOP_ROUNDS .*/#define LOOP_ROUNDS 3/
		s/^#define AGAIN_TIMES .*/#define AGAIN_TIMES 2/; s/^#define ROUNDS .*/#define ROUNDS 3/' \
		"$HEDDLE_BUILD/share/heddle/network.upc" > "$1/share/heddle/network.upc"
	! cmp -s "$HEDDLE_BUILD/share/heddle/network.upc" "$1/share/heddle/network.upc" || return 1
	printf '%s\n' "$1/bin/heddle"
}
