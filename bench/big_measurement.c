/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Generates a large measurement to test the reader with: P processes x T threads x N nodes, samples and CPU time at
 * every node. D percent of the nodes are in one process only, the rest in all processes.
 */
#include "bench/big_file.h"
#include "format/ids.h"
#include "heddle_profile.pb-c.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct shape {
	unsigned processes, threads, nodes, distinct;
	uint64_t start_unix_ns;
};

static void put_process(FILE *file, const struct shape *shape, unsigned number)
{
	Heddle__Profile__Process process = HEDDLE__PROFILE__PROCESS__INIT;
	process.program = "/bench/program";
	process.host = "bench";
	process.pid = 1000 + number;
	process.start_unix_ns = shape->start_unix_ns;
	process.duration_ns = 10000000000u;
	process.sample_source = "none";
	process.sample_clock = "cpu";
	process.sample_hz = 1000;
	process.ended_by = "exit";
	process.samples_taken = (uint64_t)shape->threads * shape->nodes;
	big_put_section(file, HEDDLE_SECTION_PROCESS, &process.base);
}

/* Some places occur in this process only. */
static void put_tree(FILE *file, const struct shape *shape, unsigned process)
{
	struct big_tree tree = big_tree_begin(shape->nodes);
	for (unsigned i = 0; i < shape->nodes; i++) {
		unsigned distance = i ? big_distance(i) : 0;
		uint64_t place = big_place();
		if (big_random() % 100 < shape->distinct)
			place += (uint64_t)process * BIG_OFFSETS + 1;
		big_tree_add(&tree, distance, i ? HEDDLE_NODE_FRAME : HEDDLE_NODE_ROOT, 0, place);
	}
	big_tree_put(file, &tree);
}

static void put_thread(FILE *file, const struct shape *shape, unsigned number)
{
	Heddle__Profile__Thread thread = HEDDLE__PROFILE__THREAD__INIT;
	Heddle__Profile__Column columns[2], *pointers[2] = {&columns[0], &columns[1]};
	unsigned n = shape->nodes;
	uint32_t *nodes = calloc(n, sizeof(*nodes));
	uint64_t *values = calloc((size_t)n * 2, sizeof(*values));
	if (!nodes || !values)
		abort();
	for (unsigned i = 0; i < n; i++) {
		nodes[i] = i != 0;
		values[i] = 1;
		values[n + i] = 1000000 + big_random() % 5000;
	}
	for (unsigned c = 0; c < 2; c++) {
		heddle__profile__column__init(&columns[c]);
		columns[c].metric = c;
		columns[c].n_node = columns[c].n_value = n;
		columns[c].node = nodes;
		columns[c].value = values + (size_t)c * n;
	}
	thread.id = number;
	thread.role = number ? "openmp worker" : "main";
	thread.threads = 1;
	thread.samples = n;
	thread.n_columns = 2;
	thread.columns = pointers;
	big_put_section(file, HEDDLE_SECTION_THREAD, &thread.base);
	free(nodes);
	free(values);
}

static int put_file(const char *directory, const struct shape *shape, unsigned process)
{
	char path[4096];
	struct heddle_file_header header = {HEDDLE_FILE_MAGIC, HEDDLE_FILE_VERSION, 0};
	Heddle__Profile__End end = HEDDLE__PROFILE__END__INIT;
	snprintf(path, sizeof(path), "%s/%06u.heddle", directory, process);
	FILE *file = fopen(path, "wb");
	if (!file)
		return -1;
	fwrite(&header, sizeof(header), 1, file);
	put_process(file, shape, process);
	big_put_modules(file);
	put_tree(file, shape, process);
	for (unsigned t = 0; t < shape->threads; t++)
		put_thread(file, shape, t);
	end.sections = 3 + shape->threads;
	end.threads = shape->threads;
	big_put_section(file, HEDDLE_SECTION_END, &end.base);
	return fclose(file);
}

int main(int argc, char **argv)
{
	if (argc < 3) {
		puts("usage: bench_big_measurement DIR THREADS [NODES=50000] [PROCESSES=1] [DISTINCT-PERCENT=0]\n\n"
		     "  bench_big_measurement /tmp/one 1000              time heddle report /tmp/one\n"
		     "  bench_big_measurement /tmp/many 1 50000 1000     time heddle report /tmp/many\n"
		     "  bench_big_measurement /tmp/mixed 1 50000 1000 1  time heddle report /tmp/mixed");
		return 2;
	}
	struct shape shape = {
		.threads = big_number(argc, argv, 2, 1),
		.nodes = big_number(argc, argv, 3, 50000),
		.processes = big_number(argc, argv, 4, 1),
		.distinct = big_number(argc, argv, 5, 0),
		.start_unix_ns = 1700000000000000000u,
	};
	/* Measurements in different directories are different runs, so they get different start times. */
	const char *slash = strrchr(argv[1], '/');
	for (const char *at = slash ? slash : argv[1]; *at; at++)
		shape.start_unix_ns += 31 * (shape.start_unix_ns % 1000003) + (unsigned char)*at;
	mkdir(argv[1], 0777);
	for (unsigned p = 0; p < shape.processes; p++) {
		if (put_file(argv[1], &shape, p) != 0) {
			perror(argv[1]);
			return 1;
		}
	}
	return 0;
}
