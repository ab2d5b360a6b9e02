# shellcheck shell=bash
# SPDX-License-Identifier: BSD-3-Clause
# For the tests of the UPC run-time system: programs in $programs, a working directory, run and expect.
# shellcheck source=tests/support/patience.sh
. "$HEDDLE_SOURCE/tests/support/patience.sh"
programs="$HEDDLE_BUILD/tests/upc_runtime"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
unset UPC_THREADS UPC_SHARED_HEAP_SIZE UPC_BIND_THREADS
ulimit -c 0
failed=0

fail() {
	echo "FAILED: $*"
	failed=1
}

# run COMMAND...: writes its output to `out` and its messages to `err`; its exit status is in $status.
run() {
	ran="$*"
	timeout "${HEDDLE_TEST_SECONDS:-240}" "$@" >out 2>err </dev/null
	status=$?
}

# expect STATUS [MESSAGE]: the last run's status; MESSAGE, a glob, is its only line, or it has none.
expect() {
	[ "$status" = "$1" ] || fail "$ran: status $status, not $1: $(head -3 err)"
	[ "$(wc -l <err)" = $(($# - 1)) ] || fail "$ran: $(wc -l <err) lines on standard error, not $(($# - 1)): $(head -3 err)"
	if [ $# -gt 1 ]; then
		# shellcheck disable=SC2254 # a glob is meant
		case $(cat err) in
		$2) ;;
		*) fail "$ran: said '$(cat err)', not '$2'" ;;
		esac
	fi
}

# Returns true if the programs were built with AddressSanitizer, which handles signals itself.
sanitized() {
	nm "$programs/upc_ends" | grep -q __asan_init
}

finish() {
	exit $failed
}
