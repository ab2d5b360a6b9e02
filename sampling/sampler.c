/* SPDX-License-Identifier: BSD-3-Clause */
/* The sampler as a front end: chooses a source, arms a timer for each thread, disarms it at the end. */
#include "sampling/sampler.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/base/hash.h"
#include "core/base/log.h"
#include "core/base/memory.h"
#include "core/base/notes.h"
#include "core/base/process_info.h"
#include "core/base/settings.h"
#include "core/host/claimed_signal.h"
#include "core/modules/module.h"
#include "core/threads/control.h"
#include "core/threads/region.h"
#include "sampling/discover.h"

unsigned int heddle__sampler_index;
bool heddle__sampling;
bool heddle__sampler_wall;
uint64_t heddle__sampler_period;
_Atomic int heddle__sampler_signal;
static bool by_event;

/* In order of preference; for threads that switch often, perf's clock comes last. */
static const struct heddle_source *const sources[] = {
	&heddle__source_perf,
	&heddle__source_cycles,
	&heddle__source_posix_cpu,
	&heddle__source_posix_wall,
};
#define SOURCES (sizeof(sources) / sizeof(sources[0]))
_Static_assert(SOURCES <= HEDDLE_SAMPLE_SOURCES, "each has a row in the profile");

static bool usable[SOURCES];
static bool all_alike, all_often; /* --sample-source: the same source for all threads, whatever they do */

unsigned int heddle__source_index(const struct heddle_source *source)
{
	unsigned int i = 0;
	while (i + 1 < SOURCES && sources[i] != source)
		i++;
	return i;
}

/* Returns the source of that rank for threads that switch often, or not; NULL: it cannot be used. */
static const struct heddle_source *source_at(unsigned int rank, bool often)
{
	often = all_alike ? all_often : often;
	unsigned int index = often ? (rank + 1) % SOURCES : rank;
	if (!often && index == heddle__source_index(&heddle__source_cycles))
		return NULL;
	return usable[index] ? sources[index] : NULL;
}

static const struct heddle_source *first_source(bool often)
{
	const struct heddle_source *source = NULL;
	for (unsigned int rank = 0; rank < SOURCES && !source; rank++)
		source = source_at(rank, often);
	return source;
}

/*
 * True if SIGTRAP cannot be used: a debugger intercepts it, and AddressSanitizer's leak checker traces the program like
 * a debugger. Valgrind, which preloads a function into the program, ends it: it handles such a signal in its own code
 * as an error.
 */
static bool is_debugged(void)
{
	if (dlsym(RTLD_DEFAULT, "__lsan_do_leak_check") || dlsym(RTLD_DEFAULT, "_vgnU_freeres"))
		return true;
	char text[2048];
	int fd = open("/proc/self/status", O_RDONLY | O_CLOEXEC);
	ssize_t length = fd < 0 ? 0 : read(fd, text, sizeof(text) - 1);
	if (fd >= 0)
		close(fd);
	text[length > 0 ? length : 0] = '\0';
	const char *tracer = strstr(text, "TracerPid:\t");
	return tracer && tracer[strlen("TracerPid:\t")] != '0';
}

/*
 * Chooses a standard signal, since they are merged (source_perf.c). SIGURG is ignored by default, so it does no harm at
 * any moment, and few programs use it.
 */
static int choose_signal(void)
{
	long wanted = heddle__setting_number(HEDDLE_SETTING_SAMPLE_SIGNAL);
	bool may_trap = (!wanted || wanted == SIGTRAP) && !by_event && !heddle__sampler_wall && !is_debugged() &&
			strcmp(heddle__setting_text(HEDDLE_SETTING_SAMPLE_SOURCE), "posix") != 0;
	heddle__source_perf_traps = may_trap && heddle__source_perf_can_trap();
	if (wanted)
		return (int)wanted;
	return heddle__source_perf_traps ? SIGTRAP : SIGURG;
}

/* Changes the signal. Without SIGTRAP, perf's clock no longer samples time in the kernel. */
static void follow(int signal)
{
	struct heddle_thread *self = heddle__thread_self();
	struct heddle_sampler_thread *sampler = heddle__sampling && self ? heddle__sampler_of(self) : NULL;
	atomic_store(&heddle__sampler_signal, signal);
	if (heddle__source_perf_traps && signal != SIGTRAP)
		heddle__process.sample_sources[heddle__source_index(&heddle__source_perf)].kernel = false;
	if (!sampler || sampler->signal == signal)
		return;
	sampler->signal = signal;
	heddle__sampler_rearm(self, sampler);
}

static const struct heddle_claimant claimant = {
	.handler = heddle__on_sample,
	.follow = follow,
	.is_sample = heddle__is_sample,
};

static int prepare(void)
{
	int error = heddle__leave_frame ? 0 : heddle__unwinder()->init();
	if (error)
		return error;
	heddle__discover_init();
	return heddle__claim_signal(heddle__sampler_signal, &claimant);
}

static void describe(long hz, const struct heddle_source *source)
{
	static char event[HEDDLE_COUNTER_NAME + 32];
	const char *asked = heddle__setting_text(HEDDLE_SETTING_SAMPLE_EVENT);
	snprintf(event, sizeof(event), "perf %.*s%s", (int)strcspn(asked, "{@"), asked,
		by_event ? strrchr(asked, '@') : "");
	heddle__process.sample_source = by_event ? event : source->name;
	for (unsigned int i = 0; i < SOURCES; i++) {
		struct heddle_sample_source *row = &heddle__process.sample_sources[i];
		row->name = sources[i] == &heddle__source_perf && by_event ? event : sources[i]->name;
		row->kernel = sources[i]->kernel || (sources[i] == &heddle__source_perf && heddle__source_perf_traps);
	}
	heddle__process.sample_clock = heddle__sampler_wall ? "wall" : "cpu";
	heddle__process.sample_hz = (uint64_t)hz;
	heddle__process.unwinder = heddle__unwinder()->name;
}

/* Reads --sample-event. The event must be one that perf counts: only such events trigger samples. */
static bool choose_event(void)
{
	const char *text = heddle__setting_text(HEDDLE_SETTING_SAMPLE_EVENT);
	struct heddle_counter counter;
	uint64_t period;
	if (!*text)
		return false;
	int error = heddle__sample_event_parse(text, &counter, &period);
	if (error) {
		heddle__warn("%s: not an event to sample by; see: man heddle-run", text);
		return false;
	}
	const struct heddle_perf_code clock = heddle__source_perf_code;
	heddle__source_perf_code = counter.terms[0].code;
	heddle__source_perf_counts = true;
	usable[0] = heddle__source_perf.works(false);
	if (usable[0]) {
		heddle__sampler_period = period;
		return true;
	}
	heddle__warn("%s: cannot be counted on this system, so it gives no samples; see: heddle doctor", text);
	heddle__source_perf_code = clock;
	heddle__source_perf_counts = false;
	return false;
}

static void choose_timer(long hz)
{
	const char *kind = heddle__setting_text(HEDDLE_SETTING_SAMPLE_SOURCE);
	heddle__sampler_period = 1000000000u / (uint64_t)hz;
	for (unsigned int i = 0; i < SOURCES; i++)
		usable[i] = sources[i]->works(heddle__sampler_wall);
	all_alike = strcmp(kind, "auto") != 0;
	all_often = strcmp(kind, "posix") == 0;
	if (all_alike)
		usable[heddle__source_index(&heddle__source_cycles)] = false;
}

static int init(unsigned int index)
{
	long hz = heddle__setting_number(HEDDLE_SETTING_SAMPLE_HZ);
	heddle__sampler_index = index;
	heddle__events_give_time = true;
	if (!HEDDLE_RECORD_ENDS_FRAME && !heddle__unwinder()->init())
		heddle__leave_frame = heddle__unwinder()->leave;
	heddle__sampler_wall = strcmp(heddle__setting_text(HEDDLE_SETTING_SAMPLE_CLOCK), "wall") == 0;
	by_event = choose_event();
	heddle__sampler_wall = heddle__sampler_wall && !by_event;
	heddle__sampler_signal = choose_signal();
	if (by_event)
		hz = 0;
	else if (hz)
		choose_timer(hz);
	else
		return 0;
	const struct heddle_source *source = first_source(false);
	int error = source ? prepare() : -ENOTSUP;
	if (error) {
		heddle__warn("cannot sample: %s; measuring events only", strerror(-error));
		return error;
	}
	heddle__sampling = true;
	describe(hz, source);
	heddle__events_give_time = false;
	heddle__capture = heddle__capture_path;
	return 0;
}

/*
 * Returns the first period: at most a full one, different for each thread. Perf repeats it until the first signal is
 * handled, so it must be longer than a timer interrupt takes: at 10 us, a virtual machine did little else for up to a
 * second.
 */
#define SHORTEST_FIRST_NS 50000u
static uint64_t first_period(void)
{
	uint64_t period = heddle__sampler_period;
	uint64_t shortest = period / 16 > SHORTEST_FIRST_NS ? period / 16 : SHORTEST_FIRST_NS;
	uint64_t mixed = heddle__hash(heddle__ticks() ^ (uint64_t)gettid() << 32);
	uint64_t first = (mixed >> 20) % period + 1;
	if (first < shortest)
		first = shortest;
	return first < period ? first : period;
}

/* Tries all sources: file descriptors may have run out while POSIX timers have not. */
int heddle__sampler_arm(struct heddle_thread *thread, struct heddle_sampler_thread *sampler)
{
	uint64_t first = first_period(), period = heddle__sampler_period << sampler->stretch;
	int error = -ENOTSUP;
	if (!sampler->signal)
		sampler->signal = atomic_load(&heddle__sampler_signal);
	sampler->since_sync = HEDDLE_SYNC_SAMPLES; /* the first period is short: its CPU time is read */
	for (unsigned int rank = 0; rank < SOURCES && error; rank++) {
		const struct heddle_source *source = source_at(rank, sampler->switch_rate.often);
		if (!source)
			continue;
		sampler->timer.source = source;
		error = source->arm(&sampler->timer, thread->tid, sampler->signal, first, period);
	}
	return error;
}

static void arm_or_say(struct heddle_thread *thread, struct heddle_sampler_thread *sampler)
{
	static _Atomic bool said;
	int error = heddle__sampler_arm(thread, sampler);
	if (error)
		heddle__warn_once(&said, "cannot make a timer for thread %d: %s; it is not sampled", (int)thread->tid,
			strerror(-error));
}

void heddle__sampler_rearm(struct heddle_thread *thread, struct heddle_sampler_thread *sampler)
{
	if (!sampler->timer.armed)
		return;
	sampler->timer.source->disarm(&sampler->timer);
	heddle__sampler_arm(thread, sampler);
}

static void thread_begin(struct heddle_thread *thread)
{
	if (!heddle__sampling)
		return;
	thread->sampled.period_ns =
		by_event ? 1 : heddle__sampler_period; /* with an event, the CPU clock has the time of a sample */
	thread->sampled.period_cpu_ns = by_event || heddle__sampler_wall ? 0 : heddle__sampler_period;
	thread->sampled.period_ticks = heddle__sampler_wall ? heddle__ns_to_ticks(heddle__sampler_period) : 0;
	if (thread->role == HEDDLE_THREAD_HEDDLE)
		return;
	struct heddle_sampler_thread *sampler = heddle__sampler_of(thread);
	if (!sampler)
		sampler = heddle__map(sizeof(*sampler));
	if (!sampler)
		return;
	thread->frontend[heddle__sampler_index] = sampler;
	sampler->slot = NULL;
	sampler->first_node = 0;
	thread->sampled.last_node = 0;
	heddle__follow_claim();
	if (sampler->timer.armed) /* that of a discovered thread is */
		return;
	sampler->signal = 0;
	sampler->stretch = sampler->crowded = 0;
	sampler->switch_rate =
		(struct heddle_switch_rate){.switches = heddle__own_switches(), .cpu_ns = thread->sampled.charged_ns};
	arm_or_say(thread, sampler);
}

/* Notes that a timer was lost: the rest of the thread's time is charged to its outermost node, as it is unknown. */
static void say_if_lost(struct heddle_thread *thread, struct heddle_sampler_thread *sampler)
{
	const struct heddle_source *source = sampler->timer.source;
	if (!source || !source->is_lost || !source->is_lost(&sampler->timer))
		return;
	heddle__note("the program closed descriptors of Heddle: some threads were not sampled afterwards (more locked "
		     "memory prevents this: ulimit -l)");
	thread->sampled.last_node = 0;
	sampler->first_node = 0;
}

static void disarm(struct heddle_thread *thread)
{
	struct heddle_sampler_thread *sampler = heddle__sampling ? heddle__sampler_of(thread) : NULL;
	if (!sampler)
		return;
	say_if_lost(thread, sampler);
	if (sampler->timer.source)
		sampler->timer.source->disarm(&sampler->timer);
}

static void thread_end(struct heddle_thread *thread)
{
	struct heddle_sampler_thread *sampler = heddle__sampling ? heddle__sampler_of(thread) : NULL;
	if (!sampler)
		return;
	disarm(thread);
	uint8_t state = atomic_load_explicit(&heddle__run_state, memory_order_relaxed);
	if (heddle__pauses(thread, state))
		heddle__skip_paused(thread);
	else if (state == HEDDLE_RUNNING)
		heddle__charge_rest(thread, sampler);
}

static void resume(struct heddle_thread *thread)
{
	struct heddle_sampler_thread *sampler = heddle__sampling ? heddle__sampler_of(thread) : NULL;
	if (sampler)
		arm_or_say(thread, sampler);
}

static void finish(void)
{
	if (!heddle__sampling)
		return;
	for (struct heddle_thread *thread = heddle__threads(); thread; thread = thread->next)
		disarm(thread);
}

/* Drops the parent's timers, which the child does not have; closes the inherited perf descriptors. */
static void after_fork(void)
{
	struct heddle_thread *self = heddle__thread_self();
	if (!heddle__sampling)
		return;
	heddle__claim_after_fork();
	for (struct heddle_thread *thread = heddle__threads(); thread; thread = thread->next) {
		struct heddle_sampler_thread *sampler = heddle__sampler_of(thread);
		if (sampler && sampler->timer.source)
			sampler->timer.source->forget(&sampler->timer);
	}
	if (self && heddle__sampler_of(self))
		arm_or_say(self, heddle__sampler_of(self));
}

/* With one thread, samples do the keeper's work; threads that were created unnoticed must be searched for. */
static enum heddle_keeper_need needs_keeper(void)
{
	if (!heddle__sampling)
		return HEDDLE_KEEPER_NEVER;
	return heddle__discovers_threads() ? HEDDLE_KEEPER_ALWAYS : HEDDLE_KEEPER_WITH_THREADS;
}

static void tick(void)
{
	if (heddle__sampling)
		heddle__discover_threads();
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
