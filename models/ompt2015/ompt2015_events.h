/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The callbacks of the report's interface. Each calls callbacks of OpenMP 5 as a runtime of that version would, so that
 * both interfaces share the same code.
 */
#ifndef HEDDLE_MODELS_OMPT_OMPT2015_EVENTS_H
#define HEDDLE_MODELS_OMPT_OMPT2015_EVENTS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "core/threads/frontend.h"
#include "models/ompt2015/ompt2015.h"
#include "models/ompt2015/ompt2015_ids.h"

/* The runtime that is measured; functions that it lacks are NULL. */
struct heddle_ompt2015_runtime {
	_Atomic bool alive; /* from its initialization to its shutdown */
	unsigned int version;
	ompt2015_get_thread_id_t get_thread_id;
	ompt2015_get_state_t get_state;
	ompt2015_get_parallel_id_t get_parallel_id;
	ompt2015_get_parallel_team_size_t get_parallel_team_size;
	ompt2015_get_task_info_t get_task_info;
	ompt2015_get_task_id_t get_task_id;
	ompt2015_get_task_frame_t get_task_frame;
	ompt2015_get_device_info_t get_device_info;
	uint8_t delivers[OMPT2015_EVENT_LIMIT]; /* enum ompt2015_set_result */
};

extern struct heddle_ompt2015_runtime heddle__ompt2015;

/* True if the runtime delivers the event at all. Context: any thread, signal. */
static inline bool heddle__ompt2015_delivers(enum ompt2015_event event)
{
	return heddle__ompt2015.delivers[event] >= ompt2015_set_sometimes;
}

/*
 * True if the runtime must be queried for the task that runs, since it does not report implicit tasks and task
 * switches. Context: any thread, signal.
 */
static inline bool heddle__ompt2015_must_ask(void)
{
	return !heddle__ompt2015_delivers(ompt2015_event_implicit_task_begin) ||
	       !heddle__ompt2015_delivers(ompt2015_event_task_switch);
}

/* A task as the runtime reports it. */
struct heddle_ompt2015_task {
	int type; /* enum ompt2015_task_type; 0: unknown */
	ompt2015_id_t id, parallel;
	const ompt2015_frame_t *frame;
};

/* Gets the task at that level, 0: the current one; returns false if there is none. Context: any thread, signal. */
bool heddle__ompt2015_task(int level, struct heddle_ompt2015_task *task);

/* A task whose start an LLVM runtime reports. */
struct heddle_ompt2015_start {
	struct heddle_ompt_named *task;
	const ompt2015_frame_t *parent_frame;
	ompt2015_id_t parent;
	const void *outlined;
	struct heddle_call own; /* the callback's call */
};

/*
 * Makes the task current, which starts. Of its creation, only the parent is still known. The start may also be reported
 * as a switch, but not if the task's creator executes it at once. Context: the thread that executes it, not a signal
 * handler.
 */
void heddle__ompt2015_start(const struct heddle_ompt2015_start *start);

/* True if a switch to that task is the start that was reported last. Context: owner thread. */
bool heddle__ompt2015_is_start(ompt2015_id_t resumed);

/* Register the callbacks that are needed; returns how many the runtime will deliver. Context: init. */
unsigned int heddle__ompt2015_set_callbacks(ompt2015_set_callback_t set_callback);

/* The set_callback that is passed to the code for OpenMP 5: stores the callback. Context: init. */
ompt_set_result_t heddle__ompt2015_keep_callback(ompt_callbacks_t event, ompt_callback_t callback);

/* OpenMP 5's callbacks by number, and a macro that calls one if it is set. */
#define HEDDLE_OMPT2015_FIVE 40
extern ompt_callback_t heddle__ompt2015_five[HEDDLE_OMPT2015_FIVE];

#define HEDDLE_OMPT2015_NOTIFY(event, type, ...)                           \
	do {                                                               \
		if (heddle__ompt2015_five[event])                          \
			((type)heddle__ompt2015_five[event])(__VA_ARGS__); \
	} while (0)

typedef void (*heddle_ompt2015_schedule_t)(ompt_data_t *, ompt_task_status_t, ompt_data_t *);

/* Returns the data word for that number; an empty one if its begin was not reported. Context: any thread, signal. */
ompt_data_t *heddle__ompt2015_word(enum heddle_ompt_names names, ompt2015_id_t id);

/* The callbacks of the host's events, and those of target devices. */
extern const ompt_callback_t heddle__ompt2015_host_callbacks[OMPT2015_EVENT_LIMIT];
extern const ompt_callback_t heddle__ompt2015_target_callbacks[OMPT2015_EVENT_LIMIT];

/*
 * Called when the thread continues: ends a target construct that is still open, if it may be detached. Context: any
 * thread.
 */
void heddle__ompt2015_leave_target(void);

/*
 * Collect the devices' traces; the next target event starts tracing again. Context: any thread, not a signal handler.
 */
void heddle__ompt2015_end_devices(void);
void heddle__ompt2015_pause_devices(bool begin);

/* Returns the report's frames in OpenMP 5's form. */
static inline ompt_frame_t heddle__ompt2015_frame(const ompt2015_frame_t *frame)
{
	/* The other pointer, the user's frame, is not used: it is valid only if that frame has a frame pointer. */
	return (ompt_frame_t){.exit_frame.ptr = frame ? frame->exit_runtime_frame : NULL};
}

#endif
