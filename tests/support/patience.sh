# shellcheck shell=bash
# SPDX-License-Identifier: BSD-3-Clause
# Limits how long a script waits for one thing to less than CTest waits for the script (HEDDLE_TEST_TIMEOUT), so that
# the script can report what it waited for. After one long wait, the others have the rest of the time. A script sources
# this.
#
#   patience_for SECONDS     sets patience to SECONDS, or less
#   in_time COMMAND...       runs COMMAND, and ends it after `seconds`, or after the rest of the time
#   wait_until COMMAND...    repeats COMMAND until it succeeds; fails after that time
#   HEDDLE_TEST_SECONDS      how long a test waits if it does not set `seconds` (240)
# Open MPI's launchers kill ranks a second after SIGTERM. With more patience than usual, they wait longer, too.
if [ "${HEDDLE_TEST_SECONDS:-240}" -gt 240 ]; then
	export OMPI_MCA_odls_base_sigkill_timeout=$((HEDDLE_TEST_SECONDS / 24))
	export PRTE_MCA_odls_base_sigkill_timeout=$((HEDDLE_TEST_SECONDS / 24))
fi

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

wait_until() {
	patience_for "${seconds:-${HEDDLE_TEST_SECONDS:-240}}"
	local end=$((SECONDS + patience))
	until "$@"; do
		[ "$SECONDS" -lt "$end" ] || return 1
		sleep 0.05
	done
}
