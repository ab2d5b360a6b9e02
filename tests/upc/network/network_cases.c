/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Guarantees of a network: each case runs in 2 to 4 processes. Usage: network_cases CASE RANKS [SECONDS]. In each
 * segment, the part that begins at (rank + 1) MiB belongs to that rank, which knows its contents. The first page has
 * words shared by all ranks. The file is long because each guarantee is a case, with a function and a row of the table
 * at the end; all use the same few helpers.
 */
#include "tests/support/patience.h"
#include "world.h"
#include <dirent.h>
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>

#define PART (1 << 20)
#define OPERATIONS 100000
#define THREADS 4

enum { READ_WORD, ADD, LATER, NUMBERED };

struct message {
	int what;
	uint64_t offset, value;
};

static uint64_t numbers[WORLD_RANKS]; /* of the next message from each rank */
static struct hupc__ticket tickets[64];
static uint64_t asked[64];
static int deferred;
static unsigned seconds = 1; /* for which to be idle */

/* The limit of what takes so many seconds at most, in proportion to the limits of all tests. */
static int64_t limit_ns(int64_t most_s)
{
	return most_s * 1000000000 * patience() / 240;
}

/* Reads and writes words as the plug-in does. */
static uint64_t word_at(uint64_t offset)
{
	uint64_t word;
	memcpy(&word, world.segment + offset, sizeof word);
	return word;
}

static void handle(int from, const void *data, size_t size, const struct hupc__ticket *ticket)
{
	struct message message;
	uint64_t answer;
	CHECK(size == sizeof message);
	memcpy(&message, data, size);
	switch (message.what) {
	case READ_WORD:
		answer = word_at(message.offset);
		world.net->answer(ticket, &answer, sizeof answer);
		return;
	case ADD:
		answer = __atomic_fetch_add(
			(uint64_t *)(void *)(world.segment + message.offset), message.value, __ATOMIC_SEQ_CST);
		world.net->answer(ticket, &answer, sizeof answer);
		return;
	case LATER:
		asked[deferred] = message.value;
		tickets[deferred++] = *ticket;
		world.net->wake();
		return;
	default:
		CHECK(!ticket);
		CHECK(message.value == numbers[from]);
		if (message.offset)
			CHECK(word_at(message.offset) == message.value);
		numbers[from]++;
		world.net->wake();
	}
}

static uint64_t ask(int thread, int what, uint64_t offset, uint64_t value)
{
	const struct message message = {what, offset, value};
	uint64_t answer;
	world.net->ask(thread, &message, sizeof message, &answer, sizeof answer);
	return answer;
}

static uint64_t part(int rank)
{
	return (uint64_t)(rank + 1) * PART;
}

static int next_rank(void)
{
	return (world.rank + 1) % world.ranks;
}

static bool all_here(void *data)
{
	(void)data;
	return word_at(8) >= (uint64_t)world.ranks; /* other ranks may be further */
}

/* Waits for all ranks, by the network; once in a process. */
static void meet(void)
{
	for (int rank = 0; rank < world.ranks; rank++) {
		const struct message message = {ADD, 8, 1};
		uint64_t answer;
		world.net->ask(rank, &message, sizeof message, &answer, sizeof answer);
	}
	/* ADD's handler does not wake the thread: it checks periodically. */
	world.net->wait_until(all_here, NULL);
}

/* Does the same for a second time. */
static bool all_here_again(void *data)
{
	(void)data;
	return word_at(8) >= 2 * (uint64_t)world.ranks;
}

static void meet_again(void)
{
	for (int rank = 0; rank < world.ranks; rank++)
		ask(rank, ADD, 8, 1);
	world.net->wait_until(all_here_again, NULL);
}

static void fill(char *to, size_t size, unsigned seed)
{
	for (size_t i = 0; i < size; i++) {
		seed = seed * 1664525U + 1013904223U;
		to[i] = (char)(seed >> 24);
	}
}

/* Transfers of every size at unaligned places, in both directions. */
static void sizes(void)
{
	static char out[PART], in[PART + 2];
	const int other = next_rank();
	for (size_t size = 1; size <= PART - 64; size += size < 80 ? 1 : size / 3) {
		uint64_t offset = part(world.rank) + size % 13;
		fill(out, size, (unsigned)size);
		memset(in, 0x55, sizeof in);
		world.net->put(other, offset, out, size);
		fill(out, size, 77); /* the source may be changed immediately */
		world.net->get(other, offset, in + 1, size);
		fill(out, size, (unsigned)size);
		CHECK(!memcmp(out, in + 1, size) && in[0] == 0x55 && in[size + 1] == 0x55);
	}
	world.net->get(world.rank, part(0), in, 100);
	meet();
}

/* A put is visible to whoever gets a later message of its thread. */
static void order(void)
{
	const int other = next_rank();
	const uint64_t offset = part(world.rank);
	uint64_t value, got;
	for (value = 1; value < 3000; value++) {
		world.net->put(other, offset, &value, sizeof value);
		if (value % 3 == 0) {
			world.net->get(other, offset, &got, sizeof got);
			CHECK(got == value);
		} else if (value % 3 == 1) {
			CHECK(ask(other, READ_WORD, offset, 0) == value);
		}
	}
	meet();
}

/* After a fence, puts of all sizes are in the target's memory. */
static void fence(void)
{
	static char out[PART];
	const int before = (world.rank + world.ranks - 1) % world.ranks;
	for (size_t size = 1; size < PART; size = size * 3 + 1) {
		for (int rank = 0; rank < world.ranks; rank++) {
			fill(out, size, (unsigned)(size + (size_t)rank));
			world.net->put(rank, part(world.rank), out, size);
		}
		world.net->fence();
		world_barrier();
		fill(out, size, (unsigned)(size + (size_t)world.rank));
		CHECK(!memcmp(world.segment + part(before), out, size));
		world_barrier();
	}
}

static bool all_numbers(void *data)
{
	return numbers[*(int *)data] == 5000;
}

/* Messages stay in order, among each other and after puts; also those to the sending rank itself. */
static void messages(void)
{
	const int other = next_rank();
	int before = (world.rank + world.ranks - 1) % world.ranks;
	for (uint64_t value = 0; value < 5000; value++) {
		const uint64_t offset = value % 2 ? part(world.rank) + value * 8 : 0;
		const struct message message = {NUMBERED, offset, value};
		if (offset)
			world.net->put(other, offset, &value, sizeof value);
		world.net->send(other, &message, sizeof message);
	}
	world.net->wait_until(all_numbers, &before);
	numbers[world.rank] = 0;
	for (uint64_t value = 0; value < 5000; value++) {
		const struct message message = {NUMBERED, 0, value};
		world.net->send(world.rank, &message, sizeof message);
	}
	CHECK(numbers[world.rank] == 5000);
	meet();
}

/* A fence waits for messages that count as puts, even if their target handles no messages for a while. */
static void sent_as_puts(void)
{
	const struct message message = {NUMBERED, 0, 0};
	meet(); /* establishes connections */
	if (world.rank == 0) {
		world.net->fence();
		CHECK(!*world.net->outstanding);
		world.net->send_as_put(0, &message, sizeof message);
		CHECK(numbers[0] == 1 && !*world.net->outstanding);
		world_barrier();
		world.net->send_as_put(1, &message, sizeof message);
		CHECK(*world.net->outstanding);
		world.net->fence();
		CHECK(world.shared->stamp[1]);
	} else {
		const struct timespec nap = {.tv_nsec = 200000000};
		world.net->lock();
		world_barrier();
		nanosleep(&nap, NULL);
		CHECK(!numbers[0]);
		world.shared->stamp[1] = world_now();
		world.net->unlock();
	}
	world_barrier();
}

static void *ask_later(void *data)
{
	const uint64_t value = (uintptr_t)data;
	CHECK(ask(0, LATER, 0, value) == value * 2);
	return NULL;
}

static bool all_deferred(void *data)
{
	return deferred == *(int *)data;
}

/* Answers that are sent later, in another order, by a thread outside of handlers. */
static void answers(void)
{
	pthread_t threads[THREADS];
	int expected = world.ranks * THREADS;
	for (uintptr_t i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, ask_later, (void *)(i * 100 + (uintptr_t)world.rank));
	if (!world.rank) {
		world.net->wait_until(all_deferred, &expected);
		while (deferred) {
			uint64_t answer = asked[--deferred] * 2;
			world.net->answer(&tickets[deferred], &answer, sizeof answer);
		}
	}
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	meet();
}

struct random {
	uint64_t state;
	uint64_t base; /* of this thread's part of a segment */
	size_t size;
	char *model[WORLD_RANKS];
	int operations;
};

static unsigned draw(struct random *random, unsigned below)
{
	random->state = random->state * 6364136223846793005U + 1442695040888963407U;
	return (unsigned)(random->state >> 33) % below;
}

static void random_get(const struct random *random, int thread, size_t at, size_t size, bool begin)
{
	static _Thread_local char data[8192];
	if (begin) {
		hupc__transfer transfer = world.net->get_begin(thread, random->base + at, data, size);
		while (!world.net->test(transfer))
			sched_yield();
	} else {
		world.net->get(thread, random->base + at, data, size);
	}
	CHECK(!memcmp(data, random->model[thread] + at, size));
}

static void random_put(struct random *random, int thread, size_t at, size_t size, bool begin)
{
	char data[8192];
	fill(data, size, draw(random, 1 << 30));
	memcpy(random->model[thread] + at, data, size);
	if (begin)
		world.net->wait(world.net->put_begin(thread, random->base + at, data, size));
	else
		world.net->put(thread, random->base + at, data, size);
}

static void *random_operations(void *data)
{
	struct random *random = data;
	for (int rank = 0; rank < world.ranks; rank++)
		random->model[rank] = calloc(1, random->size);
	for (int i = 0; i < random->operations; i++) {
		int thread = (int)draw(random, (unsigned)world.ranks);
		size_t size = 1 + draw(random, draw(random, 8) ? 64 : 8000);
		size_t at = draw(random, (unsigned)(random->size - size));
		unsigned what = draw(random, 100);
		if (what < 30)
			random_get(random, thread, at, size, what < 8);
		else if (what < 85)
			random_put(random, thread, at, size, what < 36);
		else if (what < 90)
			world.net->fence();
		else
			ask(thread, ADD, 16, 1);
	}
	world.net->fence();
	for (int rank = 0; rank < world.ranks; rank++) {
		for (size_t at = 0; at < random->size; at += 4096)
			random_get(random, rank, at, 4096, false);
		free(random->model[rank]);
	}
	return NULL;
}

/* Random operations, compared with a model. */
static void mixed(void)
{
	struct random random = {(uint64_t)world.rank, part(world.rank), PART, {0}, OPERATIONS / world.ranks};
	random_operations(&random);
	meet();
}

/* The same by several threads of each process. */
static void threads(void)
{
	struct random random[THREADS];
	pthread_t ids[THREADS];
	for (int i = 0; i < THREADS; i++) {
		random[i] = (struct random){(uint64_t)(world.rank * THREADS + i),
			part(world.rank) + (uint64_t)i * (PART / THREADS), PART / THREADS, {0},
			OPERATIONS / 4 / THREADS / world.ranks};
		pthread_create(&ids[i], NULL, random_operations, &random[i]);
	}
	for (int i = 0; i < THREADS; i++)
		pthread_join(ids[i], NULL);
	meet();
}

/* Many transfers at once: more than the plug-in keeps outstanding. */
static void overlap(void)
{
	enum { COUNT = 10000 };
	static uint64_t out[COUNT], in[COUNT];
	static hupc__transfer transfers[COUNT];
	const int other = next_rank();
	for (int i = 0; i < COUNT; i++) {
		out[i] = (uint64_t)i * 3 + 1;
		transfers[i] = world.net->put_begin(other, part(world.rank) + (uint64_t)i * 8, &out[i], 8);
	}
	for (int i = 0; i < COUNT; i++)
		world.net->wait(transfers[i]);
	for (int i = 0; i < COUNT; i++)
		transfers[i] = world.net->get_begin(other, part(world.rank) + (uint64_t)i * 8, &in[i], 8);
	for (int i = COUNT; i-- > 0;)
		world.net->wait(transfers[i]);
	CHECK(!memcmp(in, out, sizeof in));
	meet();
}

enum { BULK = 6 * PART - 64 };

static void check_bulk(const char *got, uint64_t offset, size_t size)
{
	static char *all;
	if (!all) {
		all = malloc(BULK);
		fill(all, BULK, (unsigned)next_rank());
	}
	CHECK(!memcmp(got, all + (offset - PART), size));
}

/* Large gets at unaligned places, one after the other and several at once, in both directions. */
static void bulk(void)
{
	static const size_t some[] = {
		261631, 261632, 261633, 256 << 10, PART - 1, PART, PART + 1, 3 * PART + 262000, BULK - 7};
	enum { COUNT = sizeof some / sizeof *some };
	static char in[COUNT][BULK + 1];
	hupc__transfer transfers[COUNT];
	fill(world.segment + PART, BULK, (unsigned)world.rank);
	meet();
	for (int round = 0; round < 3; round++) {
		for (int i = 0; i < COUNT; i++) {
			world.net->get(next_rank(), PART + (uint64_t)i, in[i] + 1, some[i]);
			check_bulk(in[i] + 1, PART + (uint64_t)i, some[i]);
		}
		memset(in, 0x55, sizeof in);
		for (int i = 0; i < COUNT; i++)
			transfers[i] = world.net->get_begin(next_rank(), PART + 7, in[i] + 1, some[i]);
		for (int i = 0; i < COUNT; i++) {
			world.net->wait(transfers[i]);
			check_bulk(in[i] + 1, PART + 7, some[i]);
			CHECK(in[i][0] == 0x55 && (some[i] >= BULK || in[i][some[i] + 1] == 0x55));
		}
	}
	meet_again();
}

static bool over(void *data)
{
	return world_now() > *(int64_t *)data;
}

/* Processes without work use no processor, whether they wait in the network or sleep elsewhere. */
static void idle(void)
{
	int64_t cpu, end;
	meet();
	usleep(20000);
	cpu = world_cpu();
	end = world_now() + seconds * INT64_C(1000000000);
	if (world.rank % 2)
		sleep(seconds);
	else
		world.net->wait_until(over, &end);
	cpu = world_cpu() - cpu;
	world_barrier();
	fprintf(stderr, "rank %d: %.3f ms of CPU in %u idle seconds\n", world.rank, (double)cpu / 1e6, seconds);
	CHECK(cpu < 1000000);
}

static int compare(const void *a, const void *b)
{
	int64_t first = *(const int64_t *)a, second = *(const int64_t *)b;
	return (first > second) - (first < second);
}

static bool all_ended(void)
{
	return __atomic_load_n((uint64_t *)(void *)(world.segment + 24), __ATOMIC_RELAXED) == (uint64_t)world.ranks - 1;
}

static void ended(int target)
{
	ask(target, ADD, 24, 1);
}

/*
 * Computes while that many requests arrive, each at least 1 ms after the answer to the previous one. The plug-in must
 * not poll for them.
 */
static void compute_looked_at(int requests)
{
	unsigned long polls = world.net->thread_polls();
	while (!all_ended())
		;
	polls = world.net->thread_polls() - polls;
	fprintf(stderr, "rank %d: %lu polls for %d requests\n", world.rank, polls, requests);
	/* Requests of two other ranks may arrive in quick succession. */
	CHECK(polls >= (unsigned long)requests / 2 && (world.ranks > 2 || polls < 10 * (unsigned long)requests));
}

/* The last rank computes; the other ranks' gets and questions are still served. */
static void computing(void)
{
	enum { COUNT = 200 };
	int64_t times[COUNT];
	const int target = world.ranks - 1;
	meet();
	world_barrier();
	if (world.rank == target) {
		compute_looked_at(COUNT * target);
		return;
	}
	for (int i = 0; i < COUNT; i++) {
		uint64_t word;
		times[i] = world_now();
		if (i % 2)
			world.net->get(target, 8, &word, sizeof word);
		else
			word = ask(target, READ_WORD, 8, 0);
		times[i] = world_now() - times[i];
		CHECK(word == (uint64_t)world.ranks);
		usleep(1000);
	}
	qsort(times, COUNT, sizeof *times, compare);
	fprintf(stderr, "rank %d: a get takes %.1f us (median), least %.1f\n", world.rank,
		(double)times[COUNT / 2] / 1e3, (double)times[0] / 1e3);
	CHECK(times[COUNT / 2] < 5000000);
	ended(target);
}

static void note_lost(int thread, const char *why)
{
	CHECK(world.shared->lost_rank[world.rank] == -1); /* reported once */
	CHECK(why[0]);
	world.shared->stamp[world.rank] = world_now();
	world.shared->lost_rank[world.rank] = thread;
	world.net->wake();
}

static bool has_lost(void *data)
{
	(void)data;
	return world.shared->lost_rank[world.rank] >= 0;
}

/* A rank is killed: all ranks that have a connection to it are notified, while they wait and while they compute. */
static void killed(void)
{
	int64_t begin;
	meet();
	world_barrier();
	begin = world_now();
	if (world.rank == world.ranks - 1) {
		usleep(100000);
		kill(getpid(), SIGKILL);
	}
	if (world.rank)
		world.net->wait_until(has_lost, NULL);
	while (!has_lost(NULL) && world_now() - begin < limit_ns(5))
		;
	CHECK(world.shared->lost_rank[world.rank] == world.ranks - 1);
	CHECK(world.shared->stamp[world.rank] - begin < limit_ns(5));
	begin = world_cpu();
	usleep(200000);
	CHECK(world_cpu() - begin < 50000000); /* the progress thread does not spin on the closed connection */
	world.net->close();
}

static void *get_for_ever(void *unused)
{
	static char in[4 * PART];
	for (;;)
		world.net->get(world.ranks - 1, PART, in, sizeof in);
	return unused;
}

/* A rank is killed while other ranks get large data from it. */
static void killed_bulk(void)
{
	const int64_t begin = world_now();
	pthread_t thread;
	meet();
	world_barrier();
	if (world.rank == world.ranks - 1) {
		usleep(100000);
		kill(getpid(), SIGKILL);
	}
	pthread_create(&thread, NULL, get_for_ever, NULL);
	world.net->wait_until(has_lost, NULL);
	CHECK(world.shared->stamp[world.rank] - begin < limit_ns(5));
	world.net->close();
}

/* A rank is killed before any rank has a connection to it. */
static void killed_early(void)
{
	const int64_t begin = world_now();
	if (world.rank == world.ranks - 1)
		kill(getpid(), SIGKILL);
	usleep(100000);
	world.net->send(world.ranks - 1, "", 1);
	world.net->wait_until(has_lost, NULL);
	CHECK(world.shared->stamp[world.rank] - begin < limit_ns(5));
	world.net->close();
}

static void interrupt(int number)
{
	(void)number;
}

/* Signals at 4 kHz, as profilers send them: no transfer is lost. */
static void signals(void)
{
	const struct itimerval timer = {.it_interval = {0, 250}, .it_value = {0, 250}};
	struct random random = {(uint64_t)world.rank, part(world.rank), PART, {0}, 5000};
	struct sigaction action = {.sa_handler = interrupt};
	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &timer, NULL);
	random_operations(&random);
	meet();
	setitimer(ITIMER_REAL, &(struct itimerval){0}, NULL);
}

/* In a child of fork, the network does nothing, and it ends; its parent continues. Commands inherit no connections. */
static void forks(void)
{
	int status;
	pid_t child;
	meet();
	if (!world.rank)
		world.net->get(next_rank(), PART, world.segment + 4 * PART, 2 * PART); /* a connection of its own */
	world_barrier();
	child = fork();
	if (!child) {
		uint64_t word = 1;
		world.net->get(next_rank(), 8, &word, sizeof word);
		world.net->put(next_rank(), 0, &word, sizeof word);
		world.net->fence();
		world.net->lock();
		world.net->unlock();
		world.net->close();
		exit(word == 1 ? 0 : 1);
	}
	CHECK(waitpid(child, &status, 0) == child && !status);
	CHECK(!system("test -z \"$(ls -l /proc/self/fd | grep -E 'socket:|eventpoll|eventfd')\""));
	world_barrier();
	CHECK(ask(next_rank(), READ_WORD, 8, 0) == (uint64_t)world.ranks);
}

/* Signals that UCX handles when it is loaded: the program's actions must be restored. */
static struct sigaction actions[5];

static void read_actions(struct sigaction *to)
{
	static const int taken[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGHUP};
	for (size_t i = 0; i < sizeof taken / sizeof *taken; i++)
		sigaction(taken[i], NULL, &to[i]);
}

static void handlers(void)
{
	struct sigaction now[5];
	read_actions(now);
	for (int i = 0; i < 5; i++)
		CHECK(now[i].sa_sigaction == actions[i].sa_sigaction);
	meet();
}

/* Threads that close the network later than others report no lost connections. */
static void late(void)
{
	uint64_t word;
	meet();
	for (int i = 0; i < 1000; i++)
		world.net->get(next_rank(), 8, &word, sizeof word);
	world_barrier();
	usleep(60000U * (unsigned)world.rank);
}

static void *get_words(void *unused)
{
	uint64_t word;
	for (;;)
		world.net->get(next_rank(), 8, &word, sizeof word);
	return unused;
}

/* Other threads of a process still use the network when it is closed: they stop, and the process ends. */
static void busy_at_close(void)
{
	pthread_t thread;
	uint64_t word = 7;
	meet();
	for (int i = 0; i < 4; i++)
		CHECK(!pthread_create(&thread, NULL, get_words, NULL));
	usleep(20000);
	world_barrier();
	world.net->close();
	world.net->get(next_rank(), 8, &word, sizeof word); /* does nothing after close */
	CHECK(word == 7);
	usleep(20000);
}

static int allowed; /* number of processors, before `main` was bound to one of them */

static void bind_to_one(void)
{
	cpu_set_t set, one;
	CHECK(!sched_getaffinity(0, sizeof set, &set));
	allowed = CPU_COUNT(&set);
	CPU_ZERO(&one);
	for (size_t i = 0; i < CPU_SETSIZE && !CPU_COUNT(&one); i++) {
		if (CPU_ISSET(i, &set))
			CPU_SET(i, &one);
	}
	CHECK(!sched_setaffinity(0, sizeof one, &one));
}

/* Returns the id of the thread with this name, or 0. */
static pid_t thread_called(const char *name)
{
	DIR *folder = opendir("/proc/self/task");
	const struct dirent *entry;
	pid_t found = 0;
	CHECK(folder);
	while ((entry = readdir(folder)) != NULL) {
		char path[300], text[40] = "";
		snprintf(path, sizeof path, "/proc/self/task/%s/comm", entry->d_name);
		FILE *file = fopen(path, "r");
		if (file && fgets(text, sizeof text, file) && !strncmp(text, name, strlen(name)))
			found = atoi(entry->d_name); /* NOLINT(cert-err34-c): the kernel's names */
		if (file)
			fclose(file);
	}
	closedir(folder);
	return found;
}

/* Returns the number of processors on which the plug-in's thread may run. */
static int places(void)
{
	pid_t thread = thread_called("heddle-upc");
	cpu_set_t set;
	CHECK(thread && !sched_getaffinity(thread, sizeof set, &set));
	return CPU_COUNT(&set);
}

static void ask_until(bool (*reached)(void))
{
	const int64_t end = world_now() + limit_ns(10);
	while (!reached()) {
		CHECK(world_now() < end);
		ask(next_rank(), READ_WORD, 8, 0);
		usleep(1000);
	}
}

static bool roams(void)
{
	return places() >= allowed;
}

static bool all_roam(void)
{
	return atomic_load(&world.shared->published) == world.ranks;
}

static bool one_is_bound(void)
{
	return atomic_load(&world.shared->published) > world.ranks;
}

static bool is_bound(void *data)
{
	(void)data;
	return one_is_bound();
}

static void *watch(void *unused)
{
	while (places() != 1)
		usleep(1000);
	atomic_fetch_add(&world.shared->published, 1);
	return unused;
}

/*
 * All ranks are bound to one processor. The plug-in's thread may run on all processors while the program computes, and
 * only on that of the waiting thread while one waits. The plug-in changes this when a request arrives.
 */
static void bound(void)
{
	pthread_t watcher;
	meet();
	ask_until(roams);
	atomic_fetch_add(&world.shared->published, 1);
	ask_until(all_roam);
	world_barrier();
	if (!world.rank) {
		pthread_create(&watcher, NULL, watch, NULL);
		world.net->wait_until(is_bound, NULL);
		pthread_join(watcher, NULL);
	} else {
		ask_until(one_is_bound);
	}
	ask_until(roams);
	world_barrier();
}

static void nothing(void)
{
	meet();
}

static const struct {
	const char *name;
	void (*run)(void);
} cases[] = {
	{"answers", answers},
	{"bound", bound},
	{"bulk", bulk},
	{"busy_at_close", busy_at_close},
	{"computing", computing},
	{"fence", fence},
	{"forks", forks},
	{"handlers", handlers},
	{"idle", idle},
	{"killed", killed},
	{"killed_bulk", killed_bulk},
	{"killed_early", killed_early},
	{"late", late},
	{"messages", messages},
	{"mixed", mixed},
	{"nothing", nothing},
	{"order", order},
	{"overlap", overlap},
	{"sent_as_puts", sent_as_puts},
	{"signals", signals},
	{"sizes", sizes},
	{"threads", threads},
};

static void (*chosen)(void);

/* Returns true if the case kills the last rank. */
static bool kills(void)
{
	return chosen == killed || chosen == killed_bulk || chosen == killed_early;
}

static void body(void)
{
	int64_t begin;
	chosen();
	if (kills() || chosen == busy_at_close)
		return;
	if (chosen != late)
		world_barrier(); /* all threads agree to end */
	begin = world_now();
	world.net->close();
	/* Takes milliseconds on an idle machine; over 2 s on a busy one, as ranks wait by sched_yield. */
	CHECK(world_now() - begin < limit_ns(10));
}

int main(int count, char **arguments)
{
	int ranks = count > 2 ? atoi(arguments[2]) : 2;
	read_actions(actions);
	if (count > 3)
		seconds = (unsigned)atoi(arguments[3]);
	for (size_t i = 0; count > 1 && i < sizeof cases / sizeof *cases; i++) {
		if (strcmp(arguments[1], cases[i].name) != 0)
			continue;
		chosen = cases[i].run;
		if (chosen == bound)
			bind_to_one();
		world.lost = kills() ? note_lost : NULL;
		world.handle = handle;
		return world_run(ranks, kills() ? ranks - 1 : -1, body) != 0;
	}
	fprintf(stderr, "usage: %s CASE RANKS\n", arguments[0]);
	return 2;
}
