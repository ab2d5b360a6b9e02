# shellcheck shell=bash
# SPDX-License-Identifier: BSD-3-Clause
# Helpers for programs with annotations for other tools, or with Heddle's own annotations in languages other than C:
#   visits NAME REGEX COUNT      the paths that match have COUNT visits in total
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

# value NAME PHASE TEXT: checks the line of values below that phase in the report
value() {
	"$heddle" report "$work/$1.heddle.d" --min 0 > "$work/$1.report"
	expect "$1: values of $2" grep -qF -- "$3" <(grep -A 1 -F "phase $2" "$work/$1.report")
}

# built NAME COMPILER ARGUMENTS...: compiles to $work/NAME
built() {
	local name=$1
	shift
	(cd "$work" && "$@" -g -o "$name" > "$name.log" 2>&1) || { head -n 5 "$work/$name.log"; fail "$name does not compile"; finish; }
}
