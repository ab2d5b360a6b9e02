/* SPDX-License-Identifier: BSD-3-Clause */
/* RUNS IN SIGNAL HANDLERS (of tests). */
#include "walk_compare.h"

#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>

#include "format/ids.h"

#define KEPT 4

static uintptr_t stack_high;
static walk_excuse *excuse;
static unsigned samples, excused, differences, kept;
static struct {
	struct walk ours, theirs;
	uintptr_t sp;
} differing[KEPT];
unsigned walk_compare_deepest, walk_compare_trampolines, walk_compare_incomplete;

/* Uses CPU time: a busy machine takes longer, but gets as many samples. */
double walk_seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

int walk_compare_init(walk_excuse *known)
{
	pthread_attr_t attributes;
	void *low;
	size_t size;

	excuse = known;
	if (pthread_getattr_np(pthread_self(), &attributes) || pthread_attr_getstack(&attributes, &low, &size))
		return -1;
	pthread_attr_destroy(&attributes);
	stack_high = (uintptr_t)low + size;
	return heddle__unwinder_libunwind.init() || heddle__unwinder_tables.init() ? -1 : 0;
}

/* True if frame `i` is the same in both. The outermost frame's CFA is not compared: libunwind does not return it. */
static bool same_frame(const struct walk *ours, const struct walk *theirs, size_t i)
{
	const struct heddle_frame *a = &ours->frames[i], *b = &theirs->frames[i];

	if (a->pc != b->pc || (i + 1 < ours->count && a->cfa != b->cfa))
		return false;
	/* The reference does not show what a CFA was computed from. */
	return !((a->flags ^ b->flags) & ~HEDDLE_FRAME_BY_BP) && a->place == b->place && a->role == b->role;
}

static size_t first_difference(const struct walk *ours, const struct walk *theirs)
{
	size_t i = 0;

	while (i < ours->count && i < theirs->count && same_frame(ours, theirs, i))
		i++;
	return i;
}

static bool equal(const struct walk *ours, const struct walk *theirs)
{
	return ours->count == theirs->count && ours->end == theirs->end &&
	       first_difference(ours, theirs) == ours->count;
}

void walk_compare_at(const ucontext_t *context)
{
	static struct walk ours, theirs;
	struct heddle_unwind_start start = {.context = context};

	samples++;
	ours.count = heddle__unwinder_tables.walk(&start, stack_high, 0, ours.frames, WALK_MAX, &ours.end);
	theirs.count = heddle__unwinder_libunwind.walk(&start, stack_high, 0, theirs.frames, WALK_MAX, &theirs.end);
	if (ours.count > walk_compare_deepest)
		walk_compare_deepest = (unsigned)ours.count;
	walk_compare_incomplete += ours.end != HEDDLE_UNWIND_COMPLETE;
	for (size_t i = 0; i < ours.count; i++)
		walk_compare_trampolines += ours.frames[i].flags & HEDDLE_FRAME_TRAMPOLINE;
	if (equal(&ours, &theirs))
		return;
	if (excuse && excuse(context, &ours, &theirs)) {
		excused++;
		return;
	}
	differences++;
	if (kept < KEPT) {
		differing[kept].ours = ours;
		differing[kept].theirs = theirs;
		differing[kept++].sp = (uintptr_t)context->uc_mcontext.gregs[REG_RSP];
	}
}

static void on_timer(int signal, siginfo_t *info, void *context)
{
	(void)signal;
	(void)info;
	walk_compare_at(context);
}

void walk_compare_start(int period_us, bool on_stack)
{
	struct sigaction action = {.sa_flags = SA_SIGINFO | SA_RESTART | (on_stack ? SA_ONSTACK : 0)};
	struct itimerval often = {{0, period_us}, {0, period_us}};

	action.sa_sigaction = on_timer;
	sigemptyset(&action.sa_mask);
	sigaddset(&action.sa_mask, SIGUSR1);
	sigaddset(&action.sa_mask, SIGUSR2);
	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &often, NULL);
}

void walk_compare_stop(void)
{
	struct itimerval never = {{0, 0}, {0, 0}};

	setitimer(ITIMER_REAL, &never, NULL);
}

/* These procedures have call frame information, because they are single-stepped, too. */
void trap_flag_set(void);
void trap_flag_clear(void);
__asm__(".text\n"
	"trap_flag_set:\n\t.cfi_startproc\n\tpushfq\n\t.cfi_adjust_cfa_offset 8\n\torl $0x100, (%rsp)\n\t"
	"popfq\n\t.cfi_adjust_cfa_offset -8\n\tret\n\t.cfi_endproc\n"
	"trap_flag_clear:\n\t.cfi_startproc\n\tpushfq\n\t.cfi_adjust_cfa_offset 8\n\tandl $~0x100, (%rsp)\n\t"
	"popfq\n\t.cfi_adjust_cfa_offset -8\n\tret\n\t.cfi_endproc\n");

static void on_step(int signal, siginfo_t *info, void *context)
{
	(void)signal;
	(void)info;
	walk_compare_at(context);
}

void walk_compare_step(void)
{
	struct sigaction action = {.sa_flags = SA_SIGINFO};
	ucontext_t here = {.uc_flags = 0};

	getcontext(&here);
	walk_compare_at(&here); /* binds the functions that the comparison itself calls */
	action.sa_sigaction = on_step;
	sigaction(SIGTRAP, &action, NULL);
	trap_flag_set();
}

void walk_compare_step_end(void)
{
	trap_flag_clear();
}

static void print_walk(const char *whose, const struct walk *walk, size_t from)
{
	printf("  %s: %zu frames, end %d\n", whose, walk->count, walk->end);
	for (size_t i = from; i < walk->count && i < from + 5; i++)
		printf("    %zu pc %#lx cfa %#lx module %u+%#lx flags %d\n", i, walk->frames[i].pc, walk->frames[i].cfa,
			HEDDLE_PLACE_MODULE(walk->frames[i].place), HEDDLE_PLACE_OFFSET(walk->frames[i].place),
			walk->frames[i].flags);
}

int walk_compare_report(const char *name, unsigned least)
{
	printf("%s: %u samples, %u differ, %u differ with libunwind wrong, deepest %u, incomplete %u\n", name, samples,
		differences, excused, walk_compare_deepest, walk_compare_incomplete);
	for (unsigned k = 0; k < kept; k++) {
		const struct walk *ours = &differing[k].ours, *theirs = &differing[k].theirs;
		size_t i = first_difference(ours, theirs);

		printf(" difference at frame %zu, sp %#lx\n", i, differing[k].sp);
		print_walk("ours", ours, i ? i - 1 : 0);
		print_walk("libunwind", theirs, i ? i - 1 : 0);
	}
	if (samples < least)
		printf("only %u samples, wanted %u\n", samples, least);
	return differences || walk_compare_incomplete || samples < least;
}
