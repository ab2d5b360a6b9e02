/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs in signal handlers, except heddle__counting_init: system calls and mapped memory only. */
#include "core/counters/counting.h"
#include "core/base/likely.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "core/base/log.h"
#include "core/base/memory.h"
#include "core/base/notes.h"
#include "core/base/settings.h"
#include "core/base/task_file.h"
#include "core/threads/control.h"
#include "core/threads/elapsed.h"
#include "core/threads/listeners.h"
#include "core/threads/region.h"
#include "core/tree/tree.h"

static struct heddle_counter counters[HEDDLE_COUNTER_LIMIT];
static unsigned int counter_count, term_count;
static bool uses_rusage, uses_cpu_clock;

unsigned int heddle__counters(void)
{
	return counter_count;
}

const struct heddle_counter *heddle__counter(unsigned int index)
{
	return &counters[index];
}

const char *heddle__counter_source(const struct heddle_counter *counter)
{
	switch (counter->way) {
	case HEDDLE_COUNTER_PERF:
		return "perf";
	case HEDDLE_COUNTER_CPU_TIME:
		return "thread CPU clock";
	default:
		return "getrusage";
	}
}

/* ---- selection of counters ---- */

static bool is_counted(const char *name)
{
	for (unsigned int i = 0; i < counter_count; i++) {
		if (strcmp(counters[i].name, name) == 0)
			return true;
	}
	return false;
}

/* Returns why the counter is not available, or NULL. */
static const char *refusal(const struct heddle_counter *counter, int error)
{
	if (error == -ENOENT)
		return "no such counter; PAPI's names need `heddle run --metric`";
	if (error == -EINVAL)
		return "its code is invalid";
	if (error == -EACCES || error == -EPERM)
		return "the system forbids it";
	if (error)
		return "it is not available on this system";
	if (counter_count == HEDDLE_COUNTER_LIMIT || term_count + counter->term_count > HEDDLE_PERF_TERMS)
		return "too many counters at once";
	return NULL;
}

static void add_counter(const char *word, size_t length)
{
	struct heddle_counter *counter = &counters[counter_count < HEDDLE_COUNTER_LIMIT ? counter_count : 0];
	struct heddle_counter found;
	int error = heddle__counter_parse(word, length, &found);
	if (!error && is_counted(found.name))
		return;
	int tried = error ? 0 : heddle__counter_try(&found);
	const char *why = refusal(&found, error ? error : tried == -ENOENT ? -ENODEV : tried);
	if (why) {
		heddle__warn("%.*s is not counted: %s; see: heddle doctor", (int)strcspn(word, "{,"), word, why);
		return;
	}
	*counter = found;
	counter_count++;
	term_count += found.way == HEDDLE_COUNTER_PERF ? found.term_count : 0;
	uses_cpu_clock |= found.way == HEDDLE_COUNTER_CPU_TIME;
	uses_rusage |= found.way != HEDDLE_COUNTER_PERF && found.way != HEDDLE_COUNTER_CPU_TIME;
}

/* ---- perf events of a thread ---- */

/* Opens an event in the group of *leader (the leading term's number + 1), or as the leader of a new group. */
static int open_term(
	struct heddle_counting *counting, unsigned int term, const struct heddle_perf_code *code, unsigned int *leader)
{
	int fd = *leader ? heddle__perf_open(code, 0, counting->perf[*leader - 1].fd, false) : -1;
	if (fd < 0) {
		fd = heddle__perf_open(code, 0, -1, false);
		if (fd < 0)
			return -1;
		*leader = term + 1;
	}
	counting->perf[*leader - 1].members++;
	ioctl(fd, PERF_EVENT_IOC_ID, &counting->perf[term].id);
	return fd;
}

/* Opens all events of a thread, in groups that the processor can count together. */
static void open_events(struct heddle_counting *counting)
{
	unsigned int leader = 0, term = 0;
	for (unsigned int i = 0; i < counter_count; i++) {
		for (unsigned int t = 0; t < counters[i].term_count && counters[i].way == HEDDLE_COUNTER_PERF; t++) {
			counting->perf[term].fd = open_term(counting, term, &counters[i].terms[t].code, &leader);
			if (counting->perf[term].fd < 0)
				heddle__note("some threads had no counters: the system refused them, or descriptors "
					     "ran out (ulimit -n)");
			term++;
		}
	}
}

/* The program may have closed the descriptor and reused its number for its own file, which must not be read. */
static bool is_still_ours(const struct heddle_counting *counting, unsigned int term)
{
	uint64_t id = 0;
	return counting->perf[term].fd >= 0 && ioctl(counting->perf[term].fd, PERF_EVENT_IOC_ID, &id) == 0 &&
	       id == counting->perf[term].id;
}

static void close_events(struct heddle_counting *counting)
{
	for (unsigned int term = 0; term < term_count; term++) {
		if (is_still_ours(counting, term))
			close(counting->perf[term].fd);
		counting->perf[term].fd = -1;
		counting->perf[term].members = 0;
	}
}

/* Scales the value of a multiplexed event, which counted for a part of the time only. */
static uint64_t scale(uint64_t value, uint64_t enabled, uint64_t running)
{
	return running && running < enabled ? (uint64_t)((double)value * (double)enabled / (double)running) : value;
}

/* Reads the group that `term` leads into values[term] and following. */
static void read_group(const struct heddle_counting *counting, unsigned int term, uint64_t *values, bool *known)
{
	struct {
		uint64_t count, enabled, running, value[HEDDLE_PERF_TERMS];
	} group;
	uint32_t members = counting->perf[term].members;
	if (!is_still_ours(counting, term) ||
		read(counting->perf[term].fd, &group, sizeof(group)) != (ssize_t)((3 + members) * sizeof(uint64_t)))
		return;
	for (uint32_t i = 0, at = term; i < members; at++) {
		if (counting->perf[at].fd < 0)
			continue;
		values[at] = scale(group.value[i++], group.enabled, group.running);
		known[at] = true;
	}
}

/* Adds up the terms of each counter. A counter that cannot be read keeps its last value. */
static void read_events(const struct heddle_counting *counting, uint64_t *now)
{
	uint64_t values[HEDDLE_PERF_TERMS] = {0};
	bool known[HEDDLE_PERF_TERMS] = {false};
	unsigned int term = 0;
	for (unsigned int i = 0; i < term_count; i++) {
		if (counting->perf[i].members)
			read_group(counting, i, values, known);
	}
	for (unsigned int i = 0; i < counter_count; i++) {
		uint64_t sum = 0;
		bool whole = counters[i].way == HEDDLE_COUNTER_PERF;
		for (unsigned int t = 0; whole && t < counters[i].term_count; t++, term++) {
			whole = known[term];
			sum += (uint64_t)counters[i].terms[t].factor * values[term];
			if (!whole)
				term += counters[i].term_count - t - 1;
		}
		if (whole)
			now[i] = (int64_t)sum > 0 ? sum : 0;
	}
}

/* ---- counters that the kernel maintains anyway ---- */

struct usage {
	uint64_t minor, major, switches, cpu_ns;
};

static void read_own_usage(struct usage *usage)
{
	struct rusage own;
	if (uses_rusage && getrusage(RUSAGE_THREAD, &own) == 0) {
		usage->minor = (uint64_t)own.ru_minflt;
		usage->major = (uint64_t)own.ru_majflt;
		usage->switches = (uint64_t)own.ru_nvcsw + (uint64_t)own.ru_nivcsw;
	}
	if (uses_cpu_clock)
		usage->cpu_ns = heddle__clock_ns(CLOCK_THREAD_CPUTIME_ID);
}

/* Returns the number after `words` blanks. */
static uint64_t number_behind(const char *text, unsigned int words)
{
	for (; words && text && *text; text++)
		words -= *text == ' ';
	return text ? strtoull(text, NULL, 10) : 0;
}

static uint64_t number_of(const char *text, const char *label)
{
	const char *found = strstr(text, label);
	return found ? strtoull(found + strlen(label), NULL, 10) : 0;
}

static void read_others_usage(pid_t tid, struct usage *usage)
{
	char text[4096];
	usage->cpu_ns = heddle__clock_ns(heddle__cpu_clock_of(tid));
	if (!uses_rusage)
		return;
	heddle__read_task_file(tid, "stat", text, sizeof(text));
	const char *behind_name = strrchr(text, ')');
	usage->minor = number_behind(behind_name, 8);
	usage->major = number_behind(behind_name, 10);
	heddle__read_task_file(tid, "status", text, sizeof(text));
	usage->switches =
		number_of(text, "\nvoluntary_ctxt_switches:") + number_of(text, "nonvoluntary_ctxt_switches:");
}

static void take_usage(const struct usage *usage, uint64_t *now)
{
	for (unsigned int i = 0; i < counter_count; i++) {
		switch (counters[i].way) {
		case HEDDLE_COUNTER_FAULTS:
			now[i] = usage->minor + usage->major;
			break;
		case HEDDLE_COUNTER_MINOR_FAULTS:
			now[i] = usage->minor;
			break;
		case HEDDLE_COUNTER_MAJOR_FAULTS:
			now[i] = usage->major;
			break;
		case HEDDLE_COUNTER_SWITCHES:
			now[i] = usage->switches;
			break;
		case HEDDLE_COUNTER_CPU_TIME:
			now[i] = usage->cpu_ns;
			break;
		default:
			break;
		}
	}
}

/* ---- reading and charging ---- */

static void read_counters(const struct heddle_thread *thread, uint64_t *now)
{
	struct usage usage = {0};
	bool own = thread == heddle__thread_self();
	memcpy(now, thread->counting->last, sizeof(thread->counting->last));
	if (term_count)
		read_events(thread->counting, now);
	if (!uses_rusage && !uses_cpu_clock)
		return;
	if (own)
		read_own_usage(&usage);
	else
		read_others_usage(thread->tid, &usage);
	take_usage(&usage, now);
}

static uint64_t measured_at(uint64_t ticks, uint64_t clock)
{
	return clock & 1 ? clock >> 1 : ticks - (clock >> 1);
}

/* Returns the part of the count since the last reading that belongs to the time while measurement was on. */
static uint64_t measured_part(const struct heddle_counting *counting, uint64_t delta, uint64_t ticks, uint64_t clock)
{
	if (HEDDLE_LIKELY(clock == counting->clock && !(clock & 1)))
		return delta;
	uint64_t span = ticks - counting->ticks;
	uint64_t measured = measured_at(ticks, clock) - measured_at(counting->ticks, counting->clock);
	return measured >= span ? delta : (uint64_t)((double)delta * (double)measured / (double)span);
}

static uint64_t *slot_counts(struct heddle_slot *slot)
{
	if (!slot->counts)
		slot->counts = heddle__alloc(counter_count * sizeof(*slot->counts));
	return slot->counts;
}

/* A vfork child that uses the context has lower counts, from which nothing is charged. */
void heddle__charge_counters(struct heddle_thread *thread, uint32_t node)
{
	struct heddle_counting *counting = thread->counting;
	uint64_t now[HEDDLE_COUNTER_LIMIT], *counts = NULL;
	read_counters(thread, now);
	uint64_t ticks = heddle__ticks(), clock = atomic_load(&heddle__measured_clock);
	for (unsigned int i = 0; i < counter_count; i++) {
		if (now[i] <= counting->last[i])
			continue;
		uint64_t part = measured_part(counting, now[i] - counting->last[i], ticks, clock);
		counting->last[i] = now[i];
		counts = counts || !part ? counts : slot_counts(heddle__slot(thread, node));
		if (counts)
			counts[i] += part;
		if (counts && heddle__is_traced(thread))
			heddle__trace_add(thread, node, HEDDLE_COUNTER_FIRST + i, part);
	}
	counting->ticks = ticks;
	counting->clock = clock;
}

uint32_t heddle__counting_node(const struct heddle_thread *thread)
{
	const struct heddle_region *top = heddle__seen_innermost(&thread->stack);
	if (top)
		return top->node;
	if (thread->idle_slot)
		return thread->idle_slot->node;
	return thread->sampled.last_node ? thread->sampled.last_node : thread->base;
}

/* A parent has a smaller number than its children. */
static bool is_below(uint32_t node, uint32_t ancestor)
{
	while (node > ancestor)
		node = heddle__tree_node(node)->parent;
	return node == ancestor;
}

/*
 * Called before a region or task becomes innermost: counts since the last reading belong to the code that opens it.
 * While sampling, its complete call path is known.
 */
static void charge_opener(struct heddle_thread *thread, const struct heddle_region *opened)
{
	uint32_t node = heddle__counting_node(thread);
	if (opened->kind != HEDDLE_KIND_TASK && thread->sampled.period_ns) {
		uint32_t parent = heddle__tree_node(opened->node)->parent;
		if (is_below(parent, heddle__open_count(&thread->stack) ? node : thread->base))
			node = parent;
	}
	heddle__charge_counters(thread, node);
}

bool heddle__counting_rest(const struct heddle_thread *thread, uint64_t rest[HEDDLE_COUNTER_LIMIT])
{
	if (!thread->counting || thread->times.end_ns || thread->off)
		return false;
	uint64_t ticks = heddle__ticks(), clock = atomic_load(&heddle__measured_clock);
	read_counters(thread, rest);
	for (unsigned int i = 0; i < counter_count; i++) {
		uint64_t last = thread->counting->last[i];
		uint64_t delta = rest[i] > last ? rest[i] - last : 0;
		rest[i] = measured_part(thread->counting, delta, ticks, clock);
	}
	return true;
}

/* ---- threads ---- */

void heddle__counting_skip(struct heddle_thread *thread)
{
	struct heddle_counting *counting = thread->counting;
	uint64_t now[HEDDLE_COUNTER_LIMIT];
	if (!counting)
		return;
	read_counters(thread, now);
	memcpy(counting->last, now, sizeof(now));
	counting->ticks = heddle__ticks();
	counting->clock = atomic_load(&heddle__measured_clock);
}

static void begin(struct heddle_thread *thread)
{
	memset(thread->counting, 0, sizeof(*thread->counting));
	open_events(thread->counting);
	heddle__counting_skip(thread);
}

void heddle__counting_begin(struct heddle_thread *thread)
{
	if (!counter_count || thread->role == HEDDLE_THREAD_HEDDLE)
		return;
	if (!thread->counting)
		thread->counting = heddle__map(sizeof(*thread->counting));
	heddle__update_special(thread);
	if (thread->counting)
		begin(thread);
}

void heddle__counting_end(struct heddle_thread *thread)
{
	heddle__count_innermost(thread);
	if (thread->counting)
		close_events(thread->counting);
}

/* Closing the child's descriptors does not affect the parent's events. */
void heddle__counting_after_fork(void)
{
	for (struct heddle_thread *thread = heddle__threads(); thread; thread = thread->next) {
		if (thread->counting)
			close_events(thread->counting);
	}
	struct heddle_thread *self = heddle__thread_self();
	if (self && self->counting)
		begin(self);
}

/* ---- notifications from the shadow stack ---- */

static void before_change(struct heddle_thread *thread, const struct heddle_region *opened)
{
	if (opened && thread->counting && !thread->off)
		charge_opener(thread, opened);
	else
		heddle__count_innermost(thread);
}

/* Called when measurement of all threads is switched: counts up to now belong to the previous state. */
static void count_switch(void)
{
	struct heddle_thread *thread = heddle__thread_self();
	if (!thread || !thread->counting || atomic_load_explicit(&thread->inside, memory_order_relaxed))
		return;
	heddle__enter(thread);
	heddle__count_innermost(thread);
	heddle__leave(thread);
}

static const struct heddle_listener listener = {
	.before_change = before_change, .switched_on = heddle__counting_skip, .switched = count_switch};

void heddle__counting_init(void)
{
	const char *list = heddle__setting_text(HEDDLE_SETTING_METRICS);
	while (*list) {
		size_t length = strcspn(list, ",");
		if (length)
			add_counter(list, length);
		list += length + (list[length] != '\0');
	}
	if (counter_count)
		heddle__listen(&listener);
}
