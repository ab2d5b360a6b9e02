# shellcheck shell=bash
# SPDX-License-Identifier: BSD-3-Clause
# Helpers of the scripts in this folder. A script sources this file, calls helpers, and ends with `finish`. A failed
# expectation is printed and counted, so one run shows all of them.
#
#   compile NAME SOURCE [FLAGS...]      tests/programs/SOURCE -> $work/NAME, warnings are errors
#   bare NAME COMMAND...                runs it; $work/NAME.out, .err and .outcome ("exit 3", "signal 11", "hang")
#   measured NAME COMMAND...            runs it under `heddle run`; the measurement is $work/NAME.heddle.d
#   same_behaviour NAME COMMAND...      bare and measured: stdout and outcome must be equal. Bare, it burns a tenth (burn.h)
#   folded NAME [OPTIONS...]            exports to $work/NAME.folded, with the sums over all processes
#   path_sum NAME REGEX                 prints the sum of the values of the paths that match
#   simulate                            makes `measured` use a simulated machine from now on: time passes only where
#                                       programs burn it (tests/support/simulated.h), and numbers are exact
#   sampled_all NAME NS REGEX COMMAND...   same_behaviour on the real machine, where the paths have samples, and on a
#                                       simulated one, where they have exactly that much CPU time
#   truth_exact NAME                    reads "function regex" lines: CPU time is what the program printed, to the ns
#   whole_paths NAME                    reads the same lines: each function has samples, on matching paths only
#   cpu_time NAME LOW REGEX HIGH        the sum of CPU time, in ns, is within the bounds; measured again if it is not
#   expect MESSAGE CONDITION...         a command that must succeed
# The environment: HEDDLE_BUILD, HEDDLE_SOURCE (from CTest); KEEP=1 keeps $work. The variables hz, seconds, run_options
# and kill_options change how programs are run.
set -u
: "${HEDDLE_BUILD:?the build directory}" "${HEDDLE_SOURCE:?the source directory}"
. "$HEDDLE_SOURCE/tests/support/patience.sh" || exit 1
heddle=$HEDDLE_BUILD/bin/heddle
# shellcheck disable=SC2034 # used by scripts
library=$HEDDLE_BUILD/lib/libheddle.so
programs=$HEDDLE_SOURCE/tests/programs
runner=$heddle # measures programs
simulate() { runner=$HEDDLE_BUILD/tests/simulated/bin/heddle; }
work=$(mktemp -d "${TMPDIR:-/tmp}/heddle-test.XXXXXX")
cleanup() { if [ -n "${KEEP:-}" ]; then echo "kept: $work"; else rm -rf "$work"; fi; }
trap cleanup EXIT

hz=1000         # of the measured runs
seconds=${HEDDLE_TEST_SECONDS:-240} # after which a run counts as hung: the machine may be busy
run_options=()  # more options for `heddle run`
failures=0
checks=0

unset LD_PRELOAD OMP_TOOL OMP_TOOL_LIBRARIES "${!HEDDLE_SAMPLE@}" HEDDLE_OUTPUT

skip() { echo "skipped: $*"; exit 77; }
failed_checks=() # repeated by `finish`, as readers see only the end of a long output
reason=          # of the check that is failing now
fail() { echo "FAILED: $*"; failures=$((failures + 1)); failed_checks+=("$*${reason:+: $reason}"); reason=; }
finish() {
	[ "$failures" -eq 0 ] || printf 'failed: %s\n' "${failed_checks[@]}"
	echo "$checks checks, $failures failed"
	[ "$failures" -eq 0 ] && [ "$checks" -gt 0 ]
	exit
}

expect() {
	local message=$1
	shift
	checks=$((checks + 1))
	"$@" || fail "$message"
}

need() { command -v "$1" > /dev/null || skip "no $1 on this machine"; }

# Chooses the compiler by the source's language, unless CC, CXX or FC name one.
compile() {
	local name=$1 source=$2 compiler
	shift 2
	case $source in
	*.cpp) compiler=${CXX:-$HEDDLE_CLANGXX} ;;
	*.f90) compiler=${FC:-gfortran} ;;
	*) compiler=${CC:-$HEDDLE_CLANG} ;;
	esac
	need "$compiler"
	(cd "$work" && "$compiler" -O2 -g -Wall -Wextra -Werror -fno-optimize-sibling-calls -pthread \
		-D_GNU_SOURCE -o "$name" "$programs/$source" "$@") || { fail "$source does not compile"; finish; }
}

# The outcome helper distinguishes exit status and signal, and ends hung programs with their children.
run_as() {
	local name=$1 # the rest: [-s SIGNAL MILLISECONDS WORD] COMMAND...
	shift
	patience_for "$seconds"
	"$HEDDLE_BUILD/tests/outcome" "$work/$name.outcome" "$patience" "$@" > "$work/$name.out" 2> "$work/$name.err" < /dev/null
}

kill_options=()
bare() {
	local name=$1
	shift
	run_as "$name" "${kill_options[@]}" -- "$@"
}

measured() {
	local name=$1
	shift
	[ ! -e "$work/$name.heddle.d" ] || rm -rf "$work/$name.heddle.d"
	{
		export -p
		declare -p runner hz seconds run_options kill_options
		printf 'set --'
		printf ' %q' "$@"
	} > "$work/$name.how" # builtins only: no process is started
	run_as "$name" "${kill_options[@]}" -- "$runner" run --sample-hz "$hz" "${run_options[@]}" \
		-o "$work/$name.heddle.d" -- "$@"
}

# again NAME OTHER: repeats a measurement and its export under another name, in a subshell with its environment.
again() (
	local other=$2
	# shellcheck source=/dev/null
	. "$work/$1.how" # the recorded environment and command
	measured "$other" "$@"
	folded "$other" --metric cpu-time
	[ -s "$work/$other.folded" ]
)

outcome() {
	local line=
	read -r line < "$work/$1.outcome"
	echo "$line"
}
ended() {
	local found=
	read -r found < "$work/$1.outcome"
	[ "$found" = "$2" ] && return
	reason=$found
	echo "  $1: $found"
	tail -n 5 "$work/$1.err"
	false
}

same_output() {
	cmp -s "$work/$1.out" "$work/$2.out" || { diff "$work/$1.out" "$work/$2.out" | head -n 10; tail -n 3 "$work/$2.err"; false; }
}

same_behaviour() {
	local name=$1
	shift
	BURN_PERCENT=10 bare "$name.bare" "$@"
	measured "$name" "$@"
	expect "$name: the bare program hung" test "$(outcome "$name.bare")" != hang
	expect "$name: same outcome ($(outcome "$name.bare"))" ended "$name" "$(outcome "$name.bare")"
	expect "$name: same output" same_output "$name.bare" "$name"
}

# On the real machine, when samples arrive is not determined. The simulated machine shows that none is missing.
sampled_all() {
	local name=$1 ns=$2 regex=$3 machine=$runner
	shift 3
	same_behaviour "$name" "$@"
	folded "$name" --metric cpu-time
	expect "$name: sampled (path $regex)" has_path "$name" "$regex"
	simulate
	measured "$name.simulated" "$@"
	runner=$machine
	expect "$name, simulated: same outcome ($(outcome "$name.bare"))" ended "$name.simulated" "$(outcome "$name.bare")"
	expect "$name, simulated: same output" same_output "$name.bare" "$name.simulated"
	folded "$name.simulated" --metric cpu-time
	expect "$name, simulated: $ns ns (path $regex)" is_sum "$name.simulated" "$regex" "$ns"
}

. "$HEDDLE_SOURCE/tests/support/messages.sh"
# Prints the number of Heddle's lines, without the closing line of `heddle run`.
heddle_lines() { messages "$work/$1.err" | grep -vc '^heddle: measured '; }
profile_files() { find "$work/$1.heddle.d" -name '*.heddle' 2> /dev/null | wc -l; }
has_profiles() { [ "$(profile_files "$1")" -ge "$2" ]; } # NAME COUNT

folded() {
	local name=$1
	shift
	checks=$((checks + 1))
	in_time "$heddle" export "$work/$name.heddle.d" --format folded "$@" > "$work/$name.folded" ||
		fail "$name: export"
}

# Everything before the last space is the path.
path_sum() {
	REGEX=$2 awk '{ path = $0; sub(/ [0-9]+$/, "", path); if (path ~ ENVIRON["REGEX"]) sum += $NF }
		END { printf "%.0f\n", sum }' "$work/$1.folded"
}

paths() { sed 's/ [0-9]*$//' "$work/$1.folded"; }
has_path() { paths "$1" | grep -qE -- "$2" || { echo "  no path like $2; there are:"; paths "$1" | head -n 8; false; }; }
no_path() { reason=$(paths "$1" | grep -E -- "$2" | head -n 5); [ -z "$reason" ] || { echo "$reason"; false; }; }

between() { awk -v low="$1" -v x="$2" -v high="$3" 'BEGIN { exit !(low <= x && x <= high) }' || { echo "  $2 is not in $1 .. $3"; false; }; }

sum_between() { between "$2" "$(path_sum "$1" "$3")" "$4"; }

# right_once NAME CONDITION...: the condition holds for the exported CPU time of this measurement, or of one of two
# repetitions. On a busy virtual machine a sample may be 50 ms late, and its time is charged to what runs then. An error
# of Heddle appears each time.
right_once() {
	local name=$1 attempt
	shift
	for attempt in 2 3; do
		"$@" && return
		echo "  $name: measured again"
		again "$name" "$name-$attempt" && mv "$work/$name-$attempt.folded" "$work/$name.folded"
	done
	"$@"
}

cpu_time() { right_once "$1" sum_between "$@"; }

# Prints the first number in the line of `heddle info` that contains the words.
info_number() {
	in_time "$heddle" info "$work/$1.heddle.d" | grep -i -m 1 -- "$2" | tr -d ",'" | grep -oE '[0-9]+' | head -n 1
}

# Frames of a runtime, of Heddle, of thread start or of the compiler: no user-level path may contain one. A sample in
# the code that calls main has no other frame and is a path by itself.
foreign_frames='(^|;)(_*kmpc?_|_*kmp_|__ompt|ompt_|GOMP_|lib(omp|gomp|heddle)[^;]*\+0x|heddle__|__restore_rt|_start;|__libc_start[^; ]*;|start_thread|_*clone3?(;|$))|;(_start|__libc_start)'
compiler_names='omp_outlined|_omp_fn|omp_task_entry'

# Compares "function share" lines in NAME.out with "function regex" lines on stdin: by cpu-time, within $tolerance
# percentage points of the time of all burn functions. On a busy machine there are few samples a second: up to three
# runs average out chance, but not an error of the profile.
tolerance=2
truth_shares() {
	local name=$1 wanted runs=("$1") failed_before=$failures
	wanted=$(cat)
	while ! shares_agree > "$work/$name.shares" && [ "${#runs[@]}" -lt 3 ]; do
		echo "  $name: not within $tolerance points after ${#runs[@]} runs; once more"
		again "$name" "$name.again${#runs[@]}" || break
		runs+=("$name.again${#runs[@]}")
	done
	expect "$name: burn functions were sampled" between 1 "$(path_sum "$name" '(^|;|:| )burn_')" 1e18
	cat "$work/$name.shares"
	checks=$((checks + $(wc -l < "$work/$name.shares") - 1))
	expect "$name: the shares of ${#runs[@]} runs" shares_agree > /dev/null
	[ "$failures" -eq "$failed_before" ] || { echo "  the paths:"; sort -t' ' -k2 "$work/$name.folded" | head -n 60; }
}

# Prints the mean of the given numbers.
mean() { printf '%s\n' "$@" | awk '{ sum += $1 } END { print sum / NR }'; }

# For truth_shares: compares all functions in $wanted, by the mean of $runs.
shares_agree() {
	local function regex run truths shares share got all=0
	while read -r function regex; do
		truths=() shares=()
		for run in "${runs[@]}"; do
			truths+=("$(awk -v f="$function" '$1 == f { print 100 * $2 }' "$work/$run.out")")
			shares+=("$(awk -v sum="$(path_sum "$run" "$regex")" -v all="$(path_sum "$run" '(^|;|:| )burn_')" \
				'BEGIN { print 100 * sum / (all ? all : 1) }')")
		done
		share=$(mean "${truths[@]}") got=$(mean "${shares[@]}")
		printf '  %-18s truth %6.2f %%  measured %6.2f %%  (path %s)\n' "$function" "$share" "$got" "$regex"
		awk -v s="$share" -v g="$got" -v t="$tolerance" 'BEGIN { exit !(g - s <= t && s - g <= t) }' ||
			{ echo "  $function: outside of $tolerance points"; all=1; }
	done <<< "$wanted"
	return "$all"
}

# On a simulated machine: each function on stdin has, by cpu-time, exactly the time that the program printed, and all
# paths together have the process's. Parts are whole periods, so each sample belongs to one function.
truth_exact() {
	local name=$1 function regex truth
	while read -r function regex; do
		truth=$(awk -v f="$function" '$1 == f { print $3 }' "$work/$name.out")
		expect "$name: $function: ns by cpu-time, of the truth: $truth (path $regex)" is_sum "$name" "$regex" "${truth:-none}"
	done
	[ -z "$(process_cpu "$name")" ] || expect "$name: the sum is the process's" is_sum "$name" . "$(process_cpu "$name")"
}
process_cpu() { awk '$1 == "process_cpu_ns" { print $2 }' "$work/$1.err"; }
is_sum() { reason=$(path_sum "$1" "$2"); [ "$reason" = "$3" ] && reason=; }

# On the real machine: each function on stdin was sampled, only on paths that match.
whole_paths() {
	local name=$1 function regex
	while read -r function regex; do
		expect "$name: $function was sampled (path $regex)" has_path "$name" "$regex"
		expect "$name: $function is in no other path" is_sum "$name" "(^|;)$function(;|\$)" "$(path_sum "$name" "$regex")"
	done
}

# Prints the CPU time, in ns, of `heddle run` with a program that does nothing: an upper limit for a start.
start_up() {
	local TIMEFORMAT='%3U %3S'
	rm -rf "$work/start-up.heddle.d"
	{ time "$heddle" run -o "$work/start-up.heddle.d" -- true > /dev/null 2>&1; } 2>&1 |
		awk '{ printf "%.0f", ($1 + $2) * 1e9 }'
}

# All samples taken are in the file; the paths' time is the process's; no path has a foreign frame.
truth_whole() {
	local name=$1 cpu slack
	folded "$name" --metric samples
	expect "$name: periods counted = samples in paths" test "$(info_number "$name" '^ *periods')" = "$(path_sum "$name" .)"
	folded "$name" --metric cpu-time
	cpu=$(process_cpu "$name")
	# The start is not measured; it takes more than 1 % of a short program.
	slack=$(awk -v c="$cpu" -v s="$(start_up)" 'BEGIN { print s < c / 100 ? c / 100 : s }')
	expect "$name: cpu-time of all paths within 1 %, or $slack ns, of the process's" \
		between "$(awk -v c="$cpu" -v s="$slack" 'BEGIN { printf "%.0f", c - s }')" "$(path_sum "$name" .)" \
		"$(awk -v c="$cpu" -v s="$slack" 'BEGIN { printf "%.0f", c + s }')"
	expect "$name: no foreign frame in a path" no_path "$name" "$foreign_frames"
	expect "$name: no compiler-made name in a path" no_path "$name" "$compiler_names"
}

# Prints the number of the line of tests/programs/FILE with the comment `line: WORD`.
line_of() { grep -n "line: $2 " "$programs/$1" | head -n 1 | cut -d: -f1; }

# The version of the installed LLVM OpenMP runtime. other_runtimes prints those unpacked below build/deps: programs
# compiled by clang 19 need a function that older ones lack.
# shellcheck disable=SC2034 # used by scripts
installed_runtime=${HEDDLE_CLANG##*-}
other_runtimes() {
	local directory found=

	for directory in "$HEDDLE_SOURCE"/build/deps/llvm-[0-9]*; do
		[ -e "$directory/libomp.so.5" ] && [ "${directory##*-}" != "$installed_runtime" ] || continue
		[ "$installed_runtime" -lt 19 ] || [ "${directory##*-}" -ge 19 ] || continue
		found="$found ${directory##*-}"
	done
	[ -n "$found" ] || echo "other versions of LLVM's OpenMP runtime not tried: none is below build/deps" >&2
	echo "$found"
}

# Prints the directory of another version.
runtime_dir() {
	local file
	file=$(find "$HEDDLE_SOURCE/build/deps/llvm-$1" -name libomp.so.5 -print -quit 2> /dev/null)
	[ -n "$file" ] && dirname "$(readlink -f "$file")"
}
