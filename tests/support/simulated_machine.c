/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The simulated machine. Its one processor belongs to a thread until that thread's step is over; only then can another
 * one take it. Processes share a machine by fork, or by the file that HEDDLE_SIMULATED_MACHINE names. The clock of the
 * real machine is read only to detect that nothing happens. Runs in signal handlers, except the functions that programs
 * call.
 */
#include "tests/support/simulated_machine.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "format/kernel_clock.h"

#define EXPORT __attribute__((visibility("default")))
#define THREADS 8192
#define BOOT_NS 1000000000000u        /* of CLOCK_MONOTONIC */
#define EPOCH_NS 1700000000000000000u /* of CLOCK_REALTIME */
#define TAKEN_MS 5000                 /* how long send() waits for a thread that blocks its signal */

struct machine {
	_Atomic uint64_t now_ns;
	_Atomic pid_t runs;     /* the thread that has the processor; 0: none */
	_Atomic uint32_t walls; /* timers on elapsed time */
	_Atomic int lock_waiters;
	struct simulated_thread threads[THREADS];
};

struct simulated_settings simulated_settings = {.perf = 1, .trap = 1, .cycles = 0, .tick = 4000000, .first = 0};
static struct machine *_Atomic machine;
static _Thread_local struct simulated_thread *own;

static void *map_machine(const char *file)
{
	int fd = file ? open(file, O_RDWR | O_CREAT | O_CLOEXEC, 0600) : -1;
	if (file && (fd < 0 || ftruncate(fd, sizeof(struct machine))))
		return MAP_FAILED;
	void *at = mmap(
		NULL, sizeof(struct machine), PROT_READ | PROT_WRITE, MAP_SHARED | (file ? 0 : MAP_ANONYMOUS), fd, 0);
	if (fd >= 0)
		close(fd);
	return at;
}

static void read_settings(void)
{
	static const struct {
		const char *name;
		uint64_t *value;
	} known[] = {
		{"perf=", &simulated_settings.perf},
		{"trap=", &simulated_settings.trap},
		{"cycles=", &simulated_settings.cycles},
		{"tick=", &simulated_settings.tick},
		{"first=", &simulated_settings.first},
	};
	const char *text = getenv("HEDDLE_SIMULATED");
	for (size_t i = 0; text && i < sizeof(known) / sizeof(known[0]); i++) {
		const char *at = strstr(text, known[i].name);
		if (at)
			*known[i].value = strtoull(at + strlen(known[i].name), NULL, 10);
	}
}

void simulated_start(void)
{
	struct machine *none = NULL;
	if (machine)
		return;
	read_settings();
	struct machine *made = map_machine(getenv("HEDDLE_SIMULATED_MACHINE"));
	if (made == MAP_FAILED) {
		fprintf(stderr, "simulated machine: %s\n", strerror(errno));
		abort();
	}
	if (!atomic_compare_exchange_strong(&machine, &none, made)) /* another thread was first */
		munmap(made, sizeof(struct machine));
}

/*
 * Finds the entry of thread tid, or adds one. Another thread may look up the same tid at the same time. Entries are
 * never freed: a run of a test has fewer threads.
 */
struct simulated_thread *simulated_thread_of(pid_t tid)
{
	for (struct simulated_thread *thread = machine->threads; thread < machine->threads + THREADS; thread++) {
		pid_t other = atomic_load(&thread->tid);
		if (other == 0 && atomic_compare_exchange_strong(&thread->tid, &other, tid)) {
			thread->process = getpid();
			return thread;
		}
		if (other == tid)
			return thread;
	}
	fprintf(stderr, "simulated machine: more than %d threads\n", THREADS);
	abort();
}

/*
 * Checks the thread number: `own` may be shared with another thread, if a bare clone made it, or be a copy of the
 * parent's.
 */
struct simulated_thread *simulated_self(void)
{
	pid_t tid = gettid();
	simulated_start(); /* a program may have threads before its libraries begin */
	if (!own || atomic_load(&own->tid) != tid)
		own = simulated_thread_of(tid);
	return own;
}

static uint64_t process_ns(pid_t process)
{
	uint64_t sum = 0;
	for (int i = 0; i < THREADS && machine->threads[i].tid; i++)
		sum += machine->threads[i].process == process ? atomic_load(&machine->threads[i].cpu_ns) : 0;
	return sum;
}

/* The kernel's numbers for the CPU clocks of threads are negative (core/base/clock.h). */
static bool read_clock(clockid_t clock, uint64_t *ns)
{
	uint64_t now = atomic_load(&machine->now_ns);
	if (clock == CLOCK_MONOTONIC || clock == CLOCK_MONOTONIC_RAW || clock == CLOCK_BOOTTIME)
		*ns = BOOT_NS + now;
	else if (clock == CLOCK_REALTIME)
		*ns = EPOCH_NS + now;
	else if (clock == CLOCK_THREAD_CPUTIME_ID)
		*ns = atomic_load(&simulated_self()->cpu_ns);
	else if (clock == CLOCK_PROCESS_CPUTIME_ID)
		*ns = process_ns(getpid());
	else if (clock < 0 && (clock & 7) == 6)
		*ns = atomic_load(&simulated_thread_of((pid_t) ~(clock >> 3))->cpu_ns);
	else
		return false;
	return true;
}

/*
 * Heddle's waits for other threads, such as for their end, have time limits. Therefore time also passes for a thread
 * that only reads the clock. It does so only after PATIENCE_NS of real time, because the thread that it waits for may
 * have to wait for a real processor.
 */
#define LOOKS 1000u
#define PATIENCE_NS 3000000000u
#define LOOK_NS 1000000u
static void pass_for_who_waits(void)
{
	static _Thread_local uint64_t seen, looks, since;
	uint64_t now = atomic_load(&machine->now_ns);
	looks = now == seen ? looks + 1 : 0;
	seen = now;
	if (looks == 0)
		since = 0;
	if (looks < LOOKS || (!since && looks % LOOKS))
		return;
	uint64_t real = heddle__kernel_clock_ns(CLOCK_MONOTONIC);
	since = since ? since : real;
	if (real - since < PATIENCE_NS)
		return;
	atomic_fetch_add(&machine->now_ns, LOOK_NS);
	seen = now + LOOK_NS;
}

int simulated_gettime(clockid_t clock, struct timespec *time)
{
	uint64_t ns;
	if (clock == CLOCK_MONOTONIC)
		pass_for_who_waits();
	if (!read_clock(clock, &ns))
		return -1;
	*time = (struct timespec){.tv_sec = (time_t)(ns / 1000000000u), .tv_nsec = (long)(ns % 1000000000u)};
	return 0;
}

EXPORT uint64_t simulated_time(clockid_t clock)
{
	uint64_t ns = 0;
	simulated_start();
	read_clock(clock, &ns);
	return ns;
}

uint64_t simulated_timer_now(const struct simulated_thread *thread, enum simulated_timer_kind kind)
{
	return atomic_load(kind == SIMULATED_WALL ? &machine->now_ns : &thread->cpu_ns);
}

void simulated_set_kind(struct simulated_thread *thread, enum simulated_timer_kind kind)
{
	int former = atomic_exchange(&thread->kind, kind);
	atomic_fetch_add(&machine->walls, (uint32_t)(kind == SIMULATED_WALL) - (uint32_t)(former == SIMULATED_WALL));
}

unsigned int simulated_lock_waiters(void)
{
	return (unsigned int)atomic_load(&machine->lock_waiters);
}

void simulated_count_lock_waiters(int by)
{
	atomic_fetch_add(&machine->lock_waiters, by);
}

static void fill(struct simulated_thread *thread, struct simulated_signal *due)
{
	memset(due, 0, sizeof(*due));
	due->number = thread->signal;
	due->process = thread->process;
	due->thread = atomic_load(&thread->tid);
	due->info.si_signo = thread->signal;
	due->info.si_code = SI_QUEUE;
	due->info.si_value.sival_ptr = thread->timer;
	atomic_fetch_add(&thread->sent, 1);
}

/* Returns the time until this timer expires or has to be checked, if its thread runs or not; UINT64_MAX: never. */
static uint64_t until(const struct simulated_thread *thread, bool runs)
{
	uint64_t cpu = atomic_load(&thread->cpu_ns), now = atomic_load(&machine->now_ns);
	uint64_t at = thread->next + thread->late;
	switch (atomic_load(&thread->kind)) {
	case SIMULATED_CPU:
		return !runs ? UINT64_MAX : at > cpu ? at - cpu : 0;
	case SIMULATED_TICK:
		return runs ? simulated_settings.tick - now % simulated_settings.tick : UINT64_MAX;
	case SIMULATED_WALL:
		return at > now ? at - now : 0;
	default:
		return UINT64_MAX;
	}
}

/*
 * Returns the number of expired periods, and sets the end of the next one. A CPU timer that expires late starts a new
 * period when it expires.
 */
static uint64_t expire(struct simulated_thread *thread)
{
	uint64_t now = simulated_timer_now(thread, (enum simulated_timer_kind)atomic_load(&thread->kind));
	if (now < thread->next + thread->late)
		return 0;
	uint64_t periods = (now - thread->next) / thread->period + 1;
	if (atomic_load(&thread->kind) == SIMULATED_CPU && now > thread->next)
		thread->next = now;
	else
		thread->next += (periods - 1) * thread->period;
	thread->next += thread->period;
	thread->late = 0;
	thread->expired = periods;
	return periods;
}

/*
 * Signals another thread, whose timer on elapsed time has expired. Waits until it has handled the signal, before time
 * passes.
 */
static void send(struct simulated_thread *thread)
{
	struct simulated_signal due;
	uint64_t taken = atomic_load(&thread->taken);
	struct timespec moment = {0, 100000};
	fill(thread, &due);
	if (syscall(SYS_rt_tgsigqueueinfo, due.process, due.thread, due.number, &due.info)) {
		simulated_set_kind(thread, SIMULATED_NO_TIMER); /* it has ended */
		return;
	}
	for (int i = 0; i < TAKEN_MS * 10 && atomic_load(&thread->taken) == taken; i++) {
		if (i < 100)
			sched_yield();
		else
			nanosleep(&moment, NULL);
	}
}

/* Returns the time until a timer is due, at most ns. */
static uint64_t next_event(const struct simulated_thread *self, bool runs, bool signals, uint64_t ns)
{
	uint64_t step = signals && self ? until(self, runs) : UINT64_MAX;
	for (const struct simulated_thread *thread = machine->threads; atomic_load(&machine->walls) && thread->tid;
		thread++) {
		uint64_t other = thread != self ? until(thread, false) : UINT64_MAX;
		step = other < step ? other : step;
	}
	return step < ns ? step : ns;
}

static void send_to_others(const struct simulated_thread *self)
{
	for (struct simulated_thread *thread = machine->threads; atomic_load(&machine->walls) && thread->tid;
		thread++) {
		if (thread != self && atomic_load(&thread->kind) == SIMULATED_WALL && expire(thread))
			send(thread);
	}
}

static bool take_processor(pid_t tid)
{
	pid_t none = 0;
	return atomic_compare_exchange_strong(&machine->runs, &none, tid);
}

static void leave_processor(void)
{
	atomic_store(&machine->runs, 0);
}

EXPORT enum simulated_step simulated_run(uint64_t *ns, bool in_kernel, struct simulated_signal *due)
{
	struct simulated_thread *self = simulated_self();
	if (!take_processor(self->tid))
		return SIMULATED_OTHERS_RUN;
	uint64_t expired = 0;
	do {
		uint64_t step = next_event(self, true, !in_kernel, *ns);
		atomic_fetch_add(&machine->now_ns, step);
		atomic_fetch_add(&self->cpu_ns, step);
		*ns -= step;
		send_to_others(self);
		if (atomic_load(&self->kind) != SIMULATED_NO_TIMER && (!in_kernel || *ns == 0))
			expired = expire(self);
	} while (*ns && !expired);
	leave_processor();
	if (!expired || (in_kernel && !self->kernel))
		return *ns ? SIMULATED_OTHERS_RUN : SIMULATED_OVER;
	fill(self, due);
	return SIMULATED_SIGNAL;
}

EXPORT void simulated_sleep(uint64_t ns)
{
	struct simulated_thread *self = simulated_self();
	atomic_fetch_add(&self->switches, 1);
	while (!take_processor(self->tid))
		sched_yield();
	while (ns) {
		uint64_t step = next_event(self, false, false, ns);
		atomic_fetch_add(&machine->now_ns, step);
		ns -= step;
		send_to_others(self);
	}
	leave_processor();
}

EXPORT void simulated_switch(unsigned int times)
{
	atomic_fetch_add(&simulated_self()->switches, times);
}

EXPORT void simulated_be_late(uint64_t ns)
{
	simulated_self()->late = ns;
}
