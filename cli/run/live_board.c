/* SPDX-License-Identifier: BSD-3-Clause */
/* Data that a process wrote is checked before it is used: errors of the program may have damaged it. */
#include "cli/run/live_board.h"

#include "format/ids.h"
#include "format/kernel_clock.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#define WRITERS 16 /* processes whose output is counted, in addition to the program's first process */

static struct heddle_live_head *head_of(const struct heddle_live_board *board)
{
	return board->memory;
}

static const struct heddle_live_area *area_of(const struct heddle_live_board *board, size_t number)
{
	const unsigned char *bytes = board->memory;
	return (const void *)(bytes + HEDDLE_LIVE_HEAD_SIZE + number * HEDDLE_LIVE_AREA_SIZE);
}

int heddle__live_board_open(struct heddle_live_board *board)
{
	char text[64];
	*board = (struct heddle_live_board){.memory = MAP_FAILED};
	board->file = memfd_create(HEDDLE_LIVE_FILE, MFD_CLOEXEC);
	if (board->file < 0 || ftruncate(board->file, HEDDLE_LIVE_SIZE) != 0)
		return -errno;
	board->memory = mmap(NULL, HEDDLE_LIVE_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, board->file, 0);
	if (board->memory == MAP_FAILED)
		return -errno;
	struct heddle_live_head *head = head_of(board);
	if (getrandom(&head->key, sizeof(head->key), 0) != sizeof(head->key))
		return -EIO;
	snprintf(text, sizeof(text), "%x:%x:%llx", (unsigned int)getpid(), (unsigned int)board->file,
		(unsigned long long)head->key);
	return setenv(HEDDLE_LIVE_VARIABLE, text, 1) == 0 ? 0 : -ENOMEM;
}

void heddle__live_board_close(struct heddle_live_board *board)
{
	heddle__live_top_free(&board->top);
	heddle__live_names_free(&board->names);
	if (board->memory != MAP_FAILED)
		munmap(board->memory, HEDDLE_LIVE_SIZE);
	if (board->file < 0)
		return;
	close(board->file);
	unsetenv(HEDDLE_LIVE_VARIABLE);
}

/*
 * Gets the CPU time of a process, even if it has ended and was not waited for; returns false if there is no process of
 * that number.
 */
static bool cpu_time_of(pid_t pid, uint64_t *ns)
{
	clockid_t clock;
	struct timespec time = {0, 0};
	if (pid <= 0 || clock_getcpuclockid(pid, &clock) != 0 || heddle__kernel_gettime(clock, &time) != 0)
		return false;
	*ns = (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
	return true;
}

/* ---- samples ---- */

/* Returns the text of `key` in a row's area; "": none (yet). */
static const char *find_text(const struct heddle_live_area *area, uint64_t key)
{
	size_t at = 0, header = sizeof(struct heddle_live_text);
	while (at + header < sizeof(area->text)) {
		const struct heddle_live_text *entry = (const void *)(area->text + at);
		uint64_t its = atomic_load_explicit(&entry->key, memory_order_acquire);
		uint32_t size = entry->size;
		if (its == 0 || size <= header || size % 8 != 0 || size > sizeof(area->text) - at)
			return "";
		if (its == key)
			return memchr(entry->text, '\0', size - header) ? entry->text : "";
		at += size;
	}
	return "";
}

static void take_samples(
	struct heddle_live_board *board, const struct heddle_live_area *area, uint64_t what, double weight)
{
	char name[HEDDLE_LIVE_TEXT_MOST + 1];
	uint32_t module = HEDDLE_PLACE_MODULE(what);
	if (module == HEDDLE_LIVE_NAMED)
		snprintf(name, sizeof(name), "%s", find_text(area, what));
	else
		heddle__live_name(&board->names, module ? find_text(area, HEDDLE_PLACE(module, 0)) : "",
			HEDDLE_PLACE_OFFSET(what), name, sizeof(name));
	heddle__live_top_add(&board->top, name, weight);
}

static int by_number(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;
	return (*x > *y) - (*x < *y);
}

/* Reads the most recent of the new samples, which represent all new ones. */
static void read_recent(struct heddle_live_board *board, size_t number)
{
	static uint64_t recent[HEDDLE_LIVE_RECENT];
	const struct heddle_live_area *area = area_of(board, number);
	uint64_t end = atomic_load(&head_of(board)->rows[number].recent), seen = board->processes[number].seen;
	if (end <= seen)
		return;
	uint64_t count = end - seen < HEDDLE_LIVE_RECENT ? end - seen : HEDDLE_LIVE_RECENT;
	for (uint64_t i = 0; i < count; i++)
		recent[i] = atomic_load_explicit(
			&area->recent[(end - count + i) % HEDDLE_LIVE_RECENT], memory_order_relaxed);
	qsort(recent, count, sizeof(*recent), by_number);
	double each = (double)(end - seen) / (double)count;
	for (uint64_t i = 0, next; i < count; i = next) {
		for (next = i + 1; next < count && recent[next] == recent[i];)
			next++;
		take_samples(board, area, recent[i], each * (double)(next - i));
	}
	board->processes[number].seen = end;
}

/* ---- sums ---- */

/*
 * Returns true if the process still exists. If its CPU time has become smaller, it is another process of the same
 * number.
 */
static bool read_cpu(const struct heddle_live_row *row, struct heddle_live_process *process)
{
	uint64_t now = 0, at_end = atomic_load(&row->cpu_ns);
	bool exists = cpu_time_of(process->pid, &now) && now >= process->cpu_ns;
	if (exists)
		process->cpu_ns = now;
	if (process->cpu_ns < at_end)
		process->cpu_ns = at_end;
	return exists;
}

static void read_row(struct heddle_live_board *board, size_t number, struct heddle_live_sums *sums)
{
	struct heddle_live_row *row = &head_of(board)->rows[number];
	struct heddle_live_process *process = &board->processes[number];
	uint32_t state = atomic_load(&row->state);
	if (state < HEDDLE_LIVE_RUNNING || state > HEDDLE_LIVE_ENDED)
		return;
	if (process->pid == 0)
		*process = (struct heddle_live_process){.pid = atomic_load(&row->pid)};
	board->listed |= process->pid == board->program;
	bool replaced = state == HEDDLE_LIVE_REPLACED, exists = !replaced && read_cpu(row, process);
	read_recent(board, number);
	uint64_t samples = atomic_load(&row->samples), cpu_ns = replaced ? 0 : process->cpu_ns;
	if (exists) {
		sums->processes++;
		sums->samples += samples;
		sums->cpu_ns += cpu_ns;
		return;
	}
	board->ended_samples += samples;
	board->ended_cpu_ns += cpu_ns;
	*process = (struct heddle_live_process){0};
	atomic_store(&row->state, HEDDLE_LIVE_FREE);
}

void heddle__live_board_reclaim(struct heddle_live_board *board)
{
	struct heddle_live_sums unused = {0};
	for (size_t i = 0; i < HEDDLE_LIVE_ROWS; i++)
		if (atomic_load(&head_of(board)->rows[i].state) > HEDDLE_LIVE_RUNNING)
			read_row(board, i, &unused);
}

/* Reads the CPU time of a program without a row, which is not measured. */
static void read_program(struct heddle_live_board *board, struct heddle_live_sums *sums)
{
	uint64_t now;
	if (board->listed)
		return;
	if (cpu_time_of(board->program, &now)) {
		board->program_cpu_ns = now;
		sums->processes++;
	}
	sums->cpu_ns += board->program_cpu_ns;
}

struct heddle_live_sums heddle__live_board_read(struct heddle_live_board *board)
{
	const struct heddle_live_head *head = head_of(board);
	struct heddle_live_sums sums = {0};
	heddle__live_top_age(&board->top);
	for (size_t i = 0; i < HEDDLE_LIVE_ROWS; i++)
		read_row(board, i, &sums);
	read_program(board, &sums);
	sums.cpu_ns += board->ended_cpu_ns + atomic_load(&head->unlisted_cpu_ns);
	sums.samples += board->ended_samples + atomic_load(&head->unlisted_samples);
	return sums;
}

/* ---- output of the processes ---- */

static uint64_t written_by(pid_t pid)
{
	char path[64], line[128];
	unsigned long long bytes = 0;
	snprintf(path, sizeof(path), "/proc/%d/io", (int)pid);
	FILE *file = fopen(path, "re");
	while (file && bytes == 0 && fgets(line, sizeof(line), file))
		sscanf(line, "wchar: %llu", &bytes);
	if (file)
		fclose(file);
	return bytes;
}

uint64_t heddle__live_board_written(const struct heddle_live_board *board)
{
	uint64_t bytes = written_by(board->program);
	size_t asked = 0;
	for (size_t i = 0; i < HEDDLE_LIVE_ROWS && asked < WRITERS; i++) {
		pid_t pid = board->processes[i].pid;
		if (pid > 0 && pid != board->program) {
			bytes += written_by(pid);
			asked++;
		}
	}
	return bytes;
}

/* ---- the line ---- */

void heddle__live_board_show(struct heddle_live_board *board)
{
	atomic_store(&head_of(board)->shown, 1);
}

bool heddle__live_board_take(struct heddle_live_board *board)
{
	return atomic_exchange(&head_of(board)->shown, 0);
}

bool heddle__live_board_is_shown(const struct heddle_live_board *board)
{
	return atomic_load(&head_of(board)->shown);
}
