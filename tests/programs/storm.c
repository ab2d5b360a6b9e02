/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * storm SECONDS LIBRARY...: a thread for each library loads it, burns in it through once > hot_entry > the library's
 * two functions, and unloads it, while all other threads do the same, until the process has used SECONDS of CPU time: a
 * busy machine takes longer, but no fewer samples.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define MAX_THREADS 16
static atomic_bool stop;
static atomic_long rounds, failed;

static __attribute__((noinline)) void once(const char *path)
{
	void (*entry)(double);
	void *library = dlopen(path, RTLD_NOW);
	if (!library) {
		atomic_fetch_add(&failed, 1);
		return;
	}
	*(void **)&entry = dlsym(library, "hot_entry");
	entry(0.05);
	dlclose(library);
	atomic_fetch_add(&rounds, 1);
}

static __attribute__((noinline)) void *storm(void *path)
{
	while (!atomic_load(&stop))
		once(path);
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t thread[MAX_THREADS];
	int threads = argc - 2 < MAX_THREADS ? argc - 2 : MAX_THREADS;
	if (threads < 1)
		return 98;
	for (int i = 0; i < threads; i++)
		pthread_create(&thread[i], NULL, storm, argv[i + 2]);
	while (clock() < atoi(argv[1]) * CLOCKS_PER_SEC)
		usleep(20000);
	atomic_store(&stop, true);
	for (int i = 0; i < threads; i++)
		pthread_join(thread[i], NULL);
	fprintf(stderr, "%ld rounds\n", atomic_load(&rounds));
	printf("%s, %ld failed\n", atomic_load(&rounds) > 100 ? "stormy" : "calm", atomic_load(&failed));
	return 0;
}
