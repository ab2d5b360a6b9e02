/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The tool interface of the technical report of November 2015, as far as it is used. Its types have the names of
 * OpenMP 5's, which are others; here they begin with ompt2015_. LLVM's runtimes 3.8 to 5.0 say version 1 and differ
 * in some signatures, said where they do.
 */
#ifndef HEDDLE_MODELS_OMPT_OMPT2015_H
#define HEDDLE_MODELS_OMPT_OMPT2015_H

#include <stdint.h>

#include "models/ompt/ompt5.h"

#define OMPT2015_VERSION 2u /* of the report; with less, callbacks get the older arguments */

typedef uint64_t ompt2015_id_t; /* of threads, parallel regions, tasks, waits; 0: invalid */

typedef struct ompt2015_frame_t {
	void *exit_runtime_frame;    /* of the runtime's procedure that called user code */
	void *reenter_runtime_frame; /* of the user's procedure that called the runtime */
} ompt2015_frame_t;

/* number, name */
#define OMPT2015_EVENTS(X)              \
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
	X(62, target_task_begin)        \
	X(63, target_task_end_sync)     \
	X(64, target_task_end_async)    \
	X(65, target_data_begin)        \
	X(66, target_data_end)          \
	X(67, target_data_map_begin)    \
	X(68, target_data_map_end)      \
	X(69, task_dependences)         \
	X(70, task_dependence_pair)

enum ompt2015_event {
#define X(number, name) ompt2015_event_##name = number,
	OMPT2015_EVENTS(X)
#undef X
		OMPT2015_EVENT_LIMIT
};

enum ompt2015_set_result {
	ompt2015_set_error = 0,
	ompt2015_set_no_callback = 1,
	ompt2015_set_never = 2,
	ompt2015_set_sometimes = 3,
	ompt2015_set_always = 4
};

/* States; LLVM's runtimes have another number for the last two, and one of their own. */
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
typedef ompt2015_frame_t *(*ompt2015_get_task_frame_t)(int depth); /* and this */

ompt2015_initialize_t ompt_tool(void);

#endif
