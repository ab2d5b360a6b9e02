/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The state of `heddle browse`, without a terminal: the measurement, the user's choices, and views, which are lists of
 * rows. A view computes a row when it is drawn, so a measurement may be large. Only browse_screen.c and the files that
 * browse_paint.h declares call curses.
 *
 * A new view is a file browse_NAME.c, which defines `const struct heddle_browse_view heddle__browse_view_NAME`, and a
 * line in the list below, which the build reads.
 */
#ifndef HEDDLE_CLI_BROWSE_H
#define HEDDLE_CLI_BROWSE_H

#include "cli/base/columns.h"
#include "cli/base/terminal.h"
#include "cli/browse/browse_data.h"
#include "cli/browse/browse_keys.h"

/* In the order of their numbers; the first ones have tabs. */
#define HEDDLE_BROWSE_VIEWS(X) \
	X(tree)                \
	X(functions)           \
	X(source)              \
	X(threads)             \
	X(blame)               \
	X(findings)            \
	X(efficiency)          \
	X(messages)            \
	X(waits)               \
	X(callers)             \
	X(metrics)             \
	X(files)               \
	X(help)

enum heddle_browse_number {
#define X(name) HEDDLE_BROWSE_##name,
	HEDDLE_BROWSE_VIEWS(X)
#undef X
		HEDDLE_BROWSE_COUNT
};

#define HEDDLE_BROWSE_COLUMNS 24
#define HEDDLE_BROWSE_GUIDES 48
#define HEDDLE_BROWSE_ZOOMS 16
#define HEDDLE_BROWSE_LEAST_WIDTH 40
#define HEDDLE_BROWSE_LEAST_HEIGHT 8
#define HEDDLE_BROWSE_OTHER_LINES 5 /* of the screen: head, tabs, heading; details, status */

struct heddle_browse_cell {
	char text[24];
	enum heddle_style style;
};

/* Lines before the name of a tree's row, from left to right. */
enum heddle_browse_guide { HEDDLE_GUIDE_NOTHING, HEDDLE_GUIDE_THROUGH, HEDDLE_GUIDE_BRANCH, HEDDLE_GUIDE_LAST };

/* One line of the screen. Texts are as in the profile; they belong to the view. */
struct heddle_browse_row {
	struct heddle_browse_cell cells[HEDDLE_BROWSE_COLUMNS];
	uint8_t guides[HEDDLE_BROWSE_GUIDES]; /* enum heddle_browse_guide */
	size_t guide_count;
	uint32_t levels_left_out; /* to the left of the guides */
	char mark;                /* '+': can be expanded, '-': is expanded, ' ': neither; 0: not a tree */
	const char *text;
	size_t length; /* bytes of text */
	enum heddle_style style;
	const char *tail; /* shown dimmed after the text if it fits; NULL: none */
	size_t skip;      /* columns left out at the start of the text */
	bool is_source;   /* a line of source, or prose: tabs are expanded, and long text is cut at its end */
};

/* What a row refers to, by which it is found in another view. Texts belong to the measurement. */
struct heddle_browse_place {
	uint32_t node, label; /* of the measurement's view; HEDDLE_NO_NODE: none */
	const char *file;     /* "": none */
	uint32_t line;
	const struct profile_thread *thread; /* NULL: none */
};
#define HEDDLE_BROWSE_NOWHERE ((struct heddle_browse_place){HEDDLE_NO_NODE, HEDDLE_NO_NODE, "", 0, NULL})

/* What the rows of a view refer to, by which they are found. */
enum heddle_browse_subject {
	HEDDLE_BROWSE_NO_SUBJECT,
	HEDDLE_BROWSE_LABELS,
	HEDDLE_BROWSE_FILES,
	HEDDLE_BROWSE_THREADS
};

struct heddle_browse;

/* The effect of a key on a row of a view. */
struct heddle_browse_act {
	enum heddle_browse_action action; /* HEDDLE_ACTION_NONE ends a table */
	void (*act)(struct heddle_browse *browse, size_t index);
};

struct heddle_browse_view {
	const char *name;  /* of its tab */
	const char *names; /* the heading above the texts */
	/* The heading, if it depends on the rows; or NULL. */
	const char *(*heading)(const struct heddle_browse *browse);
	bool tab;            /* selected by a digit; Escape leaves other views */
	bool details;        /* the text of the selected row is shown in full below the table */
	size_t text_columns; /* width for texts, before columns of numbers are left out; 0: half of the line */
	bool zoomed;         /* shows only the part that is zoomed into */
	bool lasting;        /* its own data does not refer to the measurement */
	size_t own_size;     /* size of its own data, which is zeroed before make is called; 0: none */
	bool keeps;          /* its own data is kept when rows are made again */
	enum heddle_browse_subject subject;
	const struct heddle_browse_act *acts; /* keys for this view only; NULL: none */
	uint32_t sortable;                    /* a bit set of columns */
	unsigned sorted_by;                   /* initially */
	/*
	 * Returns why there is nothing to show, in words; NULL: there are rows. For this and all functions below, a
	 * NULL pointer selects the default.
	 */
	const char *(*missing)(struct heddle_browse *browse);
	/* Makes the rows again, after values or the size of the screen have changed. Returns 0 or a negative error. */
	int (*make)(struct heddle_browse *browse);
	void (*release)(void *own); /* frees what make stored in the view's own data */
	size_t (*count)(const struct heddle_browse *browse);
	size_t (*columns)(struct heddle_browse *browse, struct heddle_column columns[HEDDLE_BROWSE_COLUMNS]);
	void (*row)(const struct heddle_browse *browse, size_t index, struct heddle_browse_row *row);
	struct heddle_browse_place (*place)(const struct heddle_browse *browse, size_t index);
	/*
	 * Returns the row of a place, which may have to be expanded; SIZE_MAX: not found. NULL: by the view's subject.
	 */
	size_t (*find)(struct heddle_browse *browse, const struct heddle_browse_place *place);
	/* Returns the next row with the searched text, including rows that are not expanded; SIZE_MAX: none. */
	size_t (*search)(struct heddle_browse *browse, size_t from, bool forward);
};

#define X(name) extern const struct heddle_browse_view heddle__browse_view_##name;
HEDDLE_BROWSE_VIEWS(X)
#undef X
extern const struct heddle_browse_view *const heddle__browse_views[];

struct heddle_browse_state {
	size_t selected, top; /* rows */
	unsigned sort;        /* a column */
	bool reverse;         /* smallest first */
	bool made;            /* the rows are up to date */
	bool opened;          /* has been shown */
	bool has_kept;        /* the next rows begin with this selection: */
	struct heddle_browse_place kept;
	size_t above; /* rows between the first line and the selection */
	void *own;    /* the view's own data */
};

struct heddle_browse {
	const char *path;
	bool follow;
	uint64_t seen; /* fingerprint of the files before they were read, from heddle__browse_fingerprint */
	struct heddle_terminal terminal;
	size_t width, height; /* of the screen */
	struct heddle_browse_data data;
	struct heddle_browse_state states[HEDDLE_BROWSE_COUNT];
	enum heddle_browse_number view, previous;
	uint32_t zooms[HEDDLE_BROWSE_ZOOMS]; /* nodes to return to */
	size_t zoom_count;
	uint32_t callers_of; /* a label; HEDDLE_NO_NODE: none was chosen */
	char wanted[256];    /* the searched text */
	char typed[256];     /* at the prompt */
	char message[256];   /* "": none */
	bool prompting, quit;
};

/* ---- browse_act.c ---- */

/* Opens the state on a measurement that is loaded (with `follow`, it may not be loaded yet). */
void heddle__browse_start(struct heddle_browse *browse);
void heddle__browse_end(struct heddle_browse *browse);

/* Handles a key: a character, or one of enum heddle_browse_key. */
void heddle__browse_press(struct heddle_browse *browse, int key);
void heddle__browse_act(struct heddle_browse *browse, enum heddle_browse_action action);

/* Handle the mouse, at a line and column of the screen, from 0; and a new size of the screen. */
void heddle__browse_click(struct heddle_browse *browse, size_t line, size_t column, bool twice);
void heddle__browse_wheel(struct heddle_browse *browse, bool down);
void heddle__browse_resize(struct heddle_browse *browse, size_t width, size_t height);

/* Makes the current view's rows if necessary, and scrolls to the selection. */
void heddle__browse_prepare(struct heddle_browse *browse);

/* Shows a view at a place, if the view contains it. */
void heddle__browse_show(
	struct heddle_browse *browse, enum heddle_browse_number view, const struct heddle_browse_place *place);

/* Shows the callers of a function or region, and what it calls. */
void heddle__browse_show_callers(struct heddle_browse *browse, uint32_t label);

/* Choose another metric or thread; all rows are computed again, and the selections are kept. */
void heddle__browse_choose_metric(struct heddle_browse *browse, enum heddle_metric metric);
void heddle__browse_choose_thread(
	struct heddle_browse *browse, const struct profile_process *process, const struct profile_thread *thread);

/* Marks all rows to be computed again. The selection of each view is then found again. */
void heddle__browse_changed(struct heddle_browse *browse);

/* For tables of acts: shows the call tree, or the source, at the row's place. */
void heddle__browse_open_tree(struct heddle_browse *browse, size_t index);
void heddle__browse_open_source(struct heddle_browse *browse, size_t index);

/*
 * Frees a view's own data; that of all views, before the measurement is closed. `lasting`: including data that does not
 * refer to the measurement.
 */
void heddle__browse_forget(struct heddle_browse *browse, enum heddle_browse_number number);
void heddle__browse_forget_all(struct heddle_browse *browse, bool lasting);

/* ---- browse_search.c ---- */

/* Goes to the next or previous row with the text that was searched for last. */
void heddle__browse_search(struct heddle_browse *browse, bool forward);

/* Handles a key at the prompt. */
void heddle__browse_type(struct heddle_browse *browse, int key);

/* ---- browse_rows.c ---- */

const struct heddle_browse_view *heddle__browse_current(const struct heddle_browse *browse);
size_t heddle__browse_rows(const struct heddle_browse *browse); /* of the current view; 0: it has nothing to show */
size_t heddle__browse_page(const struct heddle_browse *browse); /* rows that fit the screen */
const char *heddle__browse_missing(struct heddle_browse *browse);
struct heddle_browse_place heddle__browse_place(const struct heddle_browse *browse);
size_t heddle__browse_default_find(struct heddle_browse *browse, const struct heddle_browse_place *place);
size_t heddle__browse_default_search(struct heddle_browse *browse, size_t from, bool forward);

/* Compares two rows by a value, for qsort_r: the largest first, unless reversed; 0: equal. */
int heddle__browse_order(const struct heddle_browse_state *state, uint64_t one, uint64_t other);

/* Fill a cell with a share of the whole, a value of the metric, or a count ("" for 0). */
void heddle__browse_share(struct heddle_browse_cell *cell, uint64_t value, uint64_t total);
void heddle__browse_value(struct heddle_browse_cell *cell, uint64_t value, enum heddle_metric metric);

/*
 * Return columns for shares in percent, for values of the chosen metric, and for visits, which has no width if there
 * are none. `rank` is as in struct heddle_column.
 */
struct heddle_column heddle__browse_share_column(const char *heading, unsigned rank);
struct heddle_column heddle__browse_metric_column(const struct heddle_browse *browse, unsigned rank);
struct heddle_column heddle__browse_visits_column(const struct heddle_browse *browse, unsigned rank);

/* Writes the text of a view's tab; "": it has none now. Returns its width in columns. */
size_t heddle__browse_tab(const struct heddle_browse *browse, size_t number, char *text, size_t size);

/*
 * Returns how many bytes of a text are in its next line of at most `room` bytes; prose is broken between words if
 * possible.
 */
size_t heddle__browse_line_length(const char *text, size_t room);

/* Sets a row's text to that of a label. */
void heddle__browse_label(struct heddle_browse_row *row, const struct profile_label *label);

/* Shows a message in the last line, until the next key. */
void heddle__browse_say(struct heddle_browse *browse, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* ---- browse_follow.c ---- */

/*
 * Reads the measurement again; choices are kept, by names. Returns false if it cannot be read now; then nothing
 * changes.
 */
bool heddle__browse_reread(struct heddle_browse *browse);

#endif
