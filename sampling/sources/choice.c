/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs in signal handlers. */
#include "sampling/sources/choice.h"

#define NS_PER_SECOND 1000000000u
#define FEW 32u                  /* switches: fewer are not significant */
#define LONG_SPAN_NS 50000000u   /* CPU time after which counting restarts */
#define RETURN_SPAN_NS 20000000u /* CPU time with few switches before a thread changes back, the first time */
#define MOST_RETURNS 2u          /* doublings of that */

static void start_span(struct heddle_choice *choice, uint64_t switches, uint64_t cpu_ns)
{
	choice->switches = switches;
	choice->cpu_ns = cpu_ns;
}

static void change(struct heddle_choice *choice)
{
	choice->often = !choice->often;
	if (!choice->often && choice->returns < MOST_RETURNS)
		choice->returns++;
}

bool heddle__choice_decide(struct heddle_choice *choice, uint64_t switches, uint64_t cpu_ns)
{
	if (switches < choice->switches || cpu_ns < choice->cpu_ns) /* another clock: a fork, or a new owner */
		start_span(choice, switches, cpu_ns);
	uint64_t span = cpu_ns - choice->cpu_ns, count = switches - choice->switches;
	uint64_t whole = choice->often ? (uint64_t)RETURN_SPAN_NS << choice->returns : LONG_SPAN_NS;
	bool over = span >= whole;
	bool changes = choice->often ? over && count * NS_PER_SECOND < span * HEDDLE_SWITCHES_SELDOM
				     : count >= FEW && count * NS_PER_SECOND >= span * HEDDLE_SWITCHES_OFTEN;
	if (changes)
		change(choice);
	if (changes || over)
		start_span(choice, switches, cpu_ns);
	return changes;
}
