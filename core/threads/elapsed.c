/* SPDX-License-Identifier: BSD-3-Clause */
/* Elapsed time on the slow path, with listeners. */
#include "core/threads/elapsed.h"

#include "core/threads/listeners.h"

bool heddle__events_give_time;

void heddle__charge_elapsed(struct heddle_thread *thread, uint64_t now)
{
	heddle__record_before(thread);
	heddle__charge(thread, thread->off ? NULL : heddle__innermost_slot(thread), now);
}

/*
 * By a wall clock, each period is charged whole to the code that its signal interrupted. The time since the previous
 * signal would be too short after a late one: a thread that gets its processor back in a wait takes its late signal
 * there, and the next one, on time, may interrupt work. Periods without a signal are charged to the next one.
 */
static uint64_t elapsed_of_periods(struct heddle_thread *thread, uint64_t periods, uint64_t now)
{
	uint64_t period = thread->sampled.period_ticks, due = periods * period;
	uint64_t since = now > thread->sampled.ticks ? now - thread->sampled.ticks : 0;
	uint64_t elapsed = due < since && since - due < 2 * period ? due : since;
	thread->sampled.ticks += elapsed;
	return elapsed;
}

uint64_t heddle__elapsed_of_sample(struct heddle_thread *thread, uint64_t periods, uint64_t cpu_ns, uint64_t now)
{
	uint64_t elapsed =
		thread->sampled.period_ticks ? elapsed_of_periods(thread, periods, now) : heddle__ns_to_ticks(cpu_ns);
	return heddle__innermost_slot(thread) ? 0 : elapsed;
}

void heddle__charge_idle(struct heddle_thread *thread, uint64_t since, uint64_t now)
{
	if (!thread->idle_slot || now <= since || now <= thread->last_ticks)
		return;
	heddle__charge_elapsed(thread, since);
	if (heddle__is_traced(thread))
		heddle__trace_idles(thread);
	heddle__charge(thread, thread->idle_slot, now);
}

void heddle__notify_listeners(struct heddle_thread *thread, const struct heddle_region *opened)
{
	for (unsigned int i = 0; i < HEDDLE_LISTENERS && heddle__listeners[i]; i++) {
		if (heddle__listeners[i]->before_change)
			heddle__listeners[i]->before_change(thread, opened);
	}
}

uint64_t heddle__ask_listeners(
	struct heddle_thread *thread, uint32_t depth, const struct heddle_region *opened, uint64_t when)
{
	uint64_t tick = 0;
	for (unsigned int i = 0; !tick && i < HEDDLE_LISTENERS && heddle__listeners[i]; i++) {
		if (heddle__listeners[i]->tick_of_change)
			tick = heddle__listeners[i]->tick_of_change(thread, depth, opened, when);
	}
	return tick ? tick : when;
}

void heddle__charge_before_push(struct heddle_thread *thread, const struct heddle_region *opened, uint64_t when)
{
	heddle__notify_change(thread, opened);
	if (!thread->off && (heddle__innermost_slot(thread) || opened->slot || heddle__is_traced(thread)))
		heddle__charge_elapsed(thread, heddle__tick_of_change(thread, thread->stack.depth, opened, when));
}

void heddle__pop_to(struct heddle_thread *thread, uint32_t depth, uint64_t when)
{
	heddle__notify_change(thread, NULL);
	bool timed = heddle__innermost_slot(thread) || heddle__slot_at_depth(thread, depth);
	if (!thread->off && (timed || heddle__is_traced(thread)))
		heddle__charge_elapsed(thread, heddle__tick_of_change(thread, depth, NULL, when));
	heddle__stack_pop_to(&thread->stack, depth);
	heddle__record_pop(thread);
}

void heddle__charge_before_change(struct heddle_thread *thread)
{
	heddle__notify_change(thread, NULL);
	if (!thread->off)
		heddle__charge_elapsed(thread, heddle__measured_ticks());
}

void heddle__set_idle(struct heddle_thread *thread, struct heddle_slot *slot)
{
	heddle__notify_change(thread, NULL);
	thread->idles = slot;
	if (!thread->off && (thread->idle_slot || slot || heddle__is_traced(thread)))
		heddle__charge_elapsed(thread, heddle__tick_of_change(thread, thread->stack.depth, NULL, 0));
	thread->idle_slot = slot;
	if (heddle__is_traced(thread))
		heddle__trace_idle(thread);
}

uint64_t heddle__thread_ticks_at(uint64_t when)
{
	const struct heddle_thread *thread = heddle__thread_self();
	if (!thread)
		return when;
	if (thread->off && when > thread->times.off_since)
		when = thread->times.off_since;
	return when > thread->times.off_ticks ? when - thread->times.off_ticks : 0;
}

uint64_t heddle__thread_ticks(void)
{
	return heddle__thread_ticks_at(heddle__measured_ticks());
}

uint64_t heddle__tick_of_switch(struct heddle_thread *thread, bool on)
{
	uint64_t tick = 0;
	for (unsigned int i = 0; !tick && i < HEDDLE_LISTENERS && heddle__listeners[i]; i++) {
		if (heddle__listeners[i]->tick_of_switch)
			tick = heddle__listeners[i]->tick_of_switch(thread, on);
	}
	return tick ? tick : heddle__measured_ticks();
}

void heddle__stop_elapsed(struct heddle_thread *thread, uint64_t now)
{
	heddle__notify_change(thread, NULL);
	heddle__charge_elapsed(thread, now);
	if (heddle__is_traced(thread))
		heddle__trace_off(thread);
	thread->times.off_since = now;
	thread->off = true;
	heddle__update_special(thread);
}

void heddle__resume_elapsed(struct heddle_thread *thread, uint64_t now)
{
	thread->times.off_ticks += now - thread->times.off_since;
	thread->last_ticks = now;
	for (unsigned int i = 0; i < HEDDLE_LISTENERS && heddle__listeners[i]; i++) {
		if (heddle__listeners[i]->switched_on)
			heddle__listeners[i]->switched_on(thread);
	}
	thread->off = false;
	heddle__update_special(thread);
	if (heddle__is_traced(thread))
		heddle__trace_on(thread);
}
