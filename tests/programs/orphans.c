/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * orphans ends|allocates: main allocates 10,000 blocks of 1,000 bytes, which two unmeasured threads free. Then main
 * ends, or allocates one more block.
 */
#include <heddle/heddle.h>

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCKS = 10000 };

static void *volatile blocks[BLOCKS];

static void produce(void)
{
	for (int i = 0; i < BLOCKS; i++)
		blocks[i] = malloc(1000);
}

static void *free_half(void *first)
{
	for (size_t i = (size_t)first; i < BLOCKS; i += 2)
		free(blocks[i]);
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t threads[2];
	produce();
	heddle_unmeasured_threads(1);
	for (size_t i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, free_half, (void *)i);
	heddle_unmeasured_threads(0);
	for (size_t i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	if (argc > 1 && strcmp(argv[1], "allocates") == 0)
		free(malloc(10));
	return 0;
}
