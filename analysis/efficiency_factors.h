/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Parallel efficiency as a product of factors (docs/efficiency.md), for the run, for each phase, and for each outermost
 * parallel region: how the time of a run's threads was lost.
 */
#ifndef HEDDLE_ANALYSIS_EFFICIENCY_FACTORS_H
#define HEDDLE_ANALYSIS_EFFICIENCY_FACTORS_H

#include "profile/file/measurement.h"
#include "profile/view/view.h"

/*
 * Columns: NAME, name in files, name in reports, cause of the loss. The first two are factors between ranks, the next
 * four within a rank.
 */
#define HEDDLE_FACTORS(X)                                                                              \
	X(COMMUNICATION, "communication", "communication", "communication between ranks")              \
	X(RANK_BALANCE, "rank_balance", "load balance of ranks", "uneven work of ranks")               \
	X(SERIALIZATION, "serialization", "serialization", "one thread working alone")                 \
	X(THREAD_BALANCE, "thread_balance", "load balance of threads", "uneven work of threads")       \
	X(SYNCHRONIZATION, "synchronization", "synchronization", "barriers, locks and waits of tasks") \
	X(RUNTIME, "runtime", "run-time system", "the run-time system")                                \
	X(MEASUREMENT, "measurement", "measurement", "the measurement")                                \
	X(PROCESSORS, "processors", "processors", "waiting for a processor, or sleeping")

enum heddle_factor {
#define X(name, ...) HEDDLE_FACTOR_##name,
	HEDDLE_FACTORS(X)
#undef X
		HEDDLE_FACTOR_COUNT
};

#define HEDDLE_FACTOR_FIRST_OF_THREADS HEDDLE_FACTOR_SERIALIZATION
#define HEDDLE_NO_LABEL UINT32_MAX

enum heddle_scope_kind { HEDDLE_SCOPE_RUN, HEDDLE_SCOPE_PHASE, HEDDLE_SCOPE_REGION };

/* Labels are numbers of the view's labels. */
struct heddle_loss_place {
	uint32_t label; /* HEDDLE_NO_LABEL: unknown */
	double ns;      /* thread time lost there */
};

struct heddle_efficiency_scope {
	enum heddle_scope_kind kind;
	uint32_t label; /* of the phase or region */
	size_t ranks, threads;
	double elapsed_ns; /* of the rank with the largest */
	/*
	 * Thread time: [0] is the elapsed time of all threads, [f + 1] what remains of [f] after factor f. Never
	 * increases; the last is useful time.
	 */
	double left[HEDDLE_FACTOR_COUNT + 1];
	struct heddle_loss_place place[HEDDLE_FACTOR_COUNT]; /* by factor: where the run, or the region, lost most */
};

struct heddle_efficiency_factors {
	struct heddle_efficiency_scope *scopes; /* the run, then phases and regions, the largest loss first */
	size_t count;
	bool of_ranks, of_threads; /* a job has several ranks; ranks have several threads */
	bool of_everyone;          /* all threads count, because none is in a team or has a rank */
};

/* Returns 0 or a negative error: -HEDDLE_MERGED for a merged file. Needs keep_threads. Free `factors` in any case. */
int heddle__efficiency_factors_make(struct heddle_efficiency_factors *factors,
	const struct profile_measurement *measurement, const struct profile_view *view);
void heddle__efficiency_factors_free(struct heddle_efficiency_factors *factors);

/* Returns the value of a factor, 0 to 1. */
static inline double heddle__scope_factor(const struct heddle_efficiency_scope *scope, enum heddle_factor factor)
{
	return scope->left[factor] > 0 ? scope->left[factor + 1] / scope->left[factor] : 1;
}

/* Returns the product of all factors; 0 if no time was spent. */
static inline double heddle__scope_efficiency(const struct heddle_efficiency_scope *scope)
{
	return scope->left[0] > 0 ? scope->left[HEDDLE_FACTOR_COUNT] / scope->left[0] : 0;
}

/* Returns the time lost by a factor, as a share of the threads' time. */
static inline double heddle__scope_loss(const struct heddle_efficiency_scope *scope, enum heddle_factor factor)
{
	return scope->left[0] > 0 ? (scope->left[factor] - scope->left[factor + 1]) / scope->left[0] : 0;
}

/*
 * True if scopes of that kind have the factor. A region's threads are only those in it, so no thread works alone in it,
 * and ranks do not wait for each other there.
 */
static inline bool heddle__kind_has_factor(enum heddle_scope_kind kind, enum heddle_factor factor)
{
	return kind != HEDDLE_SCOPE_REGION || factor > HEDDLE_FACTOR_SERIALIZATION;
}

/* Return "load balance of ranks", for reports; "rank_balance", for files; "uneven work of ranks", cause of the loss. */
const char *heddle__factor_label(enum heddle_factor factor);
const char *heddle__factor_name(enum heddle_factor factor);
const char *heddle__factor_loss(enum heddle_factor factor);

/* True if the factor is meaningful: a factor between ranks needs several ranks, one between threads several threads. */
bool heddle__factor_matters(const struct heddle_efficiency_factors *factors, enum heddle_factor factor);

#endif
