/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * All settings of a measurement, in one list: the library reads the variables, `heddle run` sets them from its options;
 * a test compares docs/settings.md and the man page with it. Settings of `heddle run` itself (--openmp-runtime) are not
 * here: the library does not need them.
 */
#ifndef HEDDLE_FORMAT_SETTINGS_H
#define HEDDLE_FORMAT_SETTINGS_H

/*
 * NAME, variable, option, argument, KIND, low, high, default, help
 *
 * KIND   NUMBER  a decimal integer, low <= value <= high
 *        CHOICE  one of the words that the argument column lists, separated by '|'
 *        LIST    some of the words that the argument column lists, separated by ','
 *        PATH    a directory
 *        FILE    a file that can be read
 *        TEXT    anything; who uses it checks it
 *        SIZE    bytes, with K, M or G; low <= bytes <= high
 *        TIME    a time above 0, with s, ms, us or ns
 *        WINDOW  two times, FROM:TO; TO may be missing
 *        FLAG    the option takes no argument and sets "1"; the variable is off when unset, empty or "0"
 *
 * An option of NULL: the variable only. A default of "": not set.
 */
#define HEDDLE_SETTINGS(X)                                                                                   \
	X(SAMPLE_HZ, "HEDDLE_SAMPLE_HZ", "--sample-hz", "N", NUMBER, 0, 100000, "0",                         \
		"samples per second and thread; 0 switches sampling off: events only")                       \
	X(SAMPLE_CLOCK, "HEDDLE_SAMPLE_CLOCK", "--sample-clock", "cpu|wall", CHOICE, 0, 0, "cpu",            \
		"clock of sampling periods: CPU time or elapsed time of the thread")                         \
	X(SAMPLE_EVENT, "HEDDLE_SAMPLE_EVENT", "--sample-event", "EVENT@PERIOD", TEXT, 0, 0, "",             \
		"a sample after every PERIOD occurrences of EVENT in a thread, instead of by the timer")     \
	X(SAMPLE_SOURCE, "HEDDLE_SAMPLE_SOURCE", "--sample-source", "auto|perf|posix", CHOICE, 0, 0, "auto", \
		"timer of CPU time: perf, but posix for threads that switch often (auto); or one for all")   \
	X(METRICS, "HEDDLE_METRICS", "--metric", "LIST", TEXT, 0, 0, "",                                     \
		"count these events by call path, separated by commas; `--metric help` lists them")          \
	X(MODELS, "HEDDLE_MODELS", "--models", "annotations,c,mpi,shmem,upc,openmp", LIST, 0, 0,             \
		"annotations,c,mpi,shmem,upc,openmp", "programming models whose events are measured")        \
	X(EVENTS, "HEDDLE_EVENTS", "--events", "FILE", FILE, 0, 0, "",                                       \
		"measure only the events that FILE names, one symbolic name per line (default: all)")        \
	X(MEMORY, "HEDDLE_MEMORY", "--memory", NULL, FLAG, 0, 1, "0",                                        \
		"measure the malloc family: bytes in use, high-water mark, memory not freed at the end")     \
	X(BLAME, "HEDDLE_BLAME", "--blame", NULL, FLAG, 0, 1, "0",                                           \
		"charge waiting time to its cause: lock holders, late threads, serial code")                 \
	X(ACCESSES, "HEDDLE_ACCESSES", "--accesses", NULL, FLAG, 0, 1, "0",                                  \
		"UPC: measure accesses to shared memory by variable, and by pair of threads")                \
	X(INST_TIME, "HEDDLE_INST_TIME", "--inst-time", "auto|all|sampled", CHOICE, 0, 0, "auto",            \
		"UPC: time each access within the node, or some; auto: some if there are samples")           \
	X(TRACE, "HEDDLE_TRACE", "--trace", NULL, FLAG, 0, 1, "0",                                           \
		"also record when each event happened: a trace beside the profile")                          \
	X(TRACE_BUFFER, "HEDDLE_TRACE_BUFFER", "--trace-buffer", "SIZE", SIZE, 4096, 1 << 30, "256K",        \
		"size of each of a thread's two trace buffers")                                              \
	X(TRACE_DIR, "HEDDLE_TRACE_DIR", "--trace-dir", "DIR", PATH, 0, 0, "",                               \
		"write traces here, such as to a local disk, and move them to the measurement at the end")   \
	X(TRACE_FULL, "HEDDLE_TRACE_FULL", "--trace-full", "wait|drop", CHOICE, 0, 0, "wait",                \
		"when both buffers of a thread are full: it waits for one, or its events are dropped")       \
	X(TRACE_WINDOW, "HEDDLE_TRACE_WINDOW", "--trace-window", "FROM:TO", WINDOW, 0, 0, "",                \
		"trace from FROM to TO only, since the start of each process: 10s:20s; implies --trace")     \
	X(TRACE_LAST, "HEDDLE_TRACE_LAST", "--trace-last", "TIME", TIME, 0, 0, "",                           \
		"keep a trace of the last TIME in memory, written at the end or a flush; implies --trace")   \
	X(OUTPUT, "HEDDLE_OUTPUT", "-o", "DIR", PATH, 0, 0, "",                                              \
		"directory to write the measurement to (default: heddle-PROGRAM-PID)")                       \
	X(START_PAUSED, "HEDDLE_START_PAUSED", "--paused", NULL, FLAG, 0, 1, "0",                            \
		"start with measurement off, until the program calls heddle_start()")                        \
	X(FLUSH_SECONDS, "HEDDLE_FLUSH_SECONDS", "--flush-seconds", "N", NUMBER, 0, 86400, "0",              \
		"write the profile every N seconds, too; 0: at the end only, but with --trace every 10 s")   \
	X(SAMPLE_SIGNAL, "HEDDLE_SAMPLE_SIGNAL", "--sample-signal", "N", NUMBER, 0, 31, "0",                 \
		"standard signal for samples; 0: SIGTRAP if perf may observe the kernel, else SIGURG")       \
	X(VERBOSE, "HEDDLE_VERBOSE", "--verbose", NULL, FLAG, 0, 1, "0",                                     \
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
