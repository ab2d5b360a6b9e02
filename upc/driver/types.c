/* SPDX-License-Identifier: BSD-3-Clause */
/* Has the types of translated text read, before clang compiles it, and what they say inserted. */
#include <stddef.h>

#include "upc/driver/driver.h"
#include "upc/driver/repair.h"
#include "upc/typing/typing.h"

/* Of each call, clang reports only the first wrong argument: so many casts in one are added. */
#define MOST_ROUNDS 64

struct reading {
	struct report *report;
	bool failed;
};

static bool take_message(void *context, const struct upc_message *message)
{
	struct reading *reading = context;
	upc__repair(reading->report, message);
	reading->failed = reading->failed || upc__is_error(reading->report, message);
	return true;
}

bool upc__type_text(struct report *report, const char *file, const struct arguments *options)
{
	for (int round = 0;; round++) {
		struct reading reading = {.report = report};
		struct upc_tree *tree = upc__parse(report->translation, file, options->list, options->count);
		if (!tree)
			return false;
		upc__tree_messages(tree, take_message, &reading);
		bool again = upc__repaired(report) && round < MOST_ROUNDS;
		report->typed = !again && !reading.failed;
		if (report->typed)
			upc__complete(tree, report->translation, upc__report_types, report);
		upc__tree_free(tree);
		if (!again)
			return report->typed;
	}
}
