/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Target devices: the host's events 62 to 68, and the records that a device traces on its own clock. A device's trace
 * is started at the first target event that names it. A device's activities are below the construct that launched them,
 * with their time as a statistic, since it is not a host thread's time.
 */
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/base/log.h"
#include "core/base/memory.h"
#include "core/base/string_table.h"
#include "core/process/thread_life.h"
#include "core/threads/control.h"
#include "core/threads/region.h"
#include "core/threads/thread.h"
#include "core/threads/trace.h"
#include "core/tree/tree.h"
#include "models/ompt/ompt_events.h"
#include "models/ompt/ompt_names.h"
#include "models/ompt/ompt_place.h"
#include "models/ompt2015/ompt2015_events.h"

#define DEVICES 16
#define BUFFER_BYTES (1u << 16)
#define REMEMBERED 4096u
#define ALL_RECORDS 0u
#define ALL_NATIVE 255u

struct device {
	_Atomic bool begun;
	bool traced;
	ompt2015_device_t handle;
	ompt2015_pause_trace_t pause;
	ompt2015_stop_trace_t stop;
	ompt2015_translate_time_t translate;
	ompt2015_advance_t advance;
	ompt2015_record_type_t record_type;
	ompt2015_record_t ompt, correlation, native;
	ompt2015_native_abstract_t abstract;
};

static struct device devices[DEVICES];

/* ---- the construct that an activity belongs to; recent ones are cached ---- */

struct memory {
	_Atomic uint64_t count;
	_Atomic uint64_t ids[REMEMBERED];
};
static struct memory of_targets, of_activities;

/* Maps the number to a node. */
static void remember(enum heddle_ompt_names names, struct memory *memory, uint64_t id, uint32_t node)
{
	if (!heddle__ompt_name_find(names, id)) {
		uint64_t place = atomic_fetch_add(&memory->count, 1) % REMEMBERED;
		uint64_t forgotten = atomic_exchange(&memory->ids[place], id);
		heddle__ompt_name_drop(heddle__ompt_name_find(names, forgotten));
	}
	struct heddle_ompt_named *named = heddle__ompt_name_take(names, id);
	if (named)
		named->data.value = node;
}

static uint32_t recall(enum heddle_ompt_names names, uint64_t id)
{
	const struct heddle_ompt_named *named = heddle__ompt_name_find(names, id);
	return named ? (uint32_t)named->data.value : HEDDLE_TREE_ROOT;
}

/* ---- records ---- */

static const char *event_name(int event)
{
	static const char *const names[OMPT2015_EVENT_LIMIT] = {
#define X(number, name) [number] = "ompt_event_" #name,
		OMPT2015_HOST_EVENTS(X) OMPT2015_TARGET_EVENTS(X)
#undef X
	};
	return event > 0 && event < OMPT2015_EVENT_LIMIT && names[event] ? names[event] : "unknown record";
}

static struct heddle_slot *activity_slot(struct heddle_thread *thread, ompt2015_id_t activity, const char *type)
{
	char name[96];
	snprintf(name, sizeof(name), "device %s", type);
	const struct heddle_event *event = heddle__event_add("openmp", name, name, false);
	uint32_t parent = recall(HEDDLE_OMPT_DEVICE_IDS, activity);
	return event ? heddle__event_slot(thread, parent, HEDDLE_NODE_META(HEDDLE_NODE_REGION, event->id), 0) : NULL;
}

static void take_native(struct heddle_thread *thread, const struct device *device, void *record)
{
	const struct ompt2015_native_abstract *native = record && device->abstract ? device->abstract(record) : NULL;
	if (!native || native->rclass != ompt2015_record_native_class_event)
		return;
	struct heddle_slot *slot = activity_slot(thread, native->device_task, native->type ? native->type : "activity");
	if (!slot)
		return;
	heddle__visit(thread, slot);
	if (!device->translate || native->start_time == OMPT2015_NO_TIME || native->end_time == OMPT2015_NO_TIME)
		return;
	double seconds = device->translate(device->handle, native->end_time) -
			 device->translate(device->handle, native->start_time);
	heddle__distribute(slot, 1, heddle__string_number("seconds on the device %f") + 1, seconds);
}

static void take_ompt(struct heddle_thread *thread, const struct ompt2015_record_ompt *record)
{
	struct heddle_slot *slot = record ? activity_slot(thread, record->device_task, event_name(record->type)) : NULL;
	if (slot)
		heddle__visit(thread, slot);
}

static void take_correlation(const struct ompt2015_correlation *record)
{
	if (record)
		remember(HEDDLE_OMPT_DEVICE_IDS, &of_activities, record->device_task,
			recall(HEDDLE_OMPT_TARGET_IDS, record->host_task));
}

static void take_record(struct heddle_thread *thread, const struct device *device, void *buffer, ompt2015_cursor_t at,
	bool correlations)
{
	int type = device->record_type(buffer, at);
	if (correlations != (type == ompt2015_record_correlation))
		return;
	if (type == ompt2015_record_correlation && device->correlation)
		take_correlation(device->correlation(buffer, at));
	else if (type == ompt2015_record_native && device->native)
		take_native(thread, device, device->native(buffer, at));
	else if (type == ompt2015_record_ompt && device->ompt)
		take_ompt(thread, device->ompt(buffer, at));
}

static void take_records(struct heddle_thread *thread, const struct device *device, void *buffer,
	ompt2015_cursor_t begin, ompt2015_cursor_t end, bool correlations)
{
	for (ompt2015_cursor_t at = begin; at != end;) {
		take_record(thread, device, buffer, at, correlations);
		if (device->advance(buffer, at, &at) != 0)
			break;
	}
}

/* ---- buffers; both callbacks are called on threads of the device's library ---- */

static void on_buffer_request(uintptr_t first, uintptr_t second, uintptr_t third)
{
	bool numbered = first < DEVICES;
	void **buffer = (void **)(numbered ? second : first);
	size_t *bytes = (size_t *)(numbered ? third : second);
	*buffer = heddle__map(BUFFER_BYTES);
	*bytes = *buffer ? BUFFER_BYTES : 0;
}

/*
 * Correlations may follow the records that they belong to, so they are read first. Whether measurement is paused now
 * does not matter, since the device's trace was paused with it.
 */
static void on_buffer_complete(
	int number, const void *buffer, size_t bytes, ompt2015_cursor_t begin, ompt2015_cursor_t end)
{
	struct heddle_thread *thread = heddle__thread_ensure(HEDDLE_THREAD_OTHER);
	(void)bytes; /* in the appendix: the number of valid bytes */
	if (thread && number >= 0 && number < DEVICES) {
		heddle__enter(thread);
		take_records(thread, &devices[number], (void *)buffer, begin, end, true);
		take_records(thread, &devices[number], (void *)buffer, begin, end, false);
		heddle__leave(thread);
	}
	heddle__unmap((void *)buffer, BUFFER_BYTES);
}

/* ---- devices ---- */

static bool look_up(struct device *device, ompt_function_lookup_t lookup)
{
	device->stop = (ompt2015_stop_trace_t)lookup("ompt_target_stop_trace");
	device->pause = (ompt2015_pause_trace_t)lookup("ompt_target_pause_trace");
	device->translate = (ompt2015_translate_time_t)lookup("ompt_target_translate_time");
	device->advance = (ompt2015_advance_t)lookup("ompt_target_advance_buffer_cursor");
	device->record_type = (ompt2015_record_type_t)lookup("ompt_target_buffer_get_record_type");
	device->ompt = (ompt2015_record_t)lookup("ompt_target_buffer_get_record_ompt");
	device->correlation = (ompt2015_record_t)lookup("ompt_target_buffer_get_record_correlation");
	device->native = (ompt2015_record_t)lookup("ompt_target_buffer_get_record_native");
	device->abstract = (ompt2015_native_abstract_t)lookup("ompt_target_buffer_get_record_native_abstract");
	return device->advance && device->record_type;
}

static void start_trace(struct device *device, ompt_function_lookup_t lookup)
{
	ompt2015_set_trace_t set_ompt = (ompt2015_set_trace_t)lookup("ompt_target_set_trace_ompt");
	ompt2015_set_trace_t set_native = (ompt2015_set_trace_t)lookup("ompt_target_set_trace_native");
	ompt2015_start_trace_t start = (ompt2015_start_trace_t)lookup("ompt_target_start_trace");
	if (!start)
		return;
	if (set_ompt)
		set_ompt(device->handle, 1, ALL_RECORDS);
	if (set_native)
		set_native(device->handle, 1, ALL_NATIVE);
	static _Atomic bool at_exit; /* the runtime shuts down after the profile is written */
	if (!atomic_exchange(&at_exit, true))
		atexit(heddle__ompt2015_end_devices);
	start(device->handle, on_buffer_request, on_buffer_complete);
	device->traced = true;
}

/* Starts a device's trace at the first event that names the device: a tool may not query it earlier. */
static void begin_device(int number)
{
	const char *type = "unknown";
	ompt_function_lookup_t lookup = NULL;
	struct device *device = number >= 0 && number < DEVICES ? &devices[number] : NULL;
	if (!device || !heddle__ompt2015.get_device_info || atomic_exchange(&device->begun, true))
		return;
	if (heddle__ompt2015.get_device_info(number, &type, &device->handle, &lookup, NULL) != 0 || !lookup)
		return;
	heddle__inform("OpenMP: device %d: %s", number, type);
	if (look_up(device, lookup))
		start_trace(device, lookup);
}

void heddle__ompt2015_end_devices(void)
{
	for (int i = 0; i < DEVICES; i++) {
		if (devices[i].traced && devices[i].stop)
			devices[i].stop(devices[i].handle); /* returns its buffers */
		devices[i].traced = false;
		atomic_store(&devices[i].begun, false);
	}
}

void heddle__ompt2015_pause_devices(bool begin)
{
	for (int i = 0; i < DEVICES; i++) {
		if (devices[i].traced && devices[i].pause)
			devices[i].pause(devices[i].handle, begin);
	}
}

/* ---- the host's events ---- */

typedef void (*target_t)(int kind, ompt_scope_endpoint_t endpoint, int device, ompt_data_t *task, uint64_t target,
	const void *return_address);
typedef void (*data_op_t)(ompt_scope_endpoint_t endpoint, ompt_data_t *target_task, ompt_data_t *data,
	uint64_t *operation, int kind, void *source, int source_device, void *destination, int destination_device,
	size_t bytes, const void *return_address);

#define NOTIFY HEDDLE_OMPT2015_NOTIFY

/* Records the construct's path for records that follow. */
static void remember_target(ompt2015_id_t id, struct heddle_call call)
{
	struct heddle_thread *thread = heddle__thread_ensure(HEDDLE_THREAD_OTHER);
	if (!thread)
		return;
	heddle__enter(thread);
	struct heddle_captured found = heddle__caller_path(thread, call.pc, call.sp, call.bp);
	remember(HEDDLE_OMPT_TARGET_IDS, &of_targets, id, found.node);
	heddle__leave(thread);
}

/* The target construct that is open on this thread. Target constructs do not nest. */
static _Thread_local struct {
	ompt2015_id_t id; /* 0: none is open */
	int kind, device;
} open_target;

static void end_target(void)
{
	NOTIFY(FIVE_TARGET, target_t, open_target.kind, ompt_scope_end, open_target.device,
		heddle__ompt2015_word(HEDDLE_OMPT_TASK_IDS, 0), open_target.id, NULL);
	open_target.id = 0;
}

/* A detached construct has no event when its thread continues. It ends at the next event that cannot be inside it. */
void heddle__ompt2015_leave_target(void)
{
	if (open_target.id && heddle__ompt2015_delivers(ompt2015_event_target_task_end_async))
		end_target();
}

static __attribute__((noinline)) void on_target_task_begin(ompt2015_id_t parent, const ompt2015_frame_t *parent_frame,
	ompt2015_id_t task, int device, const void *code, int type)
{
	(void)parent_frame, (void)code;
	heddle__ompt2015_leave_target();
	begin_device(device);
	open_target.id = task;
	open_target.kind = type;
	open_target.device = device;
	NOTIFY(FIVE_TARGET, target_t, type, ompt_scope_begin, device,
		heddle__ompt2015_word(HEDDLE_OMPT_TASK_IDS, parent), task, NULL);
	remember_target(task, heddle__call_here());
}

static void on_target_task_end_sync(ompt2015_id_t task)
{
	if (task && task == open_target.id)
		end_target();
}

/* Called on any thread, long after the host continued. */
static void on_target_task_end_async(ompt2015_id_t task)
{
	on_target_task_end_sync(task);
}

static void on_target_data_begin(ompt2015_id_t task, int device, const void *code)
{
	heddle__ompt2015_leave_target();
	begin_device(device);
	NOTIFY(FIVE_TARGET, target_t, HEDDLE_OMPT_TARGET_DATA_REGION, ompt_scope_begin, device,
		heddle__ompt2015_word(HEDDLE_OMPT_TASK_IDS, task), 0, code);
}

static void on_target_data_end(ompt2015_id_t task)
{
	heddle__ompt2015_leave_target();
	NOTIFY(FIVE_TARGET, target_t, HEDDLE_OMPT_TARGET_DATA_REGION, ompt_scope_end, 0,
		heddle__ompt2015_word(HEDDLE_OMPT_TASK_IDS, task), 0, NULL);
}

static void report_operation(
	ompt_scope_endpoint_t endpoint, int device, const struct ompt2015_map_entry *item, ompt_target_data_op_t kind)
{
	bool from = kind == ompt_target_data_transfer_from_device;
	NOTIFY(FIVE_TARGET_DATA_OP_EMI, data_op_t, endpoint, NULL, NULL, NULL, (int)kind,
		from ? item->device : item->host, from ? device : -1, from ? item->host : item->device,
		from ? -1 : device, item->bytes, NULL);
}

/* The operation that the time of this thread's open mapping is charged to; 0: none. */
static _Thread_local ompt_target_data_op_t open_operation;

/* Several mappings at once have one begin and one end; the time is charged to the last one. */
static void on_target_data_map_begin(
	ompt2015_id_t task, int device, const struct ompt2015_map_entry *items, uint32_t count, ompt2015_id_t id)
{
	static const uint8_t kinds[ompt2015_map_kind + 1] = {
		[ompt2015_map_to] = ompt_target_data_transfer_to_device,
		[ompt2015_map_from] = ompt_target_data_transfer_from_device,
		[ompt2015_map_tofrom] = ompt_target_data_transfer_to_device,
		[ompt2015_map_alloc] = ompt_target_data_alloc,
		[ompt2015_map_release] = ompt_target_data_delete,
		[ompt2015_map_delete] = ompt_target_data_delete,
	};
	bool has_end = heddle__ompt2015_delivers(ompt2015_event_target_data_map_end);
	(void)task, (void)id;
	begin_device(device);
	for (uint32_t i = 0; i < count; i++) {
		ompt_target_data_op_t kind = kinds[items[i].flags & ompt2015_map_kind];
		bool takes_time = has_end && i + 1 == count;
		if (kind)
			report_operation(takes_time ? ompt_scope_begin : ompt_scope_beginend, device, &items[i], kind);
		open_operation = takes_time ? kind : 0;
	}
}

static void on_target_data_map_end(int device, ompt2015_id_t id)
{
	const struct ompt2015_map_entry nothing = {0};
	(void)id;
	if (open_operation)
		report_operation(ompt_scope_end, device, &nothing, open_operation);
	open_operation = 0;
}

const ompt_callback_t heddle__ompt2015_target_callbacks[OMPT2015_EVENT_LIMIT] = {
#define X(number, name) [number] = (ompt_callback_t)on_##name,
	OMPT2015_TARGET_EVENTS(X)
#undef X
};
