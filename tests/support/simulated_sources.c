/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Replaces sampling/sources/source_perf.c and source_posix.c by sources with the same names and behaviour, on the
 * simulated machine. Each first period is a full one, so that periods end where a test expects, unless HEDDLE_SIMULATED
 * has first=1.
 */
#include "sampling/sources/source.h"

#include <linux/perf_event.h>

#include "tests/support/simulated_machine.h"

struct heddle_perf_code heddle__source_perf_code = {.type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_TASK_CLOCK};
bool heddle__source_perf_traps;
bool heddle__source_perf_counts;

bool heddle__source_perf_can_trap(void)
{
	return simulated_settings.trap && simulated_settings.perf;
}

static bool perf_works(bool wall)
{
	return !wall && simulated_settings.perf && heddle__source_perf_code.type == PERF_TYPE_SOFTWARE;
}

static bool cycles_work(bool wall)
{
	return !wall && simulated_settings.cycles;
}

static bool cpu_timer_works(bool wall)
{
	return !wall;
}

static bool wall_timer_works(bool wall)
{
	return wall;
}

static int start(struct heddle_timer *timer, pid_t tid, int signal, uint64_t period, enum simulated_timer_kind kind)
{
	struct simulated_thread *thread = simulated_thread_of(tid);
	simulated_set_kind(thread, SIMULATED_NO_TIMER);
	thread->signal = signal;
	thread->period = period;
	thread->next = simulated_timer_now(thread, kind) + period;
	thread->late = 0;
	thread->timer = timer;
	timer->posix = tid;
	timer->full_period = true;
	timer->armed = true;
	simulated_set_kind(thread, kind);
	return 0;
}

static int arm_perf(struct heddle_timer *timer, pid_t tid, int signal, uint64_t first, uint64_t period)
{
	simulated_thread_of(tid)->kernel = heddle__source_perf_traps && signal == SIGTRAP;
	start(timer, tid, signal, simulated_settings.first ? first : period, SIMULATED_CPU);
	timer->full_period = !simulated_settings.first;
	return 0;
}

static int arm_cycles(struct heddle_timer *timer, pid_t tid, int signal, uint64_t first, uint64_t period)
{
	return arm_perf(timer, tid, signal, first, period);
}

static int arm_cpu_timer(struct heddle_timer *timer, pid_t tid, int signal, uint64_t first, uint64_t period)
{
	(void)first;
	simulated_thread_of(tid)->kernel = true;
	return start(timer, tid, signal, period, SIMULATED_TICK);
}

static int arm_wall_timer(struct heddle_timer *timer, pid_t tid, int signal, uint64_t first, uint64_t period)
{
	(void)first;
	simulated_thread_of(tid)->kernel = true;
	return start(timer, tid, signal, period, SIMULATED_WALL);
}

static void disarm(struct heddle_timer *timer)
{
	if (!timer->armed)
		return;
	timer->armed = false;
	simulated_set_kind(simulated_thread_of(timer->posix), SIMULATED_NO_TIMER);
}

static void forget(struct heddle_timer *timer)
{
	timer->armed = false;
}

static bool set_period(struct heddle_timer *timer, uint64_t period)
{
	struct simulated_thread *thread = simulated_thread_of(timer->posix);
	thread->period = period;
	thread->next = simulated_timer_now(thread, (enum simulated_timer_kind)atomic_load(&thread->kind)) + period;
	return true;
}

static bool is_from(const struct heddle_timer *timer, const siginfo_t *info)
{
	return info->si_code == SI_QUEUE && info->si_value.sival_ptr == timer;
}

/* The kernel's perf clock does not report how many periods a signal accounts for. */
static uint64_t one_period(struct heddle_timer *timer, const siginfo_t *info)
{
	if (!timer->armed || !is_from(timer, info))
		return 0;
	atomic_fetch_add(&simulated_self()->taken, 1);
	return 1;
}

static uint64_t expired_periods(struct heddle_timer *timer, const siginfo_t *info)
{
	return one_period(timer, info) ? simulated_self()->expired : 0;
}

bool heddle__is_late_signal(const struct heddle_timer *timer, const siginfo_t *info)
{
	return timer ? is_from(timer, info) : info->si_code == SI_QUEUE;
}

const struct heddle_source heddle__source_perf = {
	.name = "perf task-clock",
	.steady = true,
	.works = perf_works,
	.arm = arm_perf,
	.disarm = disarm,
	.forget = forget,
	.set_period = set_period,
	.periods = one_period,
};

const struct heddle_source heddle__source_cycles = {
	.name = "perf cycles",
	.works = cycles_work,
	.arm = arm_cycles,
	.disarm = disarm,
	.forget = forget,
	.periods = one_period,
};

const struct heddle_source heddle__source_posix_cpu = {
	.name = "POSIX timer on thread CPU time",
	.kernel = true,
	.works = cpu_timer_works,
	.arm = arm_cpu_timer,
	.disarm = disarm,
	.forget = forget,
	.periods = expired_periods,
};

const struct heddle_source heddle__source_posix_wall = {
	.name = "POSIX timer on elapsed time",
	.kernel = true,
	.works = wall_timer_works,
	.arm = arm_wall_timer,
	.disarm = disarm,
	.forget = forget,
	.periods = expired_periods,
};
