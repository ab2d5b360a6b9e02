/* SPDX-License-Identifier: BSD-3-Clause */
/* Which labels are code of the system, and under which names programs call it. */
#include "profile/view/system_code.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static bool is_system(uint8_t kind, const char *module, const char *file)
{
	struct profile_label label = {.text = "f", .module = module, .file = file, .kind = kind};
	return profile_is_system_code(&label);
}

static void directories_tell_the_system_from_the_user(void **state)
{
	(void)state;
	assert_true(is_system(HEDDLE_NODE_FRAME, "/lib/x86_64-linux-gnu/libc.so.6", ""));
	assert_true(is_system(HEDDLE_NODE_FRAME, "/usr/lib64/libm.so.6", ""));
	assert_true(is_system(HEDDLE_NODE_FRAME, "[vdso]", ""));
	assert_true(is_system(HEDDLE_NODE_FRAME, "/home/you/cg", "/usr/include/c++/12/bits/stl_algo.h"));
	assert_true(is_system(HEDDLE_NODE_FRAME, "/home/you/cg", "/usr/bin/../lib/gcc/x/../../include/c++/12/map"));
	assert_true(is_system(HEDDLE_NODE_FRAME, "/home/you/cg", "/usr/lib/./gcc/../../lib/stl_map.h"));
	assert_false(is_system(HEDDLE_NODE_FRAME, "/home/you/cg", "/usr/lib/../../home/you/cg.c"));
	assert_false(is_system(HEDDLE_NODE_FRAME, "/home/you/cg", "../../../usr/lib/cg.c"));
	assert_true(is_system(HEDDLE_NODE_RUNTIME_FRAME, "/home/you/llvm/libomp.so", ""));
	assert_false(is_system(HEDDLE_NODE_FRAME, "/home/you/lib/libsolve.so", "/home/you/lib/solve.c"));
	assert_false(is_system(HEDDLE_NODE_FRAME, "/usr/local/lib/libsolve.so", ""));
	assert_false(is_system(HEDDLE_NODE_REGION, "/usr/lib/libfront.so", ""));
}

static const char *public_name(const char *module, const char *text)
{
	static char room[64];
	struct profile_label label = {.text = text, .module = module, .file = "", .kind = HEDDLE_NODE_FRAME};
	return profile_public_name(&label, room, sizeof(room));
}

static void names_of_the_c_library_are_the_public_ones(void **state)
{
	(void)state;
	assert_string_equal(public_name("/lib/libm.so.6", "__sin_fma"), "sin");
	assert_string_equal(public_name("/lib/libm.so.6", "__exp1_fma4"), "exp1");
	assert_string_equal(public_name("/lib/libc.so.6", "__memcpy_avx_unaligned_erms"), "memcpy");
	assert_string_equal(public_name("/lib/libc.so.6", "__strlen_evex512"), "strlen");
	assert_string_equal(public_name("/lib/libm.so.6", "__cexp"), "cexp");
	assert_string_equal(public_name("/lib/libc.so.6", "__libc_malloc"), "malloc");
	assert_string_equal(public_name("/lib/libc.so.6", "__libc_start_call_main"), "__libc_start_call_main");
	assert_string_equal(public_name("/lib/libc.so.6", "qsort_r"), "qsort_r");
	assert_string_equal(public_name("/home/you/cg", "__sin_fma"), "__sin_fma");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(directories_tell_the_system_from_the_user),
		cmocka_unit_test(names_of_the_c_library_are_the_public_ones),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
