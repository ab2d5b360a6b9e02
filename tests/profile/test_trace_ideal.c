/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How much earlier ranks would end on an ideal network, with known answers. Programs are written by hand, or random: a
 * generator plays each twice, on a network with costs, which it records, and on one without.
 */
#include "profile/trace/trace_ideal.h"
#include "tests/profile/trace_programs.h"

#include <stdlib.h>

/* In these programs all regions are exchanges: nodes 2 to 11. */
static void check(const struct traced *traced, const uint64_t *saved, unsigned count)
{
	struct profile_trace_ideal ideal;
	bool exchanges[NODE_COUNT + 1] = {false};
	for (int node = 2; node <= NODE_COUNT; node++)
		exchanges[node] = true;
	assert_true(traced->measurement.tree.node_count <= NODE_COUNT + 1);
	assert_int_equal(profile_trace_ideal_make(&ideal, &traced->trace, exchanges), 0);
	assert_int_equal(ideal.thread_count, count);
	for (unsigned i = 0; i < count; i++) {
		assert_true(ideal.is_rank[i]);
		assert_int_equal(ideal.saved_ns[i], saved[i]);
	}
	profile_trace_ideal_free(&ideal);
}

#define CHECK(traced, ...)                                            \
	do {                                                          \
		const uint64_t saved[] = __VA_ARGS__;                 \
		check(traced, saved, sizeof(saved) / sizeof(*saved)); \
		close_program(traced);                                \
	} while (0)

#define TO(rank) "message 0 sent 1 " #rank " 5 8 0\n"
#define FROM(time, rank) "message " #time " received 1 " #rank " 5 8 0\n"

/* The send blocks for 50, the message takes 60: no rank waits for another one's work. */
static void a_slow_message_is_transfer(void **state)
{
	(void)state;
	struct traced traced;
	static const char *const records[] = {"begin 100 2\n" TO(1) "end 50\nmark 100 thread-end\n",
		"begin 100 3\n" FROM(60, 0) "end 60\nmark 90 thread-end\n"};
	trace_mpi(&traced, "ideal_slow", records, 2);
	CHECK(&traced, {50, 60});
}

/* Rank 1 works on rank 0's result, and rank 0 on rank 1's: 200 of the 240 are needed on any network. */
static void a_chain_stays_a_chain(void **state)
{
	(void)state;
	struct traced traced;
	static const char *const records[] = {
		"begin 100 2\n" TO(1) "end 5\nbegin 0 3\n" FROM(135, 1) "end 135\nmark 10 thread-end\n",
		"begin 0 3\n" FROM(120, 0) "end 120\nbegin 100 2\n" TO(0) "end 20\nmark 0 thread-end\n"};
	trace_mpi(&traced, "ideal_chain", records, 2);
	CHECK(&traced, {240 - 200, 240 - 200});
}

/* Because of a slow message, rank 0 is the last one at the barrier; without it, rank 1 is. */
static void another_rank_may_be_the_last(void **state)
{
	(void)state;
	struct traced traced;
	static const char *const records[] = {
		"begin 10 3\n" FROM(190, 2) "end 190\nbegin 50 7\nattribute communicator 3298534883405\nend 10\n",
		"begin 150 7\nattribute communicator 3298534883405\nend 110\n",
		"begin 10 2\n" TO(0) "end 2\nbegin 8 7\nattribute communicator 3298534883405\nend 245\n"};
	assert_true(MPI_WORLD(3) == 3298534883405);
	trace_mpi(&traced, "ideal_last", records, 3);
	CHECK(&traced, {260 - 150, 260 - 150, 265 - 150});
}

/* Two processes; rank 0 has a worker that sends in a parallel region while its first thread computes. */
static void other_threads_have_the_lag_of_their_rank(void **state)
{
	(void)state;
	struct traced traced;
	char profile[2048], text[4096];
	static const char *const records[] = {
		/* Received at 90, 80 of which is saved; then a worker sends at 140, which would be at 60. */
		"thread 0\nbegin 10 3\n" FROM(80, 1) "end 80\nmark 110 thread-end\nthread 1\nbegin 140 2\n" TO(
			1) "end 5\n",
		"thread 0\nbegin 10 2\n" TO(0) "end 5\nbegin 5 3\n" FROM(150, 0) "end 150\nmark 10 thread-end\n"};
	for (unsigned i = 0; i < 2; i++) {
		snprintf(profile, sizeof(profile), MPI_PROGRAM "%s", 100 + i, i + 1,
			i ? "" : "thread 1 1 openmp worker\nthread-field model openmp\nthread-field rank 1\n");
		snprintf(text, sizeof(text), "group %llu 1 0 %u %u\n%s", (unsigned long long)MPI_WORLD(2), i, i,
			records[i]);
		write_process("ideal_worker", i ? "1.heddle" : "0.heddle", profile, text);
	}
	open_program(&traced, "ideal_worker");
	struct profile_trace_ideal ideal;
	bool exchanges[NODE_COUNT + 1] = {[NODE_SEND] = true, [NODE_RECV] = true};
	assert_int_equal(profile_trace_ideal_make(&ideal, &traced.trace, exchanges), 0);
	assert_int_equal(ideal.thread_count, 3);
	assert_true(ideal.is_rank[0] && !ideal.is_rank[1] && ideal.is_rank[2]);
	assert_int_equal(ideal.saved_ns[0], 80);
	assert_int_equal(ideal.saved_ns[1], 0);
	assert_int_equal(ideal.saved_ns[2], 170 - 60);
	profile_trace_ideal_free(&ideal);
	close_program(&traced);
}

/* ---- random programs ---- */

#define RANKS 4
#define STEPS 18

struct player {
	char text[RANKS][2600];
	size_t used[RANKS];
	uint64_t real[RANKS], ideal[RANKS], last[RANKS]; /* last: time of the last record */
	unsigned seed;
};

static uint64_t some(struct player *player, uint64_t most)
{
	player->seed = player->seed * 1103515245u + 12345u;
	return (player->seed >> 16) % most + 1;
}

static uint64_t larger(uint64_t one, uint64_t other)
{
	return one > other ? one : other;
}

/* A record of a rank at `ns`; `rest` follows the time since the rank's record before. */
static void put(struct player *player, int rank, uint64_t ns, const char *word, const char *rest)
{
	char *text = player->text[rank];
	size_t *used = &player->used[rank];
	*used += (size_t)snprintf(text + *used, sizeof(player->text[rank]) - *used, "%s %llu %s\n", word,
		(unsigned long long)(ns - player->last[rank]), rest);
	assert_true(*used < sizeof(player->text[rank]));
	if (strcmp(word, "message") != 0) /* which does not advance the time */
		player->last[rank] = ns;
}

/* The rank is in a region from now until `end`, or on the ideal network until `ideal`. */
static void spend(struct player *player, int rank, int node, const char *attributes, uint64_t end, uint64_t ideal)
{
	char rest[160];
	snprintf(rest, sizeof(rest), "%d%s%s", node, *attributes ? "\n" : "", attributes);
	put(player, rank, player->real[rank], "begin", rest);
	put(player, rank, end, "end", "");
	player->real[rank] = end;
	player->ideal[rank] = ideal;
}

static void compute(struct player *player)
{
	for (int rank = 0; rank < RANKS; rank++) {
		uint64_t ns = some(player, 100);
		player->real[rank] += ns;
		player->ideal[rank] += ns;
	}
}

static void message(struct player *player)
{
	char rest[80];
	int from = (int)some(player, RANKS) - 1, to = (int)(from + some(player, RANKS - 1)) % RANKS;
	uint64_t sent = player->real[from], ideal = player->ideal[from];
	uint64_t there = larger(player->real[to], sent) + some(player, 80);
	put(player, from, sent, "begin", "2");
	snprintf(rest, sizeof(rest), "sent 1 %d 5 8 0", to);
	put(player, from, sent, "message", rest);
	player->real[from] += some(player, 40);
	put(player, from, player->real[from], "end", "");
	put(player, to, player->real[to], "begin", "3");
	snprintf(rest, sizeof(rest), "received 1 %d 5 8 0", from);
	put(player, to, there, "message", rest);
	put(player, to, there + 3, "end", "");
	player->real[to] = there + 3;
	player->ideal[to] = larger(player->ideal[to], ideal);
}

/* In nodes 7 and 8, all wait for all; in 9, all wait for the root; in 10, the root waits for all. */
static void collective(struct player *player, int node, const char *communicator)
{
	char attributes[100];
	int root = (int)some(player, RANKS) - 1;
	uint64_t real = 0, ideal = 0, real_root = player->real[root], ideal_root = player->ideal[root];
	for (int rank = 0; rank < RANKS; rank++) {
		real = larger(real, player->real[rank]);
		ideal = larger(ideal, player->ideal[rank]);
	}
	snprintf(attributes, sizeof(attributes), "%s\nattribute root %d", communicator, root);
	for (int rank = 0; rank < RANKS; rank++) {
		bool for_all = node < 9 || (node == 10 && rank == root);
		bool for_root = node == 9;
		uint64_t until = for_all ? real : for_root ? real_root : 0;
		uint64_t then = for_all ? ideal : for_root ? ideal_root : 0;
		spend(player, rank, node, attributes, larger(player->real[rank], until) + some(player, 60),
			larger(player->ideal[rank], then));
	}
}

static void check_player(struct player *player, const struct traced *traced)
{
	uint64_t saved[RANKS];
	for (int rank = 0; rank < RANKS; rank++)
		saved[rank] = player->real[rank] - player->ideal[rank];
	check(traced, saved, RANKS);
}

static void random_messages_and_collectives(void **state)
{
	(void)state;
	char communicator[64], name[32];
	snprintf(communicator, sizeof(communicator), "attribute communicator %llu",
		(unsigned long long)MPI_WORLD(RANKS));
	for (unsigned seed = 1; seed <= 60; seed++) {
		struct player *player = calloc(1, sizeof(*player));
		struct traced traced;
		const char *records[RANKS];
		assert_non_null(player);
		player->seed = seed;
		for (int step = 0; step < STEPS; step++) {
			uint64_t kind = some(player, 9);
			compute(player);
			if (kind < 6)
				message(player);
			else
				collective(player, (int)kind + 1, communicator);
		}
		for (int rank = 0; rank < RANKS; rank++) {
			put(player, rank, player->real[rank], "mark", "thread-end");
			records[rank] = player->text[rank];
		}
		snprintf(name, sizeof(name), "ideal_mpi_%u", seed);
		trace_mpi(&traced, name, records, RANKS);
		check_player(player, &traced);
		close_program(&traced);
		free(player);
	}
}

/* The ranks hold a lock in the recorded order on both networks. */
static void random_locks_and_barriers(void **state)
{
	(void)state;
	char name[32];
	for (unsigned seed = 1; seed <= 60; seed++) {
		struct player *player = calloc(1, sizeof(*player));
		struct traced traced;
		const char *records[RANKS];
		uint64_t released = 0, ideal_released = 0;
		assert_non_null(player);
		player->seed = seed;
		for (int rank = 0; rank < RANKS; rank++)
			player->used[rank] = (size_t)snprintf(player->text[rank], 32, "thread 0\n");
		for (int step = 0; step < STEPS; step++) {
			int rank = (int)some(player, RANKS) - 1;
			compute(player);
			uint64_t kind = some(player, 8);
			if (kind < 3) { /* a barrier, or a collective in which all meet */
				collective(player, kind == 1 ? 2 : 8, "attribute meets 1");
				continue;
			}
			spend(player, rank, 5, "attribute lock 9",
				larger(player->real[rank], released) + some(player, 30),
				larger(player->ideal[rank], ideal_released));
			compute(player);
			released = player->real[rank];
			ideal_released = player->ideal[rank];
			spend(player, rank, 6, "attribute lock 9", released + some(player, 30), ideal_released);
		}
		for (int rank = 0; rank < RANKS; rank++) {
			put(player, rank, player->real[rank], "mark", "thread-end");
			records[rank] = player->text[rank];
		}
		snprintf(name, sizeof(name), "ideal_upc_%u", seed);
		trace_upc(&traced, name, records, RANKS);
		check_player(player, &traced);
		close_program(&traced);
		free(player);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_slow_message_is_transfer),
		cmocka_unit_test(a_chain_stays_a_chain),
		cmocka_unit_test(another_rank_may_be_the_last),
		cmocka_unit_test(other_threads_have_the_lag_of_their_rank),
		cmocka_unit_test(random_messages_and_collectives),
		cmocka_unit_test(random_locks_and_barriers),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
