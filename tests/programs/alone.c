/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * alone WAY [NUMBER]: makes calls whose result depends on the other threads of the process, and prints the results.
 * They contain no addresses and times, so the output is the same under a profiler that leaves the program alone.
 */
#include "burn.h"

#include <dirent.h>
#include <errno.h>
#include <grp.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/fsuid.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { NOBODY = 65534, STRANGER = 54321 };

static volatile double x;
static pthread_barrier_t barrier;

static void burn(double seconds)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	double end = (double)t.tv_sec + (double)t.tv_nsec / 1e9 + seconds * burn_share;
	do {
		for (int i = 0; i < 10000; i++)
			x += i;
		clock_gettime(CLOCK_MONOTONIC, &t);
	} while ((double)t.tv_sec + (double)t.tv_nsec / 1e9 < end);
}

static double cpu_time(void)
{
	struct timespec t;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* Uses that much CPU time of this thread, counted from now: a busy machine takes longer. */
static void work(double seconds)
{
	double end = cpu_time() + seconds;
	do {
		for (int i = 0; i < 10000; i++)
			x += i;
	} while (cpu_time() < end);
}

static void say(const char *what, long result)
{
	printf("%s: %s\n", what, result < 0 ? strerror(errno) : "done");
}

/* Returns the number in a line of a status file such as /proc/self/status, or -1. */
static long status_of(const char *file, const char *line)
{
	char text[256];
	long number = -1;
	FILE *status = fopen(file, "r");
	while (status && fgets(text, sizeof text, status))
		if (strncmp(text, line, strlen(line)) == 0)
			number = strtol(text + strlen(line), NULL, 10);
	if (status)
		fclose(status);
	return number;
}

static int count_tasks(void)
{
	int count = 0;
	DIR *tasks = opendir("/proc/self/task");
	while (tasks && readdir(tasks))
		count++;
	if (tasks)
		closedir(tasks);
	return count - 2;
}

static void *wait_on_barrier(void *unused)
{
	pthread_barrier_wait(&barrier);
	pthread_barrier_wait(&barrier);
	return unused;
}

static void *do_nothing(void *unused)
{
	return unused;
}

static void *wait_for_ever(void *unused)
{
	pause();
	return unused;
}

static int create_until_refused(int most)
{
	int count = 0;
	pthread_t thread;
	while (count < most && pthread_create(&thread, NULL, wait_for_ever, NULL) == 0)
		count++;
	return count;
}

/* The process has one thread throughout. It runs for a moment, so that a sampling profiler takes samples. */
static void count(void)
{
	for (int i = 0; i < 3; i++) {
		printf("%d tasks, %ld threads\n", count_tasks(), status_of("/proc/self/status", "Threads:"));
		burn(0.05);
	}
}

/* Creates a second thread and waits until it has ended in the kernel, too. */
static void have_had_thread(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, do_nothing, NULL);
	burn(0.05);
	pthread_join(thread, NULL);
	burn(0.05);
}

static void after_threads(void)
{
	have_had_thread();
	say("raw unshare", syscall(SYS_unshare, CLONE_NEWUSER));
}

static void with_function(void)
{
	have_had_thread();
	say("unshare", unshare(CLONE_NEWUSER));
}

/* Makes the system call without the C library, where no wrapper sees it. */
static void past_library(void)
{
	long result = SYS_unshare;
	burn(0.05);
#if defined(__x86_64__)
	__asm__ volatile("syscall" : "+a"(result) : "D"((long)CLONE_NEWUSER) : "rcx", "r11", "memory");
#else
	result = syscall(SYS_unshare, CLONE_NEWUSER) < 0 ? -errno : 0;
#endif
	errno = result < 0 ? (int)-result : 0;
	say("unshare by instruction", result);
}

static void drop_capabilities(void)
{
	struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
	struct __user_cap_data_struct none[2] = {{0, 0, 0}, {0, 0, 0}};
	syscall(SYS_capset, &header, none);
}

static void *drop_and_wait(void *unused)
{
	drop_capabilities();
	return wait_on_barrier(unused);
}

/* All threads give up their capabilities, so the C library's setresuid fails in each. It aborts if one kept
 * them. */
static void each_capset(void)
{
	pthread_t thread[2];
	pthread_barrier_init(&barrier, NULL, 3);
	for (int i = 0; i < 2; i++)
		pthread_create(&thread[i], NULL, drop_and_wait, NULL);
	burn(0.05);
	drop_capabilities();
	pthread_barrier_wait(&barrier);
	say("setresuid", setresuid(NOBODY, NOBODY, NOBODY));
	say("setgroups", setgroups(0, NULL));
	pthread_barrier_wait(&barrier);
	for (int i = 0; i < 2; i++)
		pthread_join(thread[i], NULL);
}

/* Counts the threads without no_new_privs: only the program's two other threads, which were created before the call. */
static void no_new_privileges(void)
{
	char file[300];
	int without = 0;
	pthread_t thread[2];
	pthread_barrier_init(&barrier, NULL, 3);
	for (int i = 0; i < 2; i++)
		pthread_create(&thread[i], NULL, wait_on_barrier, NULL);
	pthread_barrier_wait(&barrier);
	burn(0.05);
	say("no_new_privs", prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0));
	burn(0.05);
	DIR *tasks = opendir("/proc/self/task");
	for (struct dirent *entry; (entry = readdir(tasks));) {
		snprintf(file, sizeof file, "/proc/self/task/%s/status", entry->d_name);
		without += status_of(file, "NoNewPrivs:") == 0;
	}
	closedir(tasks);
	printf("%d threads without\n", without);
	pthread_barrier_wait(&barrier);
	for (int i = 0; i < 2; i++)
		pthread_join(thread[i], NULL);
}

/* Sets all ids by all functions while threads are created and end, and while a signal handler sets ids, too. */
static void handle_alarm(int number)
{
	int saved = errno;
	(void)number;
	syscall(SYS_setgid, getegid()); /* the C library's function would wait for the interrupted one */
	errno = saved;
}

static void *come_and_go(void *stop)
{
	while (!__atomic_load_n((int *)stop, __ATOMIC_RELAXED)) {
		pthread_t thread;
		if (pthread_create(&thread, NULL, do_nothing, NULL) == 0)
			pthread_join(thread, NULL);
	}
	return NULL;
}

static void storm(void)
{
	int stop = 0, failed = 0;
	pthread_t thread;
	struct itimerval often = {{0, 3000}, {0, 3000}}, never = {{0, 0}, {0, 0}};
	signal(SIGALRM, handle_alarm);
	pthread_create(&thread, NULL, come_and_go, &stop);
	setitimer(ITIMER_REAL, &often, NULL);
	for (int i = 0; i < 150; i++) {
		failed += setuid(getuid()) != 0;
		failed += setreuid(getuid(), geteuid()) != 0;
		failed += seteuid(geteuid()) != 0;
		failed += setresgid(getgid(), getegid(), (gid_t)-1) != 0;
		failed += setregid(getgid(), getegid()) != 0;
		failed += setgid(getgid()) != 0;
		setfsuid(geteuid());
		setfsgid(getegid());
		burn(0.001);
	}
	setitimer(ITIMER_REAL, &never, NULL);
	__atomic_store_n(&stop, 1, __ATOMIC_RELAXED);
	pthread_join(thread, NULL);
	printf("%d failed\n", failed);
}

/* Creates as many threads as RLIMIT_NPROC allows the user. */
static void processes(int limit)
{
	struct rlimit most = {(rlim_t)limit, (rlim_t)limit};
	if (setresgid(STRANGER, STRANGER, STRANGER) || setresuid(STRANGER, STRANGER, STRANGER) ||
		setrlimit(RLIMIT_NPROC, &most))
		puts("cannot become another user");
	printf("%d threads\n", create_until_refused(limit + 1));
}

/* Creates as many threads as fit in memory. Prints the size of the address space to standard error. */
static void space(int most)
{
	printf("%d threads\n", create_until_refused(most));
	fprintf(stderr, "size %ld\n", status_of("/proc/self/status", "VmSize:"));
}

/* Creates a thread, then installs a filter for all threads that kills the process if it creates another one. */
static void filter(int how)
{
	struct sock_filter rules[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 2, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone3, 1, 0),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
	};
	struct sock_fprog program = {sizeof rules / sizeof rules[0], rules};
	pthread_t thread;
	pthread_barrier_init(&barrier, NULL, 2);
	pthread_create(&thread, NULL, wait_on_barrier, NULL);
	pthread_barrier_wait(&barrier);
	burn(0.05);
	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	if (how == 0)
		say("filter", prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0));
	else
		say("filter", syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program));
	work(0.3);
	pthread_barrier_wait(&barrier);
	pthread_join(thread, NULL);
	puts("alive");
}

/* Allows only writing and exiting: by a filter that kills (0) or returns an error (1), or by strict mode (2). */
static void confine(int how)
{
	unsigned int otherwise = how ? SECCOMP_RET_ERRNO | 1 : SECCOMP_RET_KILL_PROCESS;
	struct sock_filter rules[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_write, 3, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_rt_sigreturn, 2, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_exit_group, 1, 0),
		BPF_STMT(BPF_RET | BPF_K, otherwise),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = {sizeof rules / sizeof rules[0], rules};
	work(0.1);
	fflush(stdout);
	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	if (how == 2)
		prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT);
	else
		syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program);
	for (int i = 0; i < 100000000; i++)
		x += i;
	if (write(1, "alive\n", 6) != 6)
		return;
	if (how == 2)
		syscall(SYS_exit, 5);
	_exit(5);
}

/* Makes mkdirat wait for the filter's listener, which never answers. UNSEEN: without the C library and its wrappers. */
static long install_listener(bool unseen)
{
	struct sock_filter rules[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mkdirat, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = {sizeof rules / sizeof rules[0], rules};
	const long mode = SECCOMP_SET_MODE_FILTER, flags = SECCOMP_FILTER_FLAG_NEW_LISTENER;
	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
#if defined(__x86_64__)
	long result = SYS_seccomp;
	if (unseen) {
		__asm__ volatile("syscall"
				 : "+a"(result)
				 : "D"(mode), "S"(flags), "d"(&program)
				 : "rcx", "r11", "memory");
		errno = result < 0 ? (int)-result : 0;
		return result;
	}
#endif
	return syscall(SYS_seccomp, mode, flags, &program);
}

static void listen_to_calls(void)
{
	work(0.1);
	say("listener", install_listener(false));
	puts("alive");
}

/* Installs a second filter, which allows everything, while no listener answers for the first. */
static void listen_unseen(void)
{
	struct sock_filter rules[] = {BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
	struct sock_fprog program = {1, rules};
	work(0.1);
	say("listener", install_listener(true));
	say("filter", syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program));
	puts("alive");
}

/* A vfork child, which shares our memory, sets its ids. */
static void borrowed(void)
{
	pthread_t thread;
	int status = 0;
	pthread_barrier_init(&barrier, NULL, 2);
	pthread_create(&thread, NULL, wait_on_barrier, NULL);
	pthread_barrier_wait(&barrier);
	burn(0.05);
	pid_t child = vfork();
	if (child == 0)
		_exit(syscall(SYS_setgid, getgid()) != 0);
	waitpid(child, &status, 0);
	printf("child: %d\n", status);
	burn(0.05);
	pthread_barrier_wait(&barrier);
	pthread_join(thread, NULL);
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*function)(void);
	} ways[] = {
		{"count", count},
		{"after_threads", after_threads},
		{"with_function", with_function},
		{"past_library", past_library},
		{"each_capset", each_capset},
		{"no_new_privileges", no_new_privileges},
		{"storm", storm},
		{"borrowed", borrowed},
		{"listen", listen_to_calls},
		{"listen_unseen", listen_unseen},
	};
	const char *way = argc > 1 ? argv[1] : "";
	int number = argc > 2 ? atoi(argv[2]) : 0;
	for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++)
		if (strcmp(way, ways[i].name) == 0)
			ways[i].function();
	if (strcmp(way, "processes") == 0)
		processes(number);
	if (strcmp(way, "space") == 0)
		space(number);
	if (strcmp(way, "filter") == 0)
		filter(number);
	if (strcmp(way, "confine") == 0)
		confine(number);
	return 0;
}
