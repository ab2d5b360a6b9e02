/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The parts of heddle-upcc1, a compiler driver that takes cc's options: preprocess, translate, compile, lower,
 * assemble, link.
 */
#ifndef UPC_DRIVER_DRIVER_H
#define UPC_DRIVER_DRIVER_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "upc/translate/translate.h"

/* A list of arguments, NULL-terminated once complete. */
struct arguments {
	const char **list;
	int count;
};

void upc__argument(struct arguments *arguments, const char *argument); /* not copied */
void upc__arguments(struct arguments *arguments, const struct arguments *more);

enum stage {
	STAGE_PREPROCESS,
	STAGE_CHECK, /* -fsyntax-only */
	STAGE_ASSEMBLY,
	STAGE_OBJECT,
	STAGE_LINK,
};

enum language {
	LANGUAGE_UPC,
	LANGUAGE_ASSEMBLY,
	LANGUAGE_ASSEMBLY_WITH_CPP,
};

struct source {
	const char *name; /* -: standard input */
	enum language language;
	int at; /* index in `link` */
};

struct driver {
	enum stage last;
	const char *output; /* -o, or NULL */
	int static_threads;
	bool inst, inst_local, inst_functions;
	const char *inst_only; /* contents of the file of --inst-only, or NULL */
	bool debug;            /* -g */
	bool optimize;         /* not -O0 */
	bool werror;
	bool no_warnings;
	bool movable; /* the command line has -fPIC, -pie or the like */
	bool verbose;
	const char *source_tree; /* --source-tree: write only what is known of this file; or NULL */
	bool dependencies;       /* -MD or -MMD */
	bool dependency_file;
	const char *extensions;      /* the header of extensions that is included before the source, or NULL */
	bool dependencies_only;      /* -M or -MM: nothing is compiled */
	struct arguments preprocess; /* for the preprocessor only */
	struct arguments compile;    /* for every clang compilation */
	struct arguments link;       /* options, objects and libraries in order; sources are placeholders, by index */
	struct source *sources;
	int source_count;
	struct arguments objects; /* inputs for the linker only */
	const char *language;     /* -x, of the inputs after it; NULL: by suffix */
	const char *tool; /* the measurement library, preloaded by programs that are to measure themselves; or NULL */
	char *home;       /* directory with include/ and the run-time system's library */
	const char *const *header_folders; /* result of upc__header_folders; NULL: not yet made */
	char *work;                        /* directory for intermediate files */
	int compile_count;                 /* numbers the intermediate files */
};

/*
 * response.c: replaces arguments @FILE by the words of those files, which are kept until the compiler ends. Returns
 * false after a message.
 */
bool upc__expand_responses(int *count, char ***arguments);

/* command_line.c: reads the command line. Prints a message and returns false if it is invalid. */
bool upc__read_options(struct driver *driver, int count, char **arguments);

/*
 * inputs.c: handles -x NAME, and an input file in the language of the last -x. upc__check_inputs checks all inputs when
 * all options are known; prints a message and returns false if they are invalid.
 */
void upc__take_language(struct driver *driver, const char *name);
void upc__take_input(struct driver *driver, const char *name);
bool upc__check_inputs(const struct driver *driver);

/*
 * spellings.c: options of other UPC compilers. Returns how many arguments were consumed. 0: not such an option, or
 * *OPTION was replaced by this compiler's spelling. *THREADS: the number of threads that the option sets, as text, or
 * NULL.
 */
int upc__spelled(const char **option, const char *next, const char **threads);

/*
 * commands.c: runs a command and waits for it. Its stderr goes to *ERRORS, which the caller frees, unless ERRORS is
 * NULL. Returns its exit status.
 */
int upc__run(const struct driver *driver, struct arguments *command, char **errors);
char *upc__read_file(const char *path); /* NULL: cannot be read */
char *upc__work_file(const struct driver *driver, int number, const char *suffix);

/*
 * work.c: creates the directory for intermediate files; returns NULL after a message. It is removed when the compiler
 * ends, even by a signal; the handler first sends the signal to the watched child (0: none). Change the child only
 * while terminating signals are blocked.
 */
char *upc__make_work(void);
void upc__hold_ends(sigset_t *before);
void upc__watch_child(pid_t pid);

/* tool_file.c: makes an object file with driver->tool for the run-time system. NULL: it cannot be written. */
const char *upc__tool_file(const struct driver *driver);

/* headers.c: the folders whose headers may be UPC; NULL-terminated, kept until the compiler ends. */
const char *const *upc__header_folders(const struct driver *driver);

/* openmp.c: with -fopenmp, adds the folders of omp.h and of the library that the C compiler does not search. */
void upc__find_openmp_header(const struct driver *driver, struct arguments *command);
void upc__find_openmp_library(const struct driver *driver, struct arguments *command);

/*
 * extensions.c: the name, of *LENGTH characters, that clang's MESSAGE calls undeclared, if it is an extension of
 * Berkeley UPC; else NULL.
 */
const char *upc__missing_extension(const char *message, size_t *length);
/* Returns true if clang's messages miss such a name, and the header of extensions was not included. */
bool upc__wants_extensions(const struct driver *driver, const char *messages);
/* The path of the header of extensions; NULL: it does not exist. Kept until the compiler ends. */
const char *upc__extensions_header(const struct driver *driver);

/* compile.c: the preprocessor's options. */
void upc__preprocessor_options(struct driver *driver, struct arguments *command);
/*
 * Preprocesses a source to a file or, if OUTPUT is NULL, to standard output. ERRORS: see upc__run. Returns an exit
 * status.
 */
int upc__preprocess(struct driver *driver, const char *source, const char *output, char **errors);
/* Prints a message and returns false if that fails. */
bool upc__write_file(const char *path, const char *text);
/* Compiles a source without output, to print its messages. Returns an exit status. */
int upc__check_source(struct driver *driver, const char *source);
struct upc_tree;
/* Called with clang's tree of translated text that has no errors. */
typedef void upc_visit(void *context, const struct upc_tree *tree, const struct upc_translation *translation);
/* Translates preprocessed text and, if there are no errors, calls VISIT with the tree. Errors are not printed. */
void upc__visit_tree(struct driver *driver, const char *text, upc_visit *visit, void *context);

/* source_tree.c: writes what is known of a source to standard output. Returns an exit status, after a message. */
int upc__write_source_tree(struct driver *driver);

/* compile.c: compiles one source, up to the last stage or to its object file. Returns an exit status. */
int upc__compile(struct driver *driver, const struct source *source, const char *output);

/*
 * types.c: completes a report's translated text with the facts that its types show, with clang's OPTIONS. Returns false
 * if clang finds errors.
 */
struct report;
bool upc__type_text(struct report *report, const char *file, const struct arguments *options);

/* messages.c: reports clang's messages about translated text as messages about the user's source. */
struct report {
	const struct driver *driver;
	struct upc_translation *translation;
	bool typed;       /* the text has been completed (types.c) */
	upc_visit *visit; /* called for the tree, instead of completing the text; or NULL */
	void *context;
	int translator_problems; /* how many of the problems are the translator's */
	int errors;
	int warnings;
	struct bounds_warning *bounds;
	int bounds_count;
	bool lacks; /* an extension that does not exist is used: it has a message, and others follow from it */
	/* clang's "In file included from" lines; printed with the first message about that file. */
	char *included;
	char *included_file; /* NULL: the next message's file */
};
struct upc_message;
/* Returns true if a message is an error in UPC. */
bool upc__is_error(const struct report *report, const struct upc_message *message);
/* Reads and prints clang's messages, and those of upc__keep_bounds. */
void upc__report(struct report *report, const char *messages);
/*
 * Keeps a message of libclang's: a warning about bounds, which clang does not print for the completed text, because
 * indices are marked there.
 */
void upc__keep_bounds(struct report *report, const struct upc_message *message);
void upc__forget_bounds(struct report *report);
/* Prints what the translator refused. */
void upc__report_problems(struct report *report);
void upc__report_end(const struct report *report);
/* Reports an error that the types of the translated text show, at a row from 0. The context is a struct report. */
void upc__report_types(void *context, int row, int column, const char *message);
/* The refuse callback of struct upc_lower_options; the context is a struct report. */
void upc__report_lowering(void *context, const char *file, int line, int column, const char *message);

#endif
