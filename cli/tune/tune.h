/* SPDX-License-Identifier: BSD-3-Clause */
/* `heddle tune` from its options to its result, without the command line. */
#ifndef HEDDLE_CLI_TUNE_TUNE_H
#define HEDDLE_CLI_TUNE_TUNE_H

#include "cli/tune/measured.h"

struct tune_request {
	const char *path;             /* of the source */
	int line, column;             /* of the loop; column 0: not given; line 0: the one with the most time */
	const char *const *variables; /* ended by NULL; NULL: those that were measured */
	const struct tune_measurement *measurement; /* or NULL */
	const char *const *definitions;             /* -D options, without -D; ended by NULL, or NULL */
	const char *policy;                         /* "arbitrary", "priority", "first"; NULL: not given */
	unsigned chunk;                             /* iterations of a tile; 0: the default */
	const char *output;                         /* name of the new file, as the diff shows it */
	bool no_alias;
};

struct tune_result {
	const char *text; /* the new file */
	size_t length;
	const char *unified; /* the diff */
	const char *chosen;  /* the loop and its variables: "cc.upc:54: label, above" */
	bool races;          /* the user allowed results to depend on the order of iterations */
};

/*
 * The result is in the memory of `work`, to be freed with heddle__tune_free. Returns an exit status; if it is not 0,
 * work->message says why.
 */
int heddle__tune(struct tune_work *work, const struct tune_request *request, struct tune_result *result);

#endif
