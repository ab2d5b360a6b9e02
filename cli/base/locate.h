/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds the files that measuring needs on this machine: Heddle's own library, and OpenMP runtimes.
 */
#ifndef HEDDLE_CLI_LOCATE_H
#define HEDDLE_CLI_LOCATE_H

#include <limits.h>
#include <stdbool.h>

/* The directory that the C library was loaded from, e.g. /usr/lib/x86_64-linux-gnu. Never NULL; static storage. */
const char *heddle__system_library_directory(void);

/*
 * Finds one of Heddle's libraries beside this command: ../lib, ../lib/TRIPLET, ../lib64. Returns 0 and fills `path`, or
 * -ENOENT with the first place searched in `path`.
 */
int heddle__locate_library(const char *name, char path[PATH_MAX]);

/*
 * Like heddle__locate_library, for other files of an installation: the folder that holds heddle/pupc.h; the source that
 * upcc links; the bundled UPC compiler; the UPC program of heddle doctor --network.
 */
int heddle__locate_headers(char path[PATH_MAX]);
int heddle__locate_bridge(char path[PATH_MAX]);
int heddle__locate_upc_driver(char path[PATH_MAX]);
int heddle__locate_network_program(char path[PATH_MAX]);

struct heddle_openmp_runtime {
	char path[PATH_MAX]; /* symbolic links resolved */
	int version;         /* of LLVM, from the name of the file or directory; 0: unknown */
	bool tools;          /* offers OMPT */
};

#define HEDDLE_OPENMP_RUNTIMES_MAX 32

/* Find LLVM's OpenMP runtimes, the newest first. Returns how many. */
int heddle__locate_openmp_runtimes(struct heddle_openmp_runtime runtimes[HEDDLE_OPENMP_RUNTIMES_MAX]);

#endif
