/* SPDX-License-Identifier: BSD-3-Clause */
/* The sampler as a front end: chooses a source, arms a timer for each thread, takes it away at the end. */
#include "sampling/sampler.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/control.h"
#include "core/host.h"
#include "core/log.h"
#include "core/memory.h"
#include "core/module.h"
#include "core/process.h"
#include "core/region.h"
#include "core/settings.h"
#include "sampling/adopt.h"

unsigned int heddle__sampler_index;
bool heddle__sampling;
bool heddle__sampler_wall;
uint64_t heddle__sampler_period;
int heddle__sampler_signal;
static bool by_event;

static const struct heddle_source *const sources[] = {
	&heddle__source_perf,
	&heddle__source_posix_cpu,
	&heddle__source_posix_wall,
};

static bool usable[sizeof(sources) / sizeof(sources[0])];

/* The first source from `after` on (NULL: of all) that works for the clock; NULL: none is left. */
static const struct heddle_source *next_source(const struct heddle_source *after)
{
	for (size_t i = 0; i < sizeof(sources) / sizeof(sources[0]); i++) {
		if (!after && usable[i])
			return sources[i];
		if (sources[i] == after)
			after = NULL;
	}
	return NULL;
}

static int choose_signal(void)
{
	long wanted = heddle__setting_number(HEDDLE_SETTING_SAMPLE_SIGNAL);
	return wanted ? (int)wanted : SIGRTMAX - 7; /* few programs use this end of the range */
}

static int prepare(void)
{
	int error = heddle__unwinder()->init();
	if (error)
		return error;
	heddle__sampler_signal = choose_signal();
	heddle__adopt_init();
	error = heddle__claim_signal(heddle__sampler_signal, heddle__on_sample);
	return error;
}

static void describe(long hz, const struct heddle_source *source)
{
	static char event[HEDDLE_COUNTER_NAME + 32];
	const char *asked = heddle__setting_text(HEDDLE_SETTING_SAMPLE_EVENT);
	snprintf(event, sizeof(event), "perf %.*s%s", (int)strcspn(asked, "{@"), asked,
		by_event ? strrchr(asked, '@') : "");
	heddle__process.sample_source = by_event ? event : source->name;
	heddle__process.sample_clock = heddle__sampler_wall ? "wall" : "cpu";
	heddle__process.sample_hz = (uint64_t)hz;
	heddle__process.unwinder = heddle__unwinder()->name;
}

/* Perf counts it, or there is no sampling by it. */
static bool choose_event(void)
{
	const char *text = heddle__setting_text(HEDDLE_SETTING_SAMPLE_EVENT);
	struct heddle_counter counter;
	uint64_t period;
	if (!*text)
		return false;
	int error = heddle__sample_event_parse(text, &counter, &period);
	if (error) {
		heddle__warn("%s: no samples by that; see: man heddle-run", text);
		return false;
	}
	const struct heddle_perf_code clock = heddle__source_perf_code;
	heddle__source_perf_code = counter.terms[0].code;
	usable[0] = heddle__source_perf.works(false);
	if (usable[0]) {
		heddle__sampler_period = period;
		return true;
	}
	heddle__warn("%s: this machine can't count it; no samples by that; see: heddle doctor", text);
	heddle__source_perf_code = clock;
	return false;
}

static void choose_timer(long hz)
{
	heddle__sampler_wall = strcmp(heddle__setting_text(HEDDLE_SETTING_SAMPLE_CLOCK), "wall") == 0;
	heddle__sampler_period = 1000000000u / (uint64_t)hz;
	for (size_t i = 0; i < sizeof(sources) / sizeof(sources[0]); i++)
		usable[i] = sources[i]->works(heddle__sampler_wall);
}

static int init(unsigned int index)
{
	long hz = heddle__setting_number(HEDDLE_SETTING_SAMPLE_HZ);
	heddle__sampler_index = index;
	heddle__events_give_time = true;
	by_event = choose_event();
	if (by_event)
		hz = 0;
	else if (hz)
		choose_timer(hz);
	else
		return 0;
	const struct heddle_source *source = next_source(NULL);
	int error = source ? prepare() : -ENOTSUP;
	if (error) {
		heddle__warn("cannot sample: %s; going on with events alone", strerror(-error));
		return error;
	}
	heddle__sampling = true;
	describe(hz, source);
	heddle__events_give_time = false;
	heddle__capture = heddle__capture_path;
	return 0;
}

/* A number in (0, period], different from thread to thread. */
static uint64_t first_period(void)
{
	uint64_t mixed = (heddle__ticks() ^ (uint64_t)gettid() << 32) * 0x9e3779b97f4a7c15u;
	return (mixed >> 20) % heddle__sampler_period + 1;
}

/* Descriptors may have run out, where timers have not. */
void heddle__sampler_arm(struct heddle_thread *thread, struct heddle_sampler_thread *sampler)
{
	static _Atomic bool said;
	uint64_t first = first_period();
	int error = -ENOTSUP;
	if (first < heddle__sampler_period / 16)
		first = heddle__sampler_period / 16;
	for (const struct heddle_source *source = next_source(NULL); source && error; source = next_source(source)) {
		sampler->timer.source = source;
		error = source->arm(
			&sampler->timer, thread->tid, heddle__sampler_signal, first, heddle__sampler_period);
	}
	if (error)
		heddle__warn_once(&said, "cannot make a timer for thread %d: %s; it is not sampled", (int)thread->tid,
			strerror(-error));
}

static void thread_begin(struct heddle_thread *thread)
{
	if (!heddle__sampling)
		return;
	thread->period_ns = by_event ? 1 : heddle__sampler_period; /* then the CPU clock tells the time of a sample */
	if (thread->role == HEDDLE_THREAD_HEDDLE)
		return;
	struct heddle_sampler_thread *sampler = heddle__sampler_of(thread);
	if (!sampler)
		sampler = heddle__map(sizeof(*sampler));
	if (!sampler)
		return;
	thread->frontend[heddle__sampler_index] = sampler;
	sampler->slot = NULL;
	sampler->since_sync = 0;
	thread->last_sample_node = 0;
	heddle__unblock_claimed_signal();
	if (!sampler->timer.armed) /* an adopted thread's is */
		heddle__sampler_arm(thread, sampler);
}

static void disarm_timer(struct heddle_timer *timer)
{
	if (timer->source)
		timer->source->disarm(timer);
}

static void disarm(struct heddle_thread *thread)
{
	struct heddle_sampler_thread *sampler = heddle__sampling ? heddle__sampler_of(thread) : NULL;
	if (sampler)
		disarm_timer(&sampler->timer);
}

static void thread_end(struct heddle_thread *thread)
{
	struct heddle_sampler_thread *sampler = heddle__sampling ? heddle__sampler_of(thread) : NULL;
	if (!sampler)
		return;
	disarm(thread);
	if (heddle__running())
		heddle__charge_rest(thread, sampler);
}

static void resume(struct heddle_thread *thread)
{
	struct heddle_sampler_thread *sampler = heddle__sampling ? heddle__sampler_of(thread) : NULL;
	if (sampler)
		heddle__sampler_arm(thread, sampler);
}

static void finish(void)
{
	if (!heddle__sampling)
		return;
	for (struct heddle_thread *thread = heddle__threads(); thread; thread = thread->next)
		disarm(thread);
}

/* The parent's timers are not ours: its perf descriptors came along, and go. */
static void after_fork(void)
{
	struct heddle_thread *self = heddle__thread_self();
	if (!heddle__sampling)
		return;
	for (struct heddle_thread *thread = heddle__threads(); thread; thread = thread->next) {
		struct heddle_sampler_thread *sampler = heddle__sampler_of(thread);
		if (sampler && sampler->timer.source)
			sampler->timer.source->forget(&sampler->timer);
	}
	if (self && heddle__sampler_of(self))
		heddle__sampler_arm(self, heddle__sampler_of(self));
}

static bool needs_keeper(void)
{
	return heddle__sampling;
}

static void tick(void)
{
	if (heddle__sampling)
		heddle__adopt_new_threads();
}

const struct heddle_frontend heddle__sampler_frontend = {
	.name = "sampler",
	.init = init,
	.thread_begin = thread_begin,
	.thread_end = thread_end,
	.needs_keeper = needs_keeper,
	.tick = tick,
	.suspend = disarm,
	.resume = resume,
	.finish = finish,
	.after_fork = after_fork,
};
