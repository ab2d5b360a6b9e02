/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Generates a large measurement of an MPI program to test the reader with: profiles of R ranks with N paths each, a
 * tenth of them calls, and the messages between them; and traces of M messages in total: nonblocking ones around a
 * ring, by four communicators in turn, with a collective after each hundred.
 */
#include "bench/big_file.h"
#include "format/ids.h"
#include "heddle_profile.pb-c.h"
#include "tests/profile/trace_builder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define GROUPS 4
#define STEP_NS 100000u  /* of a message */
#define CHUNK 200000u    /* bytes */
#define COLLECTIVES 100u /* messages before each one */

struct shape {
	unsigned ranks, nodes, messages; /* messages: that each rank sends in its trace */
};

enum call { SEND, RECV, ISEND, IRECV, WAITALL, BARRIER, ALLREDUCE, BCAST, INIT, CALLS };

static const struct {
	const char *name;
	uint32_t category, role;
} calls[CALLS] = {
	[SEND] = {"MPI_Send", HEDDLE_CATEGORY_COMMUNICATION, HEDDLE_EVENT_NO_ROLE},
	[RECV] = {"MPI_Recv", HEDDLE_CATEGORY_COMMUNICATION, HEDDLE_EVENT_NO_ROLE},
	[ISEND] = {"MPI_Isend", HEDDLE_CATEGORY_COMMUNICATION, HEDDLE_EVENT_NO_ROLE},
	[IRECV] = {"MPI_Irecv", HEDDLE_CATEGORY_COMMUNICATION, HEDDLE_EVENT_NO_ROLE},
	[WAITALL] = {"MPI_Waitall", HEDDLE_CATEGORY_COMMUNICATION, HEDDLE_EVENT_NO_ROLE},
	[BARRIER] = {"MPI_Barrier", HEDDLE_CATEGORY_BARRIER, HEDDLE_EVENT_MEMBERS},
	[ALLREDUCE] = {"MPI_Allreduce", HEDDLE_CATEGORY_COLLECTIVE, HEDDLE_EVENT_MUTUAL},
	[BCAST] = {"MPI_Bcast", HEDDLE_CATEGORY_COLLECTIVE, HEDDLE_EVENT_FROM_ROOT},
	[INIT] = {"MPI_Init", HEDDLE_CATEGORY_COMMUNICATION, HEDDLE_EVENT_SETUP},
};

static void put_process(FILE *file, const struct shape *shape, unsigned rank)
{
	Heddle__Profile__Process process = HEDDLE__PROFILE__PROCESS__INIT;
	Heddle__Profile__EventKind events[CALLS], *event_pointers[CALLS];
	Heddle__Profile__Model model = HEDDLE__PROFILE__MODEL__INIT, *models[] = {&model};
	static char *strings[GROUPS] = {"MPI_COMM_WORLD", "communicator of rows", "communicator of columns", "copy"};
	for (unsigned c = 0; c < CALLS; c++) {
		heddle__profile__event_kind__init(&events[c]);
		events[c].id = c + 1;
		events[c].model = "mpi";
		events[c].name = events[c].label = (char *)calls[c].name;
		events[c].category = calls[c].category;
		events[c].role = calls[c].role;
		event_pointers[c] = &events[c];
	}
	model.id = 1;
	model.name = "mpi";
	model.label = model.rank = "MPI";
	model.ranks = "MPI rank";
	process.n_models = 1;
	process.models = models;
	process.n_events = CALLS;
	process.events = event_pointers;
	process.n_strings = GROUPS;
	process.strings = strings;
	process.program = "/bench/ranks";
	process.host = rank % 2 ? "one" : "two";
	process.pid = 1000 + rank;
	process.start_unix_ns = 1700000000000000000u;
	process.duration_ns = (uint64_t)(shape->messages + 1) * STEP_NS;
	process.sample_source = "none";
	process.sample_clock = "cpu";
	process.ended_by = "exit";
	big_put_section(file, HEDDLE_SECTION_PROCESS, &process.base);
}

/* Every tenth node is a call, without nodes below it; the first calls are those of the trace. */
static int is_call(unsigned node)
{
	return node && (node <= CALLS || node % 10 == 0);
}

static unsigned distance_of(unsigned node)
{
	unsigned distance = big_distance(node);
	while (is_call(node - distance))
		distance++;
	return distance;
}

static void put_tree(FILE *file, const struct shape *shape)
{
	struct big_tree tree = big_tree_begin(shape->nodes);
	for (unsigned i = 0; i < shape->nodes; i++) {
		uint64_t place = big_place();
		uint32_t kind = !i ? HEDDLE_NODE_ROOT : is_call(i) ? HEDDLE_NODE_REGION : HEDDLE_NODE_FRAME;
		uint32_t event = !is_call(i) ? 0 : i <= CALLS ? i : 1 + i / 10 % BCAST;
		big_tree_add(&tree, i ? distance_of(i) : 0, kind, event, place);
	}
	big_tree_put(file, &tree);
}

#define ROWS 240 /* in the table of exchanges */

static void fill_exchanges(Heddle__Profile__Exchanges *exchanges, const struct shape *shape, unsigned rank)
{
	static uint32_t words[4][ROWS];
	static uint64_t longs[3][ROWS];
	for (unsigned i = 0; i < ROWS; i++) {
		words[0][i] = i % GROUPS + 1;
		words[1][i] = (rank + 1 + i / 12) % shape->ranks + 1;
		words[2][i] = i / 4 % 3 + 1;
		words[3][i] = 4 + i % 9;
		if (words[2][i] == HEDDLE_EXCHANGE_COLLECTIVE)
			words[1][i] = 0;
		longs[0][i] = 100;
		longs[1][i] = 100u << words[3][i];
		longs[2][i] = 500000 + big_random() % 5000;
	}
	exchanges->n_communicator = exchanges->n_partner = exchanges->n_kind = exchanges->n_bucket = ROWS;
	exchanges->n_messages = exchanges->n_bytes = exchanges->n_time_ns = ROWS;
	exchanges->communicator = words[0];
	exchanges->partner = words[1];
	exchanges->kind = words[2];
	exchanges->bucket = words[3];
	exchanges->messages = longs[0];
	exchanges->bytes = longs[1];
	exchanges->time_ns = longs[2];
}

static const uint32_t metrics[] = {
	HEDDLE_METRIC_WALL_TIME, HEDDLE_METRIC_VISITS, HEDDLE_METRIC_MESSAGE_WAIT, HEDDLE_METRIC_BYTES_SENT};
#define COLUMNS (sizeof(metrics) / sizeof(*metrics))

/* Only calls have values. */
static void put_thread(FILE *file, const struct shape *shape, unsigned rank)
{
	Heddle__Profile__Thread thread = HEDDLE__PROFILE__THREAD__INIT;
	Heddle__Profile__Exchanges exchanges = HEDDLE__PROFILE__EXCHANGES__INIT;
	Heddle__Profile__Column columns[COLUMNS], *pointers[COLUMNS];
	uint32_t *nodes = calloc(shape->nodes, sizeof(*nodes));
	uint64_t *values = calloc((size_t)shape->nodes * COLUMNS, sizeof(*values));
	unsigned count = 0, last = 0;
	if (!nodes || !values)
		abort();
	for (unsigned i = 1; i < shape->nodes; i++) {
		if (!is_call(i))
			continue;
		nodes[count] = i - last;
		last = i;
		for (size_t c = 0; c < COLUMNS; c++)
			values[c * shape->nodes + count] = 1000 + big_random() % 5000;
		count++;
	}
	for (size_t c = 0; c < COLUMNS; c++) {
		heddle__profile__column__init(&columns[c]);
		columns[c].metric = metrics[c];
		columns[c].n_node = columns[c].n_value = count;
		columns[c].node = nodes;
		columns[c].value = values + c * shape->nodes;
		pointers[c] = &columns[c];
	}
	fill_exchanges(&exchanges, shape, rank);
	thread.exchanges = &exchanges;
	thread.role = "main";
	thread.threads = 1;
	thread.rank = rank + 1;
	thread.rank_model = 1;
	thread.end_ns = (uint64_t)(shape->messages + 1) * STEP_NS;
	thread.n_columns = COLUMNS;
	thread.columns = pointers;
	big_put_section(file, HEDDLE_SECTION_THREAD, &thread.base);
	free(nodes);
	free(values);
}

/* ---- the trace ---- */

static uint64_t identity_of(const struct shape *shape, unsigned group)
{
	return (uint64_t)shape->ranks << 40 | (1000 + group);
}

/* Returns the time from the last record to the next one, which is at `ns`. */
static uint64_t until(const struct trace_builder *builder, uint64_t ns)
{
	return ns > builder->tick ? ns - builder->tick : 0;
}

static void put_message(struct trace_builder *builder, const struct shape *shape, unsigned rank, unsigned number)
{
	uint64_t start = (uint64_t)number * STEP_NS, group = number % GROUPS + 1, tag = number % 16 + 1;
	uint64_t to = (rank + 1) % shape->ranks + 1, from = (rank + shape->ranks - 1) % shape->ranks + 1;
	uint64_t begun = 3000 + big_random() % 20000;
	uint64_t receive = 2 * (uint64_t)number + 1, send = receive + 1;
	trace_begin(builder, until(builder, start + 1000), IRECV + 1, true);
	trace_message(builder, 0, HEDDLE_TRACE_EXPECTED, (uint64_t[]){group, from, tag, 0, receive});
	trace_end(builder, 500);
	trace_begin(builder, until(builder, start + begun), ISEND + 1, true);
	trace_message(builder, 0, HEDDLE_TRACE_SENT, (uint64_t[]){group, to, tag, 1024, send});
	trace_end(builder, 500);
	trace_begin(builder, 500, WAITALL + 1, true);
	uint64_t waits = until(builder, start + 30000 + big_random() % 1000);
	trace_message(builder, waits, HEDDLE_TRACE_RECEIVED, (uint64_t[]){group, from, tag, 1024, receive});
	trace_message(builder, waits, HEDDLE_TRACE_SEND_END, (uint64_t[]){group, 0, 0, 0, send});
	trace_end(builder, waits);
}

static void put_collective(struct trace_builder *builder, const struct shape *shape, unsigned number)
{
	uint64_t start = (uint64_t)number * STEP_NS;
	uint32_t call = number / COLLECTIVES % 2 ? BCAST : ALLREDUCE;
	trace_begin(builder, until(builder, start + 40000 + big_random() % 20000), call + 1, true);
	trace_attribute(builder, HEDDLE_TRACE_COMMUNICATOR, identity_of(shape, number / COLLECTIVES % GROUPS));
	if (call == BCAST)
		trace_attribute(builder, HEDDLE_TRACE_ROOT, 0);
	trace_end(builder, until(builder, start + 70000));
}

static void begin_chunk(struct trace_builder *builder, uint32_t order)
{
	trace_begin_chunk(builder, 0, order, builder->tick, 0);
	trace_stack(builder, 0, 0, NULL, 0);
}

static int put_trace(const char *path, const struct shape *shape, unsigned rank)
{
	struct trace_builder builder;
	uint32_t order = 0;
	big_random_begin((uint64_t)rank * 1000003);
	trace_start(&builder);
	trace_simple_info(&builder);
	trace_chain(&builder, shape->nodes);
	for (unsigned g = 0; g < GROUPS; g++)
		trace_groups(
			&builder, &(struct heddle_trace_group){identity_of(shape, g), g + 1, g + 1, rank, rank}, 1);
	begin_chunk(&builder, order);
	for (unsigned i = 0; i < shape->messages; i++) {
		put_message(&builder, shape, rank, i);
		if (i % COLLECTIVES == COLLECTIVES - 1)
			put_collective(&builder, shape, i);
		if (builder.size - builder.chunk < CHUNK)
			continue;
		trace_end_chunk(&builder);
		begin_chunk(&builder, ++order);
	}
	trace_end_chunk(&builder);
	int error = trace_write(&builder, path);
	trace_free(&builder);
	return error;
}

static int put_rank(const char *directory, const struct shape *shape, unsigned rank)
{
	char path[4096], trace[4096 + sizeof(HEDDLE_TRACE_SUFFIX)];
	struct heddle_file_header header = {HEDDLE_FILE_MAGIC, HEDDLE_FILE_VERSION, 0};
	Heddle__Profile__End end = HEDDLE__PROFILE__END__INIT;
	snprintf(path, sizeof(path), "%s/ranks.rank%06u.heddle", directory, rank);
	snprintf(trace, sizeof(trace), "%s%s", path, HEDDLE_TRACE_SUFFIX);
	FILE *file = fopen(path, "wb");
	if (!file)
		return -1;
	fwrite(&header, sizeof(header), 1, file);
	put_process(file, shape, rank);
	big_put_modules(file);
	put_tree(file, shape);
	put_thread(file, shape, rank);
	end.sections = 4;
	end.threads = 1;
	big_put_section(file, HEDDLE_SECTION_END, &end.base);
	if (fclose(file) != 0)
		return -1;
	return shape->messages ? put_trace(trace, shape, rank) : 0;
}

int main(int argc, char **argv)
{
	if (argc < 2) {
		puts("usage: bench_big_mpi DIR [RANKS=1000] [PATHS=50000] [MESSAGES=10000000]");
		return 2;
	}
	struct shape shape = {.ranks = big_number(argc, argv, 2, 1000), .nodes = big_number(argc, argv, 3, 50000)};
	shape.messages = big_number(argc, argv, 4, 10000000) / shape.ranks;
	mkdir(argv[1], 0777);
	for (unsigned r = 0; r < shape.ranks; r++) {
		if (put_rank(argv[1], &shape, r) != 0) {
			perror(argv[1]);
			return 1;
		}
	}
	return 0;
}
