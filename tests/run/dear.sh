#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# A measurement that takes much of the time says so: when the program has run for a second, when it has ended, and in the
# report, with what took it and the option that helps; and the option does help.
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
expect "functions: the end says it" said functions "of the CPU time was the measurement's own, [0-9]* % of it for .functions.: .*--inst-exclude-functions"
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

measured none "$work/small" none 1.2
expect "a program without events: nothing is said" eval '! said none "measurement.s own\|in events of the measurement"'

# Other programs on the processors take none of this one's CPU time.
measured phases "$work/small" phases 1.3
expect "phases: said on the spot, once" [ "$(grep -c 'spent [789][0-9] % of its CPU time in events' "$work/phases.err")" -eq 1 ]
finish
