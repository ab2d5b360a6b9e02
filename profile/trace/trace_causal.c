/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions for both meetings and locks: times, and violations. */
#include "profile/trace/trace_causal.h"

#include "profile/trace/trace_clock.h"

uint64_t profile_causal_time_of(const struct profile_causal_walk *walk, const struct profile_causal_machine *machine)
{
	if (!walk->shifts)
		return machine->next.ns;
	return profile_trace_shifted(&walk->shifts[machine - walk->machines], machine->next.ns);
}

int profile_causal_mend(
	struct profile_causal_walk *walk, struct profile_causal_machine *machine, uint64_t cause_ns, uint64_t since_ns)
{
	if (!walk->shifts)
		return 0;
	return profile_trace_shift_add(
		&walk->shifts[machine - walk->machines], machine->next.ns, cause_ns + 1, since_ns);
}

void profile_causal_violate(struct profile_trace_violations *sum, uint64_t late_ns, bool first, bool first_beyond)
{
	sum->violated += first;
	sum->beyond += first_beyond;
	sum->largest_ns = profile_causal_later(sum->largest_ns, late_ns);
}

uint64_t profile_causal_error_of(const struct profile_causal_walk *walk, const struct profile_causal_machine *machine)
{
	return profile_trace_clock_error(profile_causal_file_of(walk, machine->thread), machine->next.ns);
}
