/* SPDX-License-Identifier: BSD-3-Clause */
/* The runtime that is measured: its code and its inquiry functions. */
#ifndef HEDDLE_MODELS_OMPT_OMPT_RUNTIME_H
#define HEDDLE_MODELS_OMPT_OMPT_RUNTIME_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "core/base/frame.h"
#include "core/threads/shadow_stack.h"
#include "models/ompt/ompt5.h"

/* Address range of a library's code; empty: unknown, or no such library. */
struct heddle_ompt_code {
	_Atomic uintptr_t low, high;
};

extern struct heddle_ompt_code heddle__ompt_runtime, heddle__ompt_offload;

static inline bool heddle__ompt_is_in(const struct heddle_ompt_code *code, uintptr_t address)
{
	return address >= atomic_load_explicit(&code->low, memory_order_relaxed) &&
	       address < atomic_load_explicit(&code->high, memory_order_relaxed);
}

/*
 * True for an address in the runtime's code, including its library for devices, or (_proper) excluding it. Context: any
 * thread, signal.
 */
static inline bool heddle__ompt_is_runtime_proper(uintptr_t address)
{
	return heddle__ompt_is_in(&heddle__ompt_runtime, address);
}

static inline bool heddle__ompt_is_runtime(uintptr_t address)
{
	return heddle__ompt_is_runtime_proper(address) || heddle__ompt_is_in(&heddle__ompt_offload, address);
}

/* Record the library for devices, by an address in it. Context: any thread, not a signal handler. */
void heddle__ompt_know_offload(uintptr_t in_library);

/* Record the runtime's code, by an address in it (0: unknown), and look up its inquiry functions. Context: init. */
void heddle__ompt_know_code(uintptr_t in_runtime);
void heddle__ompt_know_inquiries(ompt_function_lookup_t lookup);

/* The runtime's inquiry function for tasks and their frames; NULL: no runtime has started. */
extern ompt_get_task_info_t heddle__ompt_get_task_info;

/*
 * Returns the runtime's frames of the current task, whose entry is `task`; NULL if the runtime is between two tasks.
 * Context: owner thread, signal.
 */
const ompt_frame_t *heddle__ompt_frames(const struct heddle_region *task);

/* True if the pointer to a frame is its frame pointer. Flags without a position mean the same. Context: any. */
static inline bool heddle__ompt_is_frame_pointer(int flags)
{
	int position = flags & ompt_frame_stackaddress;
	return !position || position == ompt_frame_framepointer;
}

/* Frames that end at this address or further out do not belong to the task; 0: unknown. Context: any thread, signal. */
static inline uintptr_t heddle__ompt_boundary(const ompt_frame_t *frame)
{
	uintptr_t exit = frame ? (uintptr_t)frame->exit_frame.ptr : 0;
	if (!exit)
		return 0;
	if (heddle__ompt_is_frame_pointer(frame->exit_frame_flags))
		return exit + sizeof(struct heddle_frame_record);
	return (frame->exit_frame_flags & ompt_frame_stackaddress) == ompt_frame_cfa ? exit : exit + 1;
}

/* Warns and notes, once, which important callbacks the runtime does not send. Context: init. */
void heddle__ompt_note_missing(void);

/* Returns the thread's state as the runtime reports it, outside the program's code. Context: owner thread, signal. */
enum heddle_state heddle__ompt_runtime_state(void);

#endif
