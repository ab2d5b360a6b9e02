/* SPDX-License-Identifier: BSD-3-Clause */
/* Wait states of messages and collectives, with known answers: who waited where, for whom, and how long. */
#include "profile/trace/trace_late.h"
#include "tests/profile/trace_programs.h"

static const struct profile_trace_part whole = {0, UINT64_MAX};

struct found {
	struct traced traced;
	struct profile_trace_late late;
};

static void find(struct found *found, const char *directory, const char *const *records, unsigned count)
{
	trace_mpi(&found->traced, directory, records, count);
	assert_int_equal(profile_trace_late_make(&found->late, &found->traced.trace, &whole), 0);
}

static void close_found(struct found *found)
{
	profile_trace_late_free(&found->late);
	close_program(&found->traced);
}

/* Returns the time that threads waited in this way in `node`, caused by this thread in `cause`. */
static uint64_t waited(
	const struct found *found, enum profile_trace_wait kind, uint32_t node, size_t thread, uint32_t cause)
{
	uint64_t sum = 0;
	for (size_t i = 0; i < found->late.cause_count; i++) {
		const struct profile_trace_late_cause *one = &found->late.causes[i];
		const struct profile_trace_lateness *item = &found->late.items[one->item];
		if (item->kind == kind && item->node == node && one->thread == thread && one->node == cause)
			sum += one->caused_ns;
	}
	return sum;
}

static uint64_t waited_in_all(const struct found *found)
{
	uint64_t sum = 0;
	for (size_t i = 0; i < found->late.count; i++)
		sum += found->late.items[i].waited_ns;
	return sum;
}

#define SENT "message 0 sent 1 1 5 8 0\n"

static void a_receive_waits_for_a_late_sender(void **state)
{
	(void)state;
	struct found found;
	/* Receive from 100 to 400, sent at 300; the second message was sent before its receive began. */
	static const char *const records[] = {"begin 300 2\n" SENT "end 20\nbegin 100 2\n" SENT "end 5\n",
		"begin 100 3\nmessage 300 received 1 0 5 8 0\nend 300\n"
		"begin 100 3\nmessage 10 received 1 0 5 8 0\nend 10\n"};
	find(&found, "exchange_sender", records, 2);
	assert_int_equal(waited(&found, HEDDLE_WAIT_SENDER, NODE_RECV, 0, NODE_SEND), 200);
	assert_int_equal(waited_in_all(&found), 200);
	assert_int_equal(found.late.items[0].count, 1);
	close_found(&found);
}

static void a_send_waits_for_a_late_receiver(void **state)
{
	(void)state;
	struct found found;
	/*
	 * The first send blocks from 100 to 520; the receive begins at 500. The second send ends before its receive
	 * begins.
	 */
	static const char *const records[] = {"begin 100 2\n" SENT "end 420\nbegin 80 2\n" SENT "end 30\n",
		"begin 500 3\nmessage 25 received 1 0 5 8 0\nend 25\n"
		"begin 475 3\nmessage 25 received 1 0 5 8 0\nend 25\n"};
	find(&found, "exchange_receiver", records, 2);
	assert_int_equal(waited(&found, HEDDLE_WAIT_RECEIVER, NODE_SEND, 1, NODE_RECV), 400);
	assert_int_equal(waited_in_all(&found), 400);
	close_found(&found);
}

/* A nonblocking receive counts from its begin; a nonblocking send waits in the call that completes it. */
static void nonblocking_messages_wait_where_they_are_completed(void **state)
{
	(void)state;
	struct found found;
	static const char *const records[] = {/* Isend at 100; Waitall from 200 to 900. */
		"begin 100 4\nmessage 0 sent 1 1 5 8 7\nend 10\nbegin 90 6\nmessage 700 send-end 1 -1 -1 0 7\nend "
		"700\n",
		/* Irecv at 850; Waitall until 890. */
		"begin 850 5\nmessage 0 expected 1 -1 -1 0 3\nend 5\nbegin 5 6\nmessage 30 received 1 0 5 8 3\nend "
		"30\n"};
	find(&found, "exchange_isend", records, 2);
	assert_int_equal(waited(&found, HEDDLE_WAIT_RECEIVER, NODE_WAITALL, 1, NODE_IRECV), 650);
	assert_int_equal(waited_in_all(&found), 650);
	close_found(&found);
}

/* A call that completes several messages waits once, for the last one. */
static void a_call_waits_for_its_last_message(void **state)
{
	(void)state;
	struct found found;
	/* The call begins at 100. */
	static const char *const records[] = {
		("begin 10 5\nmessage 0 expected 1 1 5 0 1\nend 0\nbegin 0 5\nmessage 0 expected 1 2 5 0 2\nend 0\n"
		 "begin 90 6\nmessage 500 received 1 1 5 8 1\nmessage 500 received 1 2 5 8 2\nend 500\n"),
		"begin 300 2\nmessage 0 sent 1 0 5 8 0\nend 5\n", "begin 500 2\nmessage 0 sent 1 0 5 8 0\nend 5\n"};
	find(&found, "exchange_waitall", records, 3);
	assert_int_equal(waited(&found, HEDDLE_WAIT_SENDER, NODE_WAITALL, 2, NODE_SEND), 400);
	assert_int_equal(waited_in_all(&found), 400);
	close_found(&found);
}

/* Messages with other tags, communicators and ranks do not match; the last message is never received. */
static void messages_match_by_rank_tag_and_communicator(void **state)
{
	(void)state;
	struct found found;
	static const char *const records[] = {
		"begin 100 2\nmessage 0 sent 1 1 6 8 0\nend 5\nbegin 195 2\nmessage 0 sent 1 1 5 8 0\nend 5\n"
		"begin 95 2\nmessage 0 sent 1 2 5 8 0\nend 50\n",
		"begin 50 3\nmessage 300 received 1 0 5 8 0\nend 300\nbegin 50 3\nmessage 10 received 1 0 6 8 0\nend "
		"10\n",
		"begin 10 3\nmessage 5 received 1 1 5 8 0\nend 5\n"};
	find(&found, "exchange_match", records, 3);
	assert_int_equal(waited(&found, HEDDLE_WAIT_SENDER, NODE_RECV, 0, NODE_SEND), 250);
	assert_int_equal(waited_in_all(&found), 250);
	close_found(&found);
}

#define IN(time, node, more, stays) "begin " #time " " #node "\nattribute communicator %llu\n" more "end " #stays "\n"
#define ROOT(rank) "attribute root " #rank "\n"

/* Fills in the number of the communicator, which has `count` members. */
static void find_collective(struct found *found, const char *directory, const char *const *formats, unsigned count)
{
	static char texts[4][1024];
	const char *records[4];
	unsigned long long world = MPI_WORLD(count);
	for (unsigned i = 0; i < count; i++) {
		snprintf(texts[i], sizeof(texts[i]), formats[i], world, world, world);
		records[i] = texts[i];
	}
	find(found, directory, records, count);
}

static void all_wait_for_the_last_at_barriers_and_in_collectives_of_all(void **state)
{
	(void)state;
	struct found found;
	/* Barriers at 100, 300, 150; Allreduce at 500, 450, 620. */
	static const char *const records[] = {IN(100, 7, "", 210) IN(190, 8, "", 130),
		IN(300, 7, "", 10) IN(140, 8, "", 180), IN(150, 7, "", 160) IN(310, 8, "", 10)};
	find_collective(&found, "exchange_all", records, 3);
	assert_int_equal(waited(&found, HEDDLE_WAIT_BARRIER, NODE_MPI_BARRIER, 1, NODE_MPI_BARRIER), 200 + 150);
	assert_int_equal(waited(&found, HEDDLE_WAIT_MUTUAL, NODE_ALLREDUCE, 2, NODE_ALLREDUCE), 120 + 170);
	assert_int_equal(waited_in_all(&found), 350 + 290);
	assert_int_equal(found.late.items[0].count, 1);
	close_found(&found);
}

/* Root 1 may be ahead of others, and does not wait; no rank waits longer than it is in the call. */
static void all_wait_for_the_root_of_a_broadcast(void **state)
{
	(void)state;
	struct found found;
	static const char *const records[] = {IN(100, 9, ROOT(1), 310) IN(590, 9, ROOT(1), 10),
		IN(400, 9, ROOT(1), 5) IN(95, 9, ROOT(1), 5), IN(390, 9, ROOT(1), 4) IN(706, 9, ROOT(1), 10)};
	find_collective(&found, "exchange_bcast", records, 3);
	assert_int_equal(waited(&found, HEDDLE_WAIT_ROOT, NODE_BCAST, 1, NODE_BCAST), 300 + 4);
	assert_int_equal(waited_in_all(&found), 304);
	close_found(&found);
}

static void the_root_of_a_reduction_waits_for_the_last(void **state)
{
	(void)state;
	struct found found;
	static const char *const records[] = {
		IN(100, 10, ROOT(0), 450), IN(200, 10, ROOT(0), 10), IN(500, 10, ROOT(0), 10)};
	find_collective(&found, "exchange_reduce", records, 3);
	assert_int_equal(waited(&found, HEDDLE_WAIT_MEMBERS, NODE_REDUCE, 2, NODE_REDUCE), 400);
	assert_int_equal(waited_in_all(&found), 400);
	close_found(&found);
}

static void each_waits_for_lower_ranks_in_a_scan(void **state)
{
	(void)state;
	struct found found;
	/* Rank 0 enters at 200, 1 at 100, 2 at 150, 3 at 50: the others wait only for 0. */
	static const char *const records[] = {
		IN(200, 11, "", 10), IN(100, 11, "", 120), IN(150, 11, "", 70), IN(50, 11, "", 180)};
	find_collective(&found, "exchange_scan", records, 4);
	assert_int_equal(waited(&found, HEDDLE_WAIT_PREFIX, NODE_SCAN, 0, NODE_SCAN), 100 + 50 + 150);
	assert_int_equal(waited_in_all(&found), 300);
	close_found(&found);
}

/* Rank 0 does not wait in the reduction: it is at the barrier from 205 on, when rank 1 enters the reduction. */
static void a_rank_may_be_a_collective_ahead_from_the_first_one_on(void **state)
{
	(void)state;
	struct found found;
	static const char *const records[] = {
		IN(100, 10, ROOT(1), 5) IN(100, 7, "", 200), IN(300, 10, ROOT(1), 10) IN(90, 7, "", 5)};
	find_collective(&found, "exchange_ahead", records, 2);
	assert_int_equal(waited(&found, HEDDLE_WAIT_BARRIER, NODE_MPI_BARRIER, 1, NODE_MPI_BARRIER), 400 - 205);
	assert_int_equal(waited_in_all(&found), 195);
	close_found(&found);
}

#define JOINED(time, root, role, request) \
	"begin " #time " 4\nmessage 0 joined 1 " #root " " #role " 0 " #request "\nend 10\n"
#define LEFT(time, stays, request) "begin " #time " 6\nmessage " #stays " left 1 -1 13 0 " #request "\nend " #stays "\n"

/* Ibarrier (role 5) begins at 100, 400 and 150; the calls that complete it begin at 210, 420 and 500. */
static void a_collective_that_goes_on_is_waited_for_where_it_ends(void **state)
{
	(void)state;
	struct found found;
	static const char *const records[] = {JOINED(100, -1, 5, 1) LEFT(100, 250, 1),
		JOINED(400, -1, 5, 1) LEFT(10, 30, 1), JOINED(150, -1, 5, 1) LEFT(340, 10, 1)};
	find(&found, "exchange_ibarrier", records, 3);
	assert_int_equal(waited(&found, HEDDLE_WAIT_BARRIER, NODE_WAITALL, 1, NODE_ISEND), 400 - 210);
	assert_int_equal(waited_in_all(&found), 190);
	close_found(&found);
}

/* A barrier lies between the begin and the completion of a nonblocking broadcast (role 7) from rank 1. */
static void collectives_that_go_on_and_others_count_together(void **state)
{
	(void)state;
	struct found found;
	static const char *const records[] = {JOINED(100, 1, 7, 5) IN(90, 7, "", 320) LEFT(20, 100, 5),
		JOINED(300, 1, 7, 9) IN(190, 7, "", 10) LEFT(10, 5, 9)};
	find_collective(&found, "exchange_ibcast", records, 2);
	assert_int_equal(waited(&found, HEDDLE_WAIT_BARRIER, NODE_MPI_BARRIER, 1, NODE_MPI_BARRIER), 300);
	assert_int_equal(waited_in_all(&found), 300);
	close_found(&found);
}

/* Reductions (role 8) to ranks 0 and 1, both completed by one call, which waits only until 700. */
static void a_call_waits_for_its_last_collective(void **state)
{
	(void)state;
	struct found found;
	static const char *const both = "message 600 left 1 0 12 0 1\nmessage 600 left 1 1 12 0 2\n"
					"message 600 received 1 1 5 8 3\n";
	char first[512];
	snprintf(first, sizeof(first), "%sbegin 10 6\n%send 600\n", JOINED(100, 0, 8, 1) JOINED(10, 1, 8, 2), both);
	const char *const records[] = {first,
		JOINED(300, 0, 8, 1) JOINED(190, 1, 8, 2) "begin 190 2\nmessage 0 sent 1 0 5 8 0\nend 5\n" LEFT(5, 5, 1)
			LEFT(5, 5, 2)};
	find(&found, "exchange_ireduce", records, 2);
	assert_int_equal(waited(&found, HEDDLE_WAIT_SENDER, NODE_WAITALL, 1, NODE_SEND), 700 - 140);
	assert_int_equal(waited_in_all(&found), 560);
	close_found(&found);
}

#define LOWER "attribute across 4\n"
#define UPPER "attribute across 5\n"

/* Ranks 0 and 1 wait for 2 and 3, and vice versa: at a barrier, and in a reduction as its root, rank 0. */
static void members_of_two_groups_wait_for_the_other_one(void **state)
{
	(void)state;
	struct found found;
	static const char *const records[] = {IN(100, 7, LOWER, 210) IN(690, 10, LOWER ROOT(0), 450),
		IN(400, 7, LOWER, 10) IN(1490, 10, LOWER, 5), IN(200, 7, UPPER, 220) IN(580, 10, UPPER ROOT(0), 5),
		IN(300, 7, UPPER, 110) IN(990, 10, UPPER ROOT(0), 5)};
	find_collective(&found, "exchange_across", records, 4);
	assert_int_equal(waited(&found, HEDDLE_WAIT_BARRIER, NODE_MPI_BARRIER, 3, NODE_MPI_BARRIER), 200);
	assert_int_equal(waited(&found, HEDDLE_WAIT_BARRIER, NODE_MPI_BARRIER, 1, NODE_MPI_BARRIER), 200 + 100);
	assert_int_equal(waited(&found, HEDDLE_WAIT_MEMBERS, NODE_REDUCE, 3, NODE_REDUCE), 400);
	assert_int_equal(waited_in_all(&found), 900);
	close_found(&found);
}

/* Ibarrier (role 5) between ranks 0 and 1 and ranks 2 and 3: rank 0 waits only for rank 3. */
static void so_do_they_where_it_goes_on(void **state)
{
	(void)state;
	struct found found;
	static const char *const records[] = {JOINED(100, -1, 1029, 1) LEFT(10, 500, 1),
		JOINED(500, -1, 1029, 1) LEFT(10, 100, 1), JOINED(100, -1, 1285, 1) LEFT(490, 5, 1),
		JOINED(300, -1, 1285, 1) LEFT(290, 5, 1)};
	find(&found, "exchange_across_goes_on", records, 4);
	assert_int_equal(waited(&found, HEDDLE_WAIT_BARRIER, NODE_WAITALL, 3, NODE_ISEND), 300 - 120);
	assert_int_equal(waited_in_all(&found), 180);
	close_found(&found);
}

/*
 * Rank 0 calls start at 100 and waits until rank 1 calls post at 300; rank 1 waits from 320 until rank 0 calls complete
 * at 500. Node 2 is post and complete, node 3 start and wait.
 */
static void ranks_wait_for_each_other_at_a_window(void **state)
{
	(void)state;
	struct found found;
	static const char *const records[] = {
		"begin 100 3\nmessage 250 awaited 1 1 0 0 0\nend 250\n"
		"begin 150 2\nmessage 0 granted 1 1 1 0 0\nmessage 20 awaited 1 1 0 0 1\nend 20\n",
		"begin 300 2\nmessage 0 granted 1 0 0 0 0\nend 10\nbegin 10 3\nmessage 210 awaited 1 0 1 0 0\nend "
		"210\n"};
	find(&found, "exchange_window", records, 2);
	assert_int_equal(waited(&found, HEDDLE_WAIT_POST, NODE_RECV, 1, NODE_SEND), 200);
	assert_int_equal(waited(&found, HEDDLE_WAIT_COMPLETE, NODE_RECV, 0, NODE_SEND), 500 - 320);
	assert_int_equal(waited_in_all(&found), 380);
	close_found(&found);
}

/* Start, from 100 to 110, does not wait for the post at 400; complete, from 200 on, does. */
static void a_start_may_leave_the_waiting_to_the_complete(void **state)
{
	(void)state;
	struct found found;
	static const char *const records[] = {
		"begin 100 3\nmessage 10 awaited 1 1 0 0 0\nend 10\n"
		"begin 90 2\nmessage 0 granted 1 1 1 0 0\nmessage 250 awaited 1 1 0 0 1\nend 250\n",
		"begin 400 2\nmessage 0 granted 1 0 0 0 0\nend 10\nbegin 90 3\nmessage 10 awaited 1 0 1 0 0\nend "
		"10\nbegin 200 2\nmessage 0 granted 1 0 0 0 0\nend 10\n"};
	find(&found, "exchange_window_later", records, 2);
	assert_int_equal(waited(&found, HEDDLE_WAIT_POST, NODE_SEND, 1, NODE_SEND), 200);
	assert_int_equal(waited_in_all(&found), 200);
	close_found(&found);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_receive_waits_for_a_late_sender),
		cmocka_unit_test(a_send_waits_for_a_late_receiver),
		cmocka_unit_test(nonblocking_messages_wait_where_they_are_completed),
		cmocka_unit_test(a_call_waits_for_its_last_message),
		cmocka_unit_test(messages_match_by_rank_tag_and_communicator),
		cmocka_unit_test(ranks_wait_for_each_other_at_a_window),
		cmocka_unit_test(a_start_may_leave_the_waiting_to_the_complete),
		cmocka_unit_test(all_wait_for_the_last_at_barriers_and_in_collectives_of_all),
		cmocka_unit_test(all_wait_for_the_root_of_a_broadcast),
		cmocka_unit_test(the_root_of_a_reduction_waits_for_the_last),
		cmocka_unit_test(each_waits_for_lower_ranks_in_a_scan),
		cmocka_unit_test(a_rank_may_be_a_collective_ahead_from_the_first_one_on),
		cmocka_unit_test(a_collective_that_goes_on_is_waited_for_where_it_ends),
		cmocka_unit_test(collectives_that_go_on_and_others_count_together),
		cmocka_unit_test(a_call_waits_for_its_last_collective),
		cmocka_unit_test(members_of_two_groups_wait_for_the_other_one),
		cmocka_unit_test(so_do_they_where_it_goes_on),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
