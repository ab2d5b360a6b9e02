/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The simulated runtime's device. It executes nothing: a kernel is a record of the time that it would take, on a clock
 * with two ticks per nanosecond and another origin. Buffers are requested and completed on a thread of the device. With
 * SIMULATED_FORM=appendix, they are requested as declared in the report's appendix, without the device's number.
 */
#include "simulated_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef void (*function)(void);
typedef uintptr_t cursor;

struct native {
	int rclass;
	const char *type;
	uint64_t start, end, device_task, hardware;
};

struct correlation {
	uint64_t host_task, device_task;
};

struct event_record {
	int type;
	uint64_t time, thread, device_task, arguments[6];
};

enum { RECORD_OMPT, RECORD_CORRELATION, RECORD_NATIVE, RECORD_INVALID };

struct record {
	int type;
	union {
		struct native native;
		struct correlation correlation;
		struct event_record event;
	};
};

struct map_entry {
	void *host, *device;
	size_t bytes;
	uint32_t flags;
};

#define NO_TIME UINT64_MAX
#define CLOCK_BEGINS UINT64_C(123456789)
#define CAPACITY 8u /* records in a buffer: few, so that there are several buffers */

static struct {
	function request, complete;
	struct record *buffer;
	size_t bytes, records, capacity;
	uint64_t now, last_task;
	bool traced, native, events, paused, dropped;
} device;

/* ---- buffers ---- */

static void *ask_for_buffer(void *unused)
{
	const char *form = getenv("SIMULATED_FORM");
	(void)unused;
	if (form && strcmp(form, "appendix") == 0)
		((void (*)(struct record **, size_t *))device.request)(&device.buffer, &device.bytes);
	else
		((void (*)(int, struct record **, size_t *))device.request)(0, &device.buffer, &device.bytes);
	device.records = 0;
	device.capacity =
		device.bytes / sizeof(struct record) < CAPACITY ? device.bytes / sizeof(struct record) : CAPACITY;
	return NULL;
}

static void *give_back_buffer(void *unused)
{
	(void)unused;
	((void (*)(int, const void *, size_t, cursor, cursor))device.complete)(
		0, device.buffer, device.bytes, 1, device.records + 1);
	device.buffer = NULL;
	return NULL;
}

static void on_device_thread(void *(*routine)(void *))
{
	pthread_t thread;
	pthread_create(&thread, NULL, routine, NULL);
	pthread_join(thread, NULL);
}

static void put(struct record record)
{
	if (!device.traced || device.paused || device.dropped)
		return;
	if (device.buffer && device.records == device.capacity)
		on_device_thread(give_back_buffer);
	if (!device.buffer)
		on_device_thread(ask_for_buffer);
	device.dropped = !device.buffer || device.capacity == 0;
	if (!device.dropped)
		device.buffer[device.records++] = record;
}

/* The correlation record is the last one: the device learns of the host's task at its end. */
static void put_activity(const char *type, uint64_t host_task, uint64_t ns)
{
	struct native native = {1, type, device.now, device.now + 2 * ns, ++device.last_task, 3};
	device.now += 2 * ns;
	if (device.native) {
		put((struct record){.type = RECORD_NATIVE, .native = native});
		put((struct record){.type = RECORD_NATIVE, .native = {0, "a remark", NO_TIME, NO_TIME, 0, 0}});
	}
	if (device.events)
		put((struct record){
			.type = RECORD_OMPT, .event = {EVENT_parallel_begin, device.now, 1, native.device_task, {0}}});
	put((struct record){.type = RECORD_CORRELATION, .correlation = {host_task, native.device_task}});
}

/* ---- what tools look up; a cursor is a record's number, from 1 ---- */

static int get_device_info(
	int number, const char **type, void **handle, function (**lookup)(const char *), const char *text);

static int set_trace_ompt(void *handle, uint32_t enable, uint32_t type)
{
	(void)handle;
	device.events = enable && !type;
	return 4;
}

static int set_trace_native(void *handle, uint32_t enable, uint32_t flags)
{
	(void)handle;
	device.native = enable && flags & 8; /* execution of kernels */
	return 4;
}

static int start_trace(void *handle, function request, function complete)
{
	(void)handle;
	device.request = request;
	device.complete = complete;
	device.traced = true;
	device.dropped = false;
	return 1;
}

static int pause_trace(void *handle, uint32_t begin)
{
	(void)handle;
	device.paused = begin;
	return 1;
}

static int stop_trace(void *handle)
{
	(void)handle;
	if (device.buffer)
		on_device_thread(give_back_buffer);
	device.traced = false;
	return 1;
}

static uint64_t get_time(void *handle)
{
	(void)handle;
	return device.now;
}

static double translate_time(void *handle, uint64_t time)
{
	(void)handle;
	return (double)(time - CLOCK_BEGINS) / 2e9;
}

static int advance(struct record *buffer, cursor current, cursor *next)
{
	(void)buffer;
	if (current < 1 || current > device.records)
		return 1;
	*next = current + 1;
	return 0;
}

static struct record *at(struct record *buffer, cursor current, int type)
{
	struct record *record = current >= 1 && current <= device.records ? &buffer[current - 1] : NULL;
	return record && record->type == type ? record : NULL;
}

static int record_type(struct record *buffer, cursor current)
{
	return current >= 1 && current <= device.records ? buffer[current - 1].type : RECORD_INVALID;
}

static struct event_record *record_ompt(struct record *buffer, cursor current)
{
	struct record *record = at(buffer, current, RECORD_OMPT);
	return record ? &record->event : NULL;
}

static struct correlation *record_correlation(struct record *buffer, cursor current)
{
	struct record *record = at(buffer, current, RECORD_CORRELATION);
	return record ? &record->correlation : NULL;
}

static struct native *record_native(struct record *buffer, cursor current)
{
	struct record *record = at(buffer, current, RECORD_NATIVE);
	return record ? &record->native : NULL;
}

static struct native *native_abstract(void *record)
{
	return record;
}

static function device_lookup(const char *name)
{
	static const struct {
		const char *name;
		function function;
	} functions[] = {
#define NAMED(name, of) {"ompt_target_" #name, (function)of}
		NAMED(set_trace_ompt, set_trace_ompt), NAMED(set_trace_native, set_trace_native),
		NAMED(start_trace, start_trace), NAMED(pause_trace, pause_trace), NAMED(stop_trace, stop_trace),
		NAMED(get_time, get_time), NAMED(translate_time, translate_time), NAMED(advance_buffer_cursor, advance),
		NAMED(buffer_get_record_type, record_type), NAMED(buffer_get_record_ompt, record_ompt),
		NAMED(buffer_get_record_correlation, record_correlation),
		NAMED(buffer_get_record_native, record_native),
		NAMED(buffer_get_record_native_abstract, native_abstract)};
	for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++) {
		if (strcmp(name, functions[i].name) == 0)
			return functions[i].function;
	}
	return NULL;
}

static int get_device_info(
	int number, const char **type, void **handle, function (**lookup)(const char *), const char *text)
{
	(void)text;
	if (number != 0)
		return 1;
	*type = "Simulated device, 1 core";
	*handle = &device;
	*lookup = device_lookup;
	return 0;
}

static int get_num_devices(void)
{
	return 1;
}

void (*sim_target_lookup(const char *name))(void)
{
	if (strcmp(name, "ompt_target_get_device_info") == 0)
		return (function)get_device_info;
	return strcmp(name, "ompt_get_num_devices") == 0 ? (function)get_num_devices : NULL;
}

/* Every requested buffer is completed before the runtime ends. */
void sim_target_shutdown(void)
{
	if (device.buffer)
		on_device_thread(give_back_buffer);
}

/* ---- constructs ---- */

static void map(uint64_t task, unsigned int bytes, uint32_t flags)
{
	static _Atomic uint64_t last;
	uint64_t id = atomic_fetch_add(&last, 1) + 1;
	struct map_entry items[] = {{&device, &device, bytes, flags}};
	if (!bytes)
		return;
	FIRE(target_data_map_begin, (uint64_t, int, const struct map_entry *, uint32_t, uint64_t), task, 0, items,
		UINT32_C(1), id);
	FIRE(target_data_map_end, (int, uint64_t), 0, id);
}

static uint64_t begin(int type)
{
	struct thread *me = sim_me();
	uint64_t id = sim_new_task_id();
	if (!device.now)
		device.now = CLOCK_BEGINS;
	FIRE(target_task_begin, (uint64_t, struct frame *, uint64_t, int, const void *, int), me->current->id,
		&me->current->frame, id, 0, NULL, type);
	me->state = STATE_WAIT_TARGET;
	return id;
}

static void end(uint64_t id, bool asynchronous)
{
	struct thread *me = sim_me();
	me->state = team_of(me) ? STATE_WORK_PARALLEL : STATE_WORK_SERIAL;
	if (asynchronous)
		FIRE(target_task_end_async, (uint64_t), id);
	else
		FIRE(target_task_end_sync, (uint64_t), id);
}

void sim_target(uint64_t kernel_ns, unsigned int bytes_to, unsigned int bytes_from)
{
	uint64_t id = begin(1);
	map(id, bytes_to, 1 | 8);
	put_activity("kernel", id, kernel_ns);
	map(id, bytes_from, 2 | 8);
	end(id, false);
}

void sim_target_enter_data(unsigned int bytes)
{
	uint64_t id = begin(2);
	map(id, bytes, 1 | 8);
	end(id, false);
}

void sim_target_exit_data(unsigned int bytes)
{
	uint64_t id = begin(3);
	map(id, bytes, 2 | 8);
	end(id, false);
}

void sim_target_update(unsigned int bytes)
{
	uint64_t id = begin(4);
	map(id, bytes, 1);
	end(id, true);
}

void sim_target_data(void (*body)(void *), void *argument)
{
	struct thread *me = sim_me();
	FIRE(target_data_begin, (uint64_t, int, const void *), me->current->id, 0, __builtin_return_address(0));
	body(argument);
	FIRE(target_data_end, (uint64_t), me->current->id);
}
