/* SPDX-License-Identifier: BSD-3-Clause */
/* Samples inside the C library: sorting with callbacks, formatting, regular expressions, time, files, malloc. */
#include <math.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "walk_compare.h"

#define COUNT 500

static volatile double sink;

static int by_number(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static void sort_and_print(FILE *nowhere)
{
	static int numbers[COUNT];
	static char *texts[COUNT];

	for (int i = 0; i < COUNT; i++)
		numbers[i] = rand();
	qsort(numbers, COUNT, sizeof(*numbers), by_number);
	for (int i = 0; i < COUNT; i++) {
		texts[i] = malloc(20 + (size_t)rand() % 3000);
		snprintf(texts[i], 20, "%d", numbers[i]);
	}
	qsort(texts, COUNT, sizeof(*texts), by_text);
	for (int i = 0; i < COUNT; i++) {
		fprintf(nowhere, "%s %g %d %Lf\n", texts[i], numbers[i] * 1.1, i, (long double)i);
		sink += strtod(texts[i], NULL) + exp(-i) * sin(i);
		free(texts[i]);
	}
}

static void look_around(const regex_t *pattern)
{
	regmatch_t match[2];
	char text[500];
	time_t now = time(NULL);
	struct tm parts;
	FILE *file = fopen("/proc/self/stat", "r");

	sink += regexec(pattern, "ababab123x", 2, match, 0);
	localtime_r(&now, &parts);
	sink += (double)strftime(text, sizeof(text), "%c", &parts);
	while (file && fgets(text, sizeof(text), file))
		sink += text[0];
	if (file)
		fclose(file);
}

int main(void)
{
	FILE *nowhere = fopen("/dev/null", "w");
	double from = walk_seconds();
	regex_t pattern;

	if (!nowhere || walk_compare_init(NULL) || regcomp(&pattern, "(a|b)*[0-9]+x?", REG_EXTENDED))
		return 1;
	walk_compare_start(400, false);
	while (walk_seconds() - from < 2) {
		sort_and_print(nowhere);
		look_around(&pattern);
	}
	walk_compare_stop();
	regfree(&pattern);
	fclose(nowhere);
	return walk_compare_report("libc", 1000);
}
