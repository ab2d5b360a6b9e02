/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * All settings of a measurement, in one list: the library reads the variables, `heddle run` sets them from its options;
 * a test compares docs/settings.md and the man page with it. Settings of `heddle run` itself (--openmp-runtime), which
 * the library does not need, are not in it.
 */
#ifndef HEDDLE_FORMAT_SETTINGS_H
#define HEDDLE_FORMAT_SETTINGS_H

#define HEDDLE_MODELS_DEFAULT "annotations,c,mpi,shmem,upc,openmp"

/*
 * NAME, variable, option, argument, KIND, low, high, default, help
 *
 * KIND   NUMBER  a decimal integer, low <= value <= high
 *        CHOICE  one of the words that the argument column lists, separated by '|'
 *        LIST    some of the words that the argument column lists, separated by ','
 *        PATH    a directory
 *        FILE    a file that can be read; or its contents, if it begins with '!', with commas between lines
 *        TEXT    any text; the code that uses it checks it
 *        SIZE    bytes, with K, M or G; low <= bytes <= high
 *        TIME    a time above 0, with s, ms, us or ns
 *        WINDOW  two times, FROM:TO; TO may be missing
 *        FLAG    the option takes no argument and sets "1"; the variable is off when unset, empty or "0"
 *
 * An option of NULL: only the variable exists. A default of "": not set.
 */
#define HEDDLE_SETTINGS(X)                                                                                           \
	X(SAMPLE_HZ, "HEDDLE_SAMPLE_HZ", "--sample-hz", "N", NUMBER, 0, 100000, "0",                                 \
		"samples per second and thread; 0: events only")                                                     \
	X(SAMPLE_CLOCK, "HEDDLE_SAMPLE_CLOCK", "--sample-clock", "cpu|wall", CHOICE, 0, 0, "cpu",                    \
		"sample on CPU time or elapsed time of the thread")                                                  \
	X(SAMPLE_EVENT, "HEDDLE_SAMPLE_EVENT", "--sample-event", "EVENT@PERIOD", TEXT, 0, 0, "",                     \
		"sample every PERIOD occurrences of EVENT instead")                                                  \
	X(SAMPLE_SOURCE, "HEDDLE_SAMPLE_SOURCE", "--sample-source", "auto|perf|posix", CHOICE, 0, 0, "auto",         \
		"timer of CPU time; auto: posix where threads switch often")                                         \
	X(METRICS, "HEDDLE_METRICS", "--metric", "LIST", TEXT, 0, 0, "",                                             \
		"count these events by call path: see --metric help")                                                \
	X(MODELS, "HEDDLE_MODELS", "--models", HEDDLE_MODELS_DEFAULT, LIST, 0, 0, HEDDLE_MODELS_DEFAULT,             \
		"programming models whose events are measured")                                                      \
	X(EVENTS, "HEDDLE_EVENTS", "--events", "FILE", FILE, 0, 0, "",                                               \
		"measure only events that FILE names; '!NAME,...': all but these (default: all)")                    \
	X(MEMORY, "HEDDLE_MEMORY", "--memory", NULL, FLAG, 0, 1, "0",                                                \
		"measure allocations: in use, high-water mark, not freed")                                           \
	X(BLAME, "HEDDLE_BLAME", "--blame", NULL, FLAG, 0, 1, "0", "charge waiting time to the code that causes it") \
	X(ACCESSES, "HEDDLE_ACCESSES", "--accesses", NULL, FLAG, 0, 1, "0",                                          \
		"measure accesses to shared memory by variable and pair")                                            \
	X(MPI_SYNC, "HEDDLE_MPI_SYNC", "--mpi-sync", NULL, FLAG, 0, 1, "0",                                          \
		"MPI: time a barrier before each collective")                                                        \
	X(INST_TIME, "HEDDLE_INST_TIME", "--inst-time", "auto|all|sampled", CHOICE, 0, 0, "auto",                    \
		"UPC: time each access within the node, or some; auto: some if there are samples")                   \
	X(INST_MIN_TIME, "HEDDLE_INST_MIN_TIME", "--inst-min-time", "TIME", TIME, 0, 0, "",                          \
		"disable functions whose own time per call is below TIME")                                           \
	X(TRACE, "HEDDLE_TRACE", "--trace", NULL, FLAG, 0, 1, "0", "also record when each event happened")           \
	X(TRACE_BUFFER, "HEDDLE_TRACE_BUFFER", "--trace-buffer", "SIZE", SIZE, 4096, 1 << 30, "256K",                \
		"size of each of a thread's two trace buffers")                                                      \
	X(TRACE_DIR, "HEDDLE_TRACE_DIR", "--trace-dir", "DIR", PATH, 0, 0, "",                                       \
		"write traces here, then move them to the measurement")                                              \
	X(TRACE_FULL, "HEDDLE_TRACE_FULL", "--trace-full", "wait|drop", CHOICE, 0, 0, "wait",                        \
		"when its buffers are full, a thread waits or drops events")                                         \
	X(TRACE_WINDOW, "HEDDLE_TRACE_WINDOW", "--trace-window", "FROM:TO", WINDOW, 0, 0, "",                        \
		"trace only this part of each process's run: 10s:20s")                                               \
	X(TRACE_LAST, "HEDDLE_TRACE_LAST", "--trace-last", "TIME", TIME, 0, 0, "",                                   \
		"keep a trace of the last TIME, written at the end")                                                 \
	X(OUTPUT, "HEDDLE_OUTPUT", "-o", "DIR", PATH, 0, 0, "",                                                      \
		"write the measurement here (default: heddle-PROGRAM-PID)")                                          \
	X(START_PAUSED, "HEDDLE_START_PAUSED", "--paused", NULL, FLAG, 0, 1, "0",                                    \
		"measure only after the program calls heddle_start()")                                               \
	X(FLUSH_SECONDS, "HEDDLE_FLUSH_SECONDS", "--flush-seconds", "N", NUMBER, 0, 86400, "0",                      \
		"also write it every N seconds; 0: with --trace every 10")                                           \
	X(SAMPLE_SIGNAL, "HEDDLE_SAMPLE_SIGNAL", "--sample-signal", "N", NUMBER, 0, 31, "0",                         \
		"standard signal for samples; 0: SIGTRAP or SIGURG")                                                 \
	X(VERBOSE, "HEDDLE_VERBOSE", "--verbose", NULL, FLAG, 0, 1, "0",                                             \
		"report on standard error what is measured and how")

/* The value of HEDDLE_SAMPLE_HZ under `heddle run`, if neither it nor a sampling event is given. */
#define HEDDLE_RUN_SAMPLE_HZ "1000"

enum heddle_setting {
#define X(name, variable, option, argument, kind, low, high, initial, help) HEDDLE_SETTING_##name,
	HEDDLE_SETTINGS(X)
#undef X
		HEDDLE_SETTING_COUNT
};

enum heddle_setting_kind {
	HEDDLE_SETTING_KIND_NUMBER,
	HEDDLE_SETTING_KIND_CHOICE,
	HEDDLE_SETTING_KIND_LIST,
	HEDDLE_SETTING_KIND_PATH,
	HEDDLE_SETTING_KIND_FILE,
	HEDDLE_SETTING_KIND_TEXT,
	HEDDLE_SETTING_KIND_SIZE,
	HEDDLE_SETTING_KIND_TIME,
	HEDDLE_SETTING_KIND_WINDOW,
	HEDDLE_SETTING_KIND_FLAG,
};

#endif
