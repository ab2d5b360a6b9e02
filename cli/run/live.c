/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One thread waits for the program's end and for signals, and draws in between. Signals that change the terminal's
 * state are blocked and taken one by one, so no signal handler draws. Signals that are forwarded to the program are
 * still handled by cli/run/launch.c.
 */
#include "cli/run/live.h"

#include "cli/run/live_board.h"
#include "cli/run/live_screen.h"
#include "cli/run/live_text.h"
#include "format/kernel_clock.h"

#include <errno.h>
#include <langinfo.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>

#define SECOND_NS 1000000000u
#define CHECK_NS 50000000u /* between two checks of the terminal's modes, while the line is shown */
#define REST_NS 10000000u  /* time without output of the program before the line is drawn */
#define MOST_TRIES 20
#define TEXT_SIZE 1536

struct heddle_live {
	struct heddle_live_screen screen;
	struct heddle_live_board board;
	bool utf8;
	uint64_t start_ns;
	uint64_t draw_ns; /* time of the next refresh */
	uint64_t written; /* bytes written at the last try to refresh */
	unsigned int tries;
	uint64_t read_ns, read_cpu_ns; /* time and CPU time at the last refresh */
};

static uint64_t now_ns(void)
{
	return heddle__kernel_clock_ns(CLOCK_MONOTONIC);
}

/* Returns why the line cannot be shown, or NULL. */
static const char *open_parts(struct heddle_live *live)
{
	if (getenv(HEDDLE_LIVE_VARIABLE))
		return "another heddle run --live shows this program";
	const char *reason = heddle__live_screen_open(&live->screen);
	if (reason)
		return reason;
	int error = heddle__live_board_open(&live->board);
	return error == 0 ? NULL : strerror(-error);
}

struct heddle_live *heddle__live_open(const struct heddle_ranks *ranks)
{
	if (ranks->count > 1) {
		if (ranks->rank == 0)
			fputs("heddle: --live cannot show ranks that a launcher started; use: heddle run --live mpirun "
			      "...\n",
				stderr);
		return NULL;
	}
	struct heddle_live *live = calloc(1, sizeof(*live));
	if (!live)
		return NULL;
	live->screen.terminal = -1;
	live->board.memory = (void *)-1;
	live->board.file = -1;
	live->utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
	const char *reason = open_parts(live);
	if (!reason)
		return live;
	fprintf(stderr, "heddle: --live: %s: the program runs as usual\n", reason);
	heddle__live_close(live);
	return NULL;
}

void heddle__live_close(struct heddle_live *live)
{
	if (!live)
		return;
	heddle__live_screen_close(&live->screen);
	heddle__live_board_close(&live->board);
	free(live);
}

static unsigned int count_processors(void)
{
	cpu_set_t set;
	return sched_getaffinity(0, sizeof(set), &set) == 0 ? (unsigned int)CPU_COUNT(&set) : 1;
}

static void hide(struct heddle_live *live)
{
	if (!heddle__live_board_take(&live->board))
		live->screen.shown = false;
	heddle__live_screen_hide(&live->screen);
}

/* If a process erases the line while it is being drawn, it is hidden again. */
static void draw(struct heddle_live *live, const char *text)
{
	if (!live->screen.shown)
		heddle__live_board_show(&live->board);
	heddle__live_screen_draw(&live->screen, text);
	if (!heddle__live_board_is_shown(&live->board))
		heddle__live_screen_hide(&live->screen);
}

static void refresh(struct heddle_live *live, uint64_t now)
{
	char text[TEXT_SIZE];
	struct heddle_live_sums sums = heddle__live_board_read(&live->board);
	struct heddle_live_figures figures = {.elapsed_ns = now - live->start_ns,
		.cpu_ns = sums.cpu_ns,
		.samples = sums.samples,
		.processes = sums.processes,
		.processors = count_processors()};
	if (sums.cpu_ns > live->read_cpu_ns && now > live->read_ns)
		figures.busy = (double)(sums.cpu_ns - live->read_cpu_ns) / (double)(now - live->read_ns);
	live->read_cpu_ns = sums.cpu_ns;
	live->read_ns = now;
	figures.function = heddle__live_top_first(&live->board.top, &figures.share);
	heddle__live_screen_measure(&live->screen);
	if (heddle__live_screen_is_free(&live->screen))
		draw(live, heddle__live_text(text, sizeof(text), &figures, live->screen.columns - 1, live->utf8));
}

/*
 * A program may write an escape sequence or a character in pieces, shortly after each other: the line is drawn when the
 * program has written nothing for a moment. Continuous output defers it only for a limited time.
 */
static bool is_at_rest(struct heddle_live *live)
{
	uint64_t written = heddle__live_board_written(&live->board);
	if (live->tries > 0 && (written == live->written || live->tries >= MOST_TRIES)) {
		live->tries = 0;
		return true;
	}
	live->written = written;
	live->tries++;
	return false;
}

/*
 * The line appears once the terminal has been free for a second, so it does not disturb programs that use the whole
 * terminal from their start.
 */
static void check_terminal(struct heddle_live *live)
{
	uint64_t now = now_ns();
	heddle__live_board_reclaim(&live->board);
	bool taken = live->screen.shown && !heddle__live_board_is_shown(&live->board);
	if (taken || !heddle__live_screen_is_free(&live->screen)) {
		heddle__live_screen_measure(&live->screen);
		hide(live);
		live->draw_ns = now + SECOND_NS;
	} else if (live->screen.shown && live->screen.resized) {
		refresh(live, now);
	} else if (now >= live->draw_ns && is_at_rest(live)) {
		refresh(live, now);
		live->draw_ns += SECOND_NS;
		if (live->draw_ns < now)
			live->draw_ns = now + SECOND_NS;
	}
}

/* Handles the terminal's stop signal: erases the line, then stops this process as it stops without the line. */
static void stop(struct heddle_live *live)
{
	sigset_t set;
	hide(live);
	sigemptyset(&set);
	sigaddset(&set, SIGTSTP);
	raise(SIGTSTP);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	sigprocmask(SIG_BLOCK, &set, NULL);
	live->draw_ns = now_ns() + SECOND_NS;
}

/* Sleeps until a signal arrives, or until the next check. */
static void wait_a_little(struct heddle_live *live, const sigset_t *signals)
{
	struct timespec pause = {0, live->tries > 0 ? REST_NS : CHECK_NS};
	switch (sigtimedwait(signals, NULL, &pause)) {
	case SIGTSTP:
		stop(live);
		break;
	case SIGCONT:
	case SIGWINCH:
		live->screen.resized = live->screen.shown;
		break;
	default:
		break;
	}
}

void heddle__live_wait(struct heddle_live *live, pid_t pid, int *status)
{
	sigset_t signals, before;
	pid_t ended;
	live->board.program = pid;
	live->start_ns = live->read_ns = now_ns();
	live->draw_ns = live->start_ns + SECOND_NS;
	sigemptyset(&signals);
	sigaddset(&signals, SIGCHLD);
	sigaddset(&signals, SIGCONT);
	sigaddset(&signals, SIGTSTP);
	sigaddset(&signals, SIGWINCH);
	sigprocmask(SIG_BLOCK, &signals, &before);
	while ((ended = waitpid(pid, status, WNOHANG)) == 0 || (ended < 0 && errno == EINTR)) {
		check_terminal(live);
		wait_a_little(live, &signals);
	}
	hide(live);
	sigprocmask(SIG_SETMASK, &before, NULL);
}
