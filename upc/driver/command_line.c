/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the command line: options of cc, of UPC compilers and of GASP. Other options are passed to clang unchanged. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "upc/abi.h"
#include "upc/driver/driver.h"
#include "upc/translate/tokens.h"

/* Options whose value may be the next argument, and the stage that gets them. */
enum destination {
	TO_PREPROCESS,
	TO_COMPILE,
	TO_LINK,
};

static const struct {
	const char *option;
	enum destination destination;
	bool separate; /* the value is always the next argument */
} with_value[] = {
	{"-include", TO_PREPROCESS, true},
	{"-imacros", TO_PREPROCESS, true},
	{"-isystem", TO_PREPROCESS, false},
	{"-iquote", TO_PREPROCESS, false},
	{"-idirafter", TO_PREPROCESS, false},
	{"-isysroot", TO_PREPROCESS, true},
	{"-Xpreprocessor", TO_PREPROCESS, true},
	{"-iprefix", TO_PREPROCESS, true},
	{"-iwithprefix", TO_PREPROCESS, true},
	{"-iwithprefixbefore", TO_PREPROCESS, true},
	{"-MJ", TO_PREPROCESS, true},
	{"-MF", TO_PREPROCESS, false},
	{"-MT", TO_PREPROCESS, false},
	{"-MQ", TO_PREPROCESS, false},
	{"-I", TO_PREPROCESS, false},
	{"-D", TO_PREPROCESS, false},
	{"-U", TO_PREPROCESS, false},
	{"-Xclang", TO_COMPILE, true},
	{"-mllvm", TO_COMPILE, true},
	{"-Xassembler", TO_COMPILE, true},
	{"--param", TO_COMPILE, true},
	{"-target", TO_COMPILE, true},
	{"--sysroot", TO_COMPILE, true},
	{"-B", TO_COMPILE, true},
	{"-Xlinker", TO_LINK, true},
	{"-L", TO_LINK, false},
	{"-l", TO_LINK, false},
	{"-T", TO_LINK, true},
	{"-e", TO_LINK, true},
	{"-u", TO_LINK, true},
	{"-z", TO_LINK, true},
};

static bool starts(const char *text, const char *prefix)
{
	return strncmp(text, prefix, strlen(prefix)) == 0;
}

static struct arguments *destination(struct driver *driver, enum destination to)
{
	return to == TO_PREPROCESS ? &driver->preprocess : to == TO_COMPILE ? &driver->compile : &driver->link;
}

/* Returns how many arguments were consumed: 0, 1 or 2. */
static int take_with_value(struct driver *driver, const char *option, const char *value)
{
	for (size_t i = 0; i < sizeof with_value / sizeof *with_value; i++) {
		if (!starts(option, with_value[i].option))
			continue;
		bool alone = strcmp(option, with_value[i].option) == 0;
		if (!alone && with_value[i].separate)
			continue;
		struct arguments *arguments = destination(driver, with_value[i].destination);
		upc__argument(arguments, option);
		if (starts(option, "-MF"))
			driver->dependency_file = true;
		if (!alone)
			return 1;
		if (value)
			upc__argument(arguments, value);
		return 2;
	}
	return 0;
}

static bool set_threads(struct driver *driver, const char *value)
{
	char *end;
	long threads = value ? strtol(value, &end, 10) : 0;
	if (threads < 1 || threads > UPCRT_MAX_THREADS || *end != '\0') {
		fprintf(stderr, "heddle-upcc1: error: the number of threads must be from 1 to %d, not '%s'\n",
			UPCRT_MAX_THREADS, value ? value : "");
		return false;
	}
	driver->static_threads = (int)threads;
	return true;
}

static bool set_inst_only(struct driver *driver, const char *path)
{
	driver->inst = true;
	driver->inst_only = path ? upc__read_file(path) : NULL;
	if (!driver->inst_only)
		fprintf(stderr, "heddle-upcc1: error: --inst-only: cannot read '%s'\n", path ? path : "");
	return driver->inst_only;
}

/* Options of UPC and GASP. Returns how many arguments were consumed; -1: invalid. */
static int take_upc(struct driver *driver, const char *option, const char *value)
{
	const char *threads = NULL;
	int taken = upc__spelled(&option, value, &threads);
	if (threads || taken == 2)
		return !threads || set_threads(driver, threads) ? taken : -1;
	if (taken > 0)
		return taken;
	if (strcmp(option, "--inst-only") == 0)
		return set_inst_only(driver, value) ? 2 : -1;
	if (starts(option, "--inst-only="))
		return set_inst_only(driver, option + strlen("--inst-only=")) ? 1 : -1;
	if (starts(option, "--source-tree=")) {
		driver->source_tree = option + strlen("--source-tree=");
		return 1;
	}
	if (starts(option, "--tool-library=")) {
		driver->tool = option + strlen("--tool-library=");
		return 1;
	}
	bool local = strcmp(option, "--inst-local") == 0, functions = strcmp(option, "--inst-functions") == 0;
	if (strcmp(option, "--inst") != 0 && !local && !functions)
		return 0;
	driver->inst = true;
	driver->inst_local = driver->inst_local || local;
	driver->inst_functions = driver->inst_functions || functions;
	return 1;
}

static bool take_stage(struct driver *driver, const char *option)
{
	if (strcmp(option, "-c") == 0 && driver->last > STAGE_OBJECT)
		driver->last = STAGE_OBJECT;
	else if (strcmp(option, "-S") == 0 && driver->last > STAGE_ASSEMBLY)
		driver->last = STAGE_ASSEMBLY;
	else if (strcmp(option, "-fsyntax-only") == 0 && driver->last > STAGE_CHECK)
		driver->last = STAGE_CHECK;
	else if (strcmp(option, "-E") == 0)
		driver->last = STAGE_PREPROCESS;
	else if (strcmp(option, "-v") == 0)
		driver->verbose = true;
	else
		return strcmp(option, "-c") == 0 || strcmp(option, "-S") == 0 || strcmp(option, "-fsyntax-only") == 0;
	return true;
}

static bool is_movable(const char *option)
{
	static const char *const options[] = {"-fPIC", "-fpic", "-fPIE", "-fpie", "-pie", "-static-pie", "-shared",
		"-no-pie", "-fno-pie", "-fno-PIE", "-fno-pic", "-fno-PIC"};
	for (size_t i = 0; i < sizeof options / sizeof *options; i++)
		if (strcmp(option, options[i]) == 0)
			return true;
	return false;
}

/* Takes an option without a value. */
static void take_word(struct driver *driver, const char *option)
{
	driver->movable = driver->movable || is_movable(option);
	if (starts(option, "-M")) {
		driver->dependencies =
			driver->dependencies || strcmp(option, "-MD") == 0 || strcmp(option, "-MMD") == 0;
		driver->dependencies_only =
			driver->dependencies_only || strcmp(option, "-M") == 0 || strcmp(option, "-MM") == 0;
		upc__argument(&driver->preprocess, option);
		return;
	}
	if (starts(option, "-Wl,") || starts(option, "-shared") || starts(option, "-static") ||
		starts(option, "-rdynamic") || strcmp(option, "-s") == 0 || starts(option, "-fuse-ld=")) {
		upc__argument(&driver->link, option);
		return;
	}
	if (starts(option, "-Wp,")) {
		upc__argument(&driver->preprocess, option);
		return;
	}
	if (starts(option, "-g"))
		driver->debug = strcmp(option, "-g0") != 0;
	if (starts(option, "-O"))
		driver->optimize = strcmp(option, "-O0") != 0;
	driver->werror = driver->werror || strcmp(option, "-Werror") == 0;
	driver->no_warnings = driver->no_warnings || strcmp(option, "-w") == 0;
	upc__argument(&driver->compile, option);
	/* -fopenmp, -pthread, sanitizers, -m32: the link stage needs them, too. */
	if (starts(option, "-f") || starts(option, "-p") || starts(option, "-m") || starts(option, "-n"))
		upc__argument(&driver->link, option);
}

/* Splits TEXT, which is kept, at blanks and, if COMMAS, at commas, except in words such as -Wa,X,Y. */
static struct arguments split(const char *text, bool commas)
{
	struct arguments words = {0};
	const char *blanks = commas ? " \t," : " \t";
	upc__argument(&words, NULL);
	words.count = 0;
	for (text += strspn(text, blanks); *text != '\0'; text += strspn(text, blanks)) {
		bool nested = starts(text, "-W") && text[2] != '\0' && text[3] == ',';
		int length = (int)strcspn(text, nested ? " \t" : blanks);
		upc__argument(&words, upc__format("%.*s", length, text));
		text += length;
	}
	return words;
}

/*
 * -Wc,A,B or -Wc,"A B": options for the C compiler, handled like options of the command line. Berkeley UPC passes the
 * text of -Wc, -Wp and -Wl to a shell, and links with the C compiler: there, options for the linker begin with -Wl,-Wl.
 * Returns false for other options.
 */
static bool take_for_stage(struct driver *driver, const char *option)
{
	bool compile = starts(option, "-Wc,"), preprocess = starts(option, "-Wp,"), link = starts(option, "-Wl,");
	const char *text = option + strlen("-Wc,");
	bool shell = strpbrk(option, " \t"), again = link && starts(text, "-Wl,");
	if (!compile && !((preprocess || link) && (shell || again)))
		return false;
	struct arguments words = split(text, compile);
	for (int i = 0; i < words.count;) {
		const char *word = words.list[i];
		int taken = compile && *word == '-' ? take_with_value(driver, word, words.list[i + 1]) : 0;
		if (taken == 0 && compile && *word == '-')
			take_word(driver, word);
		else if (taken == 0)
			upc__argument(destination(driver, compile      ? TO_COMPILE
							  : preprocess ? TO_PREPROCESS
								       : TO_LINK),
				word);
		i += taken > 0 ? taken : 1;
	}
	free(words.list);
	return true;
}

/* -o FILE, -x LANGUAGE and -xLANGUAGE. Returns how many arguments were consumed; -1: invalid. */
static int take_file_option(struct driver *driver, const char *option, const char *value)
{
	bool output = strcmp(option, "-o") == 0, language = starts(option, "-x"), attached = language && option[2];
	if (!output && !language)
		return 0;
	if (!value && !attached) {
		fprintf(stderr, "heddle-upcc1: error: %s needs the name of a %s\n", option,
			output ? "file" : "language");
		return -1;
	}
	if (output)
		driver->output = value;
	else
		upc__take_language(driver, attached ? option + 2 : value);
	return attached ? 1 : 2;
}

bool upc__read_options(struct driver *driver, int count, char **arguments)
{
	driver->last = STAGE_LINK;
	for (int i = 1; i < count;) {
		const char *option = arguments[i], *value = i + 1 < count ? arguments[i + 1] : NULL;
		int taken = take_upc(driver, option, value);
		if (taken == 0)
			taken = take_file_option(driver, option, value);
		if (taken < 0)
			return false;
		if (taken == 0 && (take_stage(driver, option) || take_for_stage(driver, option)))
			taken = 1;
		if (taken == 0 && *option == '-' && option[1] != '\0')
			taken = take_with_value(driver, option, value);
		if (taken == 0 && *option == '-' && option[1] != '\0')
			take_word(driver, option);
		else if (taken == 0)
			upc__take_input(driver, option);
		i += taken > 0 ? taken : 1;
	}
	/*
	 * All processes of a program must have functions at the same addresses: pointers to them may be stored in
	 * shared memory.
	 */
	if (!driver->movable) {
		upc__argument(&driver->compile, "-fno-pie");
		upc__argument(&driver->link, "-no-pie");
	}
	return driver->source_tree || upc__check_inputs(driver);
}
