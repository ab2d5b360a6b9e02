/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The minimal OMPT tool that measures the time of constructs: it reads the clock when the construct changes, adds up
 * the time by kind of construct, and passes the creator of each region and task to the threads that execute it. It has
 * no paths, places, control, samples or output: a lower bound for any profiler.
 */
#include <stdint.h>
#include <stdlib.h>
#include <x86intrin.h>

#include "ompt_entry.h"

enum { DEPTH = 256, KINDS = 8, REGIONS = 16 };
enum kind { OUTSIDE, IN_REGION, BARRIER, WORK, MUTEX_WAIT, MUTEX, TASK };

/*
 * A region: its creator, and the time of its end. Records are recycled in turn, which suffices for a benchmark without
 * nested regions.
 */
struct region {
	_Alignas(64) uint64_t creator;
	uint64_t ended;
};

static _Thread_local struct {
	uint64_t last, depth, open[DEPTH], ticks[KINDS], seen;
	struct region *regions;
	unsigned int next;
} own;

static void change(enum kind to, int steps)
{
	uint64_t now = __rdtsc();
	own.ticks[own.open[own.depth % DEPTH]] += now - own.last;
	own.last = now;
	own.depth += (uint64_t)steps;
	if (steps > 0)
		own.open[own.depth % DEPTH] = to;
}

static void on_parallel_begin(ompt_data_t *task, const ompt_frame_t *frame, ompt_data_t *parallel,
	unsigned int requested, int flags, const void *return_address)
{
	(void)task, (void)frame, (void)requested, (void)flags;
	if (!own.regions)
		own.regions = aligned_alloc(64, REGIONS * sizeof(struct region));
	struct region *region = &own.regions[own.next++ % REGIONS];
	region->creator = (uint64_t)(uintptr_t)return_address;
	region->ended = 0;
	parallel->ptr = region;
}

static void on_parallel_end(ompt_data_t *parallel, ompt_data_t *task, int flags, const void *return_address)
{
	struct region *region = parallel->ptr;
	(void)task, (void)flags, (void)return_address;
	region->ended = own.last;
}

static void on_implicit_task(ompt_scope_endpoint_t endpoint, ompt_data_t *parallel, ompt_data_t *task,
	unsigned int size, unsigned int number, int flags)
{
	(void)size, (void)number;
	if (flags & ompt_task_initial)
		return;
	if (endpoint == ompt_scope_begin) {
		struct region *region = task->ptr = parallel->ptr;
		own.seen = region->creator;
		change(IN_REGION, 1);
	} else if (task->ptr) {
		own.seen = ((struct region *)task->ptr)->ended;
		own.depth--;
	}
}

static void on_sync_region(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint, ompt_data_t *parallel,
	ompt_data_t *task, const void *return_address)
{
	(void)kind, (void)parallel, (void)task, (void)return_address;
	change(BARRIER, endpoint == ompt_scope_begin ? 1 : -1);
}

static void on_work(ompt_work_t kind, ompt_scope_endpoint_t endpoint, ompt_data_t *parallel, ompt_data_t *task,
	uint64_t count, const void *return_address)
{
	(void)kind, (void)parallel, (void)task, (void)count, (void)return_address;
	change(WORK, endpoint == ompt_scope_begin ? 1 : -1);
}

static void on_mutex_acquire(ompt_mutex_t kind, unsigned int hint, unsigned int implementation, ompt_wait_id_t wait_id,
	const void *return_address)
{
	(void)kind, (void)hint, (void)implementation, (void)wait_id, (void)return_address;
	change(MUTEX_WAIT, 1);
}

static void on_mutex_acquired(ompt_mutex_t kind, ompt_wait_id_t wait_id, const void *return_address)
{
	(void)kind, (void)wait_id, (void)return_address;
	change(MUTEX, -1);
	own.open[++own.depth % DEPTH] = MUTEX;
}

static void on_mutex_released(ompt_mutex_t kind, ompt_wait_id_t wait_id, const void *return_address)
{
	(void)kind, (void)wait_id, (void)return_address;
	change(OUTSIDE, -1);
}

static void on_task_create(ompt_data_t *task, const ompt_frame_t *frame, ompt_data_t *new_task, int flags,
	int has_dependences, const void *return_address)
{
	(void)task, (void)frame, (void)has_dependences;
	if (!(flags & ompt_task_initial))
		new_task->value = (uint64_t)(uintptr_t)return_address << 1 | 1;
}

static void on_task_schedule(ompt_data_t *prior, ompt_task_status_t status, ompt_data_t *next)
{
	(void)status;
	if (prior && prior->value & 1) {
		change(OUTSIDE, -1);
	} else if (next && next->value & 1) {
		own.seen = next->value;
		change(TASK, 1);
	}
}

static void set_callbacks(ompt_set_callback_t set)
{
	set(ompt_callback_parallel_begin, (ompt_callback_t)on_parallel_begin);
	set(ompt_callback_parallel_end, (ompt_callback_t)on_parallel_end);
	set(ompt_callback_implicit_task, (ompt_callback_t)on_implicit_task);
	set(ompt_callback_sync_region, (ompt_callback_t)on_sync_region);
	set(ompt_callback_work, (ompt_callback_t)on_work);
	set(ompt_callback_mutex_acquire, (ompt_callback_t)on_mutex_acquire);
	set(ompt_callback_mutex_acquired, (ompt_callback_t)on_mutex_acquired);
	set(ompt_callback_mutex_released, (ompt_callback_t)on_mutex_released);
	set(ompt_callback_task_create, (ompt_callback_t)on_task_create);
	set(ompt_callback_task_schedule, (ompt_callback_t)on_task_schedule);
}
