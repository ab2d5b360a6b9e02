/* SPDX-License-Identifier: BSD-3-Clause */
/* What `heddle advise` prints. */
#ifndef HEDDLE_CLI_ADVISE_PRINT_H
#define HEDDLE_CLI_ADVISE_PRINT_H

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
	const char *cflags;       /* options that sources are compiled with, as given, or NULL */
	const char *const *flags; /* the same as words, ended by NULL; or NULL */
	double min_percent;
};

/* Prints the origin of the costs in one line. */
void heddle__advice_print_costs(const struct heddle_advice_page *page);

/* One line for each loop and variable. */
void heddle__advice_print_table(const struct heddle_advice_page *page);

/* What was found, what to do, and the commands for it. */
void heddle__advice_print_sentences(const struct heddle_advice_page *page);

/* For each loop that is advised: what it takes, and would take. */
void heddle__advice_print_loops(const struct heddle_advice_page *page);

/* For each source, the command of heddle tune that follows the advice; what that cannot change, with the reason. */
void heddle__advice_print_commands(const struct heddle_advice_page *page);

/* What is to be seen in the order of the accesses, a sentence behind a blank; "" without sketch. */
const char *heddle__advice_describe_order(char *text, size_t size, const struct heddle_advice *one);

/* A paragraph, wrapped as the page is. */
__attribute__((format(printf, 2, 3))) void heddle__advice_say(
	const struct heddle_advice_page *page, const char *format, ...);

/* Returns true if a row is advised, and the first such row of its loop. */
bool heddle__advice_begins_loop(const struct heddle_advices *advices, size_t number);

#endif
