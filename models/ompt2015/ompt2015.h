/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The part that is used of the tool interface of the technical report of November 2015. Its types share names with
 * OpenMP 5's but differ; here they begin with ompt2015_. LLVM's runtimes 3.8 to 5.0 report version 1 and differ in some
 * signatures, as noted there.
 */
#ifndef HEDDLE_MODELS_OMPT_OMPT2015_H
#define HEDDLE_MODELS_OMPT_OMPT2015_H

#include <stddef.h>
#include <stdint.h>

#include "models/ompt/ompt5.h"

#define OMPT2015_VERSION 2u /* the report's; with a lower version, callbacks have the older arguments */

typedef uint64_t ompt2015_id_t; /* of threads, parallel regions, tasks, waits; 0: invalid */

typedef struct ompt2015_frame_t {
	void *exit_runtime_frame;    /* of the runtime's procedure that called user code */
	void *reenter_runtime_frame; /* of the user's procedure that called the runtime */
} ompt2015_frame_t;

/* number, name */
#define OMPT2015_HOST_EVENTS(X)         \
	X(1, parallel_begin)            \
	X(2, parallel_end)              \
	X(3, task_begin)                \
	X(4, task_end)                  \
	X(5, thread_begin)              \
	X(6, thread_end)                \
	X(7, control)                   \
	X(8, runtime_shutdown)          \
	X(9, idle_begin)                \
	X(10, idle_end)                 \
	X(11, wait_barrier_begin)       \
	X(12, wait_barrier_end)         \
	X(13, wait_taskwait_begin)      \
	X(14, wait_taskwait_end)        \
	X(15, wait_taskgroup_begin)     \
	X(16, wait_taskgroup_end)       \
	X(17, release_lock)             \
	X(18, release_nest_lock_last)   \
	X(19, release_critical)         \
	X(20, release_atomic)           \
	X(21, release_ordered)          \
	X(22, implicit_task_begin)      \
	X(23, implicit_task_end)        \
	X(24, initial_task_begin)       \
	X(25, initial_task_end)         \
	X(26, task_switch)              \
	X(27, loop_begin)               \
	X(28, loop_end)                 \
	X(29, sections_begin)           \
	X(30, sections_end)             \
	X(31, single_in_block_begin)    \
	X(32, single_in_block_end)      \
	X(33, single_others_begin)      \
	X(34, single_others_end)        \
	X(35, workshare_begin)          \
	X(36, workshare_end)            \
	X(37, master_begin)             \
	X(38, master_end)               \
	X(39, barrier_begin)            \
	X(40, barrier_end)              \
	X(41, taskwait_begin)           \
	X(42, taskwait_end)             \
	X(43, taskgroup_begin)          \
	X(44, taskgroup_end)            \
	X(45, release_nest_lock_prev)   \
	X(46, wait_lock)                \
	X(47, wait_nest_lock)           \
	X(48, wait_critical)            \
	X(49, wait_atomic)              \
	X(50, wait_ordered)             \
	X(51, acquired_lock)            \
	X(52, acquired_nest_lock_first) \
	X(53, acquired_nest_lock_next)  \
	X(54, acquired_critical)        \
	X(55, acquired_atomic)          \
	X(56, acquired_ordered)         \
	X(57, init_lock)                \
	X(58, init_nest_lock)           \
	X(59, destroy_lock)             \
	X(60, destroy_nest_lock)        \
	X(61, flush)                    \
	X(69, task_dependences)         \
	X(70, task_dependence_pair)

#define OMPT2015_TARGET_EVENTS(X)    \
	X(62, target_task_begin)     \
	X(63, target_task_end_sync)  \
	X(64, target_task_end_async) \
	X(65, target_data_begin)     \
	X(66, target_data_end)       \
	X(67, target_data_map_begin) \
	X(68, target_data_map_end)

enum ompt2015_event {
#define X(number, name) ompt2015_event_##name = number,
	OMPT2015_HOST_EVENTS(X) OMPT2015_TARGET_EVENTS(X)
#undef X
		OMPT2015_EVENT_LIMIT = 71
};

enum ompt2015_set_result {
	ompt2015_set_error = 0,
	ompt2015_set_no_callback = 1,
	ompt2015_set_never = 2,
	ompt2015_set_sometimes = 3,
	ompt2015_set_always = 4
};

/* Callbacks of OpenMP 5 that the front end may set; ompt5.h need not have them all. */
enum {
	FIVE_TARGET = 8,
	FIVE_TARGET_DATA_OP_EMI = 34,
	FIVE_CONTROL_TOOL = 11,
	FIVE_SYNC_REGION_WAIT = 16,
	FIVE_MUTEX_RELEASED = 17,
	FIVE_DEPENDENCES = 18,
	FIVE_TASK_DEPENDENCE = 19,
	FIVE_MASKED = 21,
	FIVE_LOCK_INIT = 24,
	FIVE_LOCK_DESTROY = 25,
	FIVE_FLUSH = 29
};

enum ompt2015_control {
	ompt2015_control_start = 1,
	ompt2015_control_pause = 2,
	ompt2015_control_flush = 3,
	ompt2015_control_end = 4
};

/* States; LLVM's runtimes have other numbers for the last two, and one state of their own. */
enum ompt2015_state {
	ompt2015_state_work_serial = 0x00,
	ompt2015_state_work_parallel = 0x01,
	ompt2015_state_work_reduction = 0x02,
	ompt2015_state_idle = 0x10,
	ompt2015_state_overhead = 0x20,
	ompt2015_state_wait_barrier = 0x40,
	ompt2015_state_wait_barrier_implicit = 0x41,
	ompt2015_state_wait_barrier_explicit = 0x42,
	ompt2015_state_wait_taskwait = 0x50,
	ompt2015_state_wait_taskgroup = 0x51,
	ompt2015_state_wait_lock = 0x60,
	ompt2015_state_wait_nest_lock = 0x61,
	ompt2015_state_wait_critical = 0x62,
	ompt2015_state_wait_atomic = 0x63,
	ompt2015_state_wait_ordered = 0x64,
	ompt2015_state_wait_single_llvm = 0x6F,
	ompt2015_state_undefined_llvm = 0x70,
	ompt2015_state_first_llvm = 0x71,
	ompt2015_state_wait_target = 0x70,
	ompt2015_state_wait_target_data = 0x71,
	ompt2015_state_wait_target_update = 0x72,
	ompt2015_state_undefined = 0x80,
	ompt2015_state_first = 0x81
};

enum ompt2015_task_type {
	ompt2015_task_serial = 1,
	ompt2015_task_implicit = 2,
	ompt2015_task_explicit = 3,
	ompt2015_task_target = 4,
	ompt2015_task_degenerate = 5
};

typedef void (*ompt2015_initialize_t)(
	ompt_function_lookup_t lookup, const char *runtime_version, unsigned int ompt_version);

typedef int (*ompt2015_set_callback_t)(int event, ompt_callback_t callback);
typedef int (*ompt2015_enumerate_t)(int current, int *next, const char **next_name);
typedef ompt2015_id_t (*ompt2015_get_thread_id_t)(void);
typedef int (*ompt2015_get_state_t)(ompt_wait_id_t *wait_id);
typedef ompt2015_id_t (*ompt2015_get_parallel_id_t)(int ancestor_level);
typedef int (*ompt2015_get_parallel_team_size_t)(int ancestor_level);
typedef uint32_t (*ompt2015_get_task_info_t)(
	int ancestor_level, int *type, ompt2015_id_t *task_id, ompt2015_frame_t **frame, ompt2015_id_t *parallel_id);
typedef ompt2015_id_t (*ompt2015_get_task_id_t)(int depth);        /* LLVM's, instead of get_task_info */
typedef ompt2015_frame_t *(*ompt2015_get_task_frame_t)(int depth); /* also LLVM's */

/* ---- devices: results of ompt_target_get_device_info, and functions of its look-up ---- */

typedef void *ompt2015_device_t;
typedef uintptr_t ompt2015_cursor_t; /* opaque, one word */
typedef uint64_t ompt2015_device_time_t;
#define OMPT2015_NO_TIME UINT64_MAX

enum ompt2015_target_task {
	ompt2015_target_task_target = 1,
	ompt2015_target_task_enter_data = 2,
	ompt2015_target_task_exit_data = 3,
	ompt2015_target_task_update = 4
};

enum ompt2015_record {
	ompt2015_record_ompt,
	ompt2015_record_correlation,
	ompt2015_record_native,
	ompt2015_record_invalid
};

enum { ompt2015_record_native_class_info = 0, ompt2015_record_native_class_event = 1 };

struct ompt2015_native_abstract {
	int rclass;
	const char *type; /* a name, valid until the process ends */
	ompt2015_device_time_t start_time, end_time;
	ompt2015_id_t device_task;
	uint64_t hardware;
};

struct ompt2015_correlation {
	ompt2015_id_t host_task, device_task;
};

/* Header of the record of a device event. */
struct ompt2015_record_ompt {
	int type; /* enum ompt2015_event */
	ompt2015_device_time_t time;
	ompt2015_id_t thread;
	ompt2015_id_t device_task;
};

struct ompt2015_map_entry {
	void *host, *device;
	size_t bytes;
	uint32_t flags;
};

enum {
	ompt2015_map_to = 1,
	ompt2015_map_from = 2,
	ompt2015_map_tofrom = 3,
	ompt2015_map_alloc = 4,
	ompt2015_map_release = 5,
	ompt2015_map_delete = 6,
	ompt2015_map_kind = 7 /* mask of the kind */
};

/*
 * The report's text declares the request with the device's number, its appendix without it: `device` is that number, or
 * the first of two arguments.
 */
typedef void (*ompt2015_buffer_request_t)(uintptr_t device, uintptr_t buffer, uintptr_t bytes);
typedef void (*ompt2015_buffer_complete_t)(
	int device, const void *buffer, size_t bytes, ompt2015_cursor_t begin, ompt2015_cursor_t end);

typedef int (*ompt2015_get_device_info_t)(int number, const char **type, ompt2015_device_t *device,
	ompt_function_lookup_t *lookup, const char *documentation);
typedef int (*ompt2015_set_trace_t)(ompt2015_device_t device, uint32_t enable, uint32_t what);
typedef int (*ompt2015_start_trace_t)(
	ompt2015_device_t device, ompt2015_buffer_request_t request, ompt2015_buffer_complete_t complete);
typedef int (*ompt2015_pause_trace_t)(ompt2015_device_t device, uint32_t begin);
typedef int (*ompt2015_stop_trace_t)(ompt2015_device_t device);
typedef double (*ompt2015_translate_time_t)(ompt2015_device_t device, ompt2015_device_time_t time);
typedef int (*ompt2015_advance_t)(void *buffer, ompt2015_cursor_t current, ompt2015_cursor_t *next);
typedef int (*ompt2015_record_type_t)(void *buffer, ompt2015_cursor_t current);
typedef void *(*ompt2015_record_t)(void *buffer, ompt2015_cursor_t current);
typedef struct ompt2015_native_abstract *(*ompt2015_native_abstract_t)(void *native_record);

ompt2015_initialize_t ompt_tool(void);

#endif
