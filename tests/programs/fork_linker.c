/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Forks while another thread, Heddle's, is in dl_iterate_phdr. The dynamic linker's lock must be free in the child.
 * Link with -rdynamic, so that libheddle.so calls the function of this name in this file.
 */
#include "../support/patience.h"

#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static _Atomic int inside, done;
static pid_t main_thread;

static void nap(void)
{
	nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
}

static int visit_slowly(struct dl_phdr_info *info, size_t size, void *data)
{
	(void)info, (void)size, (void)data;
	atomic_store(&inside, 1);
	for (int i = 0; i < 40; i++)
		nap();
	return 1;
}

static int visit(struct dl_phdr_info *info, size_t size, void *data)
{
	(void)info, (void)size, (void)data;
	return 1;
}

int dl_iterate_phdr(int (*callback)(struct dl_phdr_info *, size_t, void *), void *data)
{
	static _Atomic int slow;
	int (*real)(int (*)(struct dl_phdr_info *, size_t, void *), void *) = dlsym(RTLD_NEXT, "dl_iterate_phdr");
	if (main_thread && gettid() != main_thread && !atomic_exchange(&slow, 1))
		real(visit_slowly, NULL);
	return real(callback, data);
}

static void *wait_for_end(void *unused)
{
	while (!atomic_load(&done))
		nap();
	return unused;
}

int main(void)
{
	pthread_t thread;
	int status = -1;
	main_thread = gettid();
	pthread_create(&thread, NULL, wait_for_end, NULL);
	for (int i = 0; i < 200 && !atomic_load(&inside); i++)
		nap();
	fprintf(stderr, "%s\n", atomic_load(&inside) ? "a thread holds the lock" : "no thread does");
	pid_t child = fork();
	if (child == 0) {
		alarm(patience() / 24);
		dl_iterate_phdr(visit, NULL);
		_exit(0);
	}
	waitpid(child, &status, 0);
	printf("the child ended with %d\n", status);
	atomic_store(&done, 1);
	pthread_join(thread, NULL);
	return 0;
}
