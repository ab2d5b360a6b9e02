#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# A measurement that takes much of the time is reported: when the program has run for a second, when it has ended, and
# in the report, with the cause and the option that helps; and the option does help.
. "${BASH_SOURCE%/*}/lib.sh"

cat > "$work/small.c" <<'END'
#include <heddle.h>
#include <stdlib.h>
#include <time.h>
static volatile int sink;
__attribute__((noinline)) static int tiny(int n)
{
	return n + sink;
}
static double used(void)
{
	struct timespec now;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
__attribute__((no_instrument_function)) static void run(char what, double seconds)
{
	while (used() < seconds)
		for (int i = 0; i < 10000; i++) {
			if (what == 'p') {
				heddle_phase_begin("p");
				heddle_phase_begin("q");
				heddle_phase_end("q");
				heddle_phase_end("p");
			} else if (what == 'f') {
				sink = tiny(i);
			} else {
				sink = i;
			}
		}
}
/* Events below many frames take longer. */
__attribute__((noinline, no_instrument_function)) static void below(int frames, char what, double seconds)
{
	if (frames > 0)
		below(frames - 1, what, seconds);
	else
		run(what, seconds);
	sink++;
}
int main(int argc, char **argv)
{
	below(*argv[1] == 'p' ? 50 : 0, *argv[1], argc > 2 ? atof(argv[2]) : 1);
	return 0;
}
END
"$heddle" cc --inst-functions -O1 "$work/small.c" -o "$work/small" || { fail "heddle cc"; finish; }

said() { grep -q "$2" "$work/$1.err"; }
reports() { "$heddle" report "$work/$1.heddle.d" | grep -q "$2"; }

measured functions "$work/small" functions 0.5
expect "functions: the end of the run reports the cost" said functions "of the CPU time was the measurement's own, [0-9]* % of it for .functions.: .*--inst-exclude-functions"
expect "functions: the report names the place and the option" \
	reports functions "the measurement's own, .*of it at .tiny.[^;]*; compile with .--inst-exclude-functions=tiny."

"$heddle" cc --inst-exclude-functions=tiny -O1 "$work/small.c" -o "$work/excluded" || fail "heddle cc"
measured excluded "$work/excluded" functions 0.5
expect "functions: the option helps" eval '! said excluded "the measurement.s own"'

echo '!GASP_C_FUNC' > "$work/events"
run_options=(--events "$work/events")
measured left_out "$work/small" functions 0.5
expect "an excluded event is not measured" eval '! reports left_out "the measurement.s own"'
run_options=()

# option NAME: sets run_options to the options that the end of that run advises
option() {
	local words
	words=$(sed -n 's/.*measurement.s own.*`heddle run \([^`]*\)`.*/\1/p' "$work/$1.err")
	eval "run_options=($words)"
	[ -n "$words" ]
}

cat > "$work/blocks.c" <<'END'
#include <stdlib.h>
int main(void)
{
	void *volatile block;
#pragma omp parallel num_threads(1)
	for (int i = 0; i < 2000000; i++) {
		block = malloc(16);
		free(block);
	}
	return 0;
}
END
"$HEDDLE_CLANG" -O1 -fopenmp "$work/blocks.c" -o "$work/blocks" || fail "clang"
run_options=(--memory)
measured blocks "$work/blocks"
expect "memory: the option is named" option blocks
expect "memory: malloc's time is not that of the region around it" reports blocks "leaves these events out" # not: openmp's
run_options=()

cat > "$work/barriers.c" <<'END'
int main(void)
{
#pragma omp parallel num_threads(1)
	for (int i = 0; i < 5000000; i++) {
#pragma omp barrier
	}
	return 0;
}
END
"$HEDDLE_CLANG" -O1 -fopenmp "$work/barriers.c" -o "$work/barriers" || fail "clang"
measured barriers "$work/barriers"
expect "OpenMP: the option is named" option barriers
expect "OpenMP: the option excludes barriers" [ "${run_options[1]:-}" = '!ompt_callback_sync_region:barrier' ]
measured fewer "$work/barriers"
expect "OpenMP: the option helps" eval '! said fewer "the measurement.s own"'
run_options=()

if [ -x "$HEDDLE_BUILD/libexec/heddle/heddle-upcc1" ]; then
	cat > "$work/get.upc" <<'END'
#include <upc_relaxed.h>
shared [100] int a[100 * THREADS];
static volatile int sink;
int main(void)
{
	for (int i = 0; i < 1500000; i++)
		sink = a[(MYTHREAD + 1) % THREADS * 100 + i % 100];
	return 0;
}
END
	"$heddle" upcc -O2 --inst "$work/get.upc" -o "$work/get" || fail "heddle upcc"
	run_options=(-n 2 --inst-time all)
	measured gets "$work/get"
	expect "UPC: the option is named" option gets
	expect "UPC: the option times some accesses" [ "${run_options[*]}" = "--inst-time sampled" ]
	run_options+=(-n 2)
	measured some "$work/get"
	expect "UPC: the option helps" eval '! said some "the measurement.s own"'
	run_options=(-n 2 --accesses)
	measured variables "$work/get"
	expect "UPC: with --accesses" eval '! said variables "the measurement.s own"'
	sed -i 's/\[100\]/[1]/' "$work/get.upc"
	"$heddle" upcc -O2 --inst "$work/get.upc" -o "$work/get" || fail "heddle upcc"
	run_options=(-n 3 --accesses)
	measured variables "$work/get"
	expect "UPC: --accesses is named" said variables "own, [0-9]* % of it for .upc get.: without .--accesses. they cost less"
	run_options=()
fi

measured none "$work/small" none 1.2
expect "a program without events: nothing is said" eval '! said none "measurement.s own\|in events of the measurement"'

# Other programs on the processors do not change this program's share of CPU time.
measured phases "$work/small" phases 1.3
expect "phases: reported once during the run" [ "$(grep -c 'spent [789][0-9] % of its CPU time in events' "$work/phases.err")" -eq 1 ]
finish
