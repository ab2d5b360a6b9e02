/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Drawing and keys. The only file that knows curses. All text from a profile is escaped before it is drawn
 * (browse_text.h).
 */
#define NCURSES_WIDECHAR 1
#include "cli/browse/browse_screen.h"

#include "cli/browse/browse_follow.h"
#include "cli/browse/browse_terminal.h"
#include "cli/browse/browse_text.h"
#include "cli/exit_status.h"
#include "cli/report/thread_names.h"

#include <curses.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#define FOLLOW_MS 250 /* between looks at the files */
#define SIZE_MS 1000  /* between looks at the terminal's size */
#define DOUBLE_CLICK_MS 400
#define TEXT_SIZE 4096 /* of a line */
#define FIRST_ROW 3
#define ENOUGH 32 /* columns for the metric and the thread */

static bool colors;

/* ---- pieces ---- */

static attr_t attribute_of(enum heddle_style style)
{
	static const attr_t plain[] = {
		[HEDDLE_STYLE_PLAIN] = A_NORMAL,
		[HEDDLE_STYLE_DIM] = A_DIM,
		[HEDDLE_STYLE_BOLD] = A_BOLD,
		[HEDDLE_STYLE_WARM] = A_NORMAL,
		[HEDDLE_STYLE_HOT] = A_BOLD,
		[HEDDLE_STYLE_REGION] = A_NORMAL,
		[HEDDLE_STYLE_STATE] = A_NORMAL,
	};
	return plain[style] | (colors ? (attr_t)COLOR_PAIR(style + 1) : 0);
}

static void start_colors(void)
{
	static const short of_style[] = {
		[HEDDLE_STYLE_WARM] = COLOR_YELLOW,
		[HEDDLE_STYLE_HOT] = COLOR_RED,
		[HEDDLE_STYLE_REGION] = COLOR_CYAN,
		[HEDDLE_STYLE_STATE] = COLOR_MAGENTA,
	};
	const char *none = getenv("NO_COLOR");
	if ((none && *none) || !has_colors() || start_color() == ERR)
		return;
	short behind = use_default_colors() == OK ? -1 : COLOR_BLACK;
	for (short style = 0; style <= HEDDLE_STYLE_STATE; style++)
		init_pair((short)(style + 1), of_style[style] ? of_style[style] : (behind < 0 ? -1 : COLOR_WHITE),
			behind);
	colors = true;
}

/* `selected` rows are shown reversed in one style. */
static void set_style(enum heddle_style style, bool selected)
{
	attrset((int)(selected ? A_REVERSE | (style == HEDDLE_STYLE_HOT ? A_BOLD : 0) : attribute_of(style)));
}

/* Text from a profile, cut in the middle to `room` columns. Returns those it took. */
static size_t add_cut(const struct heddle_browse *browse, const char *text, size_t length, size_t room)
{
	char shown[TEXT_SIZE];
	heddle__browse_escape(shown, sizeof(shown), text, length, browse->look.utf8, false);
	struct heddle_cut cut = heddle__cut(&browse->look, shown, room);
	addnstr(shown, (int)cut.head);
	addstr(cut.mark);
	addstr(cut.tail);
	return cut.columns;
}

/* Bytes and columns of the part of a text from column `skip` on that fits. */
static size_t add_source(const struct heddle_browse *browse, const struct heddle_browse_row *row, size_t room)
{
	char shown[TEXT_SIZE];
	heddle__browse_escape(shown, sizeof(shown), row->text, row->length, browse->look.utf8, true);
	size_t length = strlen(shown), from = 0, bytes = 0;
	while (from < length && heddle__columns_of(shown, from) < row->skip)
		do
			from++;
		while (((unsigned char)shown[from] & 0xc0) == 0x80);
	for (size_t next = 0; from + next <= length && heddle__columns_of(shown + from, next) <= room; next++)
		if (((unsigned char)shown[from + next] & 0xc0) != 0x80)
			bytes = next;
	addnstr(shown + from, (int)bytes);
	return heddle__columns_of(shown + from, bytes);
}

/* ---- head ---- */

static size_t add_text(const char *text, size_t used, size_t width)
{
	size_t columns = heddle__columns(text);
	if (used + columns > width)
		return used;
	addstr(text);
	return used + columns;
}

static void describe(const struct heddle_browse *browse, char *text, size_t size)
{
	const struct heddle_summary *sum = &browse->data.summary;
	const char *dot = browse->look.dot;
	char elapsed[32], processes[32], threads[32];
	snprintf(text, size, "%s%s process%s%s%s thread%s%s%s%s%s", dot,
		heddle__format_count(processes, sizeof(processes), sum->processes), sum->processes == 1 ? "" : "es",
		dot, heddle__format_count(threads, sizeof(threads), sum->threads), sum->threads == 1 ? "" : "s", dot,
		heddle__format_time(elapsed, sizeof(elapsed), sum->end_ns - sum->start_ns),
		browse->data.running ? dot : "", browse->data.running ? "still running" : "");
}

static void name_program(const struct heddle_browse *browse, char *text, size_t size)
{
	const Heddle__Profile__Process *first = browse->data.summary.first;
	size_t used = (size_t)snprintf(text, size, "%s", profile_base_name(first->program));
	for (size_t i = 1; i < first->n_arguments && used + 1 < size; i++)
		used += (size_t)snprintf(text + used, size - used, " %s", first->arguments[i]);
}

/* A thread's name without the columns that a table has; and without its process, if there is one only. */
static void name_thread(const struct heddle_browse_data *data, char *text, size_t size)
{
	char name[160];
	heddle__thread_name(name, sizeof(name), &data->session.measurement, data->process, data->thread);
	size_t number = strcspn(name, " "), blanks = strspn(name + number, " ");
	if (data->summary.processes > 1)
		snprintf(text, size, "%.*s %s", (int)number, name, name + number + blanks);
	else
		snprintf(text, size, "%s", name + number + blanks);
}

/* The metric, its sum, and the thread: that is left out if there is no room to say that it is all of them. */
static void name_choice(const struct heddle_browse *browse, char *text, size_t size, size_t room)
{
	const struct heddle_browse_data *data = &browse->data;
	char value[32], thread[160] = "all threads", shown[400];
	if (data->thread)
		name_thread(data, thread, sizeof(thread));
	heddle__browse_escape(shown, sizeof(shown), thread, strlen(thread), browse->look.utf8, false);
	size_t used = (size_t)snprintf(text, size, "%s %s", profile_metric_name(data->metric),
		heddle__format_value(value, sizeof(value), data->whole, profile_metric_unit(data->metric)));
	if (data->thread || used + heddle__columns(browse->look.dot) + strlen(shown) <= room)
		snprintf(text + used, size - used, "%s%s", browse->look.dot, shown);
}

/* The program, cut, and facts behind it. */
static size_t draw_head(const struct heddle_browse *browse)
{
	char facts[256] = "", name[1024];
	size_t width = browse->width;
	move(0, 0);
	attrset(A_BOLD);
	if (!browse->data.loaded || !browse->data.summary.first)
		return add_cut(browse, browse->path, strlen(browse->path), width);
	describe(browse, facts, sizeof(facts));
	name_program(browse, name, sizeof(name));
	size_t behind = heddle__columns(facts), room = width > behind + 12 ? width - behind : width;
	size_t used = add_cut(browse, name, strlen(name), room);
	attrset(A_NORMAL);
	return add_text(facts, used, width);
}

/* The current view stands in brackets: that needs no colours. */
static size_t draw_tabs(const struct heddle_browse *browse)
{
	size_t used = 0;
	for (size_t i = 0; i < HEDDLE_BROWSE_COUNT; i++) {
		char tab[64];
		heddle__browse_tab(browse, i, tab, sizeof(tab));
		attrset((int)(i == browse->view ? A_BOLD : A_NORMAL));
		used = add_text(tab, used, browse->width);
	}
	return used;
}

/* At the end of the first or the second line, of which so many columns are used. */
static void draw_choice(const struct heddle_browse *browse, size_t head, size_t tabs)
{
	char choice[512];
	int line = browse->width > head + ENOUGH || head <= tabs ? 0 : 1;
	size_t used = line ? tabs : head;
	if (!browse->data.loaded || browse->width < used + 12)
		return;
	size_t room = browse->width - used - 2;
	name_choice(browse, choice, sizeof(choice), room);
	struct heddle_cut cut = heddle__cut(&browse->look, choice, room);
	attrset(A_NORMAL);
	move(line, (int)(browse->width - cut.columns));
	addnstr(choice, (int)cut.head);
	addstr(cut.mark);
	addstr(cut.tail);
}

/* ---- table ---- */

static size_t draw_heading(const struct heddle_browse *browse, const struct heddle_column *columns, size_t count)
{
	const struct heddle_browse_view *view = heddle__browse_current(browse);
	const struct heddle_browse_state *state = &browse->states[browse->view];
	const struct profile_view *tree = &browse->data.session.view;
	size_t used = 0;
	attrset(A_UNDERLINE);
	mvhline(2, 0, ' ' | A_UNDERLINE, (int)browse->width);
	move(2, 0);
	for (size_t i = 0; i < count; i++) {
		char text[48];
		bool sorted = view->sortable && i == state->sort;
		if (!heddle__column_shown(&columns[i]))
			continue;
		snprintf(text, sizeof(text), "%s%s", sorted ? "*" : "", columns[i].heading);
		printw("%*s", columns[i].width + 1, text);
		used += (size_t)columns[i].width + 1;
	}
	const char *heading = view->heading ? view->heading(browse) : view->names;
	used = add_text(count ? "  " : "", used, browse->width);
	used += add_cut(browse, heading, strlen(heading), browse->width - used);
	if (view->zoomed && browse->data.zoom && browse->width > used + 12) {
		const char *name = tree->labels[tree->label_of[browse->data.zoom]].text;
		addstr(", zoomed into ");
		used += strlen(", zoomed into ");
		if (browse->width > used)
			add_cut(browse, name, strlen(name), browse->width - used);
	}
	attrset(A_NORMAL);
	return used;
}

/* A level takes two columns; the last one is a branch and the mark. */
static size_t draw_guides(const struct heddle_browse *browse, const struct heddle_browse_row *row)
{
	bool utf8 = browse->look.utf8;
	static const char *const wide[] = {"  ", "│ ", "├", "└"};
	static const char *const ascii[] = {"  ", "| ", "|", "`"};
	size_t used = 0;
	if (!row->mark)
		return 0;
	if (row->levels_left_out) {
		char text[16];
		snprintf(text, sizeof(text), "%u:", row->levels_left_out);
		addstr(text);
		used = strlen(text);
	}
	for (size_t i = 0; i < row->guide_count; i++)
		addstr((utf8 ? wide : ascii)[row->guides[i]]);
	used += 2 * row->guide_count;
	if (row->mark == ' ' && utf8 && row->guide_count)
		addstr("─");
	else
		addch((chtype)row->mark);
	addch(' ');
	return used + (row->guide_count ? 1 : 2);
}

static void draw_row(const struct heddle_browse *browse, size_t index, const struct heddle_column *columns,
	size_t count, size_t line)
{
	struct heddle_browse_row row = {0};
	bool selected = index == browse->states[browse->view].selected;
	size_t used = 0;
	heddle__browse_current(browse)->row(browse, index, &row);
	set_style(HEDDLE_STYLE_PLAIN, selected);
	mvhline((int)line, 0, ' ', (int)browse->width);
	move((int)line, 0);
	for (size_t i = 0; i < count; i++) {
		if (!heddle__column_shown(&columns[i]))
			continue;
		set_style(row.cells[i].style, selected);
		printw(" %*s", columns[i].width, row.cells[i].text);
		used += (size_t)columns[i].width + 1;
	}
	set_style(HEDDLE_STYLE_PLAIN, selected);
	used = add_text(count ? "  " : "", used, browse->width);
	used += draw_guides(browse, &row);
	size_t room = browse->width > used ? browse->width - used : 0;
	set_style(row.style, selected);
	used += row.is_source ? add_source(browse, &row, room) : add_cut(browse, row.text, row.length, room);
	if (!row.tail || browse->width < used + strlen(row.tail) + 4)
		return;
	set_style(HEDDLE_STYLE_DIM, selected);
	addstr("  (");
	add_cut(browse, row.tail, strlen(row.tail), browse->width - used - 4);
	addch(')');
}

/* The room for names: half of the line, before columns are left out. */
static void draw_table(struct heddle_browse *browse)
{
	struct heddle_column columns[HEDDLE_BROWSE_COLUMNS] = {0};
	const struct heddle_browse_state *state = &browse->states[browse->view];
	size_t rows = heddle__browse_rows(browse), page = heddle__browse_page(browse);
	size_t count = heddle__browse_current(browse)->columns(browse, columns);
	size_t wanted = heddle__browse_current(browse)->text_columns;
	struct heddle_look fit = browse->look;
	fit.width = browse->width - 1;
	heddle__columns_fit(&fit, columns, count, wanted ? wanted : heddle__names_least(&browse->look, SIZE_MAX));
	draw_heading(browse, columns, count);
	for (size_t i = 0; i < page && state->top + i < rows; i++)
		draw_row(browse, state->top + i, columns, count, FIRST_ROW + i);
}

/* ---- last lines ---- */

/* The place of a label: where it is defined, or its module. */
static void place_text(const struct profile_label *label, char *text, size_t size)
{
	*text = '\0';
	if (*label->file && label->line)
		snprintf(text, size, "%s:%u", label->file, label->line);
	else if (*label->module)
		snprintf(text, size, "%s", label->module);
}

/* What does not fit beside the numbers: the whole name, and its place. */
static void draw_details(const struct heddle_browse *browse)
{
	const struct profile_view *view = &browse->data.session.view;
	struct heddle_browse_place place = heddle__browse_place(browse);
	struct heddle_browse_row row = {0};
	char behind[TEXT_SIZE] = "";
	if (heddle__browse_rows(browse) == 0)
		return;
	heddle__browse_current(browse)->row(browse, browse->states[browse->view].selected, &row);
	if (place.label != HEDDLE_NO_NODE)
		place_text(&view->labels[place.label], behind, sizeof(behind));
	else if (!heddle__browse_current(browse)->details)
		return;
	size_t wanted = *behind ? heddle__columns(behind) + heddle__columns(browse->look.dot) : 0;
	size_t least = browse->width / 2, room = browse->width > wanted + least ? browse->width - wanted : least;
	set_style(HEDDLE_STYLE_DIM, false);
	move((int)browse->height - 2, 0);
	size_t used = add_cut(browse, row.text, row.length, *behind ? room : browse->width);
	if (!*behind)
		return;
	used = add_text(browse->look.dot, used, browse->width);
	add_cut(browse, behind, strlen(behind), browse->width - used);
}

static size_t write_position(const struct heddle_browse *browse, char *text, size_t size)
{
	char at[32], of[32];
	size_t rows = heddle__browse_rows(browse);
	if (rows == 0)
		return 0;
	return (size_t)snprintf(text, size, " %s/%s",
		heddle__format_count(at, sizeof(at), browse->states[browse->view].selected + 1),
		heddle__format_count(of, sizeof(of), rows));
}

static void draw_status(const struct heddle_browse *browse)
{
	static const char hint[] = "h help  / search  m metric  t thread  z zoom  a source  q quit";
	char position[64];
	size_t room = browse->width - write_position(browse, position, sizeof(position)) - 1;
	attrset(A_NORMAL);
	move((int)browse->height - 1, 0);
	if (browse->prompting) {
		addch('/');
		add_cut(browse, browse->typed, strlen(browse->typed), room);
		curs_set(1);
		return;
	}
	curs_set(0);
	const char *shown = *browse->message ? browse->message : hint;
	add_cut(browse, shown, strlen(shown), room);
	if (heddle__browse_rows(browse))
		mvaddstr((int)browse->height - 1, (int)room, position);
}

static void draw_missing(const struct heddle_browse *browse, const char *missing)
{
	const char *mark = browse->look.utf8 ? "…" : "...";
	attrset(A_NORMAL);
	mvhline(2, 0, ' ' | A_UNDERLINE, (int)browse->width);
	move(FIRST_ROW + 1, 1);
	add_cut(browse, missing, strlen(missing), browse->width - 2);
	if (!browse->data.loaded && browse->follow)
		mvprintw(FIRST_ROW + 2, 1, "waiting%s", mark);
}

static void draw_too_small(const struct heddle_browse *browse)
{
	char text[96];
	snprintf(text, sizeof(text), "%d x %d at least", HEDDLE_BROWSE_LEAST_WIDTH, HEDDLE_BROWSE_LEAST_HEIGHT);
	mvaddnstr(0, 0, text, (int)browse->width);
}

static void draw(struct heddle_browse *browse)
{
	erase();
	heddle__browse_resize(browse, (size_t)COLS, (size_t)LINES);
	if (COLS < HEDDLE_BROWSE_LEAST_WIDTH || LINES < HEDDLE_BROWSE_LEAST_HEIGHT) {
		attrset(A_NORMAL);
		draw_too_small(browse);
		refresh();
		return;
	}
	heddle__browse_settle(browse);
	size_t head = draw_head(browse);
	move(1, 0);
	draw_choice(browse, head, draw_tabs(browse));
	const char *missing = heddle__browse_missing(browse);
	if (missing)
		draw_missing(browse, missing);
	else if (browse->states[browse->view].made)
		draw_table(browse);
	if (!missing)
		draw_details(browse);
	draw_status(browse);
	if (browse->prompting)
		move(LINES - 1, 1 + (int)heddle__columns(browse->typed));
	refresh();
}

/* ---- keys ---- */

static int key_of(int key)
{
	static const struct {
		int curses, key;
	} keys[] = {
		{KEY_UP, HEDDLE_KEY_UP},
		{KEY_DOWN, HEDDLE_KEY_DOWN},
		{KEY_LEFT, HEDDLE_KEY_LEFT},
		{KEY_RIGHT, HEDDLE_KEY_RIGHT},
		{KEY_PPAGE, HEDDLE_KEY_PAGE_UP},
		{KEY_NPAGE, HEDDLE_KEY_PAGE_DOWN},
		{KEY_HOME, HEDDLE_KEY_HOME},
		{KEY_END, HEDDLE_KEY_END},
		{KEY_BACKSPACE, HEDDLE_KEY_BACKSPACE},
		{0x7f, HEDDLE_KEY_BACKSPACE},
		{'\b', HEDDLE_KEY_BACKSPACE},
		{KEY_BTAB, HEDDLE_KEY_SHIFT_TAB},
		{KEY_ENTER, '\n'},
	};
	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++)
		if (keys[i].curses == key)
			return keys[i].key;
	return key > 0xff ? HEDDLE_KEY_NONE : key;
}

static uint64_t milliseconds(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

static void handle_mouse(struct heddle_browse *browse)
{
	static uint64_t last;
	static int last_line;
	MEVENT event;
	if (getmouse(&event) != OK)
		return;
	if (event.bstate & BUTTON4_PRESSED)
		heddle__browse_wheel(browse, false);
#ifdef BUTTON5_PRESSED
	if (event.bstate & BUTTON5_PRESSED)
		heddle__browse_wheel(browse, true);
#endif
	if (!(event.bstate & BUTTON1_PRESSED))
		return;
	uint64_t now = milliseconds();
	bool twice = event.y == last_line && now - last < DOUBLE_CLICK_MS;
	heddle__browse_click(browse, (size_t)event.y, (size_t)event.x, twice);
	last = twice ? 0 : now;
	last_line = event.y;
}

static void handle(struct heddle_browse *browse, int key)
{
	if (key == KEY_MOUSE)
		handle_mouse(browse);
	else if (key == HEDDLE_BROWSE_CONTROL('l') && !browse->prompting)
		clearok(curscr, TRUE);
	else if (key != KEY_RESIZE)
		heddle__browse_press(browse, key_of(key));
}

/* ---- the screen ---- */

/* The terminal must be able to move its cursor. */
static SCREEN *open_screen(void)
{
	const char *name = getenv("TERM");
	if (!name || !heddle__browse_terminal_moves(name)) {
		fprintf(stderr,
			"heddle: browse: the terminal (TERM=%s) is unknown or cannot be drawn on: use heddle report\n",
			name ? name : "");
		return NULL;
	}
	SCREEN *screen = newterm(NULL, stdout, stdin);
	if (!screen)
		fputs("heddle: browse: the terminal cannot be used: use heddle report\n", stderr);
	return screen;
}

static void prepare(void)
{
	cbreak();
	noecho();
	nonl();
	keypad(stdscr, TRUE);
	set_escdelay(25);
	curs_set(0);
	start_colors();
	mousemask(BUTTON1_PRESSED | BUTTON4_PRESSED | BUTTON5_PRESSED, NULL);
	mouseinterval(0);
}

/* A change is read once the files look the same twice: ranks write at about the same time. */
static bool look_for_changes(struct heddle_browse *browse)
{
	static uint64_t before;
	uint64_t now = heddle__browse_fingerprint(browse->path);
	bool settled = now == before, running = browse->data.running;
	before = now;
	if (now && now != browse->seen && settled && heddle__browse_reread(browse)) {
		browse->seen = now;
		return true;
	}
	if (browse->data.loaded && running)
		heddle__browse_data_look(&browse->data);
	return browse->data.running != running;
}

/*
 * Waits for a key; also looks at the terminal's size, since a signal that arrives just before curses waits would be
 * noticed with the next key only. false: nothing has happened that is to be drawn.
 */
static bool wait_for_key(struct heddle_browse *browse)
{
	struct winsize size;
	struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
	timeout(browse->follow ? FOLLOW_MS : SIZE_MS);
	int key = getch();
	if (key != ERR) {
		handle(browse, key);
		return true;
	}
	if (poll(&input, 1, 0) > 0 && input.revents & (POLLHUP | POLLERR | POLLNVAL))
		browse->quit = true;
	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || !is_term_resized(size.ws_row, size.ws_col) ||
		!size.ws_row || !size.ws_col)
		return false;
	resizeterm(size.ws_row, size.ws_col);
	return true;
}

int heddle__browse_screen(struct heddle_browse *browse)
{
	uint64_t looked = 0;
	SCREEN *screen = open_screen();
	if (!screen)
		return HEDDLE_EXIT_USAGE;
	prepare();
	draw(browse);
	while (!browse->quit) {
		bool changed = wait_for_key(browse);
		if (browse->follow && milliseconds() - looked >= FOLLOW_MS) {
			changed |= look_for_changes(browse);
			looked = milliseconds();
		}
		if (changed)
			draw(browse);
	}
	endwin();
	delscreen(screen);
	return 0;
}
