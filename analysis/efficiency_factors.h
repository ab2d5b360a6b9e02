/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where the time of a run's threads was lost: parallel efficiency as a product of factors (docs/efficiency.md), for the
 * run, for each phase, and for each outermost parallel region.
 */
#ifndef HEDDLE_ANALYSIS_EFFICIENCY_FACTORS_H
#define HEDDLE_ANALYSIS_EFFICIENCY_FACTORS_H

#include "profile/file/measurement.h"
#include "profile/view/view.h"

/*
 * NAME, name in files, name for people, what time is lost to. The first two are factors between ranks, the next four
 * within a rank.
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

/* Labels are those of the view. */
struct heddle_loss_place {
	uint32_t label; /* HEDDLE_NO_LABEL: not known */
	double ns;      /* thread time lost there */
};

struct heddle_efficiency_scope {
	enum heddle_scope_kind kind;
	uint32_t label; /* of the phase or region */
	size_t ranks, threads;
	double elapsed_ns; /* of the rank that took longest */
	/*
	 * Thread time: [0] elapsed time of all threads, then what each factor in turn leaves of it. The last is useful
	 * time. Never rising.
	 */
	double left[HEDDLE_FACTOR_COUNT + 1];
	struct heddle_loss_place place[HEDDLE_FACTOR_COUNT]; /* of the run; of a region its part that lost most */
};

struct heddle_efficiency_factors {
	struct heddle_efficiency_scope *scopes; /* the run, phases, regions: those that lost most first */
	size_t count;
	bool of_ranks, of_threads; /* there are several ranks in a job; ranks with several threads */
	bool of_everyone;          /* no thread is in a team or has a rank: they need not wait for each other */
};

/* 0 or a negative error: -HEDDLE_MERGED of a merged file. Needs keep_threads. To be freed in any case. */
int heddle__efficiency_factors_make(struct heddle_efficiency_factors *factors,
	const struct profile_measurement *measurement, const struct profile_view *view);
void heddle__efficiency_factors_free(struct heddle_efficiency_factors *factors);

/* 0 to 1. */
static inline double heddle__scope_factor(const struct heddle_efficiency_scope *scope, enum heddle_factor factor)
{
	return scope->left[factor] > 0 ? scope->left[factor + 1] / scope->left[factor] : 1;
}

/* The product of all factors; 0 where no time was spent. */
static inline double heddle__scope_efficiency(const struct heddle_efficiency_scope *scope)
{
	return scope->left[0] > 0 ? scope->left[HEDDLE_FACTOR_COUNT] / scope->left[0] : 0;
}

/* Time lost by a factor, as a share of the threads' time. */
static inline double heddle__scope_loss(const struct heddle_efficiency_scope *scope, enum heddle_factor factor)
{
	return scope->left[0] > 0 ? (scope->left[factor] - scope->left[factor + 1]) / scope->left[0] : 0;
}

/* A region's threads are those in it: nobody works alone, and ranks do not wait there for each other. */
static inline bool heddle__kind_has_factor(enum heddle_scope_kind kind, enum heddle_factor factor)
{
	return kind != HEDDLE_SCOPE_REGION || factor > HEDDLE_FACTOR_SERIALIZATION;
}

/* "communication", "load balance of ranks"; for files "communication", "rank_balance"; "uneven work of ranks". */
const char *heddle__factor_label(enum heddle_factor factor);
const char *heddle__factor_name(enum heddle_factor factor);
const char *heddle__factor_loss(enum heddle_factor factor);

/* True if the factor says something: those between ranks need several of them, and so on. */
bool heddle__factor_matters(const struct heddle_efficiency_factors *factors, enum heddle_factor factor);

#endif
