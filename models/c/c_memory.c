/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Freed bytes are charged to the node that allocated them; the freeing code gets only the visit of `free`. A block is
 * added to the table if its allocation was measured, and removed when it is freed, measured or not, so that bytes in
 * use stay correct across pauses.
 */
#include "models/c/c_memory.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "core/base/log.h"
#include "core/base/notes.h"
#include "core/base/process_info.h"
#include "core/base/settings.h"
#include "core/host/host_functions.h"
#include "core/modules/module.h"
#include "core/modules/module_ranges.h"
#include "core/process/thread_life.h"
#include "core/threads/control.h"
#include "core/threads/frontend.h"
#include "core/threads/region.h"
#include "core/threads/thread.h"
#include "core/threads/trace.h"
#include "core/tree/tree.h"
#include "models/c/c_blocks.h"
#include "models/c/c_names.h"
#include "models/c/c_orphans.h"
#include "models/c/memory/memory_calls.h"

static bool measured;

/* Context: inside. */
static void add_freed(void *to, uint32_t node, uint64_t bytes)
{
	struct heddle_thread *thread = to;
	if (bytes)
		heddle__add(heddle__slot(thread, node), HEDDLE_METRIC_FREED, bytes);
}

static void count_allocated(uint64_t size)
{
	int64_t in_use =
		atomic_fetch_add_explicit(&heddle__process.memory_in_use, (int64_t)size, memory_order_relaxed) +
		(int64_t)size;
	int64_t peak = atomic_load_explicit(&heddle__process.memory_peak, memory_order_relaxed);
	while (in_use > peak) {
		if (!atomic_compare_exchange_weak(&heddle__process.memory_peak, &peak, in_use))
			continue;
		atomic_store(&heddle__process.memory_peak_ns, heddle__clock_ns(CLOCK_MONOTONIC));
		return;
	}
}

/* Counts a freed block; `thread` is inside, or NULL. */
static void count_freed(struct heddle_thread *thread, const struct heddle_c_block *block)
{
	atomic_fetch_sub_explicit(&heddle__process.memory_in_use, (int64_t)block->size, memory_order_relaxed);
	if (thread)
		add_freed(thread, block->node, block->size);
	else
		heddle__c_orphan_leave(block->node, block->size);
}

/* Returns the calling thread's context, entered; NULL: it has none, or Heddle is the caller. */
static struct heddle_thread *enter_self(void)
{
	struct heddle_thread *thread = heddle__thread_ensure(HEDDLE_THREAD_OTHER);
	if (!thread || atomic_load_explicit(&thread->inside, memory_order_relaxed))
		return NULL;
	heddle__enter(thread);
	return thread;
}

static void leave_self(struct heddle_thread *thread)
{
	if (thread)
		heddle__leave(thread);
}

static const struct heddle_event *event_of(const struct heddle_memory_call *call)
{
	static const uint8_t events[] = {[HEDDLE_MEMORY_MALLOC] = HEDDLE_C_MALLOC,
		[HEDDLE_MEMORY_REALLOC] = HEDDLE_C_REALLOC,
		[HEDDLE_MEMORY_FREE] = HEDDLE_C_FREE};
	return &heddle__c_events[events[call->kind]];
}

/*
 * Opens the region below the caller's whole path while sampling, else below the innermost entry. Frames below
 * `call->sp` belong to the region.
 */
static void open_region(struct heddle_thread *thread, struct heddle_memory_call *call)
{
	const struct heddle_event *event = event_of(call);
	struct heddle_captured found = heddle__caller_path(thread, call->pc, call->sp, call->bp);
	if (!found.place)
		found.place = heddle__call_place(thread, (const void *)call->pc);
	heddle__region_begin_below(thread, event, found.node, found.place, call->sp);
	call->slot =
		heddle__event_slot(thread, found.node, HEDDLE_NODE_META(HEDDLE_NODE_REGION, event->id), found.place);
	call->opened = true;
}

static void remove_old_block(struct heddle_memory_call *call, const void *block)
{
	struct heddle_c_block old;
	if (!block || !heddle__c_block_take((uintptr_t)block, &old))
		return;
	call->taken = true;
	call->old_block = block;
	call->old_node = old.node;
	call->old_size = old.size;
}

HEDDLE_EXPORT void heddle_memory_begin(struct heddle_memory_call *call, const void *block)
{
	call->opened = call->taken = false;
	if (!measured)
		return;
	int saved = errno;
	remove_old_block(call, block);
	struct heddle_thread *thread = enter_self();
	if (thread && heddle__is_counting(thread) && event_of(call)->selected)
		open_region(thread, call);
	if (thread && heddle__c_orphans_wait())
		heddle__c_orphans_take(add_freed, thread);
	leave_self(thread);
	errno = saved;
}

/* Returns whether the block was added to the table. */
static bool add_block(struct heddle_thread *thread, const struct heddle_c_block *block)
{
	struct heddle_c_block before;
	if (!heddle__c_block_put(block, &before))
		return false;
	if (before.address)
		count_freed(thread, &before);
	return true;
}

/* Counts a block that was freed or resized; if resizing failed, adds it to the table again. */
static void count_old_block(struct heddle_thread *thread, const struct heddle_memory_call *call, bool failed)
{
	struct heddle_c_block old = {
		.address = (uintptr_t)call->old_block, .size = call->old_size, .node = call->old_node};
	if (!failed || !add_block(thread, &old))
		count_freed(thread, &old);
}

static void count_allocation(
	struct heddle_thread *thread, const struct heddle_memory_call *call, const void *block, size_t size)
{
	struct heddle_c_block fresh = {.address = (uintptr_t)block, .size = size, .node = call->slot->node};
	if (!add_block(thread, &fresh))
		return;
	count_allocated(size);
	heddle__add(call->slot, HEDDLE_METRIC_ALLOCATIONS, 1);
	heddle__add(call->slot, HEDDLE_METRIC_ALLOCATED, size);
}

HEDDLE_EXPORT void heddle_memory_end(struct heddle_memory_call *call, const void *block, size_t size)
{
	if (!call->opened && !call->taken)
		return;
	int saved = errno;
	struct heddle_thread *thread = enter_self();
	if (call->taken)
		count_old_block(thread, call, call->kind == HEDDLE_MEMORY_REALLOC && !block && size);
	if (thread && call->opened) {
		if (block)
			count_allocation(thread, call, block, size);
		heddle__region_end(thread, event_of(call));
	}
	leave_self(thread);
	errno = saved;
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

/*
 * Returns the reason why the malloc family cannot be measured, as a line for the user; NULL: malloc is Heddle's
 * wrapper.
 */
static const char *reason_unmeasured(char *line, size_t size)
{
	void *used = dlsym(RTLD_DEFAULT, "malloc");
	const struct heddle_module *module = heddle__module_find((uintptr_t)used);
	const char *program = base_name(heddle__process.program);
	switch (module ? atomic_load(&module->role) : HEDDLE_MODULE_OTHER) {
	case HEDDLE_MODULE_HEDDLE:
		return NULL;
	case HEDDLE_MODULE_LIBC:
		snprintf(line, size,
			"libheddle-memory.so is not loaded: memory is not measured; use heddle run --memory");
		break;
	case HEDDLE_MODULE_EXECUTABLE:
		snprintf(line, size, "%.200s replaces malloc: memory is not measured", program);
		break;
	default:
		snprintf(line, size, "%.200s replaces malloc (%.200s): memory is not measured", program,
			module ? base_name(module->path) : "unknown");
	}
	return line;
}

void heddle__c_memory_start(void)
{
	static char line[512];
	if (!heddle__setting_number(HEDDLE_SETTING_MEMORY))
		return;
	if (reason_unmeasured(line, sizeof(line))) {
		heddle__warn("%s", line);
		heddle__note(line);
		return;
	}
	pthread_atfork(heddle__c_blocks_lock, heddle__c_blocks_unlock, NULL);
	heddle__process.memory_measured = true;
	measured = true;
}

/*
 * The calling thread is inside. Takes the orphans unless the thread was inside before, too: then its slots may be about
 * to change.
 */
void heddle__c_memory_stop(void)
{
	struct heddle_thread *thread = heddle__thread_self();
	measured = false;
	if (thread && atomic_load_explicit(&thread->inside, memory_order_relaxed) == 1)
		heddle__c_orphans_take(add_freed, thread);
}

void heddle__c_memory_after_fork(void)
{
	if (!heddle__process.memory_measured)
		return;
	heddle__c_blocks_clear();
	heddle__c_orphans_clear();
	atomic_store(&heddle__process.memory_in_use, 0);
	atomic_store(&heddle__process.memory_peak, 0);
	atomic_store(&heddle__process.memory_peak_ns, 0);
}
