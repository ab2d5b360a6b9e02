/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tests the table of docs/control.md: the thread's switch (gasp_control) on and off, combined with the process's
 * (heddle_start, heddle_stop), and every transition between the four states. In each state, events occur that are
 * measured or not. Another thread, which is never switched off, shows that one switch is per thread and the other for
 * all threads. Also run with HEDDLE_START_PAUSED.
 */
#include "client.h"

#include <heddle/heddle.h>
#include <pthread.h>

#define STATES 4
#define STATE(thread_on, process_on) (2 * (thread_on) + (process_on))
#define MEASURED STATE(1, 1)
#define TIME 300000 /* ns spent in each state */

static gasp_context_t context;
static unsigned int user;
static pthread_barrier_t turn;
static int over, other_expected;

static void *other(void *argument)
{
	gasp_context_t own = init_upc();
	for (;;) {
		pthread_barrier_wait(&turn);
		if (over)
			return argument;
		fence(own, "other.upc", 1);
		pthread_barrier_wait(&turn);
	}
}

/* The minimum and maximum of the time that passed in state `at`. */
struct span {
	uint64_t least, most;
};

static void enter(int state)
{
	/* Switches off first, so that no state in between is measured by mistake. */
	if (!(state & 2))
		gasp_control(context, 0);
	if (state & 1)
		heddle_start();
	else
		heddle_stop();
	if (state & 2)
		gasp_control(context, 1);
	pthread_barrier_wait(&turn);
	pthread_barrier_wait(&turn);
	other_expected += state & 1;
}

/* Sends all kinds of events; each is counted if the state is MEASURED. */
static void happen(const char *file)
{
	get(context, file, 1, 8);
	ATOMIC(context, GASP_UPC_CACHE_HIT, file, 2, 0, (size_t)8);
	ATOMIC(context, user, file, 3, 0, 5);
	START(context, GASP_C_FUNC, file, 4, 0, "function");
	END(context, GASP_C_FUNC, file, 4, 0, "function");
	heddle_phase_begin("phase");
	heddle_phase_end("phase");
}

static void expect_happened(const char *above, const char *file, int measured)
{
	static const char *const kinds[] = {"GASP_UPC_GET @%s:1", "GASP_UPC_CACHE_HIT @%s:2"};
	char path[200], format[100];
	for (int i = 0; i < 2; i++) {
		snprintf(format, sizeof(format), "%s;%s", above, kinds[i]);
		snprintf(path, sizeof(path), format, file);
		EXPECT("visits", path, measured);
		EXPECT("bytes-got", path, i == 0 ? 8 * measured : 0);
	}
}

/* Opens a region in one state and closes it in another. */
static void walk(int from, int to)
{
	static char files[STATES * STATES][3][32];
	char(*file)[32] = files[from * STATES + to], above[64], path[160];
	snprintf(file[0], sizeof(file[0]), "from%dto%d.upc", from, to);
	snprintf(file[1], sizeof(file[1]), "in%dto%d.upc", from, to);
	snprintf(file[2], sizeof(file[2]), "after%dto%d.upc", from, to);
	snprintf(above, sizeof(above), "GASP_UPC_FORALL @%s:1", file[0]);
	struct span first, second;
	int both = (from == MEASURED) + (to == MEASURED);

	enter(from);
	uint64_t outer = now();
	START(context, GASP_UPC_FORALL, file[0], 1, 0);
	uint64_t inner = now();
	happen(file[0]);
	spend(TIME);
	first.least = now() - inner;
	enter(to);
	first.most = now() - outer;
	outer = now();
	happen(file[1]);
	uint64_t until = now();
	spend(TIME);
	second.least = now() - until;
	END(context, GASP_UPC_FORALL, file[0], 1, 0);
	second.most = now() - outer + first.most;
	fence(context, file[2], 1); /* outside the region */

	EXPECT("visits", above, from == MEASURED);
	expect_happened(above, file[0], from == MEASURED);
	expect_happened(above, file[1], to == MEASURED);
	snprintf(path, sizeof(path), "GASP_UPC_FENCE @%s:1", file[2]);
	EXPECT("visits", path, to == MEASURED);
	/* Inclusive time: only the time spent while measured. Between two measured states it continues. */
	snprintf(path, sizeof(path), "%s*", above);
	uint64_t least = (from == MEASURED ? first.least : 0) + (to == MEASURED ? second.least : 0);
	uint64_t most = both ? first.most + second.most : 0;
	if (both == 1)
		most = from == MEASURED ? first.most : second.most;
	EXPECT_BETWEEN("wall-time", path, least - least / 50, most + most / 50);
}

int main(void)
{
	pthread_t thread;
	int paused = getenv("HEDDLE_START_PAUSED") != NULL, moments = 0;
	context = init_upc();
	user = gasp_create_event(context, "user", "%d");
	pthread_barrier_init(&turn, NULL, 2);
	pthread_create(&thread, NULL, other, NULL);
	happen("start.upc");
	EXPECT("visits", "GASP_UPC_GET @start.upc:1", !paused);
	EXPECT("visits", "function", !paused);
	for (int from = 0; from < STATES; from++) {
		for (int to = 0; to < STATES; to++) {
			walk(from, to);
			moments += (from == MEASURED) + (to == MEASURED);
		}
	}
	over = 1;
	pthread_barrier_wait(&turn);
	pthread_join(thread, NULL);
	EXPECT("visits", "GASP_UPC_FENCE @other.upc:1", other_expected);
	EXPECT("visits", "*user", moments + !paused);
	EXPECT("visits", "*function", moments + !paused);
	EXPECT("visits", "*phase", moments + !paused);
	EXPECT_VALUES("*user", 1, (uint64_t)(moments + !paused), 5, 5, 5 * (moments + !paused));
	return 0;
}
