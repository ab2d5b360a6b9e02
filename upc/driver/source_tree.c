/* SPDX-License-Identifier: BSD-3-Clause */
/* --source-tree: writes the facts about a source for `heddle tune`. upc/source/README.md has the format. */
#include <libgen.h>
#include <stdlib.h>
#include <string.h>

#include "upc/driver/driver.h"
#include "upc/source/source.h"
#include "upc/translate/tokens.h"
#include "upc/typing/typing.h"

struct request {
	const char *text;
	const struct upc_items *items;
	const int *marks;
	int status; /* exit status; -1: the text has errors */
};

static void print_tree(void *context, const struct upc_tree *tree, const struct upc_translation *translation)
{
	struct request *request = context;
	struct upc_seen seen = {.count = 0};
	int line = 0;
	if (upc__match_items(&seen, request->items, request->text, translation, request->marks, &line)) {
		fputs("heddle-source-tree 1\n", stdout);
		upc__write_items(stdout, request->items, &seen, translation);
		upc__write_tree(stdout, tree, translation, &seen);
		fputs("end\n", stdout);
	} else {
		printf("unmatched %d\n", line);
	}
	request->status = fflush(stdout) == 0 ? 0 : 1;
	free(seen.items);
	free(seen.positions);
}

/* Preprocesses a copy of the source with marks; files that it includes are also searched for in the user's folder. */
static char *preprocess_marked(struct driver *driver, const char *source, const char *marked)
{
	char *input = upc__work_file(driver, driver->compile_count, ".marked.c");
	char *output = upc__work_file(driver, driver->compile_count, ".i"), *name = upc__format("%s", source);
	struct arguments kept = driver->preprocess;
	struct arguments own = {0};
	upc__argument(&own, "-iquote");
	upc__argument(&own, upc__format("%s", dirname(name)));
	upc__arguments(&own, &kept);
	driver->preprocess = own;
	char *errors = NULL; /* upc__check_source prints them */
	char *text = upc__write_file(input, marked) && upc__preprocess(driver, input, output, &errors) == 0
			     ? upc__read_file(output)
			     : NULL;
	driver->preprocess = kept;
	free(errors);
	free(name);
	free(input);
	free(output);
	return text;
}

/* Returns an exit status; -1: the text has errors, which are not printed. */
static int write_tree(struct driver *driver, const char *source, const char *text)
{
	struct upc_items items;
	struct arguments options = {0};
	upc__preprocessor_options(driver, &options);
	upc__argument(&options, "-x");
	upc__argument(&options, "c");
	upc__argument(&options, "-ferror-limit=0");
	driver->compile_count++;
	bool found = upc__find_items(&items, source, text, options.list, options.count);
	char *marked = found ? upc__mark_expansions(&items, text) : NULL;
	char *preprocessed = marked ? preprocess_marked(driver, source, marked) : NULL;
	struct request request = {.text = text, .items = &items, .status = -1};
	if (preprocessed) {
		int *marks = upc__take_marks(preprocessed);
		request.marks = marks;
		upc__visit_tree(driver, preprocessed, print_tree, &request);
		free(marks);
	}
	free(preprocessed);
	free(marked);
	free(items.list);
	free(options.list);
	return request.status;
}

int upc__write_source_tree(struct driver *driver)
{
	char *text = upc__read_file(driver->source_tree);
	int status = text ? write_tree(driver, driver->source_tree, text) : -1;
	if (status < 0 && upc__check_source(driver, driver->source_tree) == 0 && text)
		status = write_tree(driver, driver->source_tree, text); /* with the extensions that it lacked */
	free(text);
	return status == 0 ? 0 : 1;
}
