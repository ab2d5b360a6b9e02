/* SPDX-License-Identifier: BSD-3-Clause */
/* Demangled names, and names that show what a function is for. */
#include "profile/names/demangle.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void expect(const char *name, const char *readable)
{
	char *text = profile_demangle(name);
	assert_non_null(text);
	assert_string_equal(text, readable);
	free(text);
}

static void names_become_readable(void **state)
{
	(void)state;
	expect("main", "main");
	expect("_ZN3fem6Solver4stepEd", "fem::Solver::step");
	expect("_ZNSt6vectorIdSaIdEE9push_backERKd", "std::vector<double, std::allocator<double> >::push_back");
	expect("_ZN4core3fmt9Formatter3pad17h0123456789abcdefE", "core::fmt::Formatter::pad");
	expect("__fem_MOD_step", "fem::step");
	expect("__fem_MOD_step.constprop.0", "fem::step");
	expect("___MOD_step", "___MOD_step");
	expect("kernel.constprop.0", "kernel");
	expect("kernel.checked", "kernel"); /* by the UPC compiler */
	expect("kernel.testing", "kernel"); /* by its former versions */
	expect("kernel.direct", "kernel");
	expect("kernel.entry", "kernel");
	expect("kernel.isra.0.cold", "kernel");
	expect("memcpy@@GLIBC_2.14", "memcpy");
	expect("__GI___clock_gettime", "__clock_gettime");
	expect("_ZN3fem6Solver4stepEd@plt", "fem::Solver::step@plt");
	expect("_Znonsense", "_Znonsense");
	expect("", "");
}

static void expect_spelled(const char *name, const char *wanted)
{
	char *text = strdup(name);
	profile_spell_types(text);
	assert_string_equal(text, wanted);
	free(text);
}

static void types_are_spelled_as_in_programs(void **state)
{
	(void)state;
	expect("_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE4swapERS4_", "std::string::swap");
	expect("_ZNSt7__cxx1112basic_stringIwSt11char_traitsIwESaIwEE4swapERS4_",
		"std::basic_string<wchar_t, std::char_traits<wchar_t>, std::allocator<wchar_t> >::swap");
	expect("_ZNSs4swapERSs", "std::string::swap");
	const char *string = "std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >";
	char text[512];
	snprintf(text, sizeof(text), "std::map<%s, std::less<%s > >::find", string, string);
	expect_spelled(text, "std::map<std::string, std::less<std::string> >::find");
	expect_spelled(
		"std::basic_string<char, std::char_traits<char>, std::allocator<char>>::end", "std::string::end");
	expect_spelled("std::basic_string<char, std::char_traits<char>, std::allocator<char>", /* cut short */
		"std::basic_string<char, std::char_traits<char>, std::allocator<char>");
	expect_spelled("std::", "std::");
	expect_spelled("std::__1::vector<std::__1::basic_string<char, std::__1::char_traits<char>, "
		       "std::__1::allocator<char> > >",
		"std::vector<std::string>");
	expect_spelled("std::filesystem::__cxx11::path::compare", "std::filesystem::path::compare");
	expect_spelled("mine::__1", "mine::__1");
}

static void a_hostile_name_does_no_harm(void **state)
{
	(void)state;
	size_t size = 200000;
	char *name = malloc(size + 1);
	memset(name, 'N', size);
	memcpy(name, "_Z", 2);
	name[size] = '\0';
	free(profile_demangle(name));
	memset(name + 2, 'P', size - 2);
	free(profile_demangle(name));
	free(name);
}

static void start_functions_are_known_by_name(void **state)
{
	(void)state;
	assert_true(profile_is_start_name("_start"));
	assert_true(profile_is_start_name("__libc_start_main_impl"));
	assert_true(profile_is_start_name("clone3"));
	assert_false(profile_is_start_name("qsort"));
	assert_false(profile_is_start_name("exit"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_become_readable),
		cmocka_unit_test(types_are_spelled_as_in_programs),
		cmocka_unit_test(a_hostile_name_does_no_harm),
		cmocka_unit_test(start_functions_are_known_by_name),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
