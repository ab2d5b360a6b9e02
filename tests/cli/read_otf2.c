/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * read_otf2 [-e] ARCHIVE: reads an OTF2 archive by libotf2's own reader and checks it: times of each location never
 * decrease, enters and leaves are balanced, events refer to defined objects, operations complete once, windows exist
 * while they are used, tasks and teams match. Prints for each region: visits, enters, ns inside, ns inside and in no
 * other region within; then counts of the other events. -e: all events first.
 */
#include "read_otf2.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[KINDS] = {"samples", "gets", "puts", "atomic operations", "blocking completions",
	"nonblocking completions", "completions at the target", "synchronizations of groups", "waits for changes",
	"requests of window locks", "acquisitions of window locks", "failed attempts at window locks",
	"releases of window locks", "windows", "collectives", "metrics", "forks", "joins", "team begins", "team ends",
	"task creations", "task switches", "task completions", "lock acquisitions", "lock releases", "measurement off",
	"measurement on", "buffer flushes"};

struct archive all;

void fail(const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	vprintf(format, arguments);
	va_end(arguments);
	putchar('\n');
	all.failed = true;
}

/* ---- events ---- */

static struct location *at(OTF2_LocationRef number, OTF2_TimeStamp time, const char *word)
{
	struct location *location = &all.locations[number];
	if (time < location->last)
		fail("%s: %s at %" PRIu64 " comes after %" PRIu64, location->name, word, time, location->last);
	if (location->depth)
		all.regions[location->regions[location->depth - 1]].own_ns += time - location->last;
	location->last = time;
	location->seen++;
	if (all.prints)
		printf("%8" PRIu64 " %s: %*s%s", time, location->name, location->depth * 2, "", word);
	return location;
}

__attribute__((format(printf, 1, 2))) static OTF2_CallbackCode more(const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	if (all.prints) {
		vprintf(format, arguments);
		putchar('\n');
	}
	va_end(arguments);
	return OTF2_CALLBACK_SUCCESS;
}

/* Appends the attributes as words. Returns true if "no visit" is among them. */
static bool attributes_of(OTF2_AttributeList *list, char *text, size_t size)
{
	bool no_visit = false;
	*text = '\0';
	for (uint32_t i = 0; i < OTF2_AttributeList_GetNumberOfElements(list); i++) {
		OTF2_AttributeRef attribute;
		OTF2_Type type;
		OTF2_AttributeValue value;
		size_t used = strlen(text);
		OTF2_AttributeList_GetAttributeByIndex(list, i, &attribute, &type, &value);
		no_visit |= attribute == 0;
		if (attribute == 0)
			snprintf(text + used, size - used, ", no visit");
		else
			snprintf(text + used, size - used, ", %" PRIu32 "=%" PRIu64, attribute, value.uint64);
	}
	return no_visit;
}

static OTF2_CallbackCode on_enter(
	OTF2_LocationRef number, OTF2_TimeStamp time, void *data, OTF2_AttributeList *list, OTF2_RegionRef region)
{
	char text[256];
	struct location *location = at(number, time, "enter ");
	(void)data;
	bool visit = !attributes_of(list, text, sizeof(text));
	if (region >= MOST || !all.regions[region].defined) {
		fail("%s: enter of an undefined region", location->name);
		return OTF2_CALLBACK_INTERRUPT;
	}
	all.regions[region].enters++;
	all.regions[region].visits += visit;
	location->begun[location->depth] = time;
	location->regions[location->depth++] = region;
	return more("%s%s", all.regions[region].name, text);
}

/* If a region is inside itself, the time inside counts once. */
static OTF2_CallbackCode on_leave(
	OTF2_LocationRef number, OTF2_TimeStamp time, void *data, OTF2_AttributeList *list, OTF2_RegionRef region)
{
	struct location *location = &all.locations[number];
	bool inside = false;
	(void)data;
	(void)list;
	if (location->depth == 0 || location->regions[location->depth - 1] != region) {
		fail("%s: leave without its enter", location->name);
		return OTF2_CALLBACK_INTERRUPT;
	}
	at(number, time, "leave ");
	location->depth--;
	for (int i = 0; i < location->depth; i++)
		inside |= location->regions[i] == region;
	if (!inside)
		all.regions[region].ns += time - location->begun[location->depth];
	return more("%s", all.regions[region].name);
}

static OTF2_CallbackCode on_sample(OTF2_LocationRef number, OTF2_TimeStamp time, void *data, OTF2_AttributeList *list,
	OTF2_CallingContextRef context, uint32_t distance, OTF2_InterruptGeneratorRef generator)
{
	char text[256];
	uint32_t depth = 0;
	struct location *location = at(number, time, "sample ");
	(void)data;
	attributes_of(list, text, sizeof(text));
	if (!all.contexts[context] || !all.generators[generator]) {
		fail("%s: sample of something undefined", location->name);
		return OTF2_CALLBACK_INTERRUPT;
	}
	for (uint32_t i = context; i != OTF2_UNDEFINED_CALLING_CONTEXT; i = all.context_parents[i])
		depth++;
	if (distance > depth + 1)
		fail("%s: unwind distance %" PRIu32 " in a path of %" PRIu32, location->name, distance, depth);
	all.counts[SAMPLES]++;
	return more("%" PRIu32 ", %" PRIu32 " new%s", context, distance, text);
}

/* Operations of a location are numbered from 0 on. */
static void begin_operation(struct location *location, uint64_t id)
{
	if (id != location->operations)
		fail("%s: operation %" PRIu64 " is not the next one", location->name, id);
	if (location->operations == location->room) {
		location->room = location->room ? 2 * location->room : 64;
		location->completed = realloc(location->completed, location->room);
	}
	location->completed[location->operations++] = 0;
	all.open_operations++;
}

static OTF2_CallbackCode operate(
	struct location *location, OTF2_RmaWinRef window, uint32_t remote, uint64_t bytes, uint64_t id)
{
	if (!all.windows[window].defined || remote >= all.windows[window].size || !location->windows)
		fail("%s: operation on something undefined", location->name);
	begin_operation(location, id);
	return more("%" PRIu64 " bytes, member %" PRIu32, bytes, remote);
}

static OTF2_CallbackCode on_get(OTF2_LocationRef number, OTF2_TimeStamp time, void *data, OTF2_AttributeList *list,
	OTF2_RmaWinRef window, uint32_t remote, uint64_t bytes, uint64_t id)
{
	(void)data;
	(void)list;
	all.counts[GETS]++;
	return operate(at(number, time, "get "), window, remote, bytes, id);
}

static OTF2_CallbackCode on_put(OTF2_LocationRef number, OTF2_TimeStamp time, void *data, OTF2_AttributeList *list,
	OTF2_RmaWinRef window, uint32_t remote, uint64_t bytes, uint64_t id)
{
	(void)data;
	(void)list;
	all.counts[PUTS]++;
	return operate(at(number, time, "put "), window, remote, bytes, id);
}

static OTF2_CallbackCode on_atomic(OTF2_LocationRef number, OTF2_TimeStamp time, void *data, OTF2_AttributeList *list,
	OTF2_RmaWinRef window, uint32_t remote, OTF2_RmaAtomicType type, uint64_t sent, uint64_t received, uint64_t id)
{
	(void)data;
	(void)list;
	(void)type;
	all.counts[ATOMICS]++;
	return operate(at(number, time, "atomic "), window, remote, sent + received, id);
}

/* Each is complete once here, and then at most once at its target. */
static OTF2_CallbackCode finish(struct location *location, uint64_t id, bool remote)
{
	if (id >= location->operations)
		fail("%s: completion of no operation", location->name);
	else if (location->completed[id] != remote)
		fail("%s: operation %" PRIu64 " is complete twice, or at its target first", location->name, id);
	else
		location->completed[id]++;
	all.open_operations -= !remote;
	return more("of %" PRIu64, id);
}

#define COMPLETION(name, count, word, remote)                                                   \
	static OTF2_CallbackCode name(OTF2_LocationRef number, OTF2_TimeStamp time, void *data, \
		OTF2_AttributeList *list, OTF2_RmaWinRef window, uint64_t id)                   \
	{                                                                                       \
		(void)data;                                                                     \
		(void)list;                                                                     \
		(void)window;                                                                   \
		all.counts[count]++;                                                            \
		return finish(at(number, time, word), id, remote);                              \
	}
COMPLETION(on_blocking, BLOCKING, "complete ", false)
COMPLETION(on_nonblocking, NONBLOCKING, "complete nonblocking ", false)
COMPLETION(on_remote, REMOTE, "complete at target ", true)

/* ---- windows and collective operations ---- */

static OTF2_CallbackCode open_window(struct location *location, OTF2_RmaWinRef window, bool opens)
{
	if (!all.windows[window].defined || (!opens && !location->windows))
		fail("%s: a window that is not there", location->name);
	location->windows += opens ? 1 : -1;
	all.counts[WINDOWS] += opens;
	return more("window %" PRIu32, window);
}

static OTF2_CallbackCode on_window_create(
	OTF2_LocationRef number, OTF2_TimeStamp time, void *data, OTF2_AttributeList *list, OTF2_RmaWinRef window)
{
	(void)data;
	(void)list;
	return open_window(at(number, time, "create "), window, true);
}

static OTF2_CallbackCode on_window_destroy(
	OTF2_LocationRef number, OTF2_TimeStamp time, void *data, OTF2_AttributeList *list, OTF2_RmaWinRef window)
{
	(void)data;
	(void)list;
	return open_window(at(number, time, "destroy "), window, false);
}

static OTF2_CallbackCode on_collective_begin(
	OTF2_LocationRef number, OTF2_TimeStamp time, void *data, OTF2_AttributeList *list)
{
	struct location *location = at(number, time, "collective begin ");
	(void)data;
	(void)list;
	if (!location->windows || location->collectives++)
		fail("%s: a collective outside of the window, or within another", location->name);
	return more("%s", location->name);
}

static OTF2_CallbackCode on_collective_end(OTF2_LocationRef number, OTF2_TimeStamp time, void *data,
	OTF2_AttributeList *list, OTF2_CollectiveOp operation, OTF2_RmaSyncLevel level, OTF2_RmaWinRef window,
	uint32_t root, uint64_t sent, uint64_t received)
{
	struct location *location = at(number, time, "collective end ");
	(void)data;
	(void)list;
	(void)root;
	if (!all.windows[window].defined || location->collectives-- != 1)
		fail("%s: the end of no collective", location->name);
	all.counts[COLLECTIVES]++;
	return more(
		"%d level %" PRIu32 ", %" PRIu64 " bytes sent, %" PRIu64 " received", operation, level, sent, received);
}

static OTF2_CallbackCode on_group_sync(OTF2_LocationRef number, OTF2_TimeStamp time, void *data,
	OTF2_AttributeList *list, OTF2_RmaSyncLevel level, OTF2_RmaWinRef window, OTF2_GroupRef group)
{
	struct location *location = at(number, time, "synchronization ");
	(void)data;
	(void)list;
	if (!all.windows[window].defined || !all.groups[group].defined)
		fail("%s: synchronization on something undefined", location->name);
	all.counts[GROUP_SYNCS]++;
	return more("level %" PRIu32 ", group %" PRIu32, level, group);
}

static OTF2_CallbackCode on_wait_change(
	OTF2_LocationRef number, OTF2_TimeStamp time, void *data, OTF2_AttributeList *list, OTF2_RmaWinRef window)
{
	(void)data;
	(void)list;
	all.counts[WAITS_FOR_CHANGE]++;
	at(number, time, "wait for change ");
	return more("window %" PRIu32, window);
}

#define LOCK_REQUEST(name, count, word, holds)                                                                       \
	static OTF2_CallbackCode name(OTF2_LocationRef number, OTF2_TimeStamp time, void *data,                      \
		OTF2_AttributeList *list, OTF2_RmaWinRef window, uint32_t remote, uint64_t lock, OTF2_LockType type) \
	{                                                                                                            \
		(void)data;                                                                                          \
		(void)list;                                                                                          \
		all.counts[count]++;                                                                                 \
		at(number, time, word)->locks += holds;                                                              \
		return more("window %" PRIu32 ", member %" PRId32 ", lock %" PRIu64 ", type %d", window,             \
			(int32_t)remote, lock, type);                                                                \
	}
LOCK_REQUEST(on_lock_request, RMA_REQUESTS, "request lock ", 1)
LOCK_REQUEST(on_lock_acquired, RMA_ACQUIRES, "acquire window lock ", 1)
LOCK_REQUEST(on_lock_attempt, RMA_ATTEMPTS, "try window lock ", 0)

static OTF2_CallbackCode on_lock_released(OTF2_LocationRef number, OTF2_TimeStamp time, void *data,
	OTF2_AttributeList *list, OTF2_RmaWinRef window, uint32_t remote, uint64_t lock)
{
	struct location *location = at(number, time, "release window lock ");
	(void)data;
	(void)list;
	all.counts[RMA_RELEASES]++;
	if (location->locks-- == 0)
		fail("%s: a lock is released that was not acquired", location->name);
	return more("window %" PRIu32 ", member %" PRId32 ", lock %" PRIu64, window, (int32_t)remote, lock);
}

static OTF2_CallbackCode on_metric(OTF2_LocationRef number, OTF2_TimeStamp time, void *data, OTF2_AttributeList *list,
	OTF2_MetricRef metric, uint8_t count, const OTF2_Type *types, const OTF2_MetricValue *values)
{
	struct location *location = at(number, time, "metric ");
	(void)data;
	(void)list;
	if (!all.metrics[metric] || count != 1)
		fail("%s: undefined metric", location->name);
	all.counts[METRICS]++;
	return types[0] == OTF2_TYPE_DOUBLE ? more("%" PRIu32 " %g", metric, values[0].floating_point)
					    : more("%" PRIu32 " %" PRIu64, metric, values[0].unsigned_int);
}

static OTF2_CallbackCode on_fork(OTF2_LocationRef number, OTF2_TimeStamp time, void *data, OTF2_AttributeList *list,
	OTF2_Paradigm paradigm, uint32_t threads)
{
	(void)data;
	(void)list;
	(void)threads;
	all.counts[FORKS]++;
	at(number, time, "fork")->forks++;
	return more(" of paradigm %d", paradigm);
}

static OTF2_CallbackCode on_join(
	OTF2_LocationRef number, OTF2_TimeStamp time, void *data, OTF2_AttributeList *list, OTF2_Paradigm paradigm)
{
	struct location *location = at(number, time, "join");
	(void)data;
	(void)list;
	all.counts[JOINS]++;
	if (location->forks-- == 0)
		fail("%s: join without fork", location->name);
	return more(" of paradigm %d", paradigm);
}

static OTF2_CallbackCode on_team_begin(
	OTF2_LocationRef number, OTF2_TimeStamp time, void *data, OTF2_AttributeList *list, OTF2_CommRef team)
{
	(void)data;
	(void)list;
	all.counts[TEAM_BEGINS]++;
	at(number, time, "team begin")->teams++;
	if (!all.comms[team].defined)
		fail("undefined team");
	return more(" %" PRIu32, team);
}

static OTF2_CallbackCode on_team_end(
	OTF2_LocationRef number, OTF2_TimeStamp time, void *data, OTF2_AttributeList *list, OTF2_CommRef team)
{
	struct location *location = at(number, time, "team end");
	(void)data;
	(void)list;
	all.counts[TEAM_ENDS]++;
	if (location->teams-- == 0)
		fail("%s: end of a team without begin", location->name);
	return more(" %" PRIu32, team);
}

static struct task *task_of(uint32_t team, uint32_t creator, uint32_t number)
{
	for (size_t i = all.task_count; i-- > 0;)
		if (all.tasks[i].team == team && all.tasks[i].creator == creator && all.tasks[i].number == number)
			return &all.tasks[i];
	return NULL;
}

static OTF2_CallbackCode on_create(OTF2_LocationRef number, OTF2_TimeStamp time, void *data, OTF2_AttributeList *list,
	OTF2_CommRef team, uint32_t creator, uint32_t nth)
{
	(void)data;
	(void)list;
	all.counts[CREATES]++;
	at(number, time, "create task");
	if (task_of(team, creator, nth))
		fail("a task is created twice");
	if (all.task_count < MOST_TASKS)
		all.tasks[all.task_count++] = (struct task){team, creator, nth, true, false};
	return more(" %" PRIu32 ".%" PRIu32, creator, nth);
}

static OTF2_CallbackCode on_switch(OTF2_LocationRef number, OTF2_TimeStamp time, void *data, OTF2_AttributeList *list,
	OTF2_CommRef team, uint32_t creator, uint32_t nth)
{
	(void)data;
	(void)list;
	all.counts[SWITCHES]++;
	at(number, time, "switch to task");
	const struct task *task = nth ? task_of(team, creator, nth) : NULL;
	if (nth && (!task || task->completed))
		fail("switch to a task that does not exist");
	return more(" %" PRIu32 ".%" PRIu32, creator, nth);
}

static OTF2_CallbackCode on_complete(OTF2_LocationRef number, OTF2_TimeStamp time, void *data, OTF2_AttributeList *list,
	OTF2_CommRef team, uint32_t creator, uint32_t nth)
{
	(void)data;
	(void)list;
	all.counts[COMPLETES]++;
	at(number, time, "complete task");
	struct task *task = task_of(team, creator, nth);
	if (!task || task->completed)
		fail("completion of a task that does not exist");
	else
		task->completed = true;
	return more(" %" PRIu32 ".%" PRIu32, creator, nth);
}

static OTF2_CallbackCode on_acquire(OTF2_LocationRef number, OTF2_TimeStamp time, void *data, OTF2_AttributeList *list,
	OTF2_Paradigm paradigm, uint32_t lock, uint32_t order)
{
	(void)data;
	(void)list;
	(void)paradigm;
	all.counts[ACQUIRES]++;
	at(number, time, "acquire lock");
	return more(" %" PRIu32 ", order %" PRIu32, lock, order);
}

static OTF2_CallbackCode on_release(OTF2_LocationRef number, OTF2_TimeStamp time, void *data, OTF2_AttributeList *list,
	OTF2_Paradigm paradigm, uint32_t lock, uint32_t order)
{
	(void)data;
	(void)list;
	(void)paradigm;
	all.counts[RELEASES]++;
	at(number, time, "release lock");
	return more(" %" PRIu32 ", order %" PRIu32, lock, order);
}

static OTF2_CallbackCode on_switched(
	OTF2_LocationRef number, OTF2_TimeStamp time, void *data, OTF2_AttributeList *list, OTF2_MeasurementMode mode)
{
	(void)data;
	(void)list;
	all.counts[mode == OTF2_MEASUREMENT_ON ? ONS : OFFS]++;
	at(number, time, "measurement ");
	return more("%s", mode == OTF2_MEASUREMENT_ON ? "on" : "off");
}

static OTF2_CallbackCode on_flush(
	OTF2_LocationRef number, OTF2_TimeStamp time, void *data, OTF2_AttributeList *list, OTF2_TimeStamp stop)
{
	(void)data;
	(void)list;
	all.counts[FLUSHES]++;
	at(number, time, "flush");
	return more(" up to %" PRIu64, stop);
}

/* ---- all ---- */

static void open_locations(OTF2_Reader *reader)
{
	for (size_t i = 0; i < all.location_count; i++)
		OTF2_Reader_SelectLocation(reader, all.ids[i]);
	bool local = OTF2_Reader_OpenDefFiles(reader) == OTF2_SUCCESS;
	if (!local || OTF2_Reader_OpenEvtFiles(reader) != OTF2_SUCCESS)
		fail("files of locations cannot be opened");
	for (size_t i = 0; i < all.location_count; i++) {
		uint64_t count;
		OTF2_DefReader *definitions = OTF2_Reader_GetDefReader(reader, all.ids[i]);
		if (!definitions) {
			fail("no definitions of location %" PRIu64, all.ids[i]);
			continue;
		}
		OTF2_Reader_ReadAllLocalDefinitions(reader, definitions, &count);
		OTF2_Reader_CloseDefReader(reader, definitions);
		if (!OTF2_Reader_GetEvtReader(reader, all.ids[i]))
			fail("no events of location %" PRIu64, all.ids[i]);
	}
	OTF2_Reader_CloseDefFiles(reader);
}

static void read_events(OTF2_Reader *reader)
{
	uint64_t count;
	OTF2_GlobalEvtReader *events = OTF2_Reader_GetGlobalEvtReader(reader);
	OTF2_GlobalEvtReaderCallbacks *callbacks = OTF2_GlobalEvtReaderCallbacks_New();
	OTF2_GlobalEvtReaderCallbacks_SetEnterCallback(callbacks, on_enter);
	OTF2_GlobalEvtReaderCallbacks_SetLeaveCallback(callbacks, on_leave);
	OTF2_GlobalEvtReaderCallbacks_SetCallingContextSampleCallback(callbacks, on_sample);
	OTF2_GlobalEvtReaderCallbacks_SetRmaGetCallback(callbacks, on_get);
	OTF2_GlobalEvtReaderCallbacks_SetRmaPutCallback(callbacks, on_put);
	OTF2_GlobalEvtReaderCallbacks_SetRmaAtomicCallback(callbacks, on_atomic);
	OTF2_GlobalEvtReaderCallbacks_SetRmaOpCompleteRemoteCallback(callbacks, on_remote);
	OTF2_GlobalEvtReaderCallbacks_SetRmaGroupSyncCallback(callbacks, on_group_sync);
	OTF2_GlobalEvtReaderCallbacks_SetRmaWaitChangeCallback(callbacks, on_wait_change);
	OTF2_GlobalEvtReaderCallbacks_SetRmaRequestLockCallback(callbacks, on_lock_request);
	OTF2_GlobalEvtReaderCallbacks_SetRmaAcquireLockCallback(callbacks, on_lock_acquired);
	OTF2_GlobalEvtReaderCallbacks_SetRmaTryLockCallback(callbacks, on_lock_attempt);
	OTF2_GlobalEvtReaderCallbacks_SetRmaReleaseLockCallback(callbacks, on_lock_released);
	OTF2_GlobalEvtReaderCallbacks_SetRmaOpCompleteBlockingCallback(callbacks, on_blocking);
	OTF2_GlobalEvtReaderCallbacks_SetRmaOpCompleteNonBlockingCallback(callbacks, on_nonblocking);
	OTF2_GlobalEvtReaderCallbacks_SetRmaWinCreateCallback(callbacks, on_window_create);
	OTF2_GlobalEvtReaderCallbacks_SetRmaWinDestroyCallback(callbacks, on_window_destroy);
	OTF2_GlobalEvtReaderCallbacks_SetRmaCollectiveBeginCallback(callbacks, on_collective_begin);
	OTF2_GlobalEvtReaderCallbacks_SetRmaCollectiveEndCallback(callbacks, on_collective_end);
	OTF2_GlobalEvtReaderCallbacks_SetMetricCallback(callbacks, on_metric);
	OTF2_GlobalEvtReaderCallbacks_SetThreadForkCallback(callbacks, on_fork);
	OTF2_GlobalEvtReaderCallbacks_SetThreadJoinCallback(callbacks, on_join);
	OTF2_GlobalEvtReaderCallbacks_SetThreadTeamBeginCallback(callbacks, on_team_begin);
	OTF2_GlobalEvtReaderCallbacks_SetThreadTeamEndCallback(callbacks, on_team_end);
	OTF2_GlobalEvtReaderCallbacks_SetThreadTaskCreateCallback(callbacks, on_create);
	OTF2_GlobalEvtReaderCallbacks_SetThreadTaskSwitchCallback(callbacks, on_switch);
	OTF2_GlobalEvtReaderCallbacks_SetThreadTaskCompleteCallback(callbacks, on_complete);
	OTF2_GlobalEvtReaderCallbacks_SetThreadAcquireLockCallback(callbacks, on_acquire);
	OTF2_GlobalEvtReaderCallbacks_SetThreadReleaseLockCallback(callbacks, on_release);
	OTF2_GlobalEvtReaderCallbacks_SetMeasurementOnOffCallback(callbacks, on_switched);
	OTF2_GlobalEvtReaderCallbacks_SetBufferFlushCallback(callbacks, on_flush);
	OTF2_Reader_RegisterGlobalEvtCallbacks(reader, events, callbacks, NULL);
	OTF2_GlobalEvtReaderCallbacks_Delete(callbacks);
	if (OTF2_Reader_ReadAllGlobalEvents(reader, events, &count) != OTF2_SUCCESS)
		fail("the events cannot be read");
	OTF2_Reader_CloseGlobalEvtReader(reader, events);
	OTF2_Reader_CloseEvtFiles(reader);
}

static void check_ends(void)
{
	for (size_t i = 0; i < all.location_count; i++) {
		const struct location *location = &all.locations[all.ids[i]];
		if (location->depth)
			fail("%s: a region is not left", location->name);
		if (location->seen != location->expected)
			fail("%s: %" PRIu64 " events, %" PRIu64 " defined", location->name, location->seen,
				location->expected);
		if (strncmp(location->name, "heddle", 6) == 0)
			fail("%s: Heddle's own thread is a location", location->name);
		if (location->windows)
			fail("%s: a window is not destroyed", location->name);
		if (location->teams || location->forks)
			fail("%s: a parallel region is not ended", location->name);
	}
}

int main(int argc, char **argv)
{
	all.prints = argc > 2 && strcmp(argv[1], "-e") == 0;
	all.tasks = calloc(MOST_TASKS, sizeof(*all.tasks));
	OTF2_Reader *reader = argc > 1 && all.tasks ? OTF2_Reader_Open(argv[argc - 1]) : NULL;
	if (!reader) {
		fputs("read_otf2: cannot be read\n", stderr);
		return 1;
	}
	OTF2_Reader_SetSerialCollectiveCallbacks(reader);
	read_definitions(reader);
	open_locations(reader);
	read_events(reader);
	check_ends();
	OTF2_Reader_Close(reader);
	for (size_t i = 0; i < MOST; i++)
		if (all.regions[i].enters)
			printf("%" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %s\n", all.regions[i].visits,
				all.regions[i].enters, all.regions[i].ns, all.regions[i].own_ns, all.regions[i].name);
	for (int i = 0; i < KINDS; i++)
		if (all.counts[i])
			printf("%s: %" PRIu64 "\n", names[i], all.counts[i]);
	printf("open operations: %" PRIu64 "\n", all.open_operations);
	return all.failed ? 1 : 0;
}
