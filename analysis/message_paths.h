/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls that exchange data between ranks, by call path. */
#ifndef HEDDLE_ANALYSIS_MESSAGE_PATHS_H
#define HEDDLE_ANALYSIS_MESSAGE_PATHS_H

#include "profile/view/view.h"

struct heddle_message_path {
	uint32_t node;                         /* of the view */
	uint64_t calls, received, sent, in_ns; /* received, sent: bytes; in_ns: time of all ranks in the calls */
};

/* Paths with bytes or messages, sorted by bytes, then by time, the largest first. */
struct heddle_message_paths {
	struct heddle_message_path *rows;
	size_t count;
	uint64_t bytes; /* of all paths */
};

/* Returns 0 or -ENOMEM, after which there is nothing to free. */
int heddle__message_paths_make(struct heddle_message_paths *paths, const struct profile_view *view);
void heddle__message_paths_free(struct heddle_message_paths *paths);

/* Returns "main;solve;MPI_Send @solve.c:41", without the root, to be freed; NULL: no memory. */
char *heddle__message_path_text(const struct profile_view *view, uint32_t node);

#endif
