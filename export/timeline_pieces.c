/* SPDX-License-Identifier: BSD-3-Clause */
/* Pieces of a thread's time. Neighbours are combined from the first to the last, except those that are kept. */
#include "export/timeline_pieces.h"

#include "profile/base/intern.h"

#include <errno.h>
#include <stdlib.h>

static uint64_t length_of(const struct export_piece *piece)
{
	return piece->to_ns - piece->from_ns;
}

/* ---- the parts of a piece ---- */

static struct export_piece_part *find_part(struct export_piece *piece, uint32_t node, uint8_t state)
{
	for (size_t i = 0; i < piece->count; i++)
		if (piece->parts[i].node == node && piece->parts[i].state == state)
			return &piece->parts[i];
	return NULL;
}

/* Returns the path with the least time; NULL: there are only sums of states. */
static struct export_piece_part *least_path(struct export_piece *piece)
{
	struct export_piece_part *least = NULL;
	for (size_t i = 0; i < piece->count; i++) {
		struct export_piece_part *part = &piece->parts[i];
		if (part->node != EXPORT_PIECE_OTHERS && (!least || part->ns < least->ns))
			least = part;
	}
	return least;
}

/* Adds paths with little time to the sums of their states, until a part is free. */
static void make_room(struct export_piece *piece)
{
	struct export_piece_part *least;
	while (piece->count == EXPORT_PIECE_PARTS && (least = least_path(piece))) {
		struct export_piece_part *sum = find_part(piece, EXPORT_PIECE_OTHERS, least->state);
		least->node = EXPORT_PIECE_OTHERS;
		if (!sum)
			continue;
		sum->ns += least->ns;
		*least = piece->parts[--piece->count];
	}
}

static void add_part(struct export_piece *piece, const struct export_piece_part *added)
{
	struct export_piece_part *part = find_part(piece, added->node, added->state);
	if (!part && piece->count == EXPORT_PIECE_PARTS) {
		make_room(piece);
		part = find_part(piece, EXPORT_PIECE_OTHERS, added->state);
	}
	if (!part && piece->count == EXPORT_PIECE_PARTS)
		part = &piece->parts[0]; /* there are more states than parts */
	if (part)
		part->ns += added->ns;
	else
		piece->parts[piece->count++] = *added;
}

static void append(struct export_piece *piece, const struct export_piece *next)
{
	piece->to_ns = next->to_ns;
	for (size_t i = 0; i < next->count; i++)
		add_part(piece, &next->parts[i]);
}

/* ---- fewer pieces ---- */

static bool is_short(const struct export_pieces *pieces, const struct export_piece *piece)
{
	return !piece->kept && length_of(piece) < pieces->least_ns;
}

static void put_together(struct export_pieces *pieces)
{
	size_t count = 0, parts = 0;
	for (size_t i = 0; i < pieces->count; i++) {
		struct export_piece *last = count ? &pieces->items[count - 1] : NULL;
		if (last && is_short(pieces, last) && is_short(pieces, &pieces->items[i]))
			append(last, &pieces->items[i]);
		else
			pieces->items[count++] = pieces->items[i];
	}
	for (size_t i = 0; i < count; i++)
		parts += pieces->items[i].kept ? 0 : pieces->items[i].count;
	pieces->count = count;
	pieces->parts = parts;
}

static void make_coarser(struct export_pieces *pieces)
{
	uint64_t whole = pieces->items[pieces->count - 1].to_ns - pieces->items[0].from_ns;
	uint64_t first = whole / (16 * pieces->parts_most + 1) + 1;
	while (pieces->parts > pieces->parts_most / 2 && pieces->least_ns <= whole) {
		pieces->least_ns = pieces->least_ns ? 2 * pieces->least_ns : first;
		put_together(pieces);
	}
}

/* ---- adding ---- */

/* If there is no room for a piece, the range that is kept ends before it. */
static bool is_kept(struct export_pieces *pieces, const struct export_piece *piece)
{
	if (piece->from_ns < pieces->keep.from_ns || piece->to_ns > pieces->keep.to_ns)
		return false;
	if (pieces->kept < pieces->keep_most)
		return true;
	pieces->keep.to_ns = piece->from_ns;
	return false;
}

static bool is_same(const struct export_piece *last, const struct export_piece *next)
{
	return last->count == 1 && last->kept == next->kept && last->parts[0].node == next->parts[0].node &&
	       last->parts[0].state == next->parts[0].state;
}

static int add_piece(struct export_pieces *pieces, struct export_piece *next)
{
	struct export_piece *last = pieces->count ? &pieces->items[pieces->count - 1] : NULL;
	next->kept = is_kept(pieces, next);
	if (last && (is_same(last, next) || (is_short(pieces, last) && is_short(pieces, next)))) {
		pieces->parts -= last->kept ? 0 : last->count;
		append(last, next);
		pieces->parts += last->kept ? 0 : last->count;
	} else {
		int error = profile_reserve(&pieces->items, &pieces->room, pieces->count + 1, sizeof(*pieces->items));
		if (error)
			return error;
		pieces->items[pieces->count++] = *next;
		pieces->kept += next->kept;
		pieces->parts += next->kept ? 0 : next->count;
	}
	if (pieces->parts > pieces->parts_most)
		make_coarser(pieces);
	return 0;
}

static int add_span(struct export_pieces *pieces, uint64_t from_ns, uint64_t to_ns, uint32_t node, uint8_t state)
{
	struct export_piece next = {from_ns, to_ns, false, 1, {{to_ns - from_ns, node, state}}};
	return from_ns < to_ns ? add_piece(pieces, &next) : 0;
}

int export_pieces_add(struct export_pieces *pieces, const struct profile_trace_part *time, uint32_t node, uint8_t state)
{
	uint64_t end_ns = pieces->count ? pieces->items[pieces->count - 1].to_ns : pieces->begin_ns;
	int error = add_span(pieces, end_ns, time->from_ns, 0, EXPORT_PIECE_NOTHING);
	return error ? error : add_span(pieces, time->from_ns, time->to_ns, node, state);
}

void export_pieces_free(struct export_pieces *pieces)
{
	free(pieces->items);
	pieces->items = NULL;
}
