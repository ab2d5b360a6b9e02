/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Berkeley's upcc removes one `-Wc,` or `-Wl,` and passes the rest, unsplit, to the C compiler, which also links.
 * Therefore options for the linker itself need `-Wl,` twice. upcc accepts abbreviations, so it would read a C
 * compiler's -pthread as its own -pthreads.
 */
#include "cli/compile/upcc_words.h"

#include <ctype.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Options of a C compiler, complete or by their beginning, and the tools behind upcc that need them. */
enum way {
	COMPILE = 1,  /* -Wc, */
	LINK = 2,     /* -Wl, */
	TRANSLATE = 4 /* -Wp, */
};

static const struct {
	const char *option;
	bool whole, takes_next;
	int ways;
} marked[] = {
	{"-fopenmp", false, false, COMPILE | LINK},
	{"-fopenacc", false, false, COMPILE | LINK},
	{"-fsanitize", false, false, COMPILE | LINK},
	{"-fprofile", false, false, COMPILE | LINK},
	{"-flto", false, false, COMPILE | LINK},
	{"-fuse-ld", false, false, LINK},
	{"-f", false, false, COMPILE},
	{"-m", false, false, COMPILE | LINK},
	{"-W", false, false, COMPILE},
	{"-std", false, false, COMPILE},
	{"--std", false, false, COMPILE},
	{"-pedantic", false, false, COMPILE},
	{"-g", false, false, COMPILE},
	{"-ansi", true, false, COMPILE},
	{"-w", true, false, COMPILE},
	{"-pipe", true, false, COMPILE},
	{"-pthread", true, false, COMPILE | LINK},
	{"--coverage", true, false, COMPILE | LINK},
	{"--param", true, true, COMPILE},
	{"--param=", false, false, COMPILE},
	{"-Xassembler", true, true, COMPILE},
	{"-Xpreprocessor", true, true, TRANSLATE},
	{"-include", true, true, TRANSLATE},
	{"-imacros", true, true, TRANSLATE},
	{"-idirafter", true, true, TRANSLATE},
	{"-Xlinker", true, true, LINK},
	{"-u", true, true, LINK},
	{"-rdynamic", true, false, LINK},
	{"-static", false, false, LINK},
	{"-pie", true, false, LINK},
	{"-no-pie", true, false, LINK},
	{"-nostartfiles", true, false, LINK},
	{"-nodefaultlibs", true, false, LINK},
	{"-nostdlib", true, false, LINK},
};

/* Options of upcc itself, and options that upcc must refuse itself. */
static const char *const own[] = {"-fupc-threads", "-fthreads", "-fast-symptr", "-gupc", "-Wc,", "-Wu,", "-Ww,", NULL};

/* Options whose next word is their value, even if it looks like an option. */
static const char *const own_values[] = {"-o", "-I", "-L", "-l", "-D", "-U", "-T", NULL};

/* The arguments of -x: upcc compiles every source file as UPC. */
static const char *const languages[] = {"upc", "c", "none", NULL};

/* Options for dependency files, which upcc cannot write; make works without them. */
static const char *const dependencies[] = {"-MD", "-MMD", "-MP", "-MG", NULL};
static const char *const dependency_values[] = {"-MF", "-MT", "-MQ", NULL};

/* Position in the arguments. */
struct reading {
	const struct heddle_words *from;
	struct heddle_words *to;
	size_t at;
	bool optimized; /* by the last -O */
	bool dependencies;
};

static bool starts(const char *word, const char *beginning)
{
	return strncmp(word, beginning, strlen(beginning)) == 0;
}

static bool is_one_of(const char *const *list, const char *word)
{
	for (; *list; list++)
		if (strcmp(*list, word) == 0)
			return true;
	return false;
}

static bool starts_one_of(const char *const *list, const char *word)
{
	for (; *list; list++)
		if (starts(word, *list))
			return true;
	return false;
}

static bool is_number(const char *word)
{
	return word && isdigit((unsigned char)*word) && word[strspn(word, "0123456789")] == '\0';
}

static const char *next_of(const struct reading *reading)
{
	return reading->at + 1 < reading->from->count ? reading->from->at[reading->at + 1] : NULL;
}

/* ---- the number of threads ---- */

/*
 * Returns the number attached to an option or after it; NULL: not such an option. Moves to the last word of the option.
 */
static const char *take_threads(struct reading *reading)
{
	static const char *const options[] = {"-fupc-threads-", "-fupc-threads", "--threads", "-T", "-n"};
	const char *word = reading->from->at[reading->at];
	for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
		if (!starts(word, options[i]))
			continue;
		const char *rest = word + strlen(options[i]);
		const char *value = *rest == '=' ? rest + 1 : *rest == '\0' ? next_of(reading) : rest;

		if (!is_number(value))
			continue;
		reading->at += *rest == '\0';
		return value;
	}
	return NULL;
}

/* ---- Berkeley UPC ---- */

static void mark(struct reading *reading, int ways, const char *word)
{
	if (ways & TRANSLATE)
		heddle__words_add_format(reading->to, "-Wp,%s", word);
	if (ways & COMPILE)
		heddle__words_add_format(reading->to, "-Wc,%s", word);
	if (ways & LINK)
		heddle__words_add_format(reading->to, "-Wl,%s", word);
}

/* Makes paths absolute, since the steps behind upcc run in another directory. */
static void mark_value(struct reading *reading, int ways, const char *value)
{
	char whole[PATH_MAX];
	mark(reading, ways, ways == TRANSLATE && realpath(value, whole) ? whole : value);
}

/* True for long options of GNU ld, gold and lld that begin like a C compiler's, and may have a single dash. */
static bool is_linkers_name(const char *option)
{
	static const char *const names[] = {"fatal-warnings", "file-alignment", "filter", "fini", "force-exe-suffix",
		"force-group-allocation", "format", "fortran-common", "gc-keep-exported", "gc-sections", "gdb-index",
		"gnu-unique", "gpsize", "ld-generated-unwind-info", "library", "library-path", "long-plt",
		"map-whole-files", "max-cache-size", "merge-exidx-entries", "mmap-output-file", "mri-script", "verbose",
		"version", "version-exports-section", "version-script", NULL};
	static const char *const emulations[] = {"melf", "maarch64", "mi386pe", "marmelf", NULL};
	size_t length = strcspn(option, "=") - 1;
	for (const char *const *name = names; *name; name++)
		if (strlen(*name) == length && strncmp(option + 1, *name, length) == 0)
			return true;
	return starts_one_of(emulations, option + 1);
}

/*
 * True if X in -Wl,X is for the linker, as C compilers mean it, rather than for the compiler that links, as upcc means
 * it. Options of a C compiler that may be written in this way contain no comma.
 */
static bool is_for_linker(const char *word)
{
	static const char *const for_compiler[] = {"-Wl,", "-Xlinker", "-f", "-m", "-l", "-L", "-static", "-shared",
		"-pthread", "-pie", "-no-pie", "-nost", "-nodefault", "-rdynamic", "-spec", "-g", "-O", "-v",
		"--coverage", "--sysroot", NULL};
	if (starts(word, "-Wl,"))
		return false;
	if (strchr(word, ','))
		return true;
	return *word == '-' && (!starts_one_of(for_compiler, word) || is_linkers_name(word));
}

static void add_linker_word(struct reading *reading, const char *word)
{
	heddle__words_add_format(reading->to, "%s%s", is_for_linker(word + strlen("-Wl,")) ? "-Wl," : "", word);
}

/* Translates words that have another meaning, or none, for upcc. Returns false for other words. */
static bool take_special(struct reading *reading, const char *word, const char *next)
{
	const char *threads;
	if (starts(word, "-O")) {
		if (reading->optimized)
			heddle__words_add(reading->to, "-O");
		return true;
	}
	if (strcmp(word, "-g0") == 0 || is_one_of(dependencies, word) || is_one_of(dependency_values, word)) {
		reading->dependencies |= word[1] == 'M';
		reading->at += is_one_of(dependency_values, word) && next;
		return true;
	}
	/*
	 * Without -O, upcc's -g would also select the run-time system with checks, which a C compiler's -g does not
	 * mean.
	 */
	if (strcmp(word, "-g") == 0 && !reading->optimized) {
		heddle__words_add(reading->to, word);
		return true;
	}
	if (strcmp(word, "-x") == 0 && next && is_one_of(languages, next)) {
		reading->at++;
		return true;
	}
	if (strcmp(word, "-z") == 0 && next) {
		heddle__words_add_format(reading->to, "-Wl,-Wl,-z,%s", next);
		reading->at++;
		return true;
	}
	if ((strcmp(word, "-isystem") == 0 || strcmp(word, "-iquote") == 0) && next) {
		heddle__words_add_format(reading->to, "-I%s", next);
		reading->at++;
		return true;
	}
	if (!starts(word, "--threads") && !starts(word, "-n")) /* upcc accepts the other spellings */
		return false;
	threads = take_threads(reading);
	if (threads)
		heddle__words_add_format(reading->to, "-T=%s", threads);
	return threads;
}

static bool take_for_step(struct reading *reading, const char *word)
{
	if (starts(word, "-Wl,"))
		add_linker_word(reading, word);
	else if (starts(word, "-Wp,"))
		heddle__words_add_format(reading->to, "%s%s", strchr(word + 4, ',') ? "-Wp," : "", word);
	else
		return false;
	return true;
}

static bool take_marked(struct reading *reading, const char *word, const char *next)
{
	if (starts_one_of(own, word))
		return false;
	for (size_t i = 0; i < sizeof marked / sizeof *marked; i++) {
		if (marked[i].whole ? strcmp(word, marked[i].option) != 0 : !starts(word, marked[i].option))
			continue;
		mark(reading, marked[i].ways, word);
		if (marked[i].takes_next && next) {
			mark_value(reading, marked[i].ways, next);
			reading->at++;
		}
		return true;
	}
	return false;
}

static bool is_optimized(const struct heddle_words *arguments)
{
	const char *last = "-O0";
	for (size_t i = 0; i < arguments->count; i++) {
		if (starts(arguments->at[i], "-O"))
			last = arguments->at[i];
		i += is_one_of(own_values, arguments->at[i]);
	}
	return strcmp(last, "-O0") != 0;
}

void heddle__berkeley_words(const struct heddle_words *arguments, struct heddle_words *words)
{
	struct reading reading = {.from = arguments, .to = words, .optimized = is_optimized(arguments)};
	for (; reading.at < arguments->count; reading.at++) {
		const char *word = arguments->at[reading.at], *next = next_of(&reading);
		if (!word)
			break;
		if (word[0] == '-' && (take_special(&reading, word, next) || take_for_step(&reading, word) ||
					      take_marked(&reading, word, next)))
			continue;
		heddle__words_add(words, word);
		if (is_one_of(own_values, word) && next) {
			heddle__words_add(words, next);
			reading.at++;
		}
	}
	if (reading.dependencies)
		fputs("heddle: upcc: Berkeley UPC writes no dependency files: -MD and similar options are ignored\n",
			stderr);
}

/* ---- GNU and Clang UPC ---- */

void heddle__gnu_words(const struct heddle_words *arguments, struct heddle_words *words)
{
	struct reading reading = {.from = arguments, .to = words};
	for (; reading.at < arguments->count; reading.at++) {
		const char *word = arguments->at[reading.at], *threads = take_threads(&reading);

		if (threads) {
			heddle__words_add_format(words, "-fupc-threads-%s", threads);
			continue;
		}
		heddle__words_add(words, word);
		if (is_one_of(own_values, word) && next_of(&reading))
			heddle__words_add(words, arguments->at[++reading.at]);
	}
}
