/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Calls for measured programs: start and stop measurement, name phases, record values.
 *
 * Programs are not linked with Heddle. Each call looks for the library in the running process (`heddle run` preloads
 * it); without it, the call does nothing and returns 0. The look-up happens once for each call and source file; later
 * calls cost a load and a branch. This works in position-independent, -fno-plt, static and C++ programs.
 *
 * Context of all calls: any thread, not a signal handler. They preserve errno, and never end or block the program.
 * Errors are negative errno values.
 */
#ifndef HEDDLE_HEDDLE_H
#define HEDDLE_HEDDLE_H

#ifdef __cplusplus
extern "C" {
#endif

/* The functions behind the calls, which libheddle.so defines. Programs use the calls below. */
int heddle_measure_start(void);
int heddle_measure_stop(void);
int heddle_measure_phase_begin(const char *name);
int heddle_measure_phase_end(const char *name);
int heddle_measure_value(const char *name, double value);

/* For interpreters: phases and values are above all frames of the interpreter. */
int heddle_measure_phase_begin_outermost(const char *name);
int heddle_measure_value_outermost(const char *name, double value);
int heddle_measure_flush(void);
void heddle_measure_exclude_threads(int begin);
const char *heddle_measure_version(void);

/* An instrumented program does not report these calls as its functions. */
#define HEDDLE__INLINE __attribute__((no_instrument_function, always_inline)) static __inline__

typedef void heddle__function(void);

/*
 * dlsym, if the program has it. It is declared by a separate weak reference, so no other use of dlsym becomes weak.
 * Weak references to the functions themselves would not work: in executables at a fixed address, linkers resolve
 * undefined weak ones to zero permanently.
 */
static heddle__function *heddle__look_up(void *handle, const char *name) __attribute__((weakref("dlsym")));

HEDDLE__INLINE void heddle__absent(void)
{
}

/* Returns the function of that name, or NULL. Threads that race here store the same value. */
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
 * Starts measurement of the whole process (all threads). Measurement is on from the program's start unless
 * HEDDLE_START_PAUSED is set. Returns 0, even if it was already on, or -EPERM if measurement could not be set up in
 * this process.
 */
HEDDLE__INLINE int heddle_start(void)
{
	static heddle__function *known;
	heddle__function *function = heddle__find(&known, "heddle_measure_start");

	return function ? ((int (*)(void))function)() : 0;
}

/*
 * Stops measurement of the whole process until heddle_start. Time until then is not counted. Returns 0, even if it was
 * already off.
 */
HEDDLE__INLINE int heddle_stop(void)
{
	static heddle__function *known;
	heddle__function *function = heddle__find(&known, "heddle_measure_stop");

	return function ? ((int (*)(void))function)() : 0;
}

/*
 * Begins a phase on the calling thread. Until the phase ends, the thread's call paths, and those of parallel regions
 * and tasks that it creates, are below `name`. Phases nest. A phase that begins inside a construct (OpenMP's masked, a
 * loop) continues after the construct's end, outside it. A phase that begins in a parallel region or task ends with it
 * at the latest. `name` is copied; it may contain any text, of which the first 1,000 bytes are significant. Returns 0,
 * -EINVAL (NULL or empty name) or -ENOMEM (too many different names). After an error the phase is not measured, and its
 * end, which may be called or not, ends nothing.
 */
HEDDLE__INLINE int heddle_phase_begin(const char *name)
{
	static heddle__function *known;
	heddle__function *function = heddle__find(&known, "heddle_measure_phase_begin");

	return function ? ((int (*)(const char *))function)(name) : 0;
}

/*
 * Ends the innermost open phase of the calling thread. `name` must be its name. A different name, such as that of a
 * phase whose begin returned an error, ends nothing and returns -EINVAL, and so does the end of a phase while a user
 * event (pupc.h, gasp.h) that began in it is open: phases and user events nest. Otherwise returns 0.
 */
HEDDLE__INLINE int heddle_phase_end(const char *name)
{
	static heddle__function *known;
	heddle__function *function = heddle__find(&known, "heddle_measure_phase_end");

	return function ? ((int (*)(const char *))function)(name) : 0;
}

/*
 * Records a value, such as the residual of a step, under `name` at the current path. Reports show the number of values
 * and their minimum, mean and maximum; a trace has each value. `name` as for phases. Returns 0, -EINVAL or -ENOMEM.
 */
HEDDLE__INLINE int heddle_value(const char *name, double value)
{
	static heddle__function *known;
	heddle__function *function = heddle__find(&known, "heddle_measure_value");

	return function ? ((int (*)(const char *, double))function)(name, value) : 0;
}

/*
 * Writes the current profile, which replaces the one that this process wrote before; measurement continues. Takes
 * milliseconds to seconds, depending on the profile's size. Returns 0, or a negative errno if writing failed.
 */
HEDDLE__INLINE int heddle_flush(void)
{
	static heddle__function *known;
	heddle__function *function = heddle__find(&known, "heddle_measure_flush");

	return function ? ((int (*)(void))function)() : 0;
}

/*
 * For libraries with helper threads: threads that the calling thread creates between heddle_unmeasured_threads(1) and
 * heddle_unmeasured_threads(0) are not measured, nor are threads that these create. They are not sampled, their CPU
 * time is not in any sum, and memory that they allocate is not recorded. Pairs of calls nest. Existing threads, and
 * threads that other threads create, are measured as before.
 */
HEDDLE__INLINE void heddle_unmeasured_threads(int begin)
{
	static heddle__function *known;
	heddle__function *function = heddle__find(&known, "heddle_measure_exclude_threads");

	if (function)
		((void (*)(int))function)(begin);
}

/*
 * HEDDLE_PHASE("solve"); is a declaration in a block of C: the phase ends when the block is left, also by return or
 * goto, but not by longjmp or exit. For C++, heddle.hpp has heddle::phase.
 */
#if defined(__GNUC__) && !defined(__cplusplus)
HEDDLE__INLINE void heddle__phase_leave(const char *const *name)
{
	heddle_phase_end(*name);
}

HEDDLE__INLINE const char *heddle__phase_enter(const char *name)
{
	heddle_phase_begin(name);
	return name;
}

#define HEDDLE__JOIN(a, b) a##b
#define HEDDLE__NAME(a, b) HEDDLE__JOIN(a, b)
#define HEDDLE_PHASE(name)                                       \
	const char *const HEDDLE__NAME(heddle__phase_, __LINE__) \
		__attribute__((cleanup(heddle__phase_leave), unused)) = heddle__phase_enter(name)
#endif

/* Returns the version of the library in this process, e.g. "0.1.0"; NULL if the program is not measured. */
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
