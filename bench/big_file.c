/* SPDX-License-Identifier: BSD-3-Clause */
/* See the header. */
#include "bench/big_file.h"

#include "format/ids.h"

#include <stdlib.h>
#include <zlib.h>

#define MODULES 20
#define STEP 64 /* distance of consecutive places of a module */
#define SEED 88172645463325252u

static uint64_t random_state = SEED;

uint64_t big_random(void)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	return random_state ^= random_state << 17;
}

void big_random_begin(uint64_t more)
{
	random_state = SEED + more;
}

void big_put_section(FILE *file, uint32_t type, const ProtobufCMessage *message)
{
	size_t size = protobuf_c_message_get_packed_size(message);
	uint8_t *payload = malloc(size + 1);
	if (!payload)
		abort();
	protobuf_c_message_pack(message, payload);
	struct heddle_section_header header = {type, (uint32_t)crc32_z(0, payload, size), size};
	fwrite(&header, sizeof(header), 1, file);
	fwrite(payload, 1, size, file);
	free(payload);
}

void big_put_modules(FILE *file)
{
	Heddle__Profile__ModuleList list = HEDDLE__PROFILE__MODULE_LIST__INIT;
	Heddle__Profile__Module modules[MODULES], *pointers[MODULES];
	char paths[MODULES][32];
	for (unsigned m = 0; m < MODULES; m++) {
		heddle__profile__module__init(&modules[m]);
		snprintf(paths[m], sizeof(paths[m]), "/bench/module%u.so", m);
		modules[m].id = m + 1;
		modules[m].path = paths[m];
		pointers[m] = &modules[m];
	}
	list.n_modules = MODULES;
	list.modules = pointers;
	big_put_section(file, HEDDLE_SECTION_MODULES, &list.base);
}

uint64_t big_place(void)
{
	uint64_t module = big_random() % MODULES + 1;
	return HEDDLE_PLACE(module, big_random() % (BIG_OFFSETS / STEP) * STEP);
}

unsigned big_distance(unsigned node)
{
	unsigned reach = big_random() % 30 == 0 ? node : node < 3 ? node : 3;
	return 1 + (unsigned)(big_random() % reach);
}

struct big_tree big_tree_begin(unsigned nodes)
{
	struct big_tree tree = {.count = nodes};
	tree.rows = calloc((size_t)nodes * 3, sizeof(*tree.rows));
	tree.places = calloc(nodes, sizeof(*tree.places));
	if (!tree.rows || !tree.places)
		abort();
	big_random_begin(0);
	return tree;
}

void big_tree_add(struct big_tree *tree, unsigned distance, uint32_t kind, uint32_t event, uint64_t place)
{
	unsigned i = tree->filled++;
	tree->rows[tree->count + i] = kind;
	if (!i)
		return;
	tree->rows[i] = distance;
	tree->rows[(size_t)2 * tree->count + i] = event;
	tree->places[i] = (int64_t)(place - tree->before);
	tree->before = place;
}

void big_tree_put(FILE *file, struct big_tree *tree)
{
	Heddle__Profile__Tree message = HEDDLE__PROFILE__TREE__INIT;
	message.n_parent = message.n_kind = message.n_event = message.n_place = tree->count;
	message.parent = tree->rows;
	message.kind = tree->rows + tree->count;
	message.event = tree->rows + (size_t)2 * tree->count;
	message.place = tree->places;
	big_put_section(file, HEDDLE_SECTION_TREE, &message.base);
	free(tree->rows);
	free(tree->places);
}

unsigned big_number(int argc, char **argv, int at, unsigned otherwise)
{
	return at < argc ? (unsigned)strtoul(argv[at], NULL, 10) : otherwise;
}
