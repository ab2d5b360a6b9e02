/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The part of the OpenMP tool interface that this front end uses, as OpenMP 5.2 sections 18.14 and 19.2 to 19.6 define
 * it; written out here because GCC ships no such header. Names and values follow the specification.
 */
#ifndef HEDDLE_MODELS_OMPT_OMPT5_H
#define HEDDLE_MODELS_OMPT_OMPT5_H

#include <stdint.h>

typedef union ompt_data_t {
	uint64_t value;
	void *ptr;
} ompt_data_t;

/* What the pointer to a frame points to, in ompt_frame_flag_t. */
enum ompt_frame_position_t {
	ompt_frame_cfa = 0x10,
	ompt_frame_framepointer = 0x20,
	ompt_frame_stackaddress = 0x30 /* some address in the frame; also the mask of all three */
};

typedef struct ompt_frame_t {
	ompt_data_t exit_frame;
	ompt_data_t enter_frame;
	int exit_frame_flags;
	int enter_frame_flags;
} ompt_frame_t;

typedef void (*ompt_interface_fn_t)(void);
typedef ompt_interface_fn_t (*ompt_function_lookup_t)(const char *name);
typedef void (*ompt_callback_t)(void);
typedef uint64_t ompt_wait_id_t;

typedef int (*ompt_initialize_t)(ompt_function_lookup_t lookup, int initial_device_num, ompt_data_t *tool_data);

typedef struct ompt_start_tool_result_t {
	ompt_initialize_t initialize;
	void (*finalize)(ompt_data_t *tool_data);
	ompt_data_t tool_data;
} ompt_start_tool_result_t;

ompt_start_tool_result_t *ompt_start_tool(unsigned int omp_version, const char *runtime_version);

typedef enum ompt_callbacks_t {
	ompt_callback_thread_begin = 1,
	ompt_callback_thread_end = 2,
	ompt_callback_parallel_begin = 3,
	ompt_callback_parallel_end = 4,
	ompt_callback_task_create = 5,
	ompt_callback_task_schedule = 6,
	ompt_callback_implicit_task = 7,
	ompt_callback_target = 8,
	ompt_callback_target_data_op = 9,
	ompt_callback_target_submit = 10,
	ompt_callback_control_tool = 11,
	ompt_callback_device_initialize = 12,
	ompt_callback_device_finalize = 13,
	ompt_callback_device_load = 14,
	ompt_callback_device_unload = 15,
	ompt_callback_sync_region_wait = 16,
	ompt_callback_mutex_released = 17,
	ompt_callback_dependences = 18,
	ompt_callback_task_dependence = 19,
	ompt_callback_work = 20,
	ompt_callback_masked = 21,
	ompt_callback_target_map = 22,
	ompt_callback_sync_region = 23,
	ompt_callback_lock_init = 24,
	ompt_callback_lock_destroy = 25,
	ompt_callback_mutex_acquire = 26,
	ompt_callback_mutex_acquired = 27,
	ompt_callback_nest_lock = 28,
	ompt_callback_flush = 29,
	ompt_callback_cancel = 30,
	ompt_callback_reduction = 31,
	ompt_callback_dispatch = 32,
	ompt_callback_target_emi = 33,
	ompt_callback_target_data_op_emi = 34,
	ompt_callback_target_submit_emi = 35,
	ompt_callback_target_map_emi = 36,
	ompt_callback_error = 37,
} ompt_callbacks_t;

typedef enum ompt_set_result_t { ompt_set_never = 1, ompt_set_always = 5 } ompt_set_result_t;
typedef enum ompt_thread_t { ompt_thread_initial = 1, ompt_thread_worker = 2, ompt_thread_other = 3 } ompt_thread_t;
typedef enum ompt_scope_endpoint_t {
	ompt_scope_begin = 1,
	ompt_scope_end = 2,
	ompt_scope_beginend = 3
} ompt_scope_endpoint_t;

typedef enum ompt_task_flag_t {
	ompt_task_initial = 0x1,
	ompt_task_implicit = 0x2,
	ompt_task_explicit = 0x4,
	ompt_task_target = 0x8,
	ompt_task_taskwait = 0x10,
	ompt_task_undeferred = 0x8000000
} ompt_task_flag_t;

typedef enum ompt_parallel_flag_t { ompt_parallel_league = 0x40000000 } ompt_parallel_flag_t;

typedef enum ompt_task_status_t {
	ompt_task_complete = 1,
	ompt_task_yield = 2,
	ompt_task_cancel = 3,
	ompt_task_detach = 4,
	ompt_task_early_fulfill = 5,
	ompt_task_late_fulfill = 6,
	ompt_task_switch = 7,
	ompt_taskwait_complete = 8
} ompt_task_status_t;

typedef enum ompt_sync_region_t {
	ompt_sync_region_barrier = 1,
	ompt_sync_region_barrier_implicit = 2,
	ompt_sync_region_barrier_explicit = 3,
	ompt_sync_region_barrier_implementation = 4,
	ompt_sync_region_taskwait = 5,
	ompt_sync_region_taskgroup = 6,
	ompt_sync_region_reduction = 7,
	ompt_sync_region_barrier_implicit_workshare = 8,
	ompt_sync_region_barrier_implicit_parallel = 9,
	ompt_sync_region_barrier_teams = 10
} ompt_sync_region_t;

typedef enum ompt_mutex_t {
	ompt_mutex_lock = 1,
	ompt_mutex_test_lock = 2,
	ompt_mutex_nest_lock = 3,
	ompt_mutex_test_nest_lock = 4,
	ompt_mutex_critical = 5,
	ompt_mutex_atomic = 6,
	ompt_mutex_ordered = 7
} ompt_mutex_t;

typedef enum ompt_work_t {
	ompt_work_loop = 1,
	ompt_work_sections = 2,
	ompt_work_single_executor = 3,
	ompt_work_single_other = 4,
	ompt_work_workshare = 5,
	ompt_work_distribute = 6,
	ompt_work_taskloop = 7,
	ompt_work_scope = 8,
	ompt_work_loop_static = 10,
	ompt_work_loop_dynamic = 11,
	ompt_work_loop_guided = 12,
	ompt_work_loop_other = 13
} ompt_work_t;

typedef enum ompt_dispatch_t {
	ompt_dispatch_iteration = 1,
	ompt_dispatch_section = 2,
	ompt_dispatch_ws_loop_chunk = 3,
	ompt_dispatch_taskloop_chunk = 4,
	ompt_dispatch_distribute_chunk = 5
} ompt_dispatch_t;

typedef enum ompt_target_t {
	ompt_target = 1,
	ompt_target_enter_data = 2,
	ompt_target_exit_data = 3,
	ompt_target_update = 4,
	ompt_target_nowait = 9,
	ompt_target_enter_data_nowait = 10,
	ompt_target_exit_data_nowait = 11,
	ompt_target_update_nowait = 12
} ompt_target_t;

typedef enum ompt_target_data_op_t {
	ompt_target_data_alloc = 1,
	ompt_target_data_transfer_to_device = 2,
	ompt_target_data_transfer_from_device = 3,
	ompt_target_data_delete = 4,
	ompt_target_data_associate = 5,
	ompt_target_data_disassociate = 6,
	ompt_target_data_alloc_async = 17,
	ompt_target_data_transfer_to_device_async = 18,
	ompt_target_data_transfer_from_device_async = 19,
	ompt_target_data_delete_async = 20
} ompt_target_data_op_t;

typedef enum ompt_cancel_flag_t {
	ompt_cancel_parallel = 0x01,
	ompt_cancel_sections = 0x02,
	ompt_cancel_loop = 0x04,
	ompt_cancel_taskgroup = 0x08,
	ompt_cancel_activated = 0x10,
	ompt_cancel_detected = 0x20,
	ompt_cancel_discarded_task = 0x40
} ompt_cancel_flag_t;

typedef enum ompt_dependence_type_t {
	ompt_dependence_type_source = 5,
	ompt_dependence_type_sink = 6
} ompt_dependence_type_t;

typedef struct ompt_dependence_t {
	ompt_data_t variable;
	ompt_dependence_type_t dependence_type;
} ompt_dependence_t;

typedef enum omp_control_tool_t {
	omp_control_tool_start = 1,
	omp_control_tool_pause = 2,
	omp_control_tool_flush = 3,
	omp_control_tool_end = 4
} omp_control_tool_t;

typedef enum omp_control_tool_result_t {
	omp_control_tool_success = 0,
	omp_control_tool_ignored = 1
} omp_control_tool_result_t;

typedef ompt_set_result_t (*ompt_set_callback_t)(ompt_callbacks_t event, ompt_callback_t callback);
typedef int (*ompt_get_task_info_t)(int ancestor_level, int *flags, ompt_data_t **task_data, ompt_frame_t **task_frame,
	ompt_data_t **parallel_data, int *thread_num);
typedef int (*ompt_get_state_t)(ompt_wait_id_t *wait_id);
typedef void (*ompt_finalize_tool_t)(void);

/* ompt_state_t: the first value of each range of states; a range ends where the next one begins. */
enum ompt_state_range_t {
	ompt_states_wait_barrier = 0x010,
	ompt_states_wait_task = 0x020,
	ompt_states_other = 0x030,
	ompt_states_wait_mutex = 0x040,
	ompt_states_wait_target = 0x080
};

#endif
