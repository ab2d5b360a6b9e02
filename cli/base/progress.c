/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A separate thread prints the line, since the work reports steps only, and some of them take long. If the thread
 * cannot be created, nothing is shown.
 */
#include "cli/base/progress.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#define PERIOD_MS 200 /* between two lines */
#define LINE_LIMIT 160

/* Errors of the terminal are ignored. */
static void write_text(int fd, const char *text, size_t length)
{
	while (length > 0) {
		ssize_t written = write(fd, text, length);
		if (written <= 0)
			return;
		text += written;
		length -= (size_t)written;
	}
}

/* Prints one line, cut to the width of the terminal: a longer one could not be erased. */
static void print_line(const struct heddle_progress *progress)
{
	char text[LINE_LIMIT];
	struct winsize size;
	int length =
		snprintf(text, sizeof(text), "heddle: %s: %zu of %zu", progress->what, progress->done, progress->count);
	size_t shown = length < 0 ? 0 : strlen(text);
	if (ioctl(progress->fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 && shown >= size.ws_col)
		shown = size.ws_col - (size_t)1;
	write_text(progress->fd, "\r", 1);
	write_text(progress->fd, text, shown);
	write_text(progress->fd, "\033[K", 3);
}

static struct timespec later(unsigned ms)
{
	struct timespec time;
	clock_gettime(CLOCK_MONOTONIC, &time);
	time.tv_sec += ms / 1000;
	time.tv_nsec += (long)(ms % 1000) * 1000000;
	if (time.tv_nsec >= 1000000000) {
		time.tv_sec++;
		time.tv_nsec -= 1000000000;
	}
	return time;
}

static void *show(void *context)
{
	struct heddle_progress *progress = context;
	bool shown = false;
	pthread_mutex_lock(&progress->lock);
	for (unsigned wait_ms = progress->delay_ms; !progress->stop; wait_ms = PERIOD_MS) {
		const struct timespec until = later(wait_ms);
		while (!progress->stop && pthread_cond_timedwait(&progress->ended, &progress->lock, &until) == 0)
			;
		if (progress->stop)
			break;
		print_line(progress);
		shown = true;
	}
	pthread_mutex_unlock(&progress->lock);
	if (shown)
		write_text(progress->fd, "\r\033[K", 4);
	return NULL;
}

/* The thread blocks all signals, which are for the thread that does the work. */
static void start(struct heddle_progress *progress)
{
	sigset_t all, before;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	progress->has_thread = pthread_create(&progress->thread, NULL, show, progress) == 0;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (!progress->has_thread)
		progress->fd = -1;
}

static void step(void *context, const char *what, size_t done, size_t count)
{
	struct heddle_progress *progress = context;
	pthread_mutex_lock(&progress->lock);
	progress->what = what;
	progress->done = done;
	progress->count = count;
	if (progress->fd >= 0 && !progress->has_thread)
		start(progress);
	pthread_mutex_unlock(&progress->lock);
}

void heddle__progress_begin(struct heddle_progress *progress, int fd, unsigned delay_ms)
{
	pthread_condattr_t monotonic;
	*progress =
		(struct heddle_progress){.steps = {step, progress}, .fd = isatty(fd) ? fd : -1, .delay_ms = delay_ms};
	pthread_mutex_init(&progress->lock, NULL);
	pthread_condattr_init(&monotonic);
	pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
	pthread_cond_init(&progress->ended, &monotonic);
	pthread_condattr_destroy(&monotonic);
}

void heddle__progress_end(struct heddle_progress *progress)
{
	pthread_mutex_lock(&progress->lock);
	progress->stop = true;
	pthread_cond_signal(&progress->ended);
	pthread_mutex_unlock(&progress->lock);
	if (progress->has_thread)
		pthread_join(progress->thread, NULL);
	pthread_cond_destroy(&progress->ended);
	pthread_mutex_destroy(&progress->lock);
}
