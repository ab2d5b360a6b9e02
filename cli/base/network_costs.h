/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What accesses to UPC shared memory cost on a machine and transport, in microseconds, as `heddle doctor --network`
 * measured it: a text file of "NAME VALUE" lines. Nothing is measured here.
 */
#ifndef HEDDLE_CLI_NETWORK_NUMBERS_H
#define HEDDLE_CLI_NETWORK_NUMBERS_H

#include <stdbool.h>
#include <stddef.h>

#define HEDDLE_NETWORK_FIRST_LINE "heddle-network 1"
#define HEDDLE_NETWORK_SUFFIX ".network"

struct heddle_network_value {
	char name[48];
	double value;
};

struct heddle_network {
	char *host, *date;
	char *settings;  /* words NAME=VALUE of the environment, or "" */
	char *listening; /* lines "0 on HOST at ADDRESS:PORT ...", one for each thread that listens */
	struct heddle_network_value *values;
	size_t count;
};

/* Which memory was accessed, and how many threads did so at the same time. */
enum heddle_network_memory { HEDDLE_MEMORY_SAME_NODE, HEDDLE_MEMORY_REMOTE };
enum heddle_network_load { HEDDLE_LOAD_ONE, HEDDLE_LOAD_ALL };

/* Reads a file. Returns 0, or an exit status after a line on stderr; then nothing is allocated. */
int heddle__network_read(struct heddle_network *network, const char *path);
void heddle__network_free(struct heddle_network *network);

/* Returns the value of that name; NAN: the file has none. */
double heddle__network_value(const struct heddle_network *network, const char *name);

/* Returns the microseconds of an operation ("get", "put", "memget", ...) of that size; NAN: not measured. */
double heddle__network_access(const struct heddle_network *network, const char *operation,
	enum heddle_network_memory memory, enum heddle_network_load load, size_t bytes);

/* Like heddle__network_access, for any size: interpolates and extrapolates linearly. */
double heddle__network_transfer(const struct heddle_network *network, const char *operation,
	enum heddle_network_memory memory, enum heddle_network_load load, double bytes);

/* True if that operation was measured with that size, in either kind of memory. */
bool heddle__network_has_size(const struct heddle_network *network, const char *operation, size_t bytes);

/* Returns the newest file with such a name in the current directory, in static storage; NULL: none. */
const char *heddle__newest_network(void);

#endif
