/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a program can say to Heddle while it runs: measure now, stop measuring, a phase begins here.
 *
 * Nothing has to be linked: each call looks for Heddle's library in the running process (where `heddle run` preloads
 * it) and does nothing, returning 0, when it is not there. The look-up is made once for each call and source file; then
 * a call costs a load and a branch. Position-independent, -fno-plt, static and C++ programs alike may include this
 * file.
 *
 * Context of all calls: any thread, not a signal handler. They keep errno.
 * Errors: a negative errno value; a call never ends or blocks the program.
 */
#ifndef HEDDLE_HEDDLE_H
#define HEDDLE_HEDDLE_H

#ifdef __cplusplus
extern "C" {
#endif

/* The functions behind the calls, for libheddle.so to define. Programs use the calls below. */
int heddle_measure_start(void);
int heddle_measure_stop(void);
int heddle_measure_phase_begin(const char *name);
int heddle_measure_phase_end(const char *name);
int heddle_measure_flush(void);
const char *heddle_measure_version(void);

/* A program whose functions are instrumented does not see these calls as its own. */
#define HEDDLE__INLINE __attribute__((no_instrument_function)) static inline

typedef void heddle__function(void);

/*
 * dlsym, if the program has it: a weak reference of its own, which makes no other use of dlsym weak. References to the
 * functions themselves won't do: in executables at a fixed address linkers set undefined weak ones to zero for good.
 */
static heddle__function *heddle__look_up(void *handle, const char *name) __attribute__((weakref("dlsym")));

HEDDLE__INLINE void heddle__absent(void)
{
}

/* The function of that name, or NULL. Threads that get here at the same time find the same. */
HEDDLE__INLINE heddle__function *heddle__find(heddle__function **known, const char *name)
{
	heddle__function *function = __atomic_load_n(known, __ATOMIC_RELAXED);

	if (!function) {
		if (heddle__look_up)
			function = heddle__look_up((void *)0 /* RTLD_DEFAULT */, name);
		if (!function)
			function = heddle__absent;
		__atomic_store_n(known, function, __ATOMIC_RELAXED);
	}
	return function == heddle__absent ? (heddle__function *)0 : function;
}

/*
 * Switch measuring of the whole process on (all its threads). It is on from the program's start unless
 * HEDDLE_START_PAUSED is set. Returns 0, also when it was on, or -EPERM when measuring could not be set up in this
 * process.
 */
HEDDLE__INLINE int heddle_start(void)
{
	static heddle__function *known;
	heddle__function *function = heddle__find(&known, "heddle_measure_start");

	return function ? ((int (*)(void))function)() : 0;
}

/* Switch measuring of the whole process off, until heddle_start. Time meanwhile is not counted. Returns 0, also when
 * off. */
HEDDLE__INLINE int heddle_stop(void)
{
	static heddle__function *known;
	heddle__function *function = heddle__find(&known, "heddle_measure_stop");

	return function ? ((int (*)(void))function)() : 0;
}

/*
 * Begin a phase on the calling thread: until its end, what the thread does stands under `name` in the call path, and so
 * do parallel regions and tasks that it creates. Phases nest. `name` is copied; it may hold any text, of which 255
 * bytes count. Returns 0, -EINVAL (NULL or empty name) or -ENOMEM (too many different names; the phase is not measured,
 * and its end must still be called).
 */
HEDDLE__INLINE int heddle_phase_begin(const char *name)
{
	static heddle__function *known;
	heddle__function *function = heddle__find(&known, "heddle_measure_phase_begin");

	return function ? ((int (*)(const char *))function)(name) : 0;
}

/*
 * End the phase that the calling thread began last. `name` must be its name: a different one is a mistake of the
 * program, which ends nothing and returns -EINVAL. Returns 0 otherwise.
 */
HEDDLE__INLINE int heddle_phase_end(const char *name)
{
	static heddle__function *known;
	heddle__function *function = heddle__find(&known, "heddle_measure_phase_end");

	return function ? ((int (*)(const char *))function)(name) : 0;
}

/*
 * Write the profile as it stands now, replacing what this process wrote before; measuring goes on. Takes milliseconds
 * to seconds, by the profile's size. Returns 0, or what went wrong in writing, as a negative errno.
 */
HEDDLE__INLINE int heddle_flush(void)
{
	static heddle__function *known;
	heddle__function *function = heddle__find(&known, "heddle_measure_flush");

	return function ? ((int (*)(void))function)() : 0;
}

/* The version of the library that is in this process, e.g. "0.1.0"; NULL when there is none: the program is not
 * measured. */
HEDDLE__INLINE const char *heddle_version(void)
{
	static heddle__function *known;
	heddle__function *function = heddle__find(&known, "heddle_measure_version");

	return function ? ((const char *(*)(void))function)() : (const char *)0;
}

#ifdef __cplusplus
}
#endif

#endif
