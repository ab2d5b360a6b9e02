/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The callbacks of the report's interface. Each calls the callbacks of OpenMP 5's as a runtime of that version would,
 * so that both share the same code.
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
 * Without events of implicit tasks and task switches, the runtime is asked which task runs. Context: any thread,
 * signal.
 */
static inline bool heddle__ompt2015_must_ask(void)
{
	return !heddle__ompt2015_delivers(ompt2015_event_implicit_task_begin) ||
	       !heddle__ompt2015_delivers(ompt2015_event_task_switch);
}

/* A task as the runtime knows it. */
struct heddle_ompt2015_task {
	int type; /* enum ompt2015_task_type; 0: the runtime does not say */
	ompt2015_id_t id, parallel;
	const ompt2015_frame_t *frame;
};

/* The task at that level, 0 the current one; false when there is none. Context: any thread, signal. */
bool heddle__ompt2015_task(int level, struct heddle_ompt2015_task *task);

/* A task that LLVM's runtimes report as starting. */
struct heddle_ompt2015_start {
	struct heddle_ompt_named *task;
	const ompt2015_frame_t *parent_frame;
	ompt2015_id_t parent;
	const void *outlined;
	struct heddle_call own; /* the callback's */
};

/*
 * The task starts as the current task; of where it was created, only the parent is still known. It may also be reported
 * as a switch, but not if its creator executes it at once. Context: the thread that executes it, not a signal handler.
 */
void heddle__ompt2015_start(const struct heddle_ompt2015_start *start);

/* True if a switch to that task says the same as the start that was reported last. Context: owner thread. */
bool heddle__ompt2015_is_start(ompt2015_id_t resumed);

/* Register the callbacks that are needed; returns how many the runtime will deliver. Context: init. */
unsigned int heddle__ompt2015_set_callbacks(ompt2015_set_callback_t set_callback);

/* The set_callback that the code for OpenMP 5 gets here: stores the callback. Context: init. */
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

/* The data word for that number; an empty one if its begin was not reported. Context: any thread, signal. */
ompt_data_t *heddle__ompt2015_word(enum heddle_ompt_names names, ompt2015_id_t id);

/* The callbacks of the host's events, and those of target devices. */
extern const ompt_callback_t heddle__ompt2015_host_callbacks[OMPT2015_EVENT_LIMIT];
extern const ompt_callback_t heddle__ompt2015_target_callbacks[OMPT2015_EVENT_LIMIT];

/* The thread continues: a target construct that may be detached and has not ended is detached. Context: any thread. */
void heddle__ompt2015_leave_target(void);

/*
 * Collect the devices' traces; the next target event starts tracing again. Context: any thread, not a signal handler.
 */
void heddle__ompt2015_end_devices(void);
void heddle__ompt2015_pause_devices(bool begin);

/* The report's frames in OpenMP 5's form. */
static inline ompt_frame_t heddle__ompt2015_frame(const ompt2015_frame_t *frame)
{
	/* The other pointer is the user's frame, known only if that has a frame pointer: not used. */
	return (ompt_frame_t){.exit_frame.ptr = frame ? frame->exit_runtime_frame : NULL};
}

#endif
