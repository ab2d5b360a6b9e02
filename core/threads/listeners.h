/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Listeners: parts of core that account for time in other ways than by slots (counters, blame). They register once; the
 * shadow stack and measurement control notify them and need not know which parts there are.
 */
#ifndef HEDDLE_CORE_LISTENERS_H
#define HEDDLE_CORE_LISTENERS_H

#include <stdbool.h>
#include <stdint.h>

struct heddle_region;
struct heddle_thread;

/*
 * Any member may be NULL. Members other than `switched` are called only on threads with HEDDLE_SPECIAL_VALUES. Their
 * context: owner thread, inside.
 */
struct heddle_listener {
	/* True: it must be notified of each region of each thread, so regions cannot take the fast path. */
	bool hears_regions;

	/*
	 * Measurement of all threads is about to be paused or to continue, and again when it has; NULL: not notified.
	 * Context: any thread, signal.
	 */
	void (*switched)(void);

	/* `opened` is pushed next, or (NULL) the innermost region changes otherwise. */
	void (*before_change)(struct heddle_thread *thread, const struct heddle_region *opened);

	/*
	 * The measured tick of a change: from then on the outermost `depth` regions are open, and `opened` (if not
	 * NULL) on top of them. Suggested: `when` (0: now). Returned 0: as suggested.
	 */
	uint64_t (*tick_of_change)(
		struct heddle_thread *thread, uint32_t depth, const struct heddle_region *opened, uint64_t when);

	/* The thread's control is switched on or off; returns the measured tick of the switch, 0: now. */
	uint64_t (*tick_of_switch)(struct heddle_thread *thread, bool on);

	/* The thread's control was switched on: counts while it was off are discarded. */
	void (*switched_on)(struct heddle_thread *thread);
};

#define HEDDLE_LISTENERS 4

/* The registered listeners; ends with the first NULL. */
extern const struct heddle_listener *heddle__listeners[HEDDLE_LISTENERS];

/* True when a listener hears regions. Set once. Context: init. */
extern bool heddle__regions_are_heard;

/* Register `listener`, which must stay valid; a second time has no effect. At most HEDDLE_LISTENERS. Context: init. */
void heddle__listen(const struct heddle_listener *listener);

/* Call `switched` of all listeners. Context: any thread, signal. */
void heddle__listeners_switched(void);

#endif
