# shellcheck shell=bash
# SPDX-License-Identifier: BSD-3-Clause
# Shared by the benchmarks: building programs, running variants in turn, medians and ratios from one run.
#   HEDDLE_BUILD   the build to measure; default: build/release of this tree
#   REPEATS        number of runs of every variant, in turn
set -eu
export LC_ALL=C
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
HEDDLE_BUILD=${HEDDLE_BUILD:-$here/../build/release}
# shellcheck disable=SC2034 # used by the scripts
heddle=$HEDDLE_BUILD/bin/heddle library=$HEDDLE_BUILD/lib/libheddle.so
CC=${CC:-$("$here/../cmake/openmp_clang")}
work=$(mktemp -d "${TMPDIR:-/tmp}/heddle-bench.XXXXXX")
trap 'rm -rf "$work"' EXIT

# build NAME SOURCE FLAGS...
build() {
	local name=$1 source=$2
	shift 2
	"$CC" -O2 -g -D_GNU_SOURCE -pthread -o "$work/$name" "$here/$source" "$@"
}

# Returns true if the library or program exists. Otherwise prints which variant is left out, and how to install it.
have() { [ -e "$1" ] || command -v "$1" > /dev/null || { echo "without $2: no $1${3:+ ($3)}" >&2; return 1; }; }

# measure OPTIONS... -- PROGRAM ARGUMENTS...: executes `heddle run` without printing its closing line.
measure() {
	local status=0
	"$heddle" run -o "$work/measured.$RANDOM$RANDOM" "$@" 2> "$work/stderr" || status=$?
	grep -v '^heddle: measured ' "$work/stderr" >&2 || true
	return $status
}

# with_tool VARIANT COMMAND...: runs an OpenMP program bare, with an OMPT tool that does nothing
# ($work/empty_ompt_tool.so), with Heddle's events, or with these and samples at 1,000 Hz. Heddle's measurement is
# $work/out.VARIANT.
# shellcheck disable=SC2034 # used by the scripts
tool_variants=(bare empty_tool events events_and_samples)
with_tool() {
	local variant=$1
	shift
	rm -rf "$work/out.$variant"
	case $variant in
	bare) OMP_TOOL=disabled "$@" ;;
	empty_tool) OMP_TOOL_LIBRARIES=$work/empty_ompt_tool.so "$@" ;;
	events) "$heddle" run --sample-hz 0 -o "$work/out.$variant" -- "$@" ;;
	events_and_samples) "$heddle" run --sample-hz 1000 -o "$work/out.$variant" -- "$@" ;;
	esac
}

# Prints the path of an installed library.
library_path() { PATH=$PATH:/sbin ldconfig -p | awk -v name="$1" '$1 == name { print $NF; exit }'; }

machine() {
	local model
	model=$(awk -F': *' '/^model name/ { print $2; exit }' /proc/cpuinfo)
	echo "$(uname -srm), $(nproc) processors${model:+ ($model)}, load $(cut -d' ' -f1 /proc/loadavg), $(date -u +%F)"
}

# record VARIANT: adds "VARIANT/KEY VALUE" for each "KEY VALUE" line on stdin to the results.
record() { awk -v variant="$1" 'NF == 2 && $2 ~ /^[0-9.]+$/ { print variant "/" $1, $2 }' >> "$work/results"; }

# quantile VARIANT/KEY FRACTION
quantile() {
	awk -v key="$1" '$1 == key { print $2 }' "$work/results" | sort -g |
		awk -v f="$2" '{ v[NR] = $1 } END { if (NR) print v[1 + int((NR - 1) * f + .5)] }'
}
median() { quantile "$1" .5; }

# table KEY UNIT BASE VARIANTS...: prints the median and the minimum of the repeats, each with its ratio to BASE's. The
# minimum depends less on how busy the machine is.
table() {
	local key=$1 unit=$2 base=$3 variant
	shift 2
	printf '%-26s %12s %8s %12s %8s\n' "$key, $unit" median "x $base" least "x $base"
	for variant in "$@"; do
		[ -n "$(median "$variant/$key")" ] || continue
		awk -v name="$variant" -v m="$(median "$variant/$key")" -v bm="$(median "$base/$key")" \
			-v l="$(quantile "$variant/$key" 0)" -v bl="$(quantile "$base/$key" 0)" \
			'BEGIN { printf "%-26s %12.5g %8.3f %12.5g %8.3f\n", name, m, m / bm, l, l / bl }'
	done
}
