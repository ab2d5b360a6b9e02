/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Target constructs as the host sees them: the constructs, copies and other operations on device memory, kernel
 * launches, and the devices' own life cycle. Most of these callbacks have two forms; the one with a begin and an end
 * (EMI) is preferred. These events are few and expensive, so each region captures its path: a kernel that runs on the
 * host goes below it.
 */

#include <stddef.h>

#include "core/base/log.h"
#include "core/modules/module.h"
#include "core/process/thread_life.h"
#include "core/threads/frontend.h"
#include "core/threads/region.h"
#include "core/threads/thread.h"
#include "core/threads/trace.h"
#include "models/ompt/ompt_callbacks.h"
#include "models/ompt/ompt_names.h"
#include "models/ompt/ompt_place.h"

/* Where an event occurs: the node of its path, its place, and the stack address at which its region begins. */
struct site {
	uint32_t parent;
	uint64_t place;
	uintptr_t cfa;
};

/*
 * Finds the site of an event. The runtime may pass no return address, or one in its own code. Then the place is where
 * the program's code called the runtime, or that of the open region.
 */
static struct site find_site(struct heddle_thread *thread, const void *return_address, struct heddle_call call)
{
	struct heddle_captured found = heddle__caller_path(thread, call.pc, call.sp, call.bp);
	uint64_t place = heddle__ompt_construct_place(thread, return_address);
	if (!place)
		place = found.place ? found.place : heddle__ompt_outer_place(thread);
	return (struct site){
		.parent = found.node, .place = place, .cfa = found.end ? heddle__cfa_in_frame(found.end) : found.sp};
}

/* Both return the slot in which a visit was counted; NULL: nothing is counted now. */
static struct heddle_slot *count(struct heddle_thread *thread, const struct heddle_event *event,
	const void *return_address, struct heddle_call call)
{
	if (!heddle__is_counting(thread))
		return NULL;
	struct site site = find_site(thread, return_address, call);
	struct heddle_slot *slot =
		heddle__event_slot(thread, site.parent, HEDDLE_NODE_META(HEDDLE_NODE_REGION, event->id), site.place);
	heddle__visit(thread, slot);
	return slot;
}

static struct heddle_slot *begin(struct heddle_thread *thread, const struct heddle_event *event,
	const void *return_address, struct heddle_call call)
{
	struct site site = find_site(thread, return_address, call);
	return heddle__region_begin_below(thread, event, site.parent, site.place, site.cfa);
}

/* ---- constructs ---- */

static void target(const struct heddle_event *event, ompt_scope_endpoint_t endpoint, const void *return_address,
	struct heddle_call call)
{
	struct heddle_thread *thread = event ? heddle__thread_ensure(HEDDLE_THREAD_OTHER) : NULL;
	if (!thread)
		return;
	heddle__enter(thread);
	if (endpoint == ompt_scope_begin)
		begin(thread, event, return_address, call);
	else if (endpoint == ompt_scope_end)
		heddle__region_end(thread, event);
	else
		count(thread, event, return_address, call);
	heddle__leave(thread);
}

static void on_target_emi(ompt_target_t kind, ompt_scope_endpoint_t endpoint, int device, ompt_data_t *task,
	ompt_data_t *target_task, ompt_data_t *data, const void *return_address)
{
	(void)device, (void)task, (void)target_task, (void)data;
	target(heddle__ompt_kind(heddle__ompt_target_events, kind), endpoint, return_address, heddle__call_here());
}

static void on_target(ompt_target_t kind, ompt_scope_endpoint_t endpoint, int device, ompt_data_t *task, uint64_t id,
	const void *return_address)
{
	(void)device, (void)task, (void)id;
	target(heddle__ompt_kind(heddle__ompt_target_events, kind), endpoint, return_address, heddle__call_here());
}

/* ---- operations on a device's memory ---- */

static void move(struct heddle_slot *slot, ompt_target_data_op_t operation, size_t bytes)
{
	const struct heddle_event *event = heddle__ompt_kind(heddle__ompt_data_op_events, operation);
	if (!slot || !bytes)
		return;
	if (event == &heddle__ompt_events[HEDDLE_OMPT_COPY_TO])
		heddle__add(slot, HEDDLE_METRIC_BYTES_PUT, bytes);
	else if (event == &heddle__ompt_events[HEDDLE_OMPT_COPY_FROM])
		heddle__add(slot, HEDDLE_METRIC_BYTES_GOT, bytes);
	heddle__distribute(slot, 0, 0, (double)bytes);
}

static void on_target_data_op_emi(ompt_scope_endpoint_t endpoint, ompt_data_t *target_task, ompt_data_t *data,
	const uint64_t *host_operation, ompt_target_data_op_t operation, void *source, int source_device,
	void *destination, int destination_device, size_t bytes, const void *return_address)
{
	const struct heddle_event *event = heddle__ompt_kind(heddle__ompt_data_op_events, operation);
	struct heddle_thread *thread = event ? heddle__thread_ensure(HEDDLE_THREAD_OTHER) : NULL;
	(void)target_task, (void)data, (void)host_operation, (void)source, (void)source_device, (void)destination,
		(void)destination_device;
	if (!thread)
		return;
	heddle__enter(thread);
	if (endpoint == ompt_scope_begin)
		move(begin(thread, event, return_address, heddle__call_here()), operation, bytes);
	else if (endpoint == ompt_scope_end)
		heddle__region_end(thread, event);
	else
		move(count(thread, event, return_address, heddle__call_here()), operation, bytes);
	heddle__leave(thread);
}

static void on_target_data_op(uint64_t target_id, uint64_t host_operation, ompt_target_data_op_t operation,
	void *source, int source_device, void *destination, int destination_device, size_t bytes,
	const void *return_address)
{
	const struct heddle_event *event = heddle__ompt_kind(heddle__ompt_data_op_events, operation);
	struct heddle_thread *thread = event ? heddle__thread_ensure(HEDDLE_THREAD_OTHER) : NULL;
	(void)target_id, (void)host_operation, (void)source, (void)source_device, (void)destination,
		(void)destination_device;
	if (!thread)
		return;
	heddle__enter(thread);
	move(count(thread, event, return_address, heddle__call_here()), operation, bytes);
	heddle__leave(thread);
}

/* ---- kernels ---- */

static void on_target_submit_emi(
	ompt_scope_endpoint_t endpoint, ompt_data_t *data, const uint64_t *host_operation, unsigned int teams)
{
	(void)data, (void)host_operation, (void)teams;
	target(heddle__ompt_event(HEDDLE_OMPT_KERNEL), endpoint, NULL, heddle__call_here());
}

static void on_target_submit(uint64_t target_id, uint64_t host_operation, unsigned int teams)
{
	(void)target_id, (void)host_operation, (void)teams;
	target(heddle__ompt_event(HEDDLE_OMPT_KERNEL), ompt_scope_beginend, NULL, heddle__call_here());
}

/* ---- mappings ---- */

static void map(unsigned int items, const size_t *bytes, const void *return_address, struct heddle_call call)
{
	const struct heddle_event *event = heddle__ompt_event(HEDDLE_OMPT_TARGET_MAP);
	struct heddle_thread *thread = event ? heddle__thread_ensure(HEDDLE_THREAD_OTHER) : NULL;
	if (!thread)
		return;
	heddle__enter(thread);
	struct heddle_slot *slot = count(thread, event, return_address, call);
	for (unsigned int i = 0; slot && bytes && i < items; i++)
		heddle__distribute(slot, 0, 0, (double)bytes[i]);
	heddle__leave(thread);
}

static void on_target_map_emi(ompt_data_t *data, unsigned int items, void **host, void **device, const size_t *bytes,
	const unsigned int *flags, const void *return_address)
{
	(void)data, (void)host, (void)device, (void)flags;
	map(items, bytes, return_address, heddle__call_here());
}

static void on_target_map(uint64_t target_id, unsigned int items, void **host, void **device, const size_t *bytes,
	const unsigned int *flags, const void *return_address)
{
	(void)target_id, (void)host, (void)device, (void)flags;
	map(items, bytes, return_address, heddle__call_here());
}

/* ---- devices ---- */

static void device_event(enum heddle_ompt_event event, struct heddle_call call)
{
	target(heddle__ompt_event(event), ompt_scope_beginend, NULL, call);
}

static void on_device_initialize(
	int number, const char *type, void *device, ompt_function_lookup_t lookup, const char *documentation)
{
	(void)device, (void)lookup, (void)documentation;
	heddle__ompt_know_offload(heddle__call_here().pc);
	heddle__inform("OpenMP: device %d: %s", number, type ? type : "unknown");
	device_event(HEDDLE_OMPT_DEVICE_INITIALIZE, heddle__call_here());
}

static void on_device_finalize(int number)
{
	(void)number;
	device_event(HEDDLE_OMPT_DEVICE_FINALIZE, heddle__call_here());
}

static void on_device_load(int number, const char *file, int64_t offset, void *address, size_t bytes, void *host,
	void *device, uint64_t id)
{
	(void)number, (void)file, (void)offset, (void)address, (void)bytes, (void)host, (void)device, (void)id;
	device_event(HEDDLE_OMPT_DEVICE_LOAD, heddle__call_here());
}

static void on_device_unload(int number, uint64_t id)
{
	(void)number, (void)id;
	device_event(HEDDLE_OMPT_DEVICE_UNLOAD, heddle__call_here());
}

/* ---- registration ---- */

/* Registers the EMI form of a callback or, if that is not available, the other form. */
static unsigned int register_either(ompt_set_callback_t set_callback, const struct heddle_ompt_callback *emi,
	const struct heddle_ompt_callback *other)
{
	return heddle__ompt_register(set_callback, emi, 1) || heddle__ompt_register(set_callback, other, 1);
}

unsigned int heddle__ompt_set_target(ompt_set_callback_t set_callback)
{
	static const struct heddle_ompt_callback pairs[][2] = {
		{{ompt_callback_target_emi, (ompt_callback_t)on_target_emi, "ompt_callback_target"},
			{ompt_callback_target, (ompt_callback_t)on_target, "ompt_callback_target"}},
		{{ompt_callback_target_data_op_emi, (ompt_callback_t)on_target_data_op_emi,
			 "ompt_callback_target_data_op"},
			{ompt_callback_target_data_op, (ompt_callback_t)on_target_data_op,
				"ompt_callback_target_data_op"}},
		{{ompt_callback_target_submit_emi, (ompt_callback_t)on_target_submit_emi,
			 "ompt_callback_target_submit"},
			{ompt_callback_target_submit, (ompt_callback_t)on_target_submit,
				"ompt_callback_target_submit"}},
		{{ompt_callback_target_map_emi, (ompt_callback_t)on_target_map_emi, "ompt_callback_target_map"},
			{ompt_callback_target_map, (ompt_callback_t)on_target_map, "ompt_callback_target_map"}},
	};
	static const struct heddle_ompt_callback devices[] = {
		{ompt_callback_device_initialize, (ompt_callback_t)on_device_initialize, NULL},
		{ompt_callback_device_finalize, (ompt_callback_t)on_device_finalize, "ompt_callback_device_finalize"},
		{ompt_callback_device_load, (ompt_callback_t)on_device_load, "ompt_callback_device_load"},
		{ompt_callback_device_unload, (ompt_callback_t)on_device_unload, "ompt_callback_device_unload"},
	};
	unsigned int delivered = heddle__ompt_register(set_callback, devices, sizeof(devices) / sizeof(devices[0]));
	for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++)
		delivered += register_either(set_callback, &pairs[i][0], &pairs[i][1]);
	return delivered;
}
