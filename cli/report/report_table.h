/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The parts of `heddle report`, in a table, and its options. A new part is a file cli/report/report_NAME.c, which
 * defines `const struct heddle_report_part heddle__report_part_NAME`, and a line in the table below, which the build
 * and the command's help use.
 */
#ifndef HEDDLE_CLI_REPORT_TABLE_H
#define HEDDLE_CLI_REPORT_TABLE_H

#include "cli/base/options.h"
#include "cli/base/terminal_options.h"
#include "cli/base/words.h"

#include <stdbool.h>

struct heddle_report;

/*
 * In the order of help. PART(name, option, help): the option selects the part. OTHER(name): other options select the
 * part, which have more meanings. OPTION(name, argument, help, type, member): such an option; `member` of struct
 * heddle_report_options. Parts that read a trace are printed before the others.
 */
#define HEDDLE_REPORT_PARTS(PART, OTHER, OPTION)                                                                  \
	PART(tree, "--tree", "call paths as a tree (the default)")                                                \
	PART(flat, "--flat", "functions by exclusive cost")                                                       \
	OPTION("--lines", NULL, "source lines by exclusive cost; a tree with --tree", FLAG, lines)                \
	OTHER(callers)                                                                                            \
	OPTION("--callers", "FUNCTION", "who calls a function or region, and what it calls", TEXT, callers)       \
	PART(threads, "--threads", "what each thread spent its time on")                                          \
	PART(efficiency, "--efficiency", "parallel efficiency, its factors and where it is lost")                 \
	PART(messages, "--messages", "sizes of messages and accesses, and between whom")                          \
	PART(accesses, "--accesses", "accesses to shared memory by variable, and their time")                     \
	OPTION("--by", "KEY",                                                                                     \
		"--accesses by variable, line, pair, thread, or variable,line, thread,variable or pair,variable", \
		TEXT, accesses.by)                                                                                \
	OTHER(annotated)                                                                                          \
	OPTION("--annotate", "FILE", "a source file with each line's accesses to other nodes", TEXT,              \
		accesses.annotate)                                                                                \
	OPTION("--thread", "N", "--accesses or --annotate of one rank", TEXT, accesses.thread)                    \
	OPTION("--variable", "NAME", "--accesses of one shared variable", TEXT, accesses.variable)                \
	PART(memory, "--memory", "memory in use, never freed, and who allocates most")                            \
	PART(blame, "--blame", "code that made others wait")                                                      \
	PART(timeline, "--timeline", "of a trace: what each thread did when")                                     \
	PART(late, "--late", "of a trace: whom others waited for")                                                \
	PART(critical, "--critical", "of a trace: the critical path")

enum heddle_report_number {
#define PART(name, option, help) HEDDLE_REPORT_##name,
#define OTHER(name) HEDDLE_REPORT_##name,
#define OPTION(name, argument, help, type, member)
	HEDDLE_REPORT_PARTS(PART, OTHER, OPTION) HEDDLE_REPORT_COUNT
#undef PART
#undef OTHER
#undef OPTION
};

/* What to read of a trace, as typed; NULL and false: not given. */
struct heddle_traced_options {
	const char *from, *to, *phase;
	bool causal; /* clocks are corrected */
};

/* Which accesses to show, as typed; NULL: not given. */
struct heddle_access_options {
	const char *by;       /* --by */
	const char *annotate; /* --annotate: a file */
	const char *thread;   /* --thread: a rank */
	const char *variable; /* --variable: its name */
};

struct heddle_report_options {
	bool given[HEDDLE_REPORT_COUNT];  /* the option of a part */
	bool wanted[HEDDLE_REPORT_COUNT]; /* the part is printed: heddle__report_choose_parts */
	struct heddle_words directories;  /* directories of sources */
	bool lines, stats, runtime_frames, recursion, sources;
	struct heddle_terminal_options terminal;
	const char *metric, *html, *format;
	const char *callers; /* function of --callers; NULL: not given */
	double min_percent;
	unsigned depth;
	struct heddle_traced_options traced;
	struct heddle_access_options accesses;
};

struct heddle_report_part {
	bool traced;      /* it reads the trace */
	bool own_metric;  /* it prints its own metrics, even if there is no other */
	bool beside_tree; /* the tree is printed, too, if no other part is selected; else this part replaces the tree */
	bool unfolded;    /* its sums are those of all levels of recursion */
	bool on_page;     /* its option affects a page, too */
	/* Returns whether the part is selected; NULL: it is if its option is given. */
	bool (*wanted)(const struct heddle_report_options *options);
	/* Returns 0, a negative error, or an exit status after a line on standard error. */
	int (*print)(const struct heddle_report *report);
};

#define PART(name, option, help) extern const struct heddle_report_part heddle__report_part_##name;
#define OTHER(name) extern const struct heddle_report_part heddle__report_part_##name;
#define OPTION(name, argument, help, type, member)
HEDDLE_REPORT_PARTS(PART, OTHER, OPTION)
#undef PART
#undef OTHER
#undef OPTION

/* All parts, by number. */
extern const struct heddle_report_part *const heddle__report_parts[HEDDLE_REPORT_COUNT];

/* Sets `wanted` from `given`. */
void heddle__report_choose_parts(struct heddle_report_options *options);

/* Return true if a selected part reads the trace; is unfolded; needs a metric other than its own. */
bool heddle__report_reads_trace(const struct heddle_report_options *options);
bool heddle__report_is_unfolded(const struct heddle_report_options *options);
bool heddle__report_needs_metric(const struct heddle_report_options *options);

/* Prints the selected parts, with an empty line between them. Returns as a part's `print`. */
int heddle__report_print_parts(const struct heddle_report *report);

#endif
