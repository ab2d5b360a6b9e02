/* SPDX-License-Identifier: BSD-3-Clause */
/* Pieces of a page's timeline: none is lost, long and kept pieces are unchanged, and their number has a limit. */
#include "export/timeline_pieces.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#define STATES 3

static void add(struct export_pieces *pieces, uint64_t from_ns, uint64_t to_ns, uint32_t node, uint8_t state)
{
	const struct profile_trace_part time = {from_ns, to_ns};
	assert_int_equal(export_pieces_add(pieces, &time, node, state), 0);
}

/* Adds up the times of each state; the last sum is that of -1. Checks that pieces and parts leave no gaps. */
static void add_up(const struct export_pieces *pieces, uint64_t sums[STATES + 1])
{
	uint64_t at = pieces->begin_ns;
	for (size_t i = 0; i < pieces->count; i++) {
		const struct export_piece *piece = &pieces->items[i];
		uint64_t all = 0;
		assert_int_equal(piece->from_ns, at);
		at = piece->to_ns;
		for (size_t p = 0; p < piece->count; p++) {
			uint8_t state = piece->parts[p].state;
			sums[state == EXPORT_PIECE_NOTHING ? STATES : state] += piece->parts[p].ns;
			all += piece->parts[p].ns;
		}
		assert_int_equal(all, piece->to_ns - piece->from_ns);
	}
}

static void few_spans_are_as_they_were(void **state)
{
	(void)state;
	struct export_pieces pieces = {.begin_ns = 100, .parts_most = 64};
	add(&pieces, 150, 160, 1, 0);
	add(&pieces, 160, 170, 1, 0); /* continues the one before */
	add(&pieces, 170, 171, 2, 1);
	add(&pieces, 180, 190, 2, 1);
	assert_int_equal(pieces.count, 5);
	assert_int_equal(pieces.least_ns, 0);
	assert_int_equal(pieces.items[0].parts[0].state, EXPORT_PIECE_NOTHING);
	assert_int_equal(pieces.items[1].to_ns, 170);
	assert_int_equal(pieces.items[3].parts[0].state, EXPORT_PIECE_NOTHING);
	export_pieces_free(&pieces);
}

static void many_spans_become_few_pieces_with_the_same_sums(void **state)
{
	(void)state;
	uint64_t wanted[STATES + 1] = {0}, sums[STATES + 1] = {0}, at = 0;
	unsigned random = 1;
	struct export_pieces pieces = {.parts_most = 100};
	for (int i = 0; i < 100000; i++) {
		random = random * 1664525u + 1013904223u;
		uint64_t length = (random >> 24) + 1, gap = random % 7 == 0 ? 3 : 0;
		uint8_t kind = (uint8_t)(random >> 8) % STATES;
		add(&pieces, at + gap, at + gap + length, (random >> 12) % 40, kind);
		wanted[kind] += length;
		wanted[STATES] += gap;
		at += gap + length;
	}
	add_up(&pieces, sums);
	for (int k = 0; k <= STATES; k++)
		assert_int_equal(sums[k], wanted[k]);
	assert_true(pieces.parts <= pieces.parts_most && pieces.count > 5);
	assert_true(pieces.least_ns > 255);
	export_pieces_free(&pieces);
}

static void long_spans_stay_among_short_ones(void **state)
{
	(void)state;
	struct export_pieces pieces = {.parts_most = 64};
	for (uint64_t i = 0; i < 10000; i++)
		add(&pieces, i * 10, i * 10 + 10, i % 5, 0);
	add(&pieces, 100000, 150000, 7, 1);
	for (uint64_t i = 0; i < 10000; i++)
		add(&pieces, 150000 + i * 10, 150000 + i * 10 + 10, i % 5, 0);
	for (size_t i = 0; i < pieces.count; i++)
		if (pieces.items[i].from_ns == 100000 && pieces.items[i].to_ns == 150000) {
			assert_int_equal(pieces.items[i].count, 1);
			export_pieces_free(&pieces);
			return;
		}
	fail();
}

static void a_range_is_kept_as_long_as_there_is_room(void **state)
{
	(void)state;
	struct export_pieces pieces = {.parts_most = 32, .keep = {5000, 8000}, .keep_most = 100};
	for (uint64_t i = 0; i < 1000; i++)
		add(&pieces, i * 10, i * 10 + 10, (uint32_t)i, 0);
	size_t kept = 0;
	for (size_t i = 0; i < pieces.count; i++) {
		const struct export_piece *piece = &pieces.items[i];
		bool within = piece->from_ns >= pieces.keep.from_ns && piece->to_ns <= pieces.keep.to_ns;
		assert_int_equal(piece->kept, within);
		kept += within && piece->to_ns - piece->from_ns == 10;
	}
	assert_int_equal(kept, 100);
	assert_int_equal(pieces.keep.to_ns, 6000);
	assert_true(pieces.parts <= 32);
	export_pieces_free(&pieces);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(few_spans_are_as_they_were),
		cmocka_unit_test(many_spans_become_few_pieces_with_the_same_sums),
		cmocka_unit_test(long_spans_stay_among_short_ones),
		cmocka_unit_test(a_range_is_kept_as_long_as_there_is_room),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
