/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * `heddle upcc`: calls a UPC compiler with GASP, and passes what to instrument in that compiler's own options, which it
 * queries. Programs are linked with libheddle.so and with bridge.upc, which the same compiler compiles, because event
 * numbers and pointers-to-shared differ between compilers.
 */
#include "cli/base/commands.h"
#include "cli/base/exit_status.h"
#include "cli/base/locate.h"
#include "cli/compile/upcc_words.h"
#include "cli/compile/wrapper.h"

#include <stdio.h>
#include <string.h>

enum family {
	HEDDLE_UPC,
	BERKELEY_UPC,
	GNU_UPC,   /* has -fupc-instrument */
	CLANG_UPC, /* has -fupc-debug only */
	CRAY_UPC,
	OTHER_UPC,
	NOT_UPC
};

/* True for the output of gcc, g++ and clang. */
static bool is_c_compiler(const char *text)
{
	return strstr(text, "Free Software Foundation") || strstr(text, "gcc version") || strstr(text, "clang version");
}

struct compiler {
	enum family family;
	/* Berkeley's compiler, if configured for instrumentation only, neither compiles nor links without a tool. */
	bool needs_tool;
};

/* True for the output of Berkeley's compiler. One of these words alone may be part of a path. */
static bool is_berkeley(const char *text)
{
	return strcasestr(text, "berkeley unified parallel c") || strcasestr(text, "berkeley upc");
}

/* True if the compiler accepts that option for UPC. */
static bool takes(const struct heddle_wrapper *wrapper, const char *option)
{
	const char *const question[] = {option, "-x", "upc", "-fsyntax-only", "/dev/null", NULL};
	return heddle__wrapper_ask(wrapper, question, NULL, 0) == 0;
}

static struct compiler ask_compiler(const struct heddle_wrapper *wrapper)
{
	const char *slash = strrchr(wrapper->compiler.at[0], '/');
	const char *name = slash ? slash + 1 : wrapper->compiler.at[0];
	char text[8192];
	if (strncmp(name, "heddle-upc", 10) == 0)
		return (struct compiler){HEDDLE_UPC, false};
	heddle__wrapper_ask(wrapper, (const char *const[]){"--version", NULL}, text, sizeof(text));
	if (strstr(text, "upcc should not be invoked directly"))
		return (struct compiler){BERKELEY_UPC, true};
	if (is_berkeley(text))
		return (struct compiler){BERKELEY_UPC, false};
	if (!strcasestr(text, "upc") && !strcasestr(text, "cray"))
		heddle__wrapper_ask(wrapper, (const char *const[]){"-v", NULL}, text, sizeof(text));
	if (strcasestr(text, "cray"))
		return (struct compiler){CRAY_UPC, false};
	if (takes(wrapper, "-fupc-instrument"))
		return (struct compiler){GNU_UPC, false};
	if (takes(wrapper, "-fupc-debug"))
		return (struct compiler){CLANG_UPC, false};
	if (is_c_compiler(text) && !strcasestr(text, "upc") && !strcasestr(name, "upc"))
		return (struct compiler){NOT_UPC, false};
	heddle__wrapper_ask(
		wrapper, (const char *const[]){"--inst-toolname=heddle", "--version", NULL}, text, sizeof(text));
	return is_berkeley(text) ? (struct compiler){BERKELEY_UPC, true} : (struct compiler){OTHER_UPC, false};
}

/* Reports options that the compiler lacks and that measuring does not need. */
static void say_all_events(void)
{
	fputs("heddle: upcc: --inst-only: this compiler does not support it: all events are compiled in; select them "
	      "with `heddle run --events FILE`\n",
		stderr);
}

static bool berkeley_knows_only(const struct heddle_wrapper *wrapper)
{
	const char *const question[] = {"--inst-toolname=heddle", "--inst-only", wrapper->only, "--version", NULL};
	char text[8192];
	heddle__wrapper_ask(wrapper, question, text, sizeof(text));
	return !strstr(text, "--inst-only") && is_berkeley(text);
}

/* Adds the options of GASP 1.5, section 3.1.2. `functions` is this compiler's spelling of --inst-functions. */
static void add_gasp_options(const struct heddle_wrapper *wrapper, const char *functions, struct heddle_words *words)
{
	heddle__words_add(words, "--inst");
	if (wrapper->local)
		heddle__words_add(words, "--inst-local");
	if (wrapper->functions)
		heddle__words_add(words, functions);
	if (wrapper->only) {
		heddle__words_add(words, "--inst-only");
		heddle__words_add(words, wrapper->only);
	}
}

static void add_berkeley(struct heddle_wrapper *wrapper, struct heddle_words *words)
{
	heddle__words_add(words, "-lines");
	if (wrapper->only && !berkeley_knows_only(wrapper)) {
		say_all_events();
		wrapper->only = NULL;
	}
	add_gasp_options(wrapper, "-inst-functions", words);
}

/*
 * Both compilers report accesses with -fupc-debug. Only GNU UPC has an option for other events; for Clang UPC, macros
 * of headers report them.
 */
static void add_gnu(const struct heddle_wrapper *wrapper, enum family family, struct heddle_words *words)
{
	if (family == GNU_UPC) {
		heddle__words_add(words, "-fupc-instrument");
	} else {
		heddle__words_add(words, "-D__UPC_PUPC__=1");
		heddle__words_add(words, "-D__UPC_PUPC_INST__=1");
	}
	if (wrapper->functions && family == GNU_UPC && takes(wrapper, "-fupc-instrument-functions")) {
		heddle__words_add(words, "-fupc-instrument-functions");
	} else if (wrapper->functions) {
		heddle__words_add(words, "-finstrument-functions");
		heddle__words_add(words, "-fno-omit-frame-pointer");
	}
	if (family == CLANG_UPC || takes(wrapper, "-fupc-debug"))
		heddle__words_add(words, "-fupc-debug");
	if (wrapper->only)
		say_all_events();
}

static void add_instrumentation(struct heddle_wrapper *wrapper, enum family family, struct heddle_words *words)
{
	switch (family) {
	case BERKELEY_UPC:
		add_berkeley(wrapper, words);
		break;
	case GNU_UPC:
	case CLANG_UPC:
		add_gnu(wrapper, family, words);
		break;
	case HEDDLE_UPC:
	case OTHER_UPC:
		add_gasp_options(wrapper, "--inst-functions", words);
		break;
	case CRAY_UPC:
	case NOT_UPC:
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

/* Passes a word to the linker. Berkeley's upcc removes one -Wl, itself. */
static void add_linker_option(enum family family, struct heddle_words *words, const char *option)
{
	heddle__words_add_format(words, "%s-Wl,%s", family == BERKELEY_UPC ? "-Wl," : "", option);
}

/* Adds what a program is linked with. Returns 0 or an exit status. */
static int add_link(const struct heddle_wrapper *wrapper, enum family family, struct heddle_words *before,
	struct heddle_words *after)
{
	char bridge[PATH_MAX], library[PATH_MAX], path_option[PATH_MAX + 8];
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
	if (missing) {
		fprintf(stderr, "heddle: upcc: %s is missing: build or install all of Heddle\n", missing);
		return HEDDLE_EXIT_FAILED;
	}
	*strrchr(library, '/') = '\0';
	/*
	 * In front, so that no -x of the user applies to it; but Berkeley's upcc names the program after the first
	 * file.
	 */
	heddle__words_add(family == BERKELEY_UPC ? after : before, bridge);
	heddle__words_add_format(after, "-L%s", library);
	snprintf(path_option, sizeof path_option, "-rpath,%s", library);
	add_linker_option(family, after, path_option);
	/*
	 * Without this, the linker drops libheddle.so: the compilers define its functions weakly, so none is undefined.
	 */
	add_linker_option(family, after, "--no-as-needed");
	heddle__words_add(after, "-lheddle");
	return 0;
}

/* Adds Heddle's headers without those of GASP: an installed compiler has its own, which must be used. */
static int add_headers(enum family family, struct heddle_words *words)
{
	char headers[PATH_MAX];
	if (heddle__locate_headers(headers) != 0) {
		fprintf(stderr, "heddle: upcc: %s is missing: build or install all of Heddle\n", headers);
		return HEDDLE_EXIT_FAILED;
	}
	if (strcmp(headers, "/usr/include") != 0)
		heddle__words_add_format(words, "-I%s", headers);
	if (family == HEDDLE_UPC)
		heddle__words_add_format(words, "-I%s/heddle", headers);
	return 0;
}

static int complain_no_upc(const struct heddle_wrapper *wrapper)
{
	fprintf(stderr, "heddle: upcc: '%s' is not a UPC compiler; name one with %s=PATH or %s\n",
		wrapper->compiler.at[0], wrapper->with, wrapper->variable);
	return HEDDLE_EXIT_USAGE;
}

/* Translates the user's arguments for the compiler. */
static void translate(struct heddle_wrapper *wrapper, enum family family)
{
	struct heddle_words words = {0};
	if (family == BERKELEY_UPC)
		heddle__berkeley_words(&wrapper->rest, &words);
	else if (family == GNU_UPC || family == CLANG_UPC)
		heddle__gnu_words(&wrapper->rest, &words);
	else
		return;
	heddle__words_free(&wrapper->rest);
	wrapper->rest = words;
}

/* Adds the words before and after the user's arguments. Returns 0 or an exit status. */
static int add_words(struct heddle_wrapper *wrapper, struct compiler compiler, struct heddle_words *before,
	struct heddle_words *after)
{
	enum family family = compiler.family;
	int status = family == NOT_UPC ? complain_no_upc(wrapper) : add_headers(family, before);
	char library[PATH_MAX];
	/* The bundled run-time system adds libheddle.so to programs that are built to measure themselves. */
	if (status == 0 && family == HEDDLE_UPC && heddle__locate_library("libheddle.so", library) == 0)
		heddle__words_add_format(before, "--tool-library=%s", library);
	if (status != 0 || !(wrapper->inst || compiler.needs_tool))
		return status;
	if (family == CRAY_UPC) {
		fputs("heddle: upcc: Cray's compiler has no GASP events: compiling without --inst\n", stderr);
		return 0;
	}
	if (wrapper->exclude_functions || wrapper->exclude_files)
		fputs("heddle: upcc: UPC compilers cannot exclude functions by lists: write `#pragma pupc off` before "
		      "them\n",
			stderr);
	if (family == BERKELEY_UPC)
		heddle__words_add(before, "--inst-toolname=heddle");
	if (wrapper->inst)
		add_instrumentation(wrapper, family, before);
	/* The bundled run-time system contains its bridge, and looks for a tool when the program runs. */
	return wrapper->links && family != HEDDLE_UPC ? add_link(wrapper, family, before, after) : 0;
}

static int compile(struct heddle_wrapper *wrapper, int argc, char **argv)
{
	struct heddle_words before = {0}, after = {0};
	int status = heddle__wrapper_prepare(wrapper, argc, argv);
	if (status == 0) {
		struct compiler compiler = ask_compiler(wrapper);

		status = add_words(wrapper, compiler, &before, &after);
		translate(wrapper, compiler.family);
	}
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
	struct heddle_wrapper wrapper = {.name = "upcc",
		.command = &heddle__command_upcc,
		.variable = "HEDDLE_UPCC",
		.with = "--with-upcc",
		.defaults = defaults};
	if (heddle__wrapper_wants_help(argc, argv)) {
		heddle__print_help(&heddle__command_upcc);
		return HEDDLE_EXIT_HELPED;
	}
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
	.summary = "Compile UPC, optionally with events",
	.arguments = "[COMPILER-ARGUMENT]...",
	.details =
		"Calls a UPC compiler with GASP: --with-upcc, else $HEDDLE_UPCC, else the bundled one, upcc, gupc or\n"
		"clang-upc.\n",
	.options = options,
	.exit_status = HEDDLE_WRAPPER_EXIT_STATUS,
	.run = run,
};
