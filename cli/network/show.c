/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of `heddle doctor --network`. */
#include "cli/base/network_costs.h"
#include "cli/base/terminal.h"
#include "cli/network/measure.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A column: memory and load, in the order of the table. */
struct column {
	enum heddle_network_memory memory;
	enum heddle_network_load load;
};
static const struct column columns[] = {{HEDDLE_MEMORY_SAME_NODE, HEDDLE_LOAD_ONE},
	{HEDDLE_MEMORY_SAME_NODE, HEDDLE_LOAD_ALL}, {HEDDLE_MEMORY_REMOTE, HEDDLE_LOAD_ONE},
	{HEDDLE_MEMORY_REMOTE, HEDDLE_LOAD_ALL}};
#define COLUMNS (sizeof columns / sizeof columns[0])

#define LISTENING_LINES 16
#define NAME_WIDTH (-28)
#define VALUE_WIDTH 12

static double value_at(
	const struct heddle_network *network, const char *operation, const struct column *column, size_t bytes)
{
	return heddle__network_access(network, operation, column->memory, column->load, bytes);
}

static bool has_column(const struct heddle_network *network, const struct column *column)
{
	return !isnan(value_at(network, "get", column, 8));
}

static const char *format_us(char *text, size_t size, double us)
{
	int digits = us < 0.1 ? 4 : us < 10 ? 2 : us < 1000 ? 1 : 0;
	snprintf(text, size, "%.*f us", digits, us);
	return text;
}

/* Formats a rate: bytes per microsecond are megabytes per second. */
static const char *format_rate(char *text, size_t size, double rate)
{
	snprintf(text, size, rate < 1000 ? "%.1f MB/s" : "%.2f GB/s", rate < 1000 ? rate : rate / 1000);
	return text;
}

static void print_row(
	const struct heddle_network *network, const char *name, const char *operation, size_t bytes, bool rate)
{
	char text[32];
	printf("%*s", NAME_WIDTH, name);
	for (size_t i = 0; i < COLUMNS; i++) {
		double us = value_at(network, operation, &columns[i], bytes);
		if (!has_column(network, &columns[i]))
			continue;
		if (isnan(us))
			printf("%*s", VALUE_WIDTH, "-");
		else
			printf("%*s", VALUE_WIDTH,
				rate ? format_rate(text, sizeof text, (double)bytes / us)
				     : format_us(text, sizeof text, us));
	}
	putchar('\n');
}

static void print_heads(const struct heddle_network *network)
{
	printf("%*s", NAME_WIDTH, "memory of");
	for (size_t i = 0; i < COLUMNS; i++)
		if (has_column(network, &columns[i]))
			printf("%*s", VALUE_WIDTH, columns[i].memory == HEDDLE_MEMORY_REMOTE ? "remote" : "same node");
	printf("\n%*s", NAME_WIDTH, "accessed by");
	for (size_t i = 0; i < COLUMNS; i++)
		if (has_column(network, &columns[i]))
			printf("%*s", VALUE_WIDTH, columns[i].load == HEDDLE_LOAD_ALL ? "all threads" : "one thread");
	putchar('\n');
}

static void print_rates(const struct heddle_network *network, const char *operation)
{
	for (size_t bytes = 64; bytes <= (size_t)1 << 30; bytes *= 8) {
		char name[64], amount[32];
		if (!heddle__network_has_size(network, operation, bytes))
			continue;
		snprintf(name, sizeof name, "upc_%s of %s", operation,
			heddle__format_bytes(amount, sizeof amount, bytes));
		print_row(network, name, operation, bytes, true);
	}
}

/* Prints a line for each address, for the first threads. */
static void print_listening(const struct heddle_network *network)
{
	const char *line = network->listening;
	for (int i = 0; *line && i < LISTENING_LINES; i++, line += strcspn(line, "\n"), line += *line == '\n') {
		const char *at = strstr(line, " at ");
		if (!at || at > line + strcspn(line, "\n"))
			continue;
		for (const char *address = at + 4; *address && *address != '\n';) {
			int length = (int)strcspn(address, " \n");
			printf("Thread %.*s listens at %.*s\n", (int)(at - line), line, length, address);
			address += length;
			address += *address == ' ';
		}
	}
	if (*line)
		puts("More threads listen; the file of -o lists all");
}

void heddle__network_print(const struct heddle_network *network)
{
	char text[32];
	int nodes = (int)heddle__network_value(network, "nodes");
	printf("Accesses of %.0f UPC threads on %d node%s, host %s\n", heddle__network_value(network, "threads"), nodes,
		nodes == 1 ? "" : "s", network->host);
	if (*network->settings != '\0')
		printf("%s\n", network->settings);
	print_listening(network);
	putchar('\n');
	print_heads(network);
	print_row(network, "get of 8 bytes", "get", 8, false);
	print_row(network, "put of 8 bytes, and fence", "put-fence", 8, false);
	print_row(network, "put of 8 bytes, of 1,024", "put", 8, false);
	print_rates(network, "memget");
	print_rates(network, "memput");
	printf("%*s%*s\n", NAME_WIDTH, "upc_barrier", VALUE_WIDTH,
		format_us(text, sizeof text, heddle__network_value(network, "barrier")));
}
