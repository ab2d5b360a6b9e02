/* SPDX-License-Identifier: BSD-3-Clause */
/* Takes one source file through the stages. */
#include <errno.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "upc/abi.h"
#include "upc/driver/driver.h"
#include "upc/lower/lower.h"
#include "upc/translate/tokens.h"

/* inlined.c */
extern const char upc__inlined[], upc__inlined_end[];

static const char *const predefined[] = {"-D__UPC__=1", "-D__UPC_VERSION__=201311L", "-D__UPC_COLLECTIVE__=1",
	"-D__UPC_TICK__=1", "-D__UPC_NB__=1", "-D__UPC_ATOMIC__=1", "-D__UPC_CASTABLE__=1", "-D__UPC_PUPC__=1"};

static void define_upc(const struct driver *driver, struct arguments *command)
{
	for (size_t i = 0; i < sizeof predefined / sizeof *predefined; i++)
		upc__argument(command, predefined[i]);
	upc__argument(command, upc__format("-DUPC_MAX_BLOCK_SIZE=%d", UPCRT_MAX_BLOCK_SIZE));
	if (driver->static_threads != 0) {
		upc__argument(command, "-D__UPC_STATIC_THREADS__=1");
		upc__argument(command, upc__format("-DTHREADS=%d", driver->static_threads));
	} else {
		upc__argument(command, "-D__UPC_DYNAMIC_THREADS__=1");
	}
	if (driver->inst)
		upc__argument(command, "-D__UPC_PUPC_INST__=1");
}

/* NAME in the current directory, with another suffix, as cc names its output without -o. */
static char *with_suffix(const char *name, const char *suffix)
{
	char *copy = upc__format("%s", name);
	char *base = upc__format("%s", basename(copy));
	char *dot = strrchr(base, '.');
	if (dot)
		*dot = '\0';
	char *made = upc__format("%s%s", base, suffix);
	free(copy);
	free(base);
	return made;
}

/* -MD: the dependency file and its target are named after the object file, not after the preprocessor's output. */
static void name_dependencies(const struct driver *driver, const char *source, struct arguments *command)
{
	if (!driver->dependencies)
		return;
	char *object = driver->output && driver->last != STAGE_LINK ? upc__format("%s", driver->output)
								    : with_suffix(source, ".o");
	if (!driver->dependency_file) {
		char *dot = strrchr(object, '.');
		upc__argument(command, "-MF");
		upc__argument(command, upc__format("%.*s.d", dot ? (int)(dot - object) : (int)strlen(object), object));
	}
	for (int i = 0; i < driver->preprocess.count; i++)
		if (strncmp(driver->preprocess.list[i], "-MT", 3) == 0 ||
			strncmp(driver->preprocess.list[i], "-MQ", 3) == 0)
			return;
	upc__argument(command, "-MT");
	upc__argument(command, object);
}

void upc__preprocessor_options(struct driver *driver, struct arguments *command)
{
	upc__argument(command, "-Wno-unused-command-line-argument");
	define_upc(driver, command);
	upc__arguments(command, &driver->compile);
	if (driver->extensions) {
		upc__argument(command, "-include");
		upc__argument(command, driver->extensions);
	}
	upc__arguments(command, &driver->preprocess);
	upc__argument(command, "-isystem");
	upc__argument(command, upc__format("%s/include", driver->home));
	upc__find_openmp_header(driver, command);
}

int upc__preprocess(struct driver *driver, const char *source, const char *output, char **errors)
{
	struct arguments command = {0};
	upc__argument(&command, CLANG);
	upc__argument(&command, "-E");
	upc__preprocessor_options(driver, &command);
	name_dependencies(driver, source, &command);
	upc__argument(&command, "-x");
	upc__argument(&command, "c");
	upc__argument(&command, source);
	if (output) {
		upc__argument(&command, "-o");
		upc__argument(&command, output);
	}
	return upc__run(driver, &command, errors);
}

bool upc__write_file(const char *path, const char *text)
{
	FILE *file = fopen(path, "w");
	bool written = file && fputs(text, file) >= 0;
	int reason = errno;
	if (file && fclose(file) != 0 && written) {
		reason = errno;
		written = false;
	}
	if (!written)
		fprintf(stderr, "heddle-upcc1: cannot write %s: %s\n", path, strerror(reason));
	return written;
}

/*
 * Adds options for translated text. Messages that may be about `shared void *` are never fatal here. The command, which
 * Debian's clang 18 records in debug information, would name temporary files.
 */
static void take_text_options(const struct driver *driver, struct arguments *command)
{
	static const char *const options[] = {"-Wno-unused-command-line-argument", "-Wint-conversion",
		"-Wno-error=int-conversion", "-Wpointer-integer-compare", "-Wno-error=pointer-integer-compare",
		"-Wno-pointer-to-int-cast", "-Wno-int-to-pointer-cast", "-Wno-misleading-indentation",
		"-Wno-gnu-line-marker", "-Wconditional-type-mismatch", "-Wno-error=conditional-type-mismatch",
		"-fno-crash-diagnostics", "-fno-caret-diagnostics", "-fno-diagnostics-color", "-ferror-limit=0",
		"-gno-record-command-line", "-x", "cpp-output"};
	/* Errors since clang 16, which occur in older programs: warnings, unless the user sets them. */
	static const char *const old[] = {"-Wno-error=implicit-function-declaration", "-Wno-error=implicit-int",
		"-Wno-error=incompatible-function-pointer-types"};
	for (size_t i = 0; i < sizeof old / sizeof *old; i++)
		upc__argument(command, old[i]);
	/* -Werror and -w are applied when messages are printed. */
	for (int i = 0; i < driver->compile.count; i++)
		if (strcmp(driver->compile.list[i], "-Werror") != 0 && strcmp(driver->compile.list[i], "-w") != 0)
			upc__argument(command, driver->compile.list[i]);
	for (size_t i = 0; i < sizeof options / sizeof *options; i++)
		upc__argument(command, options[i]);
}

/*
 * Runs clang on translated text. Debug information is always on: messages and events need lines. clang's optimization
 * and sanitizer passes run after the lowering. Without OUTPUT, it only checks the text.
 */
static int run_clang(struct driver *driver, const char *input, const char *output, char **errors)
{
	struct arguments command = {0};
	upc__argument(&command, CLANG);
	upc__argument(&command, output ? "-c" : "-fsyntax-only");
	upc__argument(&command, "-emit-llvm");
	upc__argument(&command, "-Xclang");
	upc__argument(&command, "-disable-llvm-passes");
	take_text_options(driver, &command);
	if (!driver->debug)
		upc__argument(&command, "-g");
	upc__argument(&command, input);
	if (output) {
		upc__argument(&command, "-o");
		upc__argument(&command, output);
	}
	return upc__run(driver, &command, errors);
}

/*
 * Completes the translated text with the facts that its types show, and compiles it. If the text has errors, clang
 * compiles it as it is, and prints them. Returns WANTS_EXTENSIONS, without a message, if the source has to be
 * preprocessed again.
 */
#define WANTS_EXTENSIONS (-1)
static int to_bitcode(struct driver *driver, struct report *report, const char *bitcode)
{
	/* The suffix makes clang take the unit's name from the first line marker. */
	char *input = upc__work_file(driver, driver->compile_count, ".translated.i");
	char *errors = NULL;
	struct arguments options = {0};
	take_text_options(driver, &options);
	bool typed = upc__type_text(report, input, &options);
	int status = upc__write_file(input, report->translation->text)
			     ? run_clang(driver, input, typed ? bitcode : NULL, &errors)
			     : 1;
	if (report->translation->problem_count == 0 && upc__wants_extensions(driver, errors) &&
		(driver->extensions = upc__extensions_header(driver)) != NULL)
		status = WANTS_EXTENSIONS;
	else
		upc__report(report, errors);
	if (!typed && status == 0 && report->errors == 0)
		fprintf(stderr, "heddle-upcc1: internal error: libclang cannot read %s\n", input);
	free(errors);
	free(options.list);
	free(input);
	return status == WANTS_EXTENSIONS ? status : !typed || status != 0 ? 1 : 0;
}

static int assemble(struct driver *driver, const char *bitcode, const char *output)
{
	struct arguments command = {0};
	upc__argument(&command, CLANG);
	upc__argument(&command, driver->last == STAGE_ASSEMBLY ? "-S" : "-c");
	upc__argument(&command, "-Wno-unused-command-line-argument");
	upc__arguments(&command, &driver->compile);
	if (!driver->debug)
		upc__argument(&command, "-Wno-pass-failed"); /* the warning would have no position */
	upc__argument(&command, "-x");
	upc__argument(&command, "ir");
	upc__argument(&command, bitcode);
	upc__argument(&command, "-o");
	upc__argument(&command, output);
	return upc__run(driver, &command, NULL);
}

static int lower(struct driver *driver, struct report *report, const char *bitcode, const char *lowered)
{
	struct upc_lower_options options = {
		.static_threads = driver->static_threads,
		.inst = driver->inst,
		.inst_local = driver->inst_local,
		.inst_functions = driver->inst_functions,
		.optimize = driver->optimize,
		.inst_only = driver->inst_only,
		.keep_debug = driver->debug,
		.inlined = upc__inlined,
		.inlined_size = (size_t)(upc__inlined_end - upc__inlined),
		.translation = report->translation,
		.refuse = upc__report_lowering,
		.context = report,
	};
	return upc__lower(bitcode, lowered, &options);
}

/* Returns true if the last -std selects C23. */
static bool is_c23(const struct driver *driver)
{
	static const char *const names[] = {"-std=c23", "-std=gnu23", "-std=c2x", "-std=gnu2x"};
	bool found = false;
	for (int i = 0; i < driver->compile.count; i++) {
		bool named = false;
		for (size_t n = 0; n < sizeof names / sizeof *names; n++)
			named = named || strcmp(driver->compile.list[i], names[n]) == 0;
		found = named || (found && strncmp(driver->compile.list[i], "-std=", 5) != 0);
	}
	return found;
}

static struct upc_translation *translate(struct driver *driver, const char *text)
{
	if (!driver->header_folders)
		driver->header_folders = upc__header_folders(driver);
	struct upc_options options = {
		.static_threads = driver->static_threads, .c23 = is_c23(driver), .upc_headers = driver->header_folders};
	return upc__translate(text, &options);
}

void upc__visit_tree(struct driver *driver, const char *text, upc_visit *visit, void *context)
{
	struct report report = {
		.driver = driver, .translation = translate(driver, text), .visit = visit, .context = context};
	char *input = upc__work_file(driver, driver->compile_count, ".translated.i");
	struct arguments options = {0};
	take_text_options(driver, &options);
	if (report.translation->problem_count == 0)
		upc__type_text(&report, input, &options);
	free(options.list);
	free(input);
	upc__translation_free(report.translation);
}

static int translate_and_compile(struct driver *driver, const char *text, const char *output)
{
	struct report report = {.driver = driver, .translation = translate(driver, text)};
	upc__report_problems(&report);
	char *bitcode = upc__work_file(driver, driver->compile_count, ".bc");
	char *lowered = upc__work_file(driver, driver->compile_count, ".lowered.bc");
	int status = to_bitcode(driver, &report, bitcode);
	if (status == 0)
		status = lower(driver, &report, bitcode, lowered);
	status = report.errors > 0 && status == 0 ? 1 : status;
	upc__report_end(&report);
	if (status == 0 && driver->last != STAGE_CHECK)
		status = assemble(driver, lowered, output);
	free(bitcode);
	free(lowered);
	upc__translation_free(report.translation);
	return status;
}

/* As compile_upc, with or without the extensions, as driver->extensions says. */
static int compile_once(struct driver *driver, const char *source, const char *output)
{
	driver->compile_count++;
	char *preprocessed = upc__work_file(driver, driver->compile_count, ".i");
	int status = upc__preprocess(driver, source, preprocessed, NULL);
	char *text = status == 0 ? upc__read_file(preprocessed) : NULL;
	if (status == 0)
		status = text ? translate_and_compile(driver, text, output) : 1;
	free(text);
	free(preprocessed);
	return status;
}

static int compile_upc(struct driver *driver, const char *source, const char *output)
{
	char *own = output ? NULL : with_suffix(source, driver->last == STAGE_ASSEMBLY ? ".s" : ".o");
	driver->extensions = NULL;
	int status = compile_once(driver, source, output ? output : own);
	if (status == WANTS_EXTENSIONS)
		status = compile_once(driver, source, output ? output : own);
	free(own);
	return status;
}

int upc__check_source(struct driver *driver, const char *source)
{
	driver->last = STAGE_CHECK;
	return compile_upc(driver, source, NULL);
}

/* clang's option for the next output of an assembly source; NULL: none. Checking a source assembles it. */
static const char *assembly_stage(const struct driver *driver, const struct source *source)
{
	bool is_assembly = source->language == LANGUAGE_ASSEMBLY;
	if (driver->dependencies_only || driver->last == STAGE_PREPROCESS)
		return is_assembly ? NULL : "-E";
	return driver->last == STAGE_ASSEMBLY ? (is_assembly ? NULL : "-S") : "-c";
}

static int compile_assembly(struct driver *driver, const struct source *source, const char *output)
{
	const char *stage = assembly_stage(driver, source);
	struct arguments command = {0};
	char *checked = driver->last == STAGE_CHECK ? upc__work_file(driver, 0, ".o") : NULL;
	if (!stage) {
		fprintf(stderr, "heddle-upcc1: warning: %s: unused, because it is already assembly\n", source->name);
		return 0;
	}
	upc__argument(&command, CLANG);
	upc__argument(&command, stage);
	upc__argument(&command, "-Wno-unused-command-line-argument");
	upc__arguments(&command, &driver->compile);
	upc__arguments(&command, &driver->preprocess);
	if (source->language == LANGUAGE_ASSEMBLY_WITH_CPP)
		name_dependencies(driver, source->name, &command);
	upc__argument(&command, "-x");
	upc__argument(&command, source->language == LANGUAGE_ASSEMBLY ? "assembler" : "assembler-with-cpp");
	upc__argument(&command, source->name);
	if (checked || output) {
		upc__argument(&command, "-o");
		upc__argument(&command, checked ? checked : output);
	}
	int status = upc__run(driver, &command, NULL);
	free(checked);
	return status;
}

int upc__compile(struct driver *driver, const struct source *source, const char *output)
{
	if (source->language != LANGUAGE_UPC)
		return compile_assembly(driver, source, output);
	if (driver->last == STAGE_PREPROCESS || driver->dependencies_only)
		return upc__preprocess(driver, source->name, driver->output, NULL);
	return compile_upc(driver, source->name, output);
}
