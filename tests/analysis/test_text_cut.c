/* SPDX-License-Identifier: BSD-3-Clause */
/* Texts that do not fit lose their least significant part: names their end, paths their beginning. */
#include "analysis/text.h"

#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

static void expect(const char *text, size_t room, const char *wanted)
{
	char shown[128];
	struct heddle_cut cut = heddle__cut(text, room, true);
	snprintf(shown, sizeof(shown), "%.*s%s%s", (int)cut.head, text, cut.mark, cut.tail);
	assert_string_equal(shown, wanted);
	assert_int_equal(cut.columns, heddle__columns(wanted));
	assert_true(cut.columns <= room);
}

static void names_lose_their_end(void **state)
{
	(void)state;
	expect("solver_step", 11, "solver_step");
	expect("solver_step", 10, "solver_st…");
	expect("elapsed time of the thread", 13, "elapsed time…");
	expect("elapsed time; derived", 15, "elapsed time; …");
	expect("计计计", 5, "计计…");
	expect("solver", 1, "…");
	expect("solver", 0, "");
}

static void places_stay(void **state)
{
	(void)state;
	expect("omp implicit barrier @cg.upc:84", 20, "omp impl… @cg.upc:84");
	expect("omp implicit barrier @cg.upc:84", 16, "omp … @cg.upc:84");
	expect("omp implicit barrier @cg.upc:84", 15, "omp… @cg.upc:84");
	expect("omp implicit barrier @cg.upc:84", 14, "omp implicit …");
	expect("omp for @cg.upc:84", 12, "omp for…");
}

static void paths_lose_their_beginning(void **state)
{
	(void)state;
	expect("/home/user/project/main.c", 10, "…ct/main.c");
	expect("main;exchange;MPI_Sendrecv @halo.c:38", 30, "…hange;MPI_Sendrecv @halo.c:38");
	expect("./program input/a input/b", 12, "./program i…");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_lose_their_end),
		cmocka_unit_test(places_stay),
		cmocka_unit_test(paths_lose_their_beginning),
	};
	setlocale(LC_ALL, "C.UTF-8");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
