/* SPDX-License-Identifier: BSD-3-Clause */
/* `heddle tune` from its options to its result, without the command line. */
#ifndef HEDDLE_TUNE_TUNE_H
#define HEDDLE_TUNE_TUNE_H

#include "tune/measured.h"

struct tune_request {
	const char *path;                           /* of the source */
	const struct tune_position *loops;          /* ended by line 0; if empty, those that were measured */
	const char *const *variables;               /* ended by NULL; NULL: those that were measured */
	const struct tune_measurement *measurement; /* or NULL */
	const char *const *flags;                   /* options that it is compiled with; ended by NULL, or NULL */
	bool quiet;                                 /* suppress the compiler's messages */
	const char *policy;                         /* "arbitrary", "priority", "first"; NULL: not given */
	unsigned chunk;                             /* iterations of a tile; 0: the default */
	const char *output;                         /* the name of the new file in the diff */
	bool no_alias;
};

struct tune_result {
	const char *text; /* the new file */
	size_t length;
	const char *unified;   /* the diff */
	const char *chosen;    /* a line for each loop and its variables: "cc.upc:54: label, above" */
	const char *predicted; /* lines on their predicted times, "cc.upc:54: 13.5 s of ...", and on delays */
	const char *refused;   /* a line for each loop that cannot be changed, if others can: "cc.upc:73: ..." */
	bool races;            /* contents of shared memory after the loops may depend on the order of iterations */
};

/*
 * Changes all loops of the request that can be changed safely; it is an error if there are none. The result is in the
 * memory of `work`, to be freed with heddle__tune_free. Returns an exit status; if it is not 0, the reason is in
 * result->refused, or in work->message if that is NULL.
 */
int heddle__tune(struct tune_work *work, const struct tune_request *request, struct tune_result *result);

#endif
