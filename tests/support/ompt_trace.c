/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * An OMPT tool that records which events a runtime sends, as OpenMP 5.2 section 19.5 numbers them. When the program
 * ends, it writes one line for each event, "thread: event kind endpoint", one thread after the other, to the file
 * OMPT_TRACE. Preload it to see what a runtime really sends. It shares no code with the tool under test.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 64, LINES = 4096, LINE = 80 };

struct trace {
	int count;
	char lines[LINES][LINE];
};

static struct trace *traces[THREADS];
static _Thread_local struct trace *mine;
static int threads;

static struct trace *trace(void)
{
	if (mine)
		return mine;
	int number = __atomic_fetch_add(&threads, 1, __ATOMIC_RELAXED);
	mine = number < THREADS ? calloc(1, sizeof(*mine)) : NULL;
	if (!mine)
		abort();
	traces[number] = mine;
	return mine;
}

static const char *word(const char *const *words, int count, int number)
{
	return number >= 0 && number < count && words[number] ? words[number] : "?";
}

#define WORD(words, number) word(words, (int)(sizeof(words) / sizeof((words)[0])), number)

static const char *const endpoints[] = {NULL, "begin", "end", "beginend"};
static const char *const syncs[] = {NULL, "barrier", "barrier_implicit", "barrier_explicit", "barrier_implementation",
	"taskwait", "taskgroup", "reduction", "barrier_implicit_workshare", "barrier_implicit_parallel",
	"barrier_teams"};
static const char *const mutexes[] = {
	NULL, "lock", "test_lock", "nest_lock", "test_nest_lock", "critical", "atomic", "ordered"};
static const char *const works[] = {NULL, "loop", "sections", "single_executor", "single_other", "workshare",
	"distribute", "taskloop", "scope", NULL, "loop_static", "loop_dynamic", "loop_guided", "loop_other"};
static const char *const dispatches[] = {
	NULL, "iteration", "section", "ws_loop_chunk", "taskloop_chunk", "distribute_chunk"};
static const char *const statuses[] = {
	NULL, "complete", "yield", "cancel", "detach", "early_fulfill", "late_fulfill", "switch", "taskwait_complete"};
static const char *const dependences[] = {NULL, "in", "out", "inout", "mutexinoutset", "source", "sink", "inoutset",
	"out_all_memory", "inout_all_memory"};
static const char *const thread_types[] = {NULL, "initial", "worker", "other", "unknown"};
static const char *const targets[] = {NULL, "target", "enter_data", "exit_data", "update", NULL, NULL, NULL, NULL,
	"target_nowait", "enter_data_nowait", "exit_data_nowait", "update_nowait"};
static const char *const operations[] = {NULL, "alloc", "to_device", "from_device", "delete", "associate",
	"disassociate", NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, "alloc_async", "to_device_async",
	"from_device_async", "delete_async"};
static const char *const severities[] = {NULL, "warning", "fatal"};

#define SAY(...)                                                             \
	do {                                                                 \
		struct trace *to = trace();                                  \
		if (to->count < LINES)                                       \
			snprintf(to->lines[to->count++], LINE, __VA_ARGS__); \
	} while (0)

static void thread_begin(int type, void *data)
{
	(void)data;
	SAY("thread_begin %s", WORD(thread_types, type));
}

static void thread_end(void *data)
{
	(void)data;
	SAY("thread_end");
}

static const char *team_kind(int flags)
{
	return flags & 0x40000000 ? " league" : "";
}

static void parallel_begin(void *task, const void *frame, void *parallel, unsigned requested, int flags, const void *at)
{
	(void)task, (void)frame, (void)parallel, (void)requested, (void)at;
	SAY("parallel_begin%s", team_kind(flags));
}

static void parallel_end(void *parallel, void *task, int flags, const void *at)
{
	(void)parallel, (void)task, (void)at;
	SAY("parallel_end%s", team_kind(flags));
}

static const char *task_kind(int flags)
{
	return flags & 0x1    ? "initial"
	       : flags & 0x2  ? "implicit"
	       : flags & 0x10 ? "taskwait"
	       : flags & 0x8  ? "target"
			      : "explicit";
}

static void task_create(void *task, const void *frame, void *new_task, int flags, int depends, const void *at)
{
	(void)task, (void)frame, (void)new_task, (void)at;
	SAY("task_create %s%s%s", task_kind(flags), flags & 0x8000000 ? " undeferred" : "", depends ? " depends" : "");
}

static void task_schedule(void *prior, int status, void *next)
{
	(void)prior, (void)next;
	SAY("task_schedule %s", WORD(statuses, status));
}

static void implicit_task(int endpoint, void *parallel, void *task, unsigned size, unsigned number, int flags)
{
	(void)parallel, (void)task, (void)size, (void)number;
	SAY("%s_task %s", flags & 0x1 ? "initial" : "implicit", WORD(endpoints, endpoint));
}

static int control_tool(uint64_t command, uint64_t modifier, void *argument, const void *at)
{
	(void)argument, (void)at;
	SAY("control_tool %d %d", (int)command, (int)modifier);
	return 0;
}

static void sync_region(int kind, int endpoint, void *parallel, void *task, const void *at)
{
	(void)parallel, (void)task, (void)at;
	SAY("sync_region %s %s", WORD(syncs, kind), WORD(endpoints, endpoint));
}

static void sync_region_wait(int kind, int endpoint, void *parallel, void *task, const void *at)
{
	(void)parallel, (void)task, (void)at;
	SAY("sync_region_wait %s %s", WORD(syncs, kind), WORD(endpoints, endpoint));
}

static void reduction(int kind, int endpoint, void *parallel, void *task, const void *at)
{
	(void)parallel, (void)task, (void)at;
	SAY("reduction %s %s", WORD(syncs, kind), WORD(endpoints, endpoint));
}

static void mutex_acquire(int kind, unsigned hint, unsigned implementation, uint64_t wait, const void *at)
{
	(void)hint, (void)implementation, (void)wait, (void)at;
	SAY("mutex_acquire %s", WORD(mutexes, kind));
}

static void mutex_acquired(int kind, uint64_t wait, const void *at)
{
	(void)wait, (void)at;
	SAY("mutex_acquired %s", WORD(mutexes, kind));
}

static void mutex_released(int kind, uint64_t wait, const void *at)
{
	(void)wait, (void)at;
	SAY("mutex_released %s", WORD(mutexes, kind));
}

static void lock_init(int kind, unsigned hint, unsigned implementation, uint64_t wait, const void *at)
{
	(void)hint, (void)implementation, (void)wait, (void)at;
	SAY("lock_init %s", WORD(mutexes, kind));
}

static void lock_destroy(int kind, uint64_t wait, const void *at)
{
	(void)wait, (void)at;
	SAY("lock_destroy %s", WORD(mutexes, kind));
}

static void nest_lock(int endpoint, uint64_t wait, const void *at)
{
	(void)wait, (void)at;
	SAY("nest_lock %s", WORD(endpoints, endpoint));
}

struct dependence {
	uint64_t variable;
	int type;
};

static void dependences_of(void *task, const struct dependence *list, int count)
{
	(void)task;
	SAY("dependences %d %s", count, count > 0 ? WORD(dependences, list->type) : "");
}

static void task_dependence(void *source, void *sink)
{
	(void)source, (void)sink;
	SAY("task_dependence");
}

static void work(int kind, int endpoint, void *parallel, void *task, uint64_t count, const void *at)
{
	(void)parallel, (void)task, (void)count, (void)at;
	SAY("work %s %s", WORD(works, kind), WORD(endpoints, endpoint));
}

static void masked(int endpoint, void *parallel, void *task, const void *at)
{
	(void)parallel, (void)task, (void)at;
	SAY("masked %s", WORD(endpoints, endpoint));
}

static void dispatch(void *parallel, void *task, int kind, uint64_t instance)
{
	(void)parallel, (void)task, (void)instance;
	SAY("dispatch %s", WORD(dispatches, kind));
}

static void flush(void *thread, const void *at)
{
	(void)thread, (void)at;
	SAY("flush");
}

static void cancel(void *task, int flags, const void *at)
{
	(void)task, (void)at;
	SAY("cancel%s%s%s%s%s%s%s", flags & 0x1 ? " parallel" : "", flags & 0x2 ? " sections" : "",
		flags & 0x4 ? " loop" : "", flags & 0x8 ? " taskgroup" : "", flags & 0x10 ? " activated" : "",
		flags & 0x20 ? " detected" : "", flags & 0x40 ? " discarded_task" : "");
}

static void error(int severity, const char *message, size_t length, const void *at)
{
	(void)message, (void)length, (void)at;
	SAY("error %s", WORD(severities, severity));
}

static void target(int kind, int endpoint, int device, void *task, void *target_task, void *data, const void *at)
{
	(void)device, (void)task, (void)target_task, (void)data, (void)at;
	SAY("target %s %s", WORD(targets, kind), WORD(endpoints, endpoint));
}

static void data_op(int endpoint, void *task, void *data, const uint64_t *host_operation, int kind, void *from,
	int from_device, void *to, int to_device, size_t bytes, const void *at)
{
	(void)task, (void)data, (void)host_operation, (void)from, (void)from_device, (void)to, (void)to_device,
		(void)at;
	SAY("data_op %s %s %zu", WORD(operations, kind), WORD(endpoints, endpoint), bytes);
}

static void submit(int endpoint, void *data, const uint64_t *host_operation, unsigned teams)
{
	(void)data, (void)host_operation;
	SAY("submit %s %u", WORD(endpoints, endpoint), teams);
}

static void target_map(
	void *data, unsigned items, void **host, void **device, const size_t *bytes, const unsigned *flags, void *at)
{
	(void)data, (void)host, (void)device, (void)bytes, (void)flags, (void)at;
	SAY("target_map %u", items);
}

static void device_initialize(int number, const char *type, void *device, void *lookup, const char *documentation)
{
	(void)number, (void)type, (void)device, (void)lookup, (void)documentation;
	SAY("device_initialize");
}

static void device_finalize(int number)
{
	(void)number;
	SAY("device_finalize");
}

static void device_load(
	int number, const char *file, int64_t offset, void *address, size_t bytes, void *host, void *at, uint64_t id)
{
	(void)number, (void)file, (void)offset, (void)address, (void)bytes, (void)host, (void)at, (void)id;
	SAY("device_load");
}

static void device_unload(int number, uint64_t id)
{
	(void)number, (void)id;
	SAY("device_unload");
}

typedef void (*function)(void);

static const struct {
	int number;
	function callback;
} callbacks[] = {
	{1, (function)thread_begin},
	{2, (function)thread_end},
	{3, (function)parallel_begin},
	{4, (function)parallel_end},
	{5, (function)task_create},
	{6, (function)task_schedule},
	{7, (function)implicit_task},
	{11, (function)control_tool},
	{12, (function)device_initialize},
	{13, (function)device_finalize},
	{14, (function)device_load},
	{15, (function)device_unload},
	{16, (function)sync_region_wait},
	{17, (function)mutex_released},
	{18, (function)dependences_of},
	{19, (function)task_dependence},
	{20, (function)work},
	{21, (function)masked},
	{23, (function)sync_region},
	{24, (function)lock_init},
	{25, (function)lock_destroy},
	{26, (function)mutex_acquire},
	{27, (function)mutex_acquired},
	{28, (function)nest_lock},
	{29, (function)flush},
	{30, (function)cancel},
	{31, (function)reduction},
	{32, (function)dispatch},
	{33, (function)target},
	{34, (function)data_op},
	{35, (function)submit},
	{36, (function)target_map},
	{37, (function)error},
};

static int initialize(function (*lookup)(const char *name), int device, void *data)
{
	int (*set)(int, function) = (int (*)(int, function))lookup("ompt_set_callback");
	(void)device, (void)data;
	for (size_t i = 0; i < sizeof(callbacks) / sizeof(callbacks[0]); i++)
		set(callbacks[i].number, callbacks[i].callback);
	return 1;
}

static void finalize(void *data)
{
	const char *name = getenv("OMPT_TRACE");
	FILE *file = name ? fopen(name, "w") : NULL;
	(void)data;
	for (int i = 0; file && i < threads && i < THREADS; i++) {
		for (int k = 0; traces[i] && k < traces[i]->count; k++)
			fprintf(file, "%d: %s\n", i, traces[i]->lines[k]);
	}
	if (file)
		fclose(file);
}

struct tool {
	int (*initialize)(function (*lookup)(const char *name), int device, void *data);
	void (*finalize)(void *data);
	uint64_t data;
};

struct tool *ompt_start_tool(unsigned int version, const char *runtime);

struct tool *ompt_start_tool(unsigned int version, const char *runtime)
{
	static struct tool tool = {initialize, finalize, 0};
	(void)version, (void)runtime;
	return &tool;
}
