# shellcheck shell=bash
# SPDX-License-Identifier: BSD-3-Clause
# How long a script may wait for one thing: always less than CTest waits for the script (HEDDLE_TEST_TIMEOUT), so that it
# can say what it waited for. After one long wait, the others have what is left. A script sources this.
#
#   patience_for SECONDS     sets patience to that, or less
#   in_time COMMAND...       ends it if it takes longer than `seconds`, or what is left
#   HEDDLE_TEST_SECONDS      what a test waits if it says nothing else (240)
patience=
patience_for() {
	patience=$1
	[ -n "${HEDDLE_TEST_TIMEOUT:-}" ] || return 0
	local left=$((HEDDLE_TEST_TIMEOUT * 7 / 8 - SECONDS))
	[ "$patience" -le "$left" ] || patience=$((left > 2 ? left : 2))
}

in_time() {
	patience_for "${seconds:-${HEDDLE_TEST_SECONDS:-240}}"
	timeout "$patience" "$@"
}
