/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Device events that no available runtime sends: callbacks without an end, mappings, unloading, asynchronous
 * operations. This file simulates the runtime, with the signatures of OpenMP 5.2 section 19.5.
 */
#include "models/ompt/ompt_callbacks.h"
#include "tests/models/ompt/tool.h"

enum {
	TARGET = 8,
	TARGET_DATA_OP = 9,
	TARGET_SUBMIT = 10,
	DEVICE_UNLOAD = 15,
	TARGET_MAP = 22,
	TARGET_EMI = 33,
	TARGET_DATA_OP_EMI = 34,
	TARGET_SUBMIT_EMI = 35,
	TARGET_MAP_EMI = 36,
	CALLBACKS = 64
};
enum { BEGIN = 1, END = 2, BEGIN_END = 3 };
enum { CONSTRUCT_AT = 0x1001, COPY_AT = 0x2001 };

static ompt_callback_t callbacks[CALLBACKS];
static bool has_emi;
static struct heddle_thread *self;

static ompt_set_result_t set_callback(ompt_callbacks_t event, ompt_callback_t callback)
{
	bool emi = (int)event >= TARGET_EMI && (int)event <= TARGET_MAP_EMI;
	if (emi && !has_emi)
		return ompt_set_never;
	callbacks[event] = callback;
	return ompt_set_always;
}

static ompt_interface_fn_t lookup(const char *name)
{
	return strcmp(name, "ompt_set_callback") == 0 ? (ompt_interface_fn_t)set_callback : NULL;
}

static void target(int kind, int endpoint)
{
	CALL(TARGET, (int, int, int, ompt_data_t *, uint64_t, const void *), kind, endpoint, 1, NULL, 7,
		(void *)CONSTRUCT_AT);
}

static void data_op(int kind, size_t bytes)
{
	CALL(TARGET_DATA_OP, (uint64_t, uint64_t, int, void *, int, void *, int, size_t, const void *), 7, 8, kind,
		NULL, 0, NULL, 1, bytes, (void *)COPY_AT);
}

static void data_op_emi(int endpoint, int kind, size_t bytes)
{
	CALL(TARGET_DATA_OP_EMI,
		(int, ompt_data_t *, ompt_data_t *, uint64_t *, int, void *, int, void *, int, size_t, const void *),
		endpoint, NULL, NULL, NULL, kind, NULL, 0, NULL, 1, bytes, (void *)COPY_AT);
}

static void register_emi(void)
{
	memset(callbacks, 0, sizeof(callbacks));
	has_emi = true;
	heddle__ompt_set_callbacks(set_callback);
}

static uint64_t visits(uint32_t of)
{
	return value_of(self, of, HEDDLE_METRIC_VISITS);
}

static uint64_t bytes_of(uint32_t of, enum heddle_metric metric)
{
	const struct heddle_slot *slot = heddle__slot(self, of);
	return slot->more ? slot->more[metric - HEDDLE_METRIC_COMMON] : 0;
}

static int start_runtime(void **state)
{
	(void)state;
	if (!start_tool(lookup))
		return -1;
	self = heddle__self;
	return 0;
}

static void the_forms_with_an_end_are_preferred(void **state)
{
	(void)state;
	ompt_callback_t plain[CALLBACKS];
	memcpy(plain, callbacks, sizeof(plain));
	register_emi();
	for (int event = TARGET_EMI; event <= TARGET_MAP_EMI; event++)
		assert_non_null(callbacks[event]);
	assert_null(callbacks[TARGET]);
	assert_null(callbacks[TARGET_DATA_OP]);
	assert_null(callbacks[TARGET_SUBMIT]);
	assert_null(callbacks[TARGET_MAP]);
	memcpy(callbacks, plain, sizeof(plain));
}

static void a_construct_is_the_path_of_what_it_does(void **state)
{
	(void)state;
	uint32_t construct = node(HEDDLE_TREE_ROOT, HEDDLE_OMPT_TARGET, CONSTRUCT_AT);
	target(1, BEGIN);
	assert_int_equal(heddle__current_node(self), construct);
	data_op(2, 100);
	data_op(3, 10);
	CALL(TARGET_SUBMIT, (uint64_t, uint64_t, unsigned int), 7, 9, 4);
	assert_int_equal(heddle__current_node(self), construct);
	target(1, END);
	assert_int_equal(self->stack.depth, 0);
	assert_int_equal(visits(construct), 1);
	assert_int_equal(visits(node(construct, HEDDLE_OMPT_KERNEL, CONSTRUCT_AT)), 1);
	uint32_t to = node(construct, HEDDLE_OMPT_COPY_TO, COPY_AT),
		 from = node(construct, HEDDLE_OMPT_COPY_FROM, COPY_AT);
	assert_int_equal(visits(to), 1);
	assert_int_equal(bytes_of(to, HEDDLE_METRIC_BYTES_PUT), 100);
	assert_int_equal(bytes_of(to, HEDDLE_METRIC_BYTES_GOT), 0);
	assert_int_equal(visits(from), 1);
	assert_int_equal(bytes_of(from, HEDDLE_METRIC_BYTES_GOT), 10);
}

static void detached_constructs_have_their_own_numbers(void **state)
{
	static const struct {
		int kind;
		enum heddle_ompt_event event;
	} kinds[] = {{2, HEDDLE_OMPT_TARGET_ENTER_DATA}, {3, HEDDLE_OMPT_TARGET_EXIT_DATA},
		{4, HEDDLE_OMPT_TARGET_UPDATE}, {9, HEDDLE_OMPT_TARGET}, {10, HEDDLE_OMPT_TARGET_ENTER_DATA},
		{11, HEDDLE_OMPT_TARGET_EXIT_DATA}, {12, HEDDLE_OMPT_TARGET_UPDATE}};
	(void)state;
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		uint32_t construct = node(HEDDLE_TREE_ROOT, kinds[i].event, CONSTRUCT_AT);
		uint64_t before = visits(construct);
		target(kinds[i].kind, BEGIN);
		assert_int_equal(heddle__current_node(self), construct);
		target(kinds[i].kind, END);
		assert_int_equal(visits(construct), before + 1);
	}
	assert_int_equal(self->stack.depth, 0);
}

static void operations_of_all_kinds_are_counted(void **state)
{
	static const struct {
		int kind;
		enum heddle_ompt_event event;
	} kinds[] = {{1, HEDDLE_OMPT_DEVICE_ALLOC}, {4, HEDDLE_OMPT_DEVICE_DELETE}, {5, HEDDLE_OMPT_DEVICE_ASSOCIATE},
		{6, HEDDLE_OMPT_DEVICE_DISASSOCIATE}, {17, HEDDLE_OMPT_DEVICE_ALLOC}, {18, HEDDLE_OMPT_COPY_TO},
		{19, HEDDLE_OMPT_COPY_FROM}, {20, HEDDLE_OMPT_DEVICE_DELETE}};
	(void)state;
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		uint32_t operation = node(HEDDLE_TREE_ROOT, kinds[i].event, COPY_AT);
		uint64_t before = visits(operation);
		data_op(kinds[i].kind, 8);
		assert_int_equal(visits(operation), before + 1);
	}
	data_op(99, 8);
	assert_int_equal(self->stack.depth, 0);
}

static void mappings_are_counted(void **state)
{
	(void)state;
	size_t bytes[] = {4, 8};
	uint32_t construct = node(HEDDLE_TREE_ROOT, HEDDLE_OMPT_TARGET_ENTER_DATA, CONSTRUCT_AT);
	uint32_t mapping = node(construct, HEDDLE_OMPT_TARGET_MAP, CONSTRUCT_AT);
	target(2, BEGIN);
	CALL(TARGET_MAP, (uint64_t, unsigned int, void **, void **, size_t *, unsigned int *, const void *), 7, 2, NULL,
		NULL, bytes, NULL, (void *)CONSTRUCT_AT);
	target(2, END);
	assert_int_equal(visits(mapping), 1);
}

/* Sends each form of a copy of 100 bytes. Returns how many were counted. */
static uint64_t copy_in_each_form(void)
{
	uint32_t to = node(HEDDLE_TREE_ROOT, HEDDLE_OMPT_COPY_TO, COPY_AT);
	uint64_t before = visits(to), bytes = bytes_of(to, HEDDLE_METRIC_BYTES_PUT);
	ompt_callback_t plain[CALLBACKS];
	data_op(2, 100);
	memcpy(plain, callbacks, sizeof(plain));
	register_emi();
	data_op_emi(BEGIN, 2, 100);
	data_op_emi(END, 2, 100);
	data_op_emi(BEGIN_END, 2, 100);
	memcpy(callbacks, plain, sizeof(plain));
	assert_int_equal(self->stack.depth, 0);
	uint64_t copies = visits(to) - before;
	assert_int_equal(bytes_of(to, HEDDLE_METRIC_BYTES_PUT) - bytes, 100 * copies);
	return copies;
}

static void nothing_counts_while_paused(void **state)
{
	(void)state;
	heddle__pause();
	assert_int_equal(copy_in_each_form(), 0);
	heddle__continue();
	assert_int_equal(copy_in_each_form(), 3);
}

static void nothing_counts_while_the_thread_is_off(void **state)
{
	(void)state;
	heddle__thread_control(self, false);
	assert_int_equal(copy_in_each_form(), 0);
	heddle__thread_control(self, true);
	assert_int_equal(copy_in_each_form(), 3);
}

static void a_module_s_end_is_counted(void **state)
{
	(void)state;
	CALL(DEVICE_UNLOAD, (int, uint64_t), 1, 5);
	uint32_t meta = HEDDLE_NODE_META(HEDDLE_NODE_REGION, heddle__ompt_events[HEDDLE_OMPT_DEVICE_UNLOAD].id);
	assert_int_equal(visits(heddle__tree_child(HEDDLE_TREE_ROOT, meta, 0)), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_forms_with_an_end_are_preferred),
		cmocka_unit_test(a_construct_is_the_path_of_what_it_does),
		cmocka_unit_test(detached_constructs_have_their_own_numbers),
		cmocka_unit_test(operations_of_all_kinds_are_counted),
		cmocka_unit_test(mappings_are_counted),
		cmocka_unit_test(nothing_counts_while_paused),
		cmocka_unit_test(nothing_counts_while_the_thread_is_off),
		cmocka_unit_test(a_module_s_end_is_counted),
	};
	return cmocka_run_group_tests(tests, start_runtime, NULL);
}
