/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs in signal handlers. */
#include "sampling/sources/switch_rate.h"

#define NS_PER_SECOND 1000000000u
#define FEW 32u                  /* switches: fewer are not significant */
#define LONG_SPAN_NS 50000000u   /* CPU time after which counting restarts */
#define RETURN_SPAN_NS 20000000u /* CPU time with few switches before a thread changes back, the first time */
#define MOST_RETURNS 2u          /* number of doublings of RETURN_SPAN_NS */

static void start_span(struct heddle_switch_rate *rate, uint64_t switches, uint64_t cpu_ns)
{
	rate->switches = switches;
	rate->cpu_ns = cpu_ns;
}

static void change(struct heddle_switch_rate *rate)
{
	rate->often = !rate->often;
	if (!rate->often && rate->returns < MOST_RETURNS)
		rate->returns++;
}

bool heddle__switch_rate_update(struct heddle_switch_rate *rate, uint64_t switches, uint64_t cpu_ns)
{
	if (switches < rate->switches || cpu_ns < rate->cpu_ns) /* another clock: a fork, or a new owner */
		start_span(rate, switches, cpu_ns);
	uint64_t span = cpu_ns - rate->cpu_ns, count = switches - rate->switches;
	uint64_t whole = rate->often ? (uint64_t)RETURN_SPAN_NS << rate->returns : LONG_SPAN_NS;
	bool over = span >= whole;
	bool changes = rate->often ? over && count * NS_PER_SECOND < span * HEDDLE_SWITCHES_SELDOM
				   : count >= FEW && count * NS_PER_SECOND >= span * HEDDLE_SWITCHES_OFTEN;
	if (changes)
		change(rate);
	if (changes || over)
		start_span(rate, switches, cpu_ns);
	return changes;
}
