/* SPDX-License-Identifier: BSD-3-Clause */
/* The translator takes about four times as long for four times the source, whatever is repeated in it. */
#include <malloc.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <cmocka.h>

#include "upc/translate/tokens.h"
#include "upc/translate/translate.h"

static const struct {
	const char *name;
	const char *head;
	const char *part; /* repeated; %d is a different number each time */
	const char *tail;
} shapes[] = {
	{"variables of one name", "", "shared [4] int a;\n", ""},
	{"variables", "", "shared [4] int a%d[4 * THREADS];\n", ""},
	{"variables with attributes", "", "shared int a%d __attribute__((unused));\n", ""},
	{"variables of one declaration", "shared int a", ",\na%d", ";\n"},
	{"pointers of one declaration", "int *shared a", ",\n*shared a%d", ";\n"},
	{"values", "shared int *p = 0", ",\n*p%d = 0", ";\n"},
	{"shared", "", "shared\n", "int a;\n"},
	{"layouts", "", "shared [2]\n", "int a;\n"},
	{"strict", "", "strict\n", "shared int a;\n"},
	{"const", "shared int ", "const\n", "a;\n"},
	{"declarations without an end", "", "shared int a%d = \n", ""},
	{"pointers without an end", "", "shared void *a%d,\n", ""},
	{"dimensions", "shared int a", "[2]\n", ";\n"},
	{"functions", "", "int f%d(shared int *p, int i) { return p[i]; }\n", ""},
	{"prototypes, then variables", "", "int f%d(int a);\nshared int a%d;\n", ""},
	{"functions of the old kind", "", "int f%d(p) shared int *p; { return *p; }\n", ""},
	{"parameters of the old kind", "int f(p) ", "shared int *a%d;\n", "{}\n"},
	{"structures", "", "struct s%d { shared int *p; };\nshared struct s%d v%d;\n", ""},
	{"members", "struct s {\n", "shared [] int *p%d;\n", "};\n"},
	{"types", "", "typedef shared [2] int t%d;\nt%d v%d, *p%d;\n", ""},
	{"types of arrays", "", "typedef int t%d[4];\nshared [*] t%d v%d[THREADS];\n", ""},
	{"types of pointers", "", "typedef shared void *t%d;\n", ""},
	{"typedef", "", "typedef\n", "int t[2];\n"},
	{"barriers", "void f(void) {\n", "upc_barrier %d;\n", "}\n"},
	{"barriers without an end", "void f(void) {\n", "upc_barrier\n", "}\n"},
	{"loops", "void f(void) {\n", "upc_forall (i = 0; i < 3; i++; i) x++;\n", "}\n"},
	{"sizes", "shared int a[THREADS];\nint n = 1", " + sizeof(a)\n", ";\n"},
	{"names of blocks", "", "int f%d(void) { static shared int a[THREADS]; return sizeof a; }\n", ""},
	{"nested blocks", "void f(void) ", "{ static shared int a%d[THREADS]; int b = sizeof a%d;\n", ""},
	{"blocks beside names", "shared int a[THREADS];\nint n = 1", " + ({ sizeof(a); })\n", ";\n"},
	{"sizes of members", "void f(struct s *p) { int n = 1", " + upc_blocksizeof(p->m[%d])\n", "; }\n"},
	{"sizes of sizes", "shared int a[THREADS];\nint n = ", "sizeof\n", "1;\n"},
	{"choices", "int n = ", "a ? b :\n", "0;\n"},
	{"strings", "shared int a; char *s[] = {", "\"shared\",\n", "};\n"},
	{"files", "", "# 1 \"f%d.h\" 1\nint a%d;\n", ""},
	{"line markers", "shared int a\n", "# %d \"a.upc\"\n", ";\n"},
	{"pragmas", "", "#pragma upc strict\nint a;\n#pragma upc relaxed\nint b;\n", ""},
};

static char *source_of(size_t shape, int count)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	assert_non_null(out);
	fprintf(out, "# 1 \"a.upc\"\n%s", shapes[shape].head);
	for (int i = 0; i < count; i++)
		for (const char *at = shapes[shape].part; *at != '\0'; at++)
			if (at[0] == '%' && at[1] == 'd')
				fprintf(out, "%d", i), at++;
			else
				fputc(*at, out);
	fputs(shapes[shape].tail, out);
	fclose(out);
	return text;
}

static double seconds(size_t shape, int count)
{
	const struct upc_options options = {.static_threads = 0};
	char *text = source_of(shape, count);
	struct timespec begin, end;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &begin);
	struct upc_translation *translation = upc__translate(text, &options);
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
	upc__translation_free(translation);
	free(text);
	return (double)(end.tv_sec - begin.tv_sec) + 1e-9 * (double)(end.tv_nsec - begin.tv_nsec);
}

static double least(double a, double b)
{
	return a < b ? a : b;
}

/*
 * Compares the minimum of the CPU times of some tries, as other programs may use the processor's cache. Quadratic time
 * would be sixteen times as long. The kernel's time for memory is excluded: one try reuses what another one has freed.
 */
static void four_times_the_source_takes_four_times_as_long(void **state)
{
	(void)state;
	enum { COUNT = 5000, TRIES = 6 };
	for (size_t shape = 0; shape < sizeof shapes / sizeof *shapes; shape++) {
		double one = 1e9, four = 1e9;
		bool linear = false;
		for (int try = 0; try < TRIES && !linear; try++) {
			four = least(four, seconds(shape, 4 * COUNT));
			one = least(one, seconds(shape, COUNT));
			linear = four < 8 * (one > 0.005 ? one : 0.005);
		}
		if (!linear)
			fail_msg("%s: %g s for %d, %g s for %d", shapes[shape].name, one, COUNT, four, 4 * COUNT);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(four_times_the_source_takes_four_times_as_long),
	};
	mallopt(M_MMAP_MAX, 0);
	mallopt(M_TRIM_THRESHOLD, -1);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
