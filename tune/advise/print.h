/* SPDX-License-Identifier: BSD-3-Clause */
/* Output of `heddle advise`. */
#ifndef HEDDLE_TUNE_ADVISE_PRINT_H
#define HEDDLE_TUNE_ADVISE_PRINT_H

#include "cli/base/terminal.h"
#include "tune/advise/advice.h"

struct heddle_advice_page {
	struct heddle_terminal terminal;
	const struct heddle_advices *advices;
	const struct heddle_cache_costs *costs;
	const struct heddle_network *network; /* NULL: none */
	const char *network_path;
	const char *measurement;  /* path of its directory */
	const char *problem;      /* a sentence about a source that could not be read, or NULL */
	const char *cflags;       /* options that sources are compiled with, as the user gave them, or NULL */
	const char *const *flags; /* `cflags` as words, ended by NULL; or NULL */
	double min_percent;
};

/* Prints the origin of the costs in one line. */
void heddle__advice_print_costs(const struct heddle_advice_page *page);

/* Prints one line for each loop and variable. */
void heddle__advice_print_table(const struct heddle_advice_page *page);

/* Prints the findings, the advice, and the commands for it. */
void heddle__advice_print_sentences(const struct heddle_advice_page *page);

/* Prints the measured and the predicted time of each loop with advice. */
void heddle__advice_print_loops(const struct heddle_advice_page *page);

/* Prints heddle tune's command for each source that follows the advice; what it cannot change, with the reason. */
void heddle__advice_print_commands(const struct heddle_advice_page *page);

/* Describes the order of the accesses in a sentence after a blank; "" without sketch. */
const char *heddle__advice_describe_order(char *text, size_t size, const struct heddle_advice *one);

/* Prints a paragraph, wrapped to the width of the page. */
__attribute__((format(printf, 2, 3))) void heddle__advice_say(
	const struct heddle_advice_page *page, const char *format, ...);

/* Returns true if a row has advice, and is the first such row of its loop. */
bool heddle__advice_begins_loop(const struct heddle_advices *advices, size_t number);

#endif
