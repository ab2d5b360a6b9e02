/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The loops and variables of a source to change, from a measurement with --accesses. They follow `heddle advise`:
 * accesses belong to a loop by their call path, including those of functions that it calls, and only variables are
 * chosen for which a cache is predicted to be faster.
 */
#ifndef HEDDLE_TUNE_MEASURED_H
#define HEDDLE_TUNE_MEASURED_H

#include "tune/loop.h"

/* The position of a loop in its file, from 1; column 0: not given. */
struct tune_position {
	int line, column;
};

/* Remote accesses of a loop to a variable. */
struct tune_measured {
	const char *variable;       /* its name in the loop's source, or that of the object; "": unknown */
	const char *const *objects; /* names of the objects that the loop accessed by that name, ended by NULL */
	int line;                   /* of the upc_forall */
	bool gets, puts;
	bool pays;                  /* a cache is predicted to make it faster */
	double before_us, after_us; /* of its accesses, of all threads: measured, and predicted with a cache */
};

struct tune_measurement {
	struct tune_measured *rows; /* the most expensive first */
	size_t count;
};

struct heddle_advices;

/* Copies what the loops of a source accessed into the memory of `work`; refuses if memory is exhausted. */
void heddle__tune_take_advices(struct tune_work *work, const struct heddle_advices *advices, const char *path,
	struct tune_measurement *measurement);

/*
 * Reads what the loops of a source accessed into the memory of `work`. `network`: a file of `heddle doctor --network`;
 * NULL: the newest one in the current directory, if any. `flags`: the options of the source. Returns 0, or an exit
 * status after a line on stderr.
 */
int heddle__tune_read_measurement(struct tune_work *work, const char *directory, const char *path, const char *network,
	const char *const *flags, struct tune_measurement *measurement);

/*
 * The loops with a variable that is predicted to be faster with a cache, in the order of the file, ended by line 0;
 * refuses if there are none.
 */
const struct tune_position *heddle__tune_choose_loops(
	const struct tune_file *file, const struct tune_measurement *measurement);

/*
 * Chooses the variables of a loop that are predicted to be faster with a cache. If the loop does not name a variable,
 * the pointers-to-shared that may point to it are chosen, such as parameters of the loop's function. Refuses if there
 * are none. `choices`: one for each row; rows that were left out are not chosen.
 */
void heddle__tune_choose_measured(
	struct tune_loop *loop, const struct tune_measurement *measurement, enum tune_choice *choices);

/*
 * "13.5 s of remote accesses would become about 97.8 ms", for a loop's cached variables; NULL: there is no prediction
 * for them.
 */
const char *heddle__tune_prediction(const struct tune_loop *loop, const struct tune_measurement *measurement);

#endif
