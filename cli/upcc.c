/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * `heddle upcc`: a UPC compiler with GASP, told in its own options what to instrument. Programs are linked with
 * libheddle.so and with bridge.upc, compiled by that compiler itself: event numbers and pointers-to-shared differ from
 * one to another.
 */
#include "cli/commands.h"
#include "cli/exit_status.h"
#include "cli/locate.h"
#include "cli/wrapper.h"

#include <stdio.h>
#include <string.h>

enum family { HEDDLE_UPC, BERKELEY_UPC, GNU_UPC, CLANG_UPC, CRAY_UPC, OTHER_UPC };

/* By the compiler's own words first: Berkeley's name the compilers behind it, too. */
static enum family family_of(const struct heddle_wrapper *wrapper)
{
	const char *slash = strrchr(wrapper->compiler.at[0], '/');
	const char *name = slash != NULL ? slash + 1 : wrapper->compiler.at[0];
	char text[8192];

	if (strncmp(name, "heddle-upc", 10) == 0)
		return HEDDLE_UPC;
	heddle__wrapper_ask(wrapper, "--version", text, sizeof(text));
	if (strcasestr(text, "upc") == NULL && strcasestr(text, "cray") == NULL)
		heddle__wrapper_ask(wrapper, "-v", text, sizeof(text));
	if (strcasestr(text, "berkeley") != NULL)
		return BERKELEY_UPC;
	if (strcasestr(text, "cray") != NULL)
		return CRAY_UPC;
	if (strcasestr(text, "clang") != NULL && (strcasestr(text, "upc") != NULL || strstr(name, "upc") != NULL))
		return CLANG_UPC;
	if (strcasestr(text, "gnu upc") != NULL || strcasestr(text, "gupc") != NULL || strstr(name, "gupc") != NULL)
		return GNU_UPC;
	return OTHER_UPC;
}

/* The options of GASP 1.5, section 3.1.2; `functions`: this compiler's spelling of --inst-functions. */
static void add_gasp_options(const struct heddle_wrapper *wrapper, const char *functions, struct heddle_words *words)
{
	heddle__words_add(words, "--inst");
	if (wrapper->local)
		heddle__words_add(words, "--inst-local");
	if (wrapper->functions)
		heddle__words_add(words, functions);
	if (wrapper->only != NULL) {
		heddle__words_add(words, "--inst-only");
		heddle__words_add(words, wrapper->only);
	}
}

static void add_instrumentation(const struct heddle_wrapper *wrapper, enum family family, struct heddle_words *words)
{
	switch (family) {
	case BERKELEY_UPC:
		heddle__words_add(words, "--inst-toolname=heddle");
		heddle__words_add(words, "-lines");
		add_gasp_options(wrapper, "-inst-functions", words);
		break;
	case GNU_UPC:
	case CLANG_UPC:
		heddle__words_add(words, "-fupc-instrument");
		if (wrapper->functions)
			heddle__words_add(words, "-fupc-instrument-functions");
		heddle__words_add(words, "-fupc-debug");
		break;
	case HEDDLE_UPC:
	case OTHER_UPC:
		add_gasp_options(wrapper, "--inst-functions", words);
		break;
	case CRAY_UPC:
		break;
	}
}

static bool has_word(const struct heddle_words *words, const char *word)
{
	for (size_t i = 0; i < words->count; i++)
		if (strcmp(words->at[i], word) == 0)
			return true;
	return false;
}

/* What a program is linked with. 0 or an exit status. */
static int add_link(const struct heddle_wrapper *wrapper, struct heddle_words *before, struct heddle_words *after)
{
	char bridge[PATH_MAX], library[PATH_MAX];
	const char *missing = NULL;

	if (has_word(&wrapper->rest, "-static")) {
		fputs("heddle: upcc: a program with --inst needs the shared library libheddle.so: link without "
		      "-static\n",
			stderr);
		return HEDDLE_EXIT_USAGE;
	}
	if (heddle__locate_bridge(bridge) != 0)
		missing = bridge;
	else if (heddle__locate_library("libheddle.so", library) != 0)
		missing = library;
	if (missing != NULL) {
		fprintf(stderr, "heddle: upcc: %s is missing: build or install Heddle whole\n", missing);
		return HEDDLE_EXIT_FAILED;
	}
	*strrchr(library, '/') = '\0';
	/* In front, where no -x of the user's makes another language of it. */
	heddle__words_add(before, bridge);
	/* Or the linker drops the library: the compilers have weak definitions of what it offers. */
	heddle__words_add_format(after, "-L%s", library);
	heddle__words_add_format(after, "-Wl,-rpath,%s", library);
	heddle__words_add(after, "-Wl,--no-as-needed");
	heddle__words_add(after, "-lheddle");
	return 0;
}

/* Heddle's headers without those of GASP: an installed compiler has its own, which must be found. */
static int add_headers(enum family family, struct heddle_words *words)
{
	char headers[PATH_MAX];

	if (heddle__locate_headers(headers) != 0) {
		fprintf(stderr, "heddle: upcc: %s is missing: build or install Heddle whole\n", headers);
		return HEDDLE_EXIT_FAILED;
	}
	if (strcmp(headers, "/usr/include") != 0)
		heddle__words_add_format(words, "-I%s", headers);
	if (family == HEDDLE_UPC)
		heddle__words_add_format(words, "-I%s/heddle", headers);
	return 0;
}

/* What stands before and behind the user's arguments; 0 or an exit status. */
static int add_words(struct heddle_wrapper *wrapper, struct heddle_words *before, struct heddle_words *after)
{
	enum family family = family_of(wrapper);
	int status = add_headers(family, before);
	char library[PATH_MAX];

	/* The bundled run-time system takes it along when a program is asked to measure itself. */
	if (status == 0 && family == HEDDLE_UPC && heddle__locate_library("libheddle.so", library) == 0)
		heddle__words_add_format(before, "--tool-library=%s", library);
	if (status != 0 || !wrapper->inst)
		return status;
	if (family == CRAY_UPC) {
		fputs("heddle: upcc: Cray's compiler has no GASP events: it compiles as without --inst\n", stderr);
		return 0;
	}
	if (wrapper->exclude_functions != NULL || wrapper->exclude_files != NULL)
		fputs("heddle: upcc: UPC compilers have no lists of functions to leave out: write `#pragma pupc off` "
		      "before them\n",
			stderr);
	add_instrumentation(wrapper, family, before);
	/* The bundled run-time system has its bridge, and looks for a tool when the program runs. */
	return wrapper->links && family != HEDDLE_UPC ? add_link(wrapper, before, after) : 0;
}

static int compile(struct heddle_wrapper *wrapper, int argc, char **argv)
{
	struct heddle_words before = {0}, after = {0};
	int status = heddle__wrapper_prepare(wrapper, argc, argv);

	if (status == 0)
		status = add_words(wrapper, &before, &after);
	if (status == 0)
		status = heddle__wrapper_become(wrapper, &before, &after);
	heddle__words_free(&before);
	heddle__words_free(&after);
	heddle__wrapper_free(wrapper);
	return status;
}

static int run(int argc, char **argv)
{
	static char bundled[PATH_MAX];
	static const char *const defaults[] = {bundled, "upcc", "gupc", "clang-upc", NULL};
	struct heddle_wrapper wrapper = {
		.command = "upcc", .variable = "HEDDLE_UPCC", .with = "--with-upcc", .defaults = defaults};

	if (heddle__wrapper_wants_help(argc, argv))
		return heddle__print_help(&heddle__command_upcc);
	if (heddle__locate_upc_driver(bundled) != 0)
		wrapper.defaults++;
	return compile(&wrapper, argc, argv);
}

static const struct heddle_option options[] = {
	HEDDLE_WRAPPER_OPTIONS("--with-upcc"),
	{0},
};

const struct heddle_command heddle__command_upcc = {
	.name = "upcc",
	.summary = "Compile UPC, with events if asked for",
	.arguments = "COMPILER-ARGUMENT...",
	.details =
		"Calls a UPC compiler with GASP: --with-upcc, else $HEDDLE_UPCC, else the bundled one, upcc, gupc or\n"
		"clang-upc.\n",
	.options = options,
	.own_help = true,
	.run = run,
};
