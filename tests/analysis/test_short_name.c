/* SPDX-License-Identifier: BSD-3-Clause */
/* Names of C++ functions are shortened where they mean least. */
#include "analysis/short_name.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

static void expect(const char *name, size_t room, const char *wanted)
{
	char *shortened = heddle__short_name(name, room, false);
	if (wanted)
		assert_non_null(shortened);
	else
		assert_null(shortened);
	if (wanted)
		assert_string_equal(shortened, wanted);
	free(shortened);
}

static void test_longest_goes_first(void **state)
{
	(void)state;
	const char *name =
		"std::vector<std::pair<int, double>, std::allocator<std::pair<int, double> > >::insert(long)";
	expect(name, 100, NULL);
	expect(name, 40, "std::vector<..>::insert(long)");
	expect(name, 10, "std::vector<..>::insert(..)");
}

static void test_what_is_no_argument_stays(void **state)
{
	(void)state;
	expect("(anonymous namespace)::leaf", 5, NULL);
	expect("sum_tree (8 levels)", 5, NULL);
	expect("omp parallel @a<b.c:3", 5, NULL);
	expect("(anonymous namespace)::leaf(double, double)", 31, "(anonymous namespace)::leaf(..)");
}

static void test_operators_are_no_brackets(void **state)
{
	(void)state;
	expect("std::operator<<(std::ostream&, char const*)", 20, "std::operator<<(..)");
	expect("handle::operator->() const", 5, NULL);
	expect("f(int)::{lambda(double, double)#1}::operator()(double, double) const", 50,
		"f(int)::{lambda(..)#1}::operator()(..) const");
	expect("box<bool, &x::operator> >::get(int, int)", 20, "box<..>::get(..)");
	expect("std::operator< <double, std::string>", 20, "std::operator< <..>");
}

static void test_qualifiers_go_last(void **state)
{
	(void)state;
	expect("std::__cxx11::basic_string<char, std::char_traits<char> >::swap", 40,
		"std::__cxx11::basic_string<..>::swap");
	expect("std::__cxx11::basic_string<char, std::char_traits<char> >::swap", 30, "..::basic_string<..>::swap");
	expect("std::__cxx11::basic_string<char, std::char_traits<char> >::swap", 12, "..::swap");
	expect("(anonymous namespace)::leaf", 8, "..::leaf");
	expect("solver::step", 6, NULL);
}

static void test_broken_names_stay(void **state)
{
	(void)state;
	expect("f<a, b, c, d", 3, NULL);
	expect("g(((((", 3, NULL);
	expect("", 0, NULL);
}

static void test_utf8_mark(void **state)
{
	(void)state;
	char *name = heddle__short_name("sort<int, less<int> >", 8, true);
	assert_string_equal(name, "sort<…>");
	free(name);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_longest_goes_first),
		cmocka_unit_test(test_what_is_no_argument_stays),
		cmocka_unit_test(test_operators_are_no_brackets),
		cmocka_unit_test(test_qualifiers_go_last),
		cmocka_unit_test(test_broken_names_stay),
		cmocka_unit_test(test_utf8_mark),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
