/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The simulated runtime's loops and sections. Compiled so that they end with a jump to the callback, as in LLVM's
 * runtimes: no frame of the runtime is between the frames of the tool and the program.
 */
#include "simulated_internal.h"

typedef void (*callback)(uint64_t, uint64_t, const void *);

/* LLVM's runtime passes the outlined function of the region instead of the call's address. */
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
