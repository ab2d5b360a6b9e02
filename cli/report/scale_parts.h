/* SPDX-License-Identifier: BSD-3-Clause */
/* The tables of `heddle scale`. */
#ifndef HEDDLE_CLI_SCALE_PARTS_H
#define HEDDLE_CLI_SCALE_PARTS_H

#include "analysis/scaling.h"
#include "cli/base/terminal.h"

struct heddle_scale_law {
	uint32_t path;
	struct heddle_model model;     /* of the thread with the largest time */
	struct heddle_prediction then; /* the model's value at `at`, ns */
	/* Shares of all threads' time, from models of the means: at scale `at`, and measured at the largest scale. */
	double share, low, high, now;
};

struct heddle_scale_report {
	struct heddle_terminal terminal;
	double min_percent;
	double at;            /* the scale of predictions */
	const char *of_scale; /* "threads", or the user's name */
	struct heddle_scaling scaling;
	/* The functions and regions whose own time matters at the largest scale, the largest share at `at` first. */
	struct heddle_scale_law *laws;
	size_t law_count;
};

/* Makes the laws; none if there is only one scale. Returns 0 or -ENOMEM. */
int heddle__scale_laws_make(struct heddle_scale_report *report);

/* True if a factor is meaningful: those between ranks need several ranks, and so on. */
bool heddle__scale_factor_matters(const struct heddle_scaling *scaling, int factor);

/* Each returns 0 or a negative error. */
int heddle__scale_points(const struct heddle_scale_report *report);
int heddle__scale_tree(const struct heddle_scale_report *report);
int heddle__scale_json(struct heddle_scale_report *report);

/* Writes the page, on which `measured` names the measurements. Returns 0, or an exit status after a line. */
int heddle__scale_page(struct heddle_scale_report *report, const char *path, const char *measured);

/* Returns the divisor for printed values of laws: times are in seconds. */
double heddle__scale_unit(const struct heddle_scale_report *report);

/* Formats a value of the metric, rounded. Returns `text`. */
char *heddle__scale_value(char *text, size_t size, const struct heddle_scale_report *report, double value);

/*
 * Writes a note if laws and predictions are unreliable, in words; there are up to HEDDLE_SCALE_NOTES. Returns true if
 * there is a note of that number.
 */
#define HEDDLE_SCALE_NOTES 2
#define HEDDLE_SCALE_NOTE 200
bool heddle__scale_note(const struct heddle_scale_report *report, int number, char text[HEDDLE_SCALE_NOTE]);

void heddle__scale_laws(const struct heddle_scale_report *report);

/* Prints "At 64 threads `exchange` would take 48 % of the time (31 to 60; now 20)." Nothing if no share grows. */
void heddle__scale_outlook(const struct heddle_scale_report *report);

#endif
