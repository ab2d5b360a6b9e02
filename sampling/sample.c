/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The signal handler. It ends within a bounded number of steps, takes no lock, allocates only from the kernel, and
 * keeps errno; all signals are blocked meanwhile.
 */
#include <errno.h>
#include <unistd.h>

#include "core/control.h"
#include "core/counting.h"
#include "core/host.h"
#include "core/module.h"
#include "core/process.h"
#include "core/region.h"
#include "core/tree.h"
#include "sampling/adopt.h"

#define SYNC_SAMPLES 16

static uint64_t thread_cpu_ns(void)
{
	return heddle__clock_ns(CLOCK_THREAD_CPUTIME_ID);
}

/*
 * CPU time to charge for `periods`. Asking the thread's CPU clock is a system call (about 1 us): while samples come a
 * period apart, a period each is right, and the clock is asked now and then to stay so. After a gap (the thread was off
 * the CPU, or in the kernel, which is not interrupted) it decides.
 */
static uint64_t cpu_since_last(
	struct heddle_thread *thread, struct heddle_sampler_thread *sampler, uint64_t periods, uint64_t span_ticks)
{
	uint64_t nominal = periods * thread->period_ns;
	uint64_t charge = nominal;
	if (heddle__sampler_wall || ++sampler->since_sync >= SYNC_SAMPLES ||
		heddle__ticks_to_ns(span_ticks) > nominal + nominal / 2) {
		uint64_t now = thread_cpu_ns();
		sampler->since_sync = 0;
		charge = now > thread->charged_ns ? now - thread->charged_ns : 0;
	}
	thread->charged_ns += charge;
	return charge;
}

/* Elapsed time is the samples' business only where no open region takes it. */
static bool region_takes_time(const struct heddle_thread *thread)
{
	return thread->depth ? thread->regions[thread->depth - 1].slot != NULL : thread->idle_slot != NULL;
}

static void take_sample(struct heddle_thread *thread, struct heddle_sampler_thread *sampler, uint64_t periods,
	const ucontext_t *context)
{
	enum heddle_state state;
	uint64_t now = heddle__measured_ticks();
	uint64_t span = now > thread->sample_ticks ? now - thread->sample_ticks : 0;
	uint32_t node = heddle__sampled_path(thread, sampler, context, &state);
	if (thread->counting)
		heddle__charge_counters(thread, node);
	uint64_t cpu = cpu_since_last(thread, sampler, periods, span);
	if (!sampler->slot || sampler->slot->node != node)
		sampler->slot = heddle__slot(thread, node);
	struct heddle_slot *slot = sampler->slot;
	slot->value[HEDDLE_METRIC_SAMPLES] += periods;
	slot->value[HEDDLE_METRIC_CPU_TIME] += cpu;
	if (!region_takes_time(thread))
		slot->value[HEDDLE_METRIC_WALL_TIME] += heddle__sampler_wall ? span : heddle__ns_to_ticks(cpu);
	if (heddle__blames)
		heddle__blame_sample(thread, slot);
	thread->sample_ticks = now;
	thread->last_sample_node = node;
}

void heddle__charge_rest(struct heddle_thread *thread, struct heddle_sampler_thread *sampler)
{
	uint64_t now = thread_cpu_ns();
	uint64_t rest = now > thread->charged_ns ? now - thread->charged_ns : 0;
	uint32_t node = thread->last_sample_node;
	if (!thread->owner_samples && thread->start_routine) {
		uint32_t meta = HEDDLE_NODE_META(HEDDLE_NODE_FRAME, 0);
		node = heddle__tree_child(HEDDLE_TREE_ROOT, meta, heddle__place_of(thread->start_routine));
	}
	struct heddle_slot *slot = heddle__slot(thread, node);
	slot->value[HEDDLE_METRIC_CPU_TIME] += rest;
	slot->value[HEDDLE_METRIC_WALL_TIME] += region_takes_time(thread) ? 0 : heddle__ns_to_ticks(rest);
	thread->charged_ns = now;
	sampler->slot = NULL;
}

static void skip_paused(struct heddle_thread *thread, uint64_t periods)
{
	atomic_fetch_add_explicit(&heddle__process.samples_paused, periods, memory_order_relaxed);
	thread->sample_ticks = heddle__measured_ticks();
	thread->paused_cpu_ns += thread_cpu_ns() - thread->charged_ns;
	thread->charged_ns = thread_cpu_ns();
}

static void handle(struct heddle_thread *thread, uint64_t periods, const ucontext_t *context)
{
	struct heddle_sampler_thread *sampler = heddle__sampler_of(thread);
	bool nested = atomic_load_explicit(&thread->inside, memory_order_relaxed) != 0;
	heddle__enter(thread);
	atomic_thread_fence(memory_order_seq_cst); /* the writer sees us inside, or we see it frozen */
	uint8_t state = atomic_load_explicit(&heddle__run_state, memory_order_relaxed);
	if (state == HEDDLE_PAUSED || (state == HEDDLE_RUNNING && thread->off)) {
		if (!nested)
			skip_paused(thread, periods);
	} else if (state != HEDDLE_OFF) {
		thread->samples += periods;
		thread->owner_samples += periods;
		if (nested || state == HEDDLE_FROZEN)
			atomic_fetch_add_explicit(&thread->pending, periods, memory_order_relaxed);
		else
			take_sample(thread, sampler, periods, context);
	}
	atomic_signal_fence(memory_order_seq_cst);
	if (nested || state == HEDDLE_FROZEN)
		atomic_fetch_sub_explicit(&thread->inside, 1, memory_order_release);
	else
		heddle__leave(thread);
}

/* A thread's first period was cut short by chance, so that short threads are sampled as often as long ones. */
static void set_full_period(struct heddle_timer *timer)
{
	timer->full_period = true;
	if (timer->source->set_period)
		timer->source->set_period(timer, heddle__sampler_period);
}

/* The periods that a signal stands for; 0: it is not a sample. */
static uint64_t count_periods(struct heddle_timer *timer, const siginfo_t *info)
{
	return timer->source ? timer->source->periods(timer, info) : 0;
}

/* The calling thread's context. A bare clone may share the storage that names another one's. */
static struct heddle_thread *own_context(void)
{
	struct heddle_thread *thread = heddle__thread_self();
	if (!thread)
		return heddle__adopt_self();
	return heddle__adopt_searching() && thread->tid != gettid() ? NULL : thread;
}

void heddle__on_sample(int number, siginfo_t *info, void *context)
{
	int saved = errno;
	struct heddle_thread *thread = own_context();
	struct heddle_sampler_thread *sampler = thread ? heddle__sampler_of(thread) : NULL;
	uint64_t periods = sampler ? count_periods(&sampler->timer, info) : 0;
	if (periods) {
		if (!sampler->timer.full_period)
			set_full_period(&sampler->timer);
		handle(thread, periods, context);
	} else if (!sampler || info->si_code != SI_TIMER || info->si_value.sival_ptr != &sampler->timer) {
		heddle__foreign_signal(number, info, context);
	}
	errno = saved;
}
