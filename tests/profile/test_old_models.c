/* SPDX-License-Identifier: BSD-3-Clause */
/* The models of files that describe no models: OpenMP and UPC, as former versions knew them. */
#include "tests/support/unit.h"

#include "profile/file/old_models.h"

static struct profile_models models;

static bool is(const char *name, enum heddle_named_code kind)
{
	return profile_models_match(&models, kind, name) != NULL;
}

static void what_compiled_code_calls_for_the_user_is_known(void **state)
{
	static const char *const calls[] = {"upcri_pevt_beginfn", "_pupc_event_start", "_pupc_event_atomic",
		"pupc_event_startg", "pupc_event_atomicg", "__putgsi4", "__getgsi4", "__getsi2", "__getsqi3",
		"__putsgdf4", "__getgblk5", "__copyblk3", "__upci_instrumented_add_cyclic", "__gettf3", "__putxf4",
		"__getsf2", "__putssf3"};
	static const char *const others[] = {"upc_memget", "__upc_barrier", "__getsi", "__get", "__putgsi", "__getsi42",
		"__putchar", "__getdelim", "getgsi4", "__getzi2", "solve", "user_main", "upcri_wait"};
	(void)state;
	for (size_t i = 0; i < sizeof(calls) / sizeof(*calls); i++)
		assert_true(is(calls[i], HEDDLE_NAMED_SERVICE));
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
		assert_false(is(others[i], HEDDLE_NAMED_SERVICE));
}

static void the_program_s_main_is_none_of_the_run_time_system(void **state)
{
	(void)state;
	assert_true(is("user_main", HEDDLE_NAMED_MAIN));
	assert_true(is("upc_main", HEDDLE_NAMED_MAIN));
	assert_false(is("main", HEDDLE_NAMED_MAIN));
	assert_false(profile_models_is_linked(&models, "upc_main"));
	assert_false(profile_models_is_linked(&models, "user_main"));
	assert_true(profile_models_is_linked(&models, "upc_memget"));
	assert_true(profile_models_is_linked(&models, "_upcr_notify"));
	assert_true(profile_models_is_linked(&models, "bupc_init_reentrant"));
	assert_true(profile_models_is_linked(&models, "__getgsi4"));
	assert_false(profile_models_is_linked(&models, "memcpy"));
}

/* Other programs may have functions with these names. */
static void no_other_program_is_taken_for_one_of_upc_s(void **state)
{
	(void)state;
	assert_true(is("bupc_init_reentrant", HEDDLE_NAMED_PROOF));
	assert_true(is("pupc_event_startg", HEDDLE_NAMED_PROOF));
	assert_false(is("user_main", HEDDLE_NAMED_PROOF));
	assert_false(is("upc_main", HEDDLE_NAMED_PROOF));
	assert_false(is("upc_scan_barcode", HEDDLE_NAMED_PROOF));
	assert_false(is("pupc_event_start", HEDDLE_NAMED_PROOF));
}

static void outlined_functions_are_known_by_name(void **state)
{
	(void)state;
	assert_true(is(".omp_outlined.", HEDDLE_NAMED_OUTLINED));
	assert_true(is(".omp_outlined..5", HEDDLE_NAMED_OUTLINED));
	assert_true(is(".omp_outlined._debug__", HEDDLE_NAMED_OUTLINED));
	assert_true(is("main.omp_outlined", HEDDLE_NAMED_OUTLINED));
	assert_true(is("_Z5solvev.omp_outlined_debug__", HEDDLE_NAMED_OUTLINED));
	assert_true(is("foo._omp_fn.0", HEDDLE_NAMED_OUTLINED));
	assert_true(is(".omp_task_entry..3", HEDDLE_NAMED_OUTLINED));
	assert_true(is("foo._omp_fn.0.constprop.0", HEDDLE_NAMED_OUTLINED));
	assert_true(is("_ZZ4mainENKUlvE_clEv._omp_fn.0", HEDDLE_NAMED_OUTLINED));
	assert_true(is("foo._omp_cpyfn.1", HEDDLE_NAMED_OUTLINED));
	assert_true(is(".omp.reduction.reduction_func", HEDDLE_NAMED_OUTLINED));
	assert_true(is("__omp_offloading_fd00_2a1b_main_l12", HEDDLE_NAMED_OUTLINED));
	assert_true(is("_QQmain..omp_par", HEDDLE_NAMED_OUTLINED));
	assert_true(is("solve_..omp_par.3", HEDDLE_NAMED_OUTLINED));
	assert_false(is("omp_outlined", HEDDLE_NAMED_OUTLINED));
	assert_false(is("solve", HEDDLE_NAMED_OUTLINED));
	assert_false(is("foo._omp_fn", HEDDLE_NAMED_OUTLINED));
}

static void functions_that_only_tell_are_known(void **state)
{
	(void)state;
	assert_true(is("__upcrt_get_start", HEDDLE_NAMED_EVENT));
	assert_true(is("__upcrt_function_end", HEDDLE_NAMED_EVENT));
	assert_false(is("__upcrt_barrier", HEDDLE_NAMED_EVENT));
	assert_false(is("__upcrt_get_started", HEDDLE_NAMED_EVENT));
	assert_false(is("upcrt_get_start", HEDDLE_NAMED_EVENT));
	assert_string_equal(profile_models_match(&models, HEDDLE_NAMED_SHOWN, "__upcrt_notify")->shown, "upc_notify");
	assert_null(profile_models_match(&models, HEDDLE_NAMED_SHOWN, "__upcrt_notify_"));
	assert_string_equal(profile_models_match(&models, HEDDLE_NAMED_FILE, "tmpfile_7")->shown, "target kernel");
}

/* For files written before events of accesses had roles. */
static void what_events_access_is_known(void **state)
{
	(void)state;
	assert_int_equal(profile_old_role("upc", "GASP_UPC_PUT", HEDDLE_CATEGORY_COMMUNICATION), HEDDLE_EVENT_MOVES);
	assert_int_equal(profile_old_role("upc", "GASP_UPC_CACHE_MISS", HEDDLE_CATEGORY_OTHER), HEDDLE_EVENT_MISS);
	assert_int_equal(
		profile_old_role("upc", "GASP_UPC_ALL_ALLOC", HEDDLE_CATEGORY_ALLOCATION), HEDDLE_EVENT_SHARES);
	assert_int_equal(profile_old_role("upc", "GASP_C_MALLOC", HEDDLE_CATEGORY_ALLOCATION), HEDDLE_EVENT_NO_ROLE);
	assert_int_equal(profile_old_role("c", "GASP_UPC_PUT", HEDDLE_CATEGORY_COMMUNICATION), HEDDLE_EVENT_NO_ROLE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_compiled_code_calls_for_the_user_is_known),
		cmocka_unit_test(the_program_s_main_is_none_of_the_run_time_system),
		cmocka_unit_test(outlined_functions_are_known_by_name),
		cmocka_unit_test(functions_that_only_tell_are_known),
		cmocka_unit_test(what_events_access_is_known),
		cmocka_unit_test(no_other_program_is_taken_for_one_of_upc_s),
	};
	if (profile_old_models_add(&models) != 0)
		return 1;
	int failed = cmocka_run_group_tests(tests, NULL, NULL);
	profile_models_free(&models);
	return failed;
}
