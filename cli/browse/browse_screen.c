/* SPDX-License-Identifier: BSD-3-Clause */
/* The terminal: its keys, mouse and size, and when it is redrawn. */
#include "cli/browse/browse_screen.h"

#include "cli/base/exit_status.h"
#include "cli/base/output_filter.h"
#include "cli/browse/browse_follow.h"
#include "cli/browse/browse_paint.h"
#include "cli/browse/browse_terminal.h"

#include <curses.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#define FOLLOW_MS 250 /* between checks of the files */
#define SIZE_MS 1000  /* between checks of the terminal's size */
#define DOUBLE_CLICK_MS 400

static void draw(struct heddle_browse *browse)
{
	erase();
	heddle__browse_resize(browse, (size_t)COLS, (size_t)LINES);
	if (COLS < HEDDLE_BROWSE_LEAST_WIDTH || LINES < HEDDLE_BROWSE_LEAST_HEIGHT) {
		attrset(A_NORMAL);
		heddle__paint_too_small(browse);
		refresh();
		return;
	}
	heddle__browse_prepare(browse);
	heddle__paint_head(browse);
	const char *missing = heddle__browse_missing(browse);
	if (missing)
		heddle__paint_missing(browse, missing);
	else if (browse->states[browse->view].made)
		heddle__paint_table(browse);
	if (!missing)
		heddle__paint_details(browse);
	heddle__paint_status(browse);
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

/*
 * Milliseconds without input since the last click. Drawing time does not count, since a click in the meantime is read
 * late.
 */
static uint64_t quiet_ms = DOUBLE_CLICK_MS;

/* Returns the next key; ERR: none within that time. */
static int next_key(int patience_ms)
{
	struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
	timeout(0);
	int key = getch();
	if (key != ERR || poll(&input, 1, 0) != 0)
		return key;
	uint64_t start = milliseconds();
	poll(&input, 1, patience_ms);
	quiet_ms += milliseconds() - start;
	return getch();
}

static void click(struct heddle_browse *browse, int line, int column)
{
	static int last_line;
	bool twice = line == last_line && quiet_ms < DOUBLE_CLICK_MS;
	heddle__browse_click(browse, (size_t)line, (size_t)column, twice);
	quiet_ms = twice ? DOUBLE_CLICK_MS : 0;
	last_line = line;
}

/* Returns the number of clicks: curses combines clicks that arrive together in one event. */
static int clicks_in(mmask_t events)
{
	if (events & BUTTON1_TRIPLE_CLICKED)
		return 3;
	if (events & BUTTON1_DOUBLE_CLICKED)
		return 2;
	return events & (BUTTON1_PRESSED | BUTTON1_CLICKED) ? 1 : 0;
}

static void handle_mouse(struct heddle_browse *browse)
{
	MEVENT event;
	if (getmouse(&event) != OK)
		return;
	if (event.bstate & BUTTON4_PRESSED)
		heddle__browse_wheel(browse, false);
#ifdef BUTTON5_PRESSED
	if (event.bstate & BUTTON5_PRESSED)
		heddle__browse_wheel(browse, true);
#endif
	for (int left = clicks_in(event.bstate); left > 0; left--)
		click(browse, event.y, event.x);
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

/* Opens the screen, if the terminal can move its cursor. */
static SCREEN *open_screen(void)
{
	const char *name = getenv("TERM");
	if (!name || !heddle__browse_terminal_moves(name)) {
		fprintf(stderr,
			"heddle: browse: the terminal (TERM=%s) is unknown, or lacks cursor control: use heddle "
			"report\n",
			name ? name : "");
		return NULL;
	}
	SCREEN *screen = newterm(NULL, heddle__output_filter_raw(), stdin);
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
	heddle__paint_start();
	mousemask(BUTTON1_PRESSED | BUTTON1_CLICKED | BUTTON1_DOUBLE_CLICKED | BUTTON1_TRIPLE_CLICKED |
			  BUTTON4_PRESSED | BUTTON5_PRESSED,
		NULL);
	mouseinterval(0);
}

/* Reads a change once the files are unchanged between two checks, since ranks write at about the same time. */
static bool read_changes(struct heddle_browse *browse)
{
	static uint64_t before;
	uint64_t now = heddle__browse_fingerprint(browse->path);
	bool unchanged = now == before, running = browse->data.running;
	before = now;
	if (now && now != browse->seen && unchanged && heddle__browse_reread(browse)) {
		browse->seen = now;
		return true;
	}
	if (browse->data.loaded && running)
		heddle__browse_data_check_running(&browse->data);
	return browse->data.running != running;
}

/*
 * Waits for a key, and checks the terminal's size: a signal that arrives just before curses waits would be noticed only
 * with the next key. Returns false if nothing has changed that is to be drawn.
 */
static bool wait_for_key(struct heddle_browse *browse)
{
	struct winsize size;
	struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
	int key = next_key(browse->follow ? FOLLOW_MS : SIZE_MS);
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
			changed |= read_changes(browse);
			looked = milliseconds();
		}
		if (changed)
			draw(browse);
	}
	endwin();
	delscreen(screen);
	return 0;
}
