/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The simulated runtime's loops and sections. Compiled so that the callback's call is the last thing they do, a jump,
 * as in LLVM's runtimes: then no frame of the runtime stands between the tool's and the program's.
 */
#include "simulated_internal.h"

typedef void (*callback)(uint64_t, uint64_t, const void *);

/* LLVM's runtime passes the region's outlined function instead of the call. */
void sim_work_begin(enum sim_work kind)
{
	static const int events[] = {EVENT_loop_begin, EVENT_sections_begin, EVENT_workshare_begin};
	const struct thread *me = sim_me();
	const struct team *team = team_of(me);
	const void *code = sim_is_llvm && team ? (const void *)team->body : __builtin_return_address(0);
	callback tell = (callback)sim_callbacks[events[kind]];
	if (tell)
		tell(team ? team->id : 0, me->current->id, code);
}

void sim_work_end(enum sim_work kind)
{
	static const int events[] = {EVENT_loop_end, EVENT_sections_end, EVENT_workshare_end};
	const struct thread *me = sim_me();
	const struct team *team = team_of(me);
	callback tell = (callback)sim_callbacks[events[kind]];
	if (tell)
		tell(team ? team->id : 0, me->current->id, NULL);
}
