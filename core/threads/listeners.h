/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Listeners: parts of core that account for time other than by slots (counters, blame). They register once; the shadow
 * stack and measurement control notify them without depending on which ones there are.
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
	/* True: must be notified of each region of each thread, so no region takes the fast path. */
	bool hears_regions;

	/*
	 * Called before measurement of all threads is paused or continued, and again afterwards; NULL: not notified.
	 * Context: any thread, signal.
	 */
	void (*switched)(void);

	/* Called before `opened` is pushed, or (NULL) before the innermost region changes otherwise. */
	void (*before_change)(struct heddle_thread *thread, const struct heddle_region *opened);

	/*
	 * Returns the measured tick of a change, from which on the outermost `depth` regions are open, and `opened` (if
	 * not NULL) on top of them; or 0 to accept `when` (0: now).
	 */
	uint64_t (*tick_of_change)(
		struct heddle_thread *thread, uint32_t depth, const struct heddle_region *opened, uint64_t when);

	/* Called when the thread's control is switched on or off; returns the measured tick of the switch, 0: now. */
	uint64_t (*tick_of_switch)(struct heddle_thread *thread, bool on);

	/* Called after the thread's control was switched on: discards counts while it was off. */
	void (*switched_on)(struct heddle_thread *thread);
};

#define HEDDLE_LISTENERS 4

/* The registered listeners; ends with the first NULL. */
extern const struct heddle_listener *heddle__listeners[HEDDLE_LISTENERS];

/* True when a listener hears regions. Set once. Context: init. */
extern bool heddle__regions_are_heard;

/* Registers `listener`, which must stay valid; repeating it has no effect. At most HEDDLE_LISTENERS. Context: init. */
void heddle__listen(const struct heddle_listener *listener);

/* Call `switched` of all listeners. Context: any thread, signal. */
void heddle__listeners_switched(void);

#endif
