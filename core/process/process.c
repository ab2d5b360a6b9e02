/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * heddle__finish runs in signal handlers; the rest does not. After any failure the program runs normally without being
 * measured, and one line on stderr reports the failure.
 */
#include "core/process/process.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "core/base/log.h"
#include "core/base/notes.h"
#include "core/base/patience.h"
#include "core/base/process_info.h"
#include "core/base/selection.h"
#include "core/base/settings.h"
#include "core/blame/blame.h"
#include "core/counters/counting.h"
#include "core/host/host_signal.h"
#include "core/modules/mapped_path.h"
#include "core/modules/module.h"
#include "core/process/ending.h"
#include "core/process/first_copy.h"
#include "core/process/keeper.h"
#include "core/process/live.h"
#include "core/process/thread_life.h"
#include "core/threads/control.h"
#include "core/threads/excluded.h"
#include "core/threads/frontend.h"
#include "core/threads/listeners.h"
#include "core/threads/region.h"
#include "core/trace/trace_place.h"
#include "core/trace/tracing.h"
#include "core/tree/event.h"
#include "core/tree/tree.h"
#include "core/writer/file_name.h"
#include "core/writer/outcome.h"
#include "core/writer/writer.h"
#include "format/ids.h"

#define TURN_WAIT_NS 2000000000u
#define PAUSE_NS 200000u

static _Atomic bool started;
static int flush_profile(void);

static pthread_mutex_t flush_lock = PTHREAD_MUTEX_INITIALIZER;
static _Atomic pid_t writer; /* the thread that is writing the profile; 0: none */
static _Atomic pid_t traced; /* the thread that requested to be traced (ptrace); 0: none */

/* Finds the measurement's directory as an absolute path, and creates it if necessary. Returns 0 or -errno. */
static int make_output(void)
{
	struct heddle_process *process = &heddle__process;
	const char *wanted = heddle__setting_text(HEDDLE_SETTING_OUTPUT);
	const char *program = strrchr(process->program, '/');
	char name[256];
	if (!*wanted) {
		snprintf(name, sizeof(name), "heddle-%.200s-%d", program ? program + 1 : "program", (int)getpid());
		wanted = name;
	}
	bool relative = *wanted != '/';
	int n = snprintf(process->output, sizeof(process->output), "%s%s%s", relative ? process->directory : "",
		relative ? "/" : "", wanted);
	if (n < 0 || (size_t)n >= sizeof(process->output) - HEDDLE_FILE_ROOM ||
		(relative && process->directory[0] == '\0'))
		return -ENAMETOOLONG;
	bool made = mkdir(process->output, 0777) == 0;
	if (!made && errno != EEXIST)
		return -errno;
	heddle__outcome_init(made);
	return access(process->output, W_OK | X_OK) ? -errno : 0;
}

static void start_frontends(void)
{
	unsigned int index = 0;
	for (; heddle__frontends[index]; index++) {
		if (heddle__frontends[index]->init)
			heddle__frontends[index]->init(index);
	}
	heddle__selection_check();
}

static bool modules_held; /* protected by flush_lock */

static void before_fork(void)
{
	pthread_mutex_lock(&flush_lock);
	modules_held = heddle__modules_before_fork();
}

static void after_fork_parent(void)
{
	if (modules_held)
		heddle__modules_after_fork_parent();
	pthread_mutex_unlock(&flush_lock);
}

static void after_fork_child(void)
{
	struct heddle_thread *self = heddle__thread_self();
	pthread_mutex_init(&flush_lock, NULL);
	heddle__modules_after_fork();
	if (atomic_load(&heddle__run_state) == HEDDLE_OFF)
		return;
	if (self)
		heddle__enter(self);
	heddle__clock_release();
	heddle__process_after_fork();
	heddle__end_after_fork();
	atomic_store(&writer, 0);
	heddle__control_after_fork();
	heddle__threads_after_fork();
	heddle__counting_after_fork();
	heddle__file_forget_name();
	heddle__outcome_after_fork();
	heddle__trace_after_fork();
	heddle__blame_after_fork(); /* charges time, so the trace must have been reset before */
	heddle__live_after_fork();
	heddle__keeper_after_fork();
	for (unsigned int i = 0; heddle__frontends[i]; i++) {
		if (heddle__frontends[i]->after_fork)
			heddle__frontends[i]->after_fork();
	}
	heddle__keeper_start();
	if (self)
		heddle__leave(self);
}

/* The executable may be the dynamic linker, which the program is an argument of: sets the program's path. */
static void name_program(void)
{
	char path[sizeof(heddle__process.program)];
	if (heddle__mapped_path(getauxval(AT_ENTRY), path, sizeof(path)))
		memcpy(heddle__process.program, path, strlen(path) + 1);
}

/* Does everything that may fail before measurement starts. */
static bool prepare(void)
{
	heddle__log_init();
	heddle__settings_read();
	heddle__log_set_verbose((int)heddle__setting_number(HEDDLE_SETTING_VERBOSE));
	heddle__selection_read(heddle__setting_text(HEDDLE_SETTING_EVENTS));
	heddle__clock_init();
	heddle__counting_init();
	heddle__process_describe();
	name_program();
	int error = make_output();
	if (error) {
		heddle__warn("cannot write to %s: %s; the program runs unmeasured",
			error == -ENAMETOOLONG ? heddle__setting_text(HEDDLE_SETTING_OUTPUT) : heddle__process.output,
			strerror(-error));
		return false;
	}
	error = heddle__threads_init();
	if (error)
		heddle__warn("cannot start measuring: %s; the program runs unmeasured", strerror(-error));
	return !error;
}

/* Memory that is allocated to start the keeper is not charged to the program. */
static void start_main_thread(void)
{
	struct heddle_thread *self = heddle__thread_ensure(HEDDLE_THREAD_MAIN);
	heddle__process.before_cpu_ns = heddle__clock_ns(CLOCK_PROCESS_CPUTIME_ID);
	heddle__process.start_cpu_ns = heddle__process.before_cpu_ns - heddle__excluded_cpu_ns();
	if (self)
		heddle__enter(self);
	heddle__keeper_start();
	if (self)
		heddle__leave(self);
}

bool heddle__start(void)
{
	if (atomic_exchange(&started, true))
		return atomic_load(&heddle__run_state) != HEDDLE_OFF;
	int saved = errno;
	if (!heddle__first_copy("ompt_start_tool") && prepare()) {
		heddle__host_init(heddle__finish);
		heddle__keeper_init(flush_profile);
		heddle__frontends_register_models();
		heddle__modules_init(NULL);
		heddle__blame_init();
		heddle__trace_init();
		heddle__live_init();
		start_frontends();
		pthread_atfork(before_fork, after_fork_parent, after_fork_child);
		atomic_store(&heddle__run_state, HEDDLE_RUNNING);
		if (heddle__setting_number(HEDDLE_SETTING_START_PAUSED))
			heddle__pause();
		start_main_thread();
	}
	errno = saved;
	return atomic_load(&heddle__run_state) != HEDDLE_OFF;
}

/*
 * Waits until no other thread writes, as all write the same file. Does not wait for a write of this thread that a
 * signal interrupted, or for a writer that seems to be dead.
 */
static bool take_turn(void)
{
	struct heddle_patience patience;
	pid_t self = gettid(), other = 0;
	heddle__patience_renew(&patience);
	while (!atomic_compare_exchange_strong(&writer, &other, self)) {
		if (other == self || !heddle__patience_lasts(&patience, TURN_WAIT_NS))
			return false;
		heddle__clock_nap(PAUSE_NS);
		other = 0;
	}
	return true;
}

static void end_turn(void)
{
	atomic_store(&writer, 0);
}

static void end_measurement(const char *ended_by)
{
	struct heddle_thread *self = heddle__thread_self();
	bool alone = take_turn();
	heddle__listeners_switched(); /* while the clock runs: later counts are divided by time */
	if (self)
		heddle__enter(self);
	heddle__freeze_at_end();
	heddle__keeper_stop();
	for (unsigned int i = 0; heddle__frontends[i]; i++) {
		if (heddle__frontends[i]->finish)
			heddle__frontends[i]->finish();
	}
	heddle__clock_hold();
	heddle__blame_finish();
	uint64_t now = heddle__measured_ticks();
	heddle__trace_end_begin(false);
	int error = heddle__write_profile(ended_by, now);
	heddle__trace_end_finish(now, false);
	heddle__live_finish();
	heddle__switch_off();
	if (alone)
		end_turn();
	if (error)
		heddle__outcome_failed(error);
	else
		heddle__outcome_written(true);
}

/*
 * Once measurement is off, Heddle makes only system calls that the program makes (host_filter.c). Signals are blocked,
 * since a fatal one in this thread would end the process before the profile is written.
 */
void heddle__finish(const char *ended_by)
{
	struct heddle_signal_guard guard;
	if (atomic_load(&heddle__run_state) == HEDDLE_OFF && !heddle__end_in_progress())
		return;
	int saved = errno;
	heddle__guard_signals(&guard);
	if (heddle__is_own_process() && heddle__end_begin()) {
		end_measurement(ended_by);
		heddle__end_done();
	}
	heddle__release_signals(&guard);
	errno = saved;
}

/* Writes the profile and continues. `ends`: this is also the end of the trace, unless an exec fails. */
static int write_and_go_on(const char *why, bool ends)
{
	uint64_t now = heddle__measured_ticks();
	heddle__freeze();
	heddle__clock_hold();
	if (ends)
		heddle__trace_end_begin(true);
	int error = heddle__write_profile(why, now);
	if (ends)
		heddle__trace_end_finish(now, true);
	heddle__clock_release();
	heddle__thaw();
	return error;
}

/* Writes the profile when no other thread does. Context: the flush lock is held; it is released here. */
static int write_in_turn(const char *why)
{
	int saved = errno, error = 0;
	struct heddle_thread *self = heddle__thread_self();
	bool alone = take_turn();
	if (self)
		heddle__enter(self);
	if (alone && atomic_load(&heddle__run_state) != HEDDLE_OFF && !heddle__end_has_begun() &&
		heddle__is_own_process())
		error = write_and_go_on(why, false);
	if (alone)
		end_turn();
	if (self)
		heddle__leave(self);
	pthread_mutex_unlock(&flush_lock);
	if (error)
		heddle__outcome_failed(error);
	else if (alone)
		heddle__outcome_written(false);
	errno = saved;
	return error;
}

/* Called periodically by the keeper: the part of a trace that is in memory stays there. */
static int flush_profile(void)
{
	return pthread_mutex_trylock(&flush_lock) ? -EBUSY : write_in_turn("flush");
}

int heddle__flush(void)
{
	struct heddle_thread *self = heddle__thread_self();
	if (self)
		heddle__enter(self);
	heddle__trace_flush();
	if (self)
		heddle__leave(self);
	return flush_profile();
}

int heddle__write_now(const char *why)
{
	pthread_mutex_lock(&flush_lock);
	return write_in_turn(why);
}

static void notify_frontends(struct heddle_thread *self, bool suspend)
{
	for (unsigned int i = 0; heddle__frontends[i]; i++) {
		const struct heddle_frontend *frontend = heddle__frontends[i];
		void (*function)(struct heddle_thread *) = suspend ? frontend->suspend : frontend->resume;
		if (function)
			function(self);
	}
}

/* False in a vfork child: its context is its parent's, which must not be changed. */
static bool is_own_context(const struct heddle_thread *self)
{
	return self && self->tid == gettid();
}

void heddle__before_exec(void)
{
	struct heddle_thread *self = heddle__thread_self();
	if (atomic_load(&heddle__run_state) == HEDDLE_OFF || !is_own_context(self))
		return;
	bool alone = take_turn();
	heddle__enter(self);
	bool writes = alone && !heddle__end_has_begun();
	int error = writes ? write_and_go_on("exec", true) : 0;
	if (alone)
		end_turn();
	if (error)
		heddle__outcome_failed(error);
	heddle__end_await();
	notify_frontends(self, true);
}

void heddle__after_failed_exec(void)
{
	struct heddle_thread *self = heddle__thread_self();
	if (atomic_load(&heddle__run_state) == HEDDLE_OFF || !is_own_context(self))
		return;
	int saved = errno;
	heddle__trace_end_return();
	if (atomic_load(&traced) != self->tid)
		notify_frontends(self, false);
	heddle__leave(self);
	errno = saved;
}

void heddle__before_user(uid_t user)
{
	if (heddle__tracing && user != (uid_t)-1 && heddle__is_own_process())
		heddle__trace_give_to(user);
}

/* Stops sampling: a tracer would handle a sample's signal as a stop that it waits for, and might not pass it on. */
void heddle__before_traced(void)
{
	struct heddle_thread *self = heddle__thread_self();
	if (atomic_load(&heddle__run_state) == HEDDLE_OFF || !is_own_context(self))
		return;
	heddle__enter(self);
	notify_frontends(self, true);
	heddle__leave(self);
}

void heddle__after_traced(bool succeeded)
{
	struct heddle_thread *self = heddle__thread_self();
	if (atomic_load(&heddle__run_state) == HEDDLE_OFF || !is_own_context(self))
		return;
	int saved = errno;
	heddle__enter(self);
	if (succeeded) {
		atomic_store(&traced, self->tid);
		self->sampled.last_node = 0; /* what it executes from now on is unknown */
		heddle__note("a thread requested tracing (ptrace), and was not sampled afterwards");
	} else if (atomic_load(&traced) != self->tid) {
		notify_frontends(self, false);
	}
	heddle__leave(self);
	errno = saved;
}
