/* SPDX-License-Identifier: BSD-3-Clause */
/* The parts of heddle-upcc1, a compiler driver that takes cc's options: preprocess, translate, compile, lower,
 * assemble, link. */
#ifndef UPC_DRIVER_DRIVER_H
#define UPC_DRIVER_DRIVER_H

#include <stdbool.h>
#include <stddef.h>

#include "upc/translate/translate.h"

#define CLANG "clang-14"

/* A list of arguments, ended with NULL once it is complete. */
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

struct driver {
	enum stage last;
	const char *output; /* -o, or NULL */
	int static_threads;
	bool inst, inst_local, inst_functions;
	const char *inst_only; /* contents of that file, or NULL */
	bool debug;            /* -g */
	bool optimize;         /* not -O0 */
	bool werror;
	bool no_warnings;
	bool movable; /* the user has said something of -fPIC, -pie and the like */
	bool verbose;
	bool dependencies; /* -MD or -MMD */
	bool dependency_file;
	bool dependencies_only;      /* -M or -MM: nothing is compiled */
	struct arguments preprocess; /* for that stage alone */
	struct arguments compile;    /* for all that clang compiles */
	struct arguments link;       /* options, objects and libraries in order; sources are marked by their index */
	struct arguments sources;
	int *source_at;    /* index in `link` of each source */
	const char *tool;  /* the library that programs take along when they are asked to measure themselves, or NULL */
	char *home;        /* folder with include/ and the runtime's library */
	char *work;        /* folder for files on the way */
	int input_count;   /* sources, objects, libraries by name */
	int compile_count; /* names files there */
};

/* command_line.c: reads the command line; a message and false when it is wrong. */
bool upc__read_options(struct driver *driver, int count, char **arguments);

/*
 * spellings.c: an option of another UPC compiler. Returns how many arguments were taken; 0: it is none, or *OPTION is
 * now this compiler's word for it. *THREADS: the number of threads it gives, as text, or NULL.
 */
int upc__spelled(struct driver *driver, const char **option, const char *next, const char **threads);

/* commands.c: runs a command and waits for it. Its stderr goes into *ERRORS (to be freed) unless that is NULL. Returns
 * its status. */
int upc__run(const struct driver *driver, struct arguments *command, char **errors);
char *upc__read_file(const char *path); /* NULL: it can't be read */
char *upc__work_file(const struct driver *driver, int number, const char *suffix);

/* compile.c: one source, up to the last stage or its object file. Returns an exit status. */
int upc__compile(struct driver *driver, const char *source, const char *output);

/* Text to be put before or after a token. */
struct insertion {
	int token;
	bool after;
	char *text;
};

/* messages.c: what clang said of translated text, said of the user's. */
struct report {
	const struct driver *driver;
	struct upc_translation *translation;
	int errors;
	int warnings;
	char *last; /* line and text of the last message */
	/* Conversions that UPC allows and clang doesn't get casts. They go in when all messages were read, for these
	 * tell places in the text that clang has seen. */
	struct insertion *insertions;
	int insertion_count;
};
/* Reads clang's messages. Without PRINT, only notes repairs. */
void upc__report(struct report *report, const char *messages, bool print);
/* Whether there was something to repair: then it's to be compiled again. */
bool upc__report_repaired(struct report *report, const struct upc_options *options);
void upc__report_own(struct report *report, const char *file, int line, int row, int column, const char *message);
void upc__report_end(const struct report *report);
/* As struct upc_lower_options wants it; the context is a struct report. */
void upc__report_lowering(void *context, const char *file, int line, int column, const char *message);

#endif
