/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs in signal handlers. */
#include "core/frontend.h"

#include "core/region.h"
#include "core/thread.h"

struct heddle_captured (*heddle__capture)(
	struct heddle_thread *thread, const struct heddle_caller *caller, uint32_t base);

uint64_t heddle__teller_low, heddle__teller_high;

void heddle__inquire(struct heddle_thread *thread, struct heddle_inquiry *inquiry)
{
	*inquiry = (struct heddle_inquiry){.base = thread->base, .state = HEDDLE_STATE_WORK};
	for (unsigned int i = 0; heddle__frontends[i]; i++) {
		if (heddle__frontends[i]->inquire && heddle__frontends[i]->inquire(thread, inquiry))
			return;
	}
}

struct heddle_captured heddle__caller_path(struct heddle_thread *thread, uintptr_t pc, uintptr_t sp, uintptr_t bp)
{
	struct heddle_inquiry inquiry;
	if (!heddle__capture)
		return (struct heddle_captured){.node = heddle__current_node(thread), .sp = sp};
	heddle__inquire(thread, &inquiry);
	if (inquiry.no_frames)
		return (struct heddle_captured){.node = inquiry.base, .sp = sp};
	const struct heddle_caller caller = {.pc = pc, .sp = sp, .bp = bp, .bounds = inquiry.bounds};
	return heddle__capture(thread, &caller, inquiry.base);
}
