# shellcheck shell=bash
# SPDX-License-Identifier: BSD-3-Clause
# Programs with annotations for other tools, and with Heddle's own in other languages than C. What scripts share:
#   visits NAME REGEX COUNT      the paths that match have so many visits in all
#   traced NAME COMMAND...       bare and measured with a trace: same output and outcome; the trace equals the profile
. "$HEDDLE_SOURCE/tests/run/lib.sh"
# shellcheck disable=SC2034 # used by scripts
here=$HEDDLE_SOURCE/tests/annotations
unset KOKKOS_TOOLS_LIBS KOKKOS_PROFILE_LIBRARY NVTX_INJECTION64_PATH INTEL_LIBITTNOTIFY64
run_options=(--trace)

visits() {
	expect "$1: visits of $2: $(path_sum "$1" "$2"), not $3" test "$(path_sum "$1" "$2")" = "$3"
}

traced() {
	local name=$1
	same_behaviour "$@"
	expect "$name: the trace agrees" "$heddle" info --check-trace "$work/$name.heddle.d"
	folded "$name" --metric visits
}

# value NAME PHASE TEXT: the report's line of values below that phase
value() {
	"$heddle" report "$work/$1.heddle.d" --min 0 > "$work/$1.report"
	expect "$1: values of $2" grep -qF -- "$3" <(grep -A 1 -F "phase $2" "$work/$1.report")
}

# built NAME COMPILER ARGUMENTS...: in $work
built() {
	local name=$1
	shift
	(cd "$work" && "$@" -g -o "$name" > "$name.log" 2>&1) || { head -n 5 "$work/$name.log"; fail "$name does not compile"; finish; }
}
