/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/core/read_back.h"

#include <stdlib.h>

#include "profile/file/process_decode.h"

struct read_back {
	struct profile_file file;
	struct profile_decoded decoded;
};

struct read_back *read_back_open(const char *path, int *error)
{
	struct read_back *back = calloc(1, sizeof(*back));
	*error = profile_file_open(&back->file, path);
	if (!*error) {
		*error = profile_decode(&back->decoded, &back->file, 1);
		if (!*error)
			return back;
		profile_file_close(&back->file);
	}
	free(back);
	return NULL;
}

void read_back_close(struct read_back *back)
{
	profile_decoded_free(&back->decoded);
	profile_file_close(&back->file);
	free(back);
}

const char *read_back_ended_by(const struct read_back *back)
{
	return back->decoded.process->ended_by;
}

size_t read_back_threads(const struct read_back *back)
{
	return back->decoded.thread_count;
}

uint32_t read_back_thread(const struct read_back *back, size_t index)
{
	return back->decoded.threads[index].id;
}

size_t read_back_nodes(const struct read_back *back)
{
	return back->decoded.tree.node_count;
}

void read_back_node(const struct read_back *back, uint32_t node, uint32_t *parent, uint32_t *kind, const char **event,
	uint64_t *offset)
{
	const struct profile_node *there = &back->decoded.tree.nodes[node];
	*parent = there->parent;
	*kind = there->kind;
	*event = there->kind == HEDDLE_NODE_REGION ? back->decoded.tree.events[there->event].name : "";
	*offset = HEDDLE_PLACE_OFFSET(there->place);
}

uint64_t read_back_value(const struct read_back *back, uint32_t id, uint32_t metric, uint32_t node)
{
	uint64_t value = 0;
	for (size_t i = 0; i < back->file.section_count; i++) {
		const struct profile_file_section *section = &back->file.sections[i];
		Heddle__Profile__Thread *thread;
		if (section->type != HEDDLE_SECTION_THREAD || profile_decode_thread(section, back->decoded.process,
								      back->decoded.tree.node_count, &thread) != 0)
			continue;
		for (size_t c = 0; thread->id == id && c < thread->n_columns; c++) {
			const Heddle__Profile__Column *column = thread->columns[c];
			for (size_t n = 0; column->metric == metric && n < column->n_node; n++)
				value += column->node[n] == node ? column->value[n] : 0;
		}
		heddle__profile__thread__free_unpacked(thread, NULL);
	}
	return value;
}
