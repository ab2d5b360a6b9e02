/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The signal handler. It ends within a bounded number of steps, takes no lock, allocates only from the kernel, and
 * preserves errno; all signals are blocked meanwhile.
 */
#include <errno.h>
#include <unistd.h>

#include "core/base/notes.h"
#include "core/base/process_info.h"
#include "core/blame/blame.h"
#include "core/counters/counting.h"
#include "core/host/claimed_signal.h"
#include "core/modules/module.h"
#include "core/process/live.h"
#include "core/threads/control.h"
#include "core/threads/region.h"
#include "core/threads/start_node.h"
#include "core/tree/tree.h"
#include "sampling/discover.h"

#define CROWDED_SAMPLES 16
#define MOST_STRETCH 6

static uint64_t thread_cpu_ns(void)
{
	return heddle__clock_ns(CLOCK_THREAD_CPUTIME_ID);
}

/*
 * Counts late samples: periods that ended without a signal, in the kernel if that is not sampled, or because signals
 * merged.
 */
static void count_late(uint64_t charge, uint64_t nominal)
{
	uint64_t late = charge > nominal ? (charge - nominal) / heddle__sampler_period : 0;
	if (late && heddle__process.sample_hz)
		atomic_fetch_add_explicit(&heddle__process.samples_late, late, memory_order_relaxed);
}

/*
 * Returns the CPU time to charge for `periods`. Reading the thread's CPU clock is a system call (about 1 us): while
 * samples are a period apart, each is charged one period, and the clock is read at intervals as a correction. After a
 * gap (the thread was off the CPU, or in the kernel while that is not sampled) the clock decides.
 *
 * If signals are not a period apart, the clock decides each time. A thread that runs only briefly is hit by the
 * kernel's tick after widely varying amounts of CPU time; as weights, these would make the shares of paths as inexact
 * as half the number of samples. So half of what is due is left to the next sample, which evens it out.
 */
static uint64_t cpu_since_last(
	struct heddle_thread *thread, struct heddle_sampler_thread *sampler, uint64_t periods, uint64_t span_ticks)
{
	uint64_t nominal = periods * thread->sampled.period_ns;
	uint64_t charge = nominal;
	if (heddle__sampler_wall || !sampler->timer.source->steady || ++sampler->since_sync >= HEDDLE_SYNC_SAMPLES ||
		heddle__ticks_to_ns(span_ticks) > nominal + nominal / 2) {
		uint64_t now = thread_cpu_ns();
		uint64_t due = now > thread->sampled.charged_ns ? now - thread->sampled.charged_ns : 0;
		bool uneven = !heddle__sampler_wall && !sampler->timer.source->steady;
		sampler->since_sync = 0;
		charge = uneven ? due - due / 2 : due;
		if (!uneven && !heddle__sampler_wall)
			count_late(charge, nominal);
	}
	thread->sampled.charged_ns += charge;
	return charge;
}

/* Returns, and settles, elapsed time of sampled code that events have charged already; at most `elapsed`. */
static uint64_t pay_owed(struct heddle_thread *thread, uint64_t elapsed)
{
	uint64_t owed = thread->sampled.owed_ticks;
	uint64_t paid = owed < elapsed ? owed : elapsed;
	thread->sampled.owed_ticks -= paid;
	return paid;
}

static void count_signal(const struct heddle_sampler_thread *sampler, uint64_t cpu)
{
	struct heddle_sample_source *row = &heddle__process.sample_sources[heddle__source_index(sampler->timer.source)];
	atomic_fetch_add_explicit(&row->signals, 1, memory_order_relaxed);
	atomic_fetch_add_explicit(&row->cpu_ns, cpu, memory_order_relaxed);
}

/*
 * Charges elapsed time that no open region is charged. A lock wait that only the runtime's state reports is not in the
 * table of locks, so its holder is unknown.
 */
static void charge_elapsed(
	struct heddle_thread *thread, struct heddle_slot *slot, enum heddle_state state, uint64_t ticks)
{
	slot->value[HEDDLE_METRIC_WALL_TIME] += ticks;
	if (heddle__blames && state == HEDDLE_STATE_LOCK_WAIT)
		heddle__blame_no_culprit(thread, HEDDLE_STATE_NO_HOLDER, HEDDLE_METRIC_LOCK_BLAME, ticks);
}

/*
 * A first sample after a shortened period t of P is charged t. With that alone, the first P of each thread would get
 * half of its share, and the last P half as much again: the time that is left at the end, P - t on average, would be
 * charged to the last sample. So the first sample is recorded, and is charged that time (heddle__charge_rest).
 */
static void remember_first(struct heddle_sampler_thread *sampler, uint32_t node, uint64_t cpu, uint64_t period)
{
	if (sampler->first_node)
		return;
	sampler->first_node = node;
	sampler->first_lacks_ns = !heddle__sampler_wall && cpu < period ? period - cpu : 0;
}

static void take_sample(struct heddle_thread *thread, struct heddle_sampler_thread *sampler, uint64_t periods,
	const ucontext_t *context)
{
	enum heddle_state state;
	uint64_t now = heddle__measured_ticks();
	uint64_t span = now > thread->sampled.ticks ? now - thread->sampled.ticks : 0; /* by a CPU clock */
	uint32_t node = heddle__sampled_path(thread, sampler, context, &state);
	if (thread->counting)
		heddle__charge_counters(thread, node);
	uint64_t cpu = cpu_since_last(thread, sampler, periods, span);
	count_signal(sampler, cpu);
	remember_first(sampler, node, cpu, thread->sampled.period_ns);
	if (!sampler->slot || sampler->slot->node != node)
		sampler->slot = heddle__slot(thread, node);
	struct heddle_slot *slot = sampler->slot;
	slot->value[HEDDLE_METRIC_SAMPLES] += periods;
	slot->value[HEDDLE_METRIC_CPU_TIME] += cpu;
	heddle__live_sample(node, periods);
	uint64_t elapsed = heddle__elapsed_of_sample(thread, periods, cpu, now);
	elapsed -= pay_owed(thread, elapsed);
	if (heddle__is_traced(thread))
		heddle__trace_sample(thread, now, node, periods, cpu, elapsed);
	if (elapsed)
		charge_elapsed(thread, slot, state, elapsed);
	if (heddle__blames)
		heddle__blame_sample(thread, slot);
	if (!heddle__sampler_wall)
		thread->sampled.ticks = now;
	thread->sampled.last_node = node;
}

static void charge_part(struct heddle_thread *thread, uint32_t node, uint64_t cpu)
{
	struct heddle_slot *slot = heddle__slot(thread, node);
	uint64_t elapsed = heddle__innermost_slot(thread) ? 0 : heddle__ns_to_ticks(cpu);
	elapsed -= pay_owed(thread, elapsed);
	slot->value[HEDDLE_METRIC_CPU_TIME] += cpu;
	slot->value[HEDDLE_METRIC_WALL_TIME] += elapsed;
	if (heddle__is_traced(thread))
		heddle__trace_sample(thread, heddle__measured_ticks(), node, 0, cpu, elapsed);
}

void heddle__charge_rest(struct heddle_thread *thread, struct heddle_sampler_thread *sampler)
{
	uint64_t now = thread_cpu_ns();
	uint64_t rest = now > thread->sampled.charged_ns ? now - thread->sampled.charged_ns : 0;
	bool unsampled = thread->start.routine && (!thread->sampled.owner_samples || !thread->sampled.last_node);
	uint64_t lacks = sampler->first_node && !unsampled ? sampler->first_lacks_ns : 0;
	uint64_t to_first = rest < lacks ? rest : lacks;
	if (to_first)
		charge_part(thread, sampler->first_node, to_first);
	charge_part(thread, unsampled ? heddle__thread_start_node(thread) : thread->sampled.last_node, rest - to_first);
	thread->sampled.charged_ns = now;
	sampler->slot = NULL;
}

/* Time since the last sample is not charged to any code, so nothing is subtracted from it. */
void heddle__skip_paused(struct heddle_thread *thread)
{
	uint64_t now = thread_cpu_ns();
	thread->sampled.paused_cpu_ns += now > thread->sampled.charged_ns ? now - thread->sampled.charged_ns : 0;
	thread->sampled.charged_ns = now;
	thread->sampled.ticks = heddle__measured_ticks();
	thread->sampled.owed_ticks = 0;
}

static void skip_sample(struct heddle_thread *thread, uint64_t periods)
{
	atomic_fetch_add_explicit(&heddle__process.samples_paused, periods, memory_order_relaxed);
	heddle__skip_paused(thread);
}

/* Chooses the source. Reading the thread's context switches is a system call, like its CPU clock; both are read now. */
static void choose_source(struct heddle_thread *thread, struct heddle_sampler_thread *sampler)
{
	if (sampler->since_sync || heddle__sampler_wall || !heddle__process.sample_hz)
		return;
	if (heddle__switch_rate_update(&sampler->switch_rate, heddle__own_switches(), thread->sampled.charged_ns))
		heddle__sampler_rearm(thread, sampler);
}

static void handle(struct heddle_thread *thread, uint64_t periods, const ucontext_t *context)
{
	struct heddle_sampler_thread *sampler = heddle__sampler_of(thread);
	bool nested = atomic_load_explicit(&thread->inside, memory_order_relaxed) != 0;
	heddle__enter(thread);
	atomic_thread_fence(memory_order_seq_cst); /* the writer sees `inside`, or this thread sees it frozen */
	uint8_t state = atomic_load_explicit(&heddle__run_state, memory_order_relaxed);
	if (heddle__pauses(thread, state)) {
		if (!nested)
			skip_sample(thread, periods);
	} else if (state != HEDDLE_OFF) {
		thread->sampled.samples += periods;
		thread->sampled.owner_samples += periods;
		heddle__watch_own_cost(periods, nested);
		if (nested || state == HEDDLE_FROZEN) {
			atomic_fetch_add_explicit(&thread->pending, periods, memory_order_relaxed);
			count_signal(sampler, periods * thread->sampled.period_cpu_ns);
			heddle__live_sample(HEDDLE_TREE_ROOT, periods);
		} else {
			take_sample(thread, sampler, periods, context);
			choose_source(thread, sampler);
		}
	}
	atomic_signal_fence(memory_order_seq_cst);
	if (nested || state == HEDDLE_FROZEN)
		atomic_fetch_sub_explicit(&thread->inside, 1, memory_order_release);
	else
		heddle__leave(thread);
}

/* Sets the full period. The first was shortened at random, so that short threads are sampled as often as long ones. */
static void set_full_period(struct heddle_sampler_thread *sampler)
{
	struct heddle_timer *timer = &sampler->timer;
	timer->full_period = true;
	if (timer->source->set_period && !timer->source->set_period(timer, heddle__sampler_period << sampler->stretch))
		heddle__sampler_rearm(heddle__thread_self(), sampler);
}

/*
 * Doubles the thread's period if the handler leaves the program less than half of a period, many times in a row.
 * Elapsed time suffices for this: it is never less than the time that the program had.
 */
static void slow_down_if_crowded(struct heddle_sampler_thread *sampler, uint64_t entered)
{
	uint64_t period = heddle__sampler_period << sampler->stretch;
	bool close = entered - sampler->left_ticks < heddle__ns_to_ticks(period / 2);
	sampler->crowded = close ? sampler->crowded + 1 : 0;
	if (sampler->crowded < CROWDED_SAMPLES || sampler->stretch >= MOST_STRETCH || !heddle__process.sample_hz)
		return;
	sampler->crowded = 0;
	sampler->stretch++;
	heddle__note(
		"taking a sample took most of a period on some threads: they were sampled less often than requested");
	heddle__sampler_rearm(heddle__thread_self(), sampler);
}

/* Returns the weight of a signal, in requested periods; 0: it is not a sample. */
static uint64_t count_periods(struct heddle_sampler_thread *sampler, const siginfo_t *info)
{
	struct heddle_timer *timer = &sampler->timer;
	return timer->source ? timer->source->periods(timer, info) << sampler->stretch : 0;
}

/* Returns the calling thread's context, or NULL if that in its storage is another's (bare clone). */
static struct heddle_thread *own_context(void)
{
	struct heddle_thread *thread = heddle__thread_self();
	if (!thread)
		return heddle__discovered_self();
	return heddle__discovers_threads() && thread->tid != gettid() ? NULL : thread;
}

static void on_period(struct heddle_thread *thread, struct heddle_sampler_thread *sampler, uint64_t periods,
	const ucontext_t *context)
{
	uint64_t entered = heddle__ticks();
	if (!sampler->timer.full_period)
		set_full_period(sampler);
	handle(thread, periods, context);
	slow_down_if_crowded(sampler, entered);
	sampler->left_ticks = heddle__ticks();
}

/* True if a disarmed timer of any thread sent the signal: a thread may have changed its context since it was armed. */
static bool is_late(const struct heddle_sampler_thread *own, const siginfo_t *info)
{
	if (!own)
		return heddle__is_late_signal(NULL, info);
	for (const struct heddle_thread *thread = heddle__threads(); thread; thread = thread->next) {
		const struct heddle_sampler_thread *sampler = heddle__sampler_of(thread);
		if (sampler && heddle__is_late_signal(&sampler->timer, info))
			return true;
	}
	return false;
}

bool heddle__is_sample(const siginfo_t *info)
{
	const struct heddle_thread *thread = heddle__thread_self();
	return is_late(thread ? heddle__sampler_of(thread) : NULL, info);
}

void heddle__on_sample(int number, siginfo_t *info, void *context)
{
	int saved = errno;
	struct heddle_thread *thread = own_context();
	struct heddle_sampler_thread *sampler = thread ? heddle__sampler_of(thread) : NULL;
	uint64_t periods = sampler ? count_periods(sampler, info) : 0;
	if (periods)
		on_period(thread, sampler, periods, context);
	else if (!is_late(sampler, info))
		heddle__foreign_signal(number, info, context);
	if (sampler)
		heddle__follow_claim_after(context);
	errno = saved;
}
