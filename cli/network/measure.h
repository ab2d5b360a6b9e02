/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * `heddle doctor --network`: compiles a small UPC program from the installation, runs it on this machine's shared
 * memory or as the ranks of a launcher, and prints the costs of accesses.
 */
#ifndef HEDDLE_CLI_NETWORK_MEASURE_H
#define HEDDLE_CLI_NETWORK_MEASURE_H

struct heddle_network_options {
	const char *launcher; /* such as "mpirun -n 4"; NULL: none, or this command is a rank */
	const char *output;   /* a file to write; NULL: none */
	unsigned threads;     /* without a launcher; 0: 2 */
};

/* Returns an exit status. */
int heddle__network_measure(const struct heddle_network_options *options);

struct heddle_network;
void heddle__network_print(const struct heddle_network *network);

#endif
