/* SPDX-License-Identifier: BSD-3-Clause */
/* files WAY: a program that closes descriptors it never opened, has few of them, or none for output. */
#include "burn.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define THREADS 16
static pthread_barrier_t all_run;

static NOINLINE void burn_here(double ms)
{
	burn_ms(ms);
}

static void *burn_in_thread(void *unused)
{
	pthread_barrier_wait(&all_run);
	burn_here(20);
	pthread_barrier_wait(&all_run);
	return unused;
}

static void start_threads(pthread_t *thread)
{
	pthread_barrier_init(&all_run, NULL, THREADS + 1);
	for (int i = 0; i < THREADS; i++) {
		if (pthread_create(&thread[i], NULL, burn_in_thread, NULL) != 0)
			printf("thread %d not created\n", i);
	}
	pthread_barrier_wait(&all_run);
}

static void end_threads(pthread_t *thread)
{
	pthread_barrier_wait(&all_run);
	for (int i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
}

/* Opens files and writes a different value to each; intact_files() checks that no one else wrote or closed them. */
static int open_files(int *fd, int count)
{
	int opened = 0;
	for (int i = 0; i < count; i++) {
		char name[] = "/tmp/heddle-files-XXXXXX";
		fd[i] = mkstemp(name);
		if (fd[i] < 0)
			continue;
		unlink(name);
		opened += write(fd[i], &i, sizeof i) == sizeof i;
	}
	return opened;
}

static int intact_files(const int *fd, int count)
{
	int intact = 0;
	for (int i = 0; i < count; i++) {
		struct stat st;
		int value = -1;
		intact += fstat(fd[i], &st) == 0 && st.st_size == sizeof i &&
			  pread(fd[i], &value, sizeof value, 0) == sizeof value && value == i && close(fd[i]) == 0;
	}
	return intact;
}

/* Closes all descriptors, as daemons do; its own files then get these numbers, while threads are created and end. */
static void close_all(void)
{
	int fd[100];
	pthread_t thread[THREADS];
	burn_here(50);
	for (int i = 3; i < 1024; i++)
		close(i);
	int opened = open_files(fd, 100);
	start_threads(thread);
	end_threads(thread);
	burn_here(50);
	printf("%d files opened, %d intact\n", opened, intact_files(fd, 100));
}

/* Does the same as close_all() by close_range, while threads run. */
static void close_in_threads(void)
{
	int fd[100];
	pthread_t thread[THREADS];
	start_threads(thread);
	close_range(3, ~0u, 0);
	int opened = open_files(fd, 100);
	end_threads(thread);
	burn_here(50);
	printf("%d files opened, %d intact\n", opened, intact_files(fd, 100));
}

static NOINLINE void burn_later(double ms)
{
	burn_ms(ms);
}

static void dup_over(void)
{
	int null = open("/dev/null", O_RDWR);
	for (int i = null + 1; i < 1024; i++)
		dup2(null, i);
}

static void close_one_by_one(void)
{
	for (int i = 3; i < 1024; i++)
		close(i);
}

/* Burns in the main thread and in others, before and after all descriptors were closed in one way. */
static void *burn_before_and_after(void *unused)
{
	burn_here(20);
	pthread_barrier_wait(&all_run);
	pthread_barrier_wait(&all_run);
	burn_later(40);
	return unused;
}

static void lose(const char *way)
{
	pthread_t thread[4];
	pthread_barrier_init(&all_run, NULL, 5);
	for (int i = 0; i < 4; i++)
		pthread_create(&thread[i], NULL, burn_before_and_after, NULL);
	burn_here(40);
	pthread_barrier_wait(&all_run);
	if (strcmp(way, "one_by_one") == 0)
		close_one_by_one();
	else if (strcmp(way, "range") == 0)
		close_range(3, ~0u, 0);
	else if (strcmp(way, "from") == 0)
		closefrom(3);
	else
		dup_over();
	pthread_barrier_wait(&all_run);
	burn_later(100);
	for (int i = 0; i < 4; i++)
		pthread_join(thread[i], NULL);
}

/* Limits the process to 20 descriptors: enough for the program and its 16 threads, which need none. */
static void few(void)
{
	int fd[16];
	pthread_t thread[THREADS];
	struct rlimit limit;
	getrlimit(RLIMIT_NOFILE, &limit);
	limit.rlim_cur = 20;
	setrlimit(RLIMIT_NOFILE, &limit);
	start_threads(thread);
	int opened = open_files(fd, 16);
	end_threads(thread);
	printf("%d files opened, %d intact\n", opened, intact_files(fd, 16));
}

/* A new descriptor of the program gets the lowest free number. */
static void lowest(void)
{
	int a = open("/dev/null", O_RDONLY), b = dup(a);
	printf("descriptors %d and %d\n", a, b);
	burn_here(50);
}

/* Closes the standard descriptors. The program's files get their numbers, and no one else writes to them. */
static void close_standard(const char *path)
{
	for (int i = 0; i < 3; i++)
		close(i);
	for (int i = 0; i < 3; i++) {
		if (open(path, O_CREAT | O_RDWR | O_APPEND, 0600) != i)
			_exit(90 + i);
	}
	burn_here(100);
	printf("line on stdout\n");
	fflush(stdout);
	fprintf(stderr, "line on stderr\n");
	exit(6);
}

int main(int argc, char **argv)
{
	const char *way = argc > 1 ? argv[1] : "";
	if (strcmp(way, "close_all") == 0)
		close_all();
	else if (strcmp(way, "close_in_threads") == 0)
		close_in_threads();
	else if (strcmp(way, "few") == 0)
		few();
	else if (strcmp(way, "lowest") == 0)
		lowest();
	else if (strcmp(way, "lose") == 0 && argc > 2)
		lose(argv[2]);
	else if (strcmp(way, "close_standard") == 0 && argc > 2)
		close_standard(argv[2]);
	else
		return 98;
	return 0;
}
