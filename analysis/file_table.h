/* SPDX-License-Identifier: BSD-3-Clause */
/* What ranks read from files and wrote to them by calls of a model (MPI-IO), by file. */
#ifndef HEDDLE_ANALYSIS_FILE_TABLE_H
#define HEDDLE_ANALYSIS_FILE_TABLE_H

#include "profile/file/measurement.h"

/* Times are sums over ranks. Times of reads and writes include waiting for non-blocking ones. */
struct heddle_file {
	const char *name;  /* as measured: a path, or "(other files)" */
	const char *shown; /* the shortest end of it that no other file of the table has */
	uint32_t ranks;
	uint64_t opens, reads, writes;
	uint64_t bytes_read, bytes_written;
	uint64_t read_ns, write_ns, open_ns, other_ns; /* open_ns: with closing */
	uint64_t slowest_ns;                           /* time of reads and writes of the slowest rank */
};

struct heddle_file_table {
	struct heddle_file *files; /* by time, the largest first */
	size_t count;
};

/* Returns the elapsed time of all calls with the file. */
uint64_t heddle__file_ns(const struct heddle_file *file);

/* Returns bytes per second, as if all ranks had begun at once; 0: unknown. */
uint64_t heddle__file_bandwidth(const struct heddle_file *file);

/* Returns 0 or -ENOMEM, after which there is nothing to free. */
int heddle__file_table_make(struct heddle_file_table *table, const struct profile_measurement *measurement);
void heddle__file_table_free(struct heddle_file_table *table);

#endif
