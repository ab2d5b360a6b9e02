/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A thread's time in a bounded number of pieces. Spans that are long, or in a range to be kept, are pieces of their
 * own; consecutive shorter spans are combined into one piece, with the time of each path in it. Whenever there are too
 * many pieces, the length below which spans are combined doubles, so any number of spans is added in one pass. Sums
 * over whole pieces are exact: always for states, and for paths except the few for which a piece has no room.
 */
#ifndef HEDDLE_EXPORT_TIMELINE_PIECES_H
#define HEDDLE_EXPORT_TIMELINE_PIECES_H

#include "profile/trace/trace.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define EXPORT_PIECE_PARTS 8
#define EXPORT_PIECE_NOTHING 255u      /* a state: the thread does not exist */
#define EXPORT_PIECE_OTHERS UINT32_MAX /* a node: several paths with that state */

struct export_piece_part {
	uint64_t ns;
	uint32_t node; /* of the view */
	uint8_t state; /* enum heddle_state, HEDDLE_ACTIVITY_OFF or EXPORT_PIECE_NOTHING */
};

struct export_piece {
	uint64_t from_ns, to_ns;
	bool kept;
	uint8_t count;
	struct export_piece_part parts[EXPORT_PIECE_PARTS];
};

struct export_pieces {
	uint64_t begin_ns;              /* of the first piece */
	struct profile_trace_part keep; /* spans in it are kept; if they are too many, keep.to_ns is moved */
	size_t parts_most, keep_most;   /* parts of all pieces that are not kept; kept pieces */
	uint64_t least_ns;              /* shorter spans were combined; 0: none */
	struct export_piece *items;     /* without gaps */
	size_t count, room, parts, kept;
};

/* Adds the next span: `from_ns` is not before the end of the previous one. Returns 0 or -ENOMEM. */
int export_pieces_add(
	struct export_pieces *pieces, const struct profile_trace_part *time, uint32_t node, uint8_t state);
void export_pieces_free(struct export_pieces *pieces);

#endif
