/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Determines the program's event numbers once, at the first gasp_init. Contains no event names: these are in
 * upc_names.c.
 */
#include "models/upc/upc_vocabulary.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "core/base/hash.h"
#include "core/base/log.h"
#include "core/base/memory.h"
#include "core/base/settings.h"
#include "core/modules/module.h"
#include "core/modules/module_ranges.h"
#include "core/threads/frontend.h"
#include "heddle/gasp_upc.h"
#include "models/upc/upc_counted.h"
#include "models/upc/upc_rows.h"

#define OTHERS 1024u /* numbers outside the tables, a power of two */

struct other {
	_Atomic uint64_t key; /* 0: free */
	const struct heddle_upc_kind *_Atomic kind;
};

struct heddle_upc_vocabulary heddle__upc_vocabulary;
static struct other others[OTHERS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* protects additions to `others` */

/* Defined by the program if it was linked by `heddle upcc`. */
extern const struct heddle_upc_bridge *heddle_upc_bridge(void) __attribute__((weak));

/*
 * Functions that only one family of compilers adds to its programs; their presence is checked, they are never called.
 * Weak references find them in a program linked with Heddle, dlsym in one that exports them.
 */
extern void _pupc_create_event(void) __attribute__((weak));
extern void pupc_event_startg(void) __attribute__((weak));

static const unsigned short gnu_numbers[HEDDLE_UPC_KIND_COUNT] = {
#define X(key, name, label, category, effect, arguments, more, gnu, berkeley) [HEDDLE_UPC_##key] = gnu,
	HEDDLE_UPC_EVENTS(X)
#undef X
};

static const unsigned short berkeley_numbers[HEDDLE_UPC_KIND_COUNT] = {
#define X(key, name, label, category, effect, arguments, more, gnu, berkeley) [HEDDLE_UPC_##key] = berkeley,
	HEDDLE_UPC_EVENTS(X)
#undef X
};

static uint64_t key_of(int model, unsigned int number)
{
	return ((uint64_t)(unsigned int)model << 32 | number) + 1;
}

/* Returns the entry of a key, or the free entry where it belongs; NULL: the table is full. */
static struct other *entry_of(uint64_t key)
{
	uint64_t at = heddle__hash(key) >> 54;
	for (unsigned int i = 0; i < OTHERS; i++, at++) {
		struct other *other = &others[at % OTHERS];
		uint64_t there = atomic_load_explicit(&other->key, memory_order_acquire);
		if (!there || there == key)
			return other;
	}
	return NULL;
}

static void enter_other(uint64_t key, const struct heddle_upc_kind *kind)
{
	struct other *other = entry_of(key);
	if (!other || !kind)
		return;
	atomic_store(&other->kind, kind);
	atomic_store_explicit(&other->key, key, memory_order_release);
}

static const char *model_name(int model)
{
	static const char *const names[] = {[GASP_MODEL_UPC] = "GASP",
		[GASP_MODEL_TITANIUM] = "TITANIUM",
		[GASP_MODEL_CAF] = "CAF",
		[GASP_MODEL_MPI] = "MPI",
		[GASP_MODEL_SHMEM] = "SHMEM"};
	return model >= 0 && model <= GASP_MODEL_SHMEM ? names[model] : "GASP";
}

static bool is_wanted(void)
{
	return heddle__setting_lists(HEDDLE_SETTING_MODELS, "upc");
}

/* Returns NULL if memory is exhausted. */
static const struct heddle_upc_kind *make_kind(const char *name, bool made_up)
{
	struct heddle_upc_kind *kind = heddle__alloc(sizeof(*kind));
	const struct heddle_event *event = kind ? heddle__event_add("upc", name, name, made_up) : NULL;
	if (!event)
		return NULL;
	*kind = (struct heddle_upc_kind){.event = event, .arguments = "", .more = ""};
	kind->row = heddle__upc_row_of(kind);
	return kind;
}

static const struct heddle_upc_kind *make_up(int model, unsigned int number)
{
	char name[48];
	snprintf(name, sizeof(name), "%s event %u", model_name(model), number);
	return make_kind(name, true);
}

static struct heddle_event unselected = {
	"upc", "GASP event", "gasp event", HEDDLE_CATEGORY_OTHER, 0, false, true, 0, 0};
static const struct heddle_upc_kind ignored = {.event = &unselected, .arguments = "", .more = ""};

/* Returns the kind of all further numbers when the table is full. */
static const struct heddle_upc_kind *any_other(void)
{
	static _Atomic bool said;
	heddle__warn_once(&said, "more than %u unknown event numbers; the rest is not measured", OTHERS / 2);
	return &ignored;
}

const struct heddle_upc_kind *heddle__upc_other_kind(int model, unsigned int number)
{
	static unsigned int made;
	if (!is_wanted())
		return &ignored;
	uint64_t key = key_of(model, number);
	struct other *other = entry_of(key);
	if (other && atomic_load_explicit(&other->key, memory_order_acquire))
		return other->kind;
	pthread_mutex_lock(&lock);
	other = entry_of(key);
	const struct heddle_upc_kind *kind = NULL;
	if (other && atomic_load(&other->key)) {
		kind = other->kind;
	} else if (other && made < OTHERS / 2 && (kind = make_up(model, number))) {
		made++;
		enter_other(key, kind);
	}
	pthread_mutex_unlock(&lock);
	return kind ? kind : any_other();
}

static void learn(const struct heddle_upc_kind *kind, unsigned int number)
{
	if (number < HEDDLE_UPC_DENSE)
		heddle__upc_vocabulary.dense[number] = kind;
	else
		enter_other(key_of(GASP_MODEL_UPC, number), kind);
}

static void learn_table(const unsigned short *numbers)
{
	for (unsigned int i = 0; i < HEDDLE_UPC_KIND_COUNT; i++) {
		if (numbers[i])
			learn(&heddle__upc_kinds[i], numbers[i]);
	}
}

static void learn_own(void)
{
	struct heddle_upc_vocabulary *vocabulary = &heddle__upc_vocabulary;
	for (unsigned int i = 0; i < HEDDLE_UPC_KIND_COUNT; i++) {
		if (gnu_numbers[i])
			vocabulary->own[gnu_numbers[i]] = &heddle__upc_kinds[i];
	}
	vocabulary->user_first = GASP_UPC_USEREVT_START;
	vocabulary->user_last = GASP_UPC_USEREVT_END;
}

static void learn_runtime(const struct heddle_upc_bridge *bridge)
{
	if (!bridge->runtime_low || bridge->runtime_low == bridge->runtime_high)
		return;
	heddle__reporter_low = heddle__place_of((uintptr_t)bridge->runtime_low);
	heddle__reporter_high = heddle__reporter_low +
				(uint64_t)((const char *)bridge->runtime_high - (const char *)bridge->runtime_low);
}

/*
 * Copies the bridge, which may belong to the calling thread and end with it: with pthreads, each UPC thread has its own
 * static data.
 */
static const struct heddle_upc_bridge *keep(const struct heddle_upc_bridge *bridge)
{
	static struct heddle_upc_bridge kept;
	static const size_t sizes[] = {[1] = offsetof(struct heddle_upc_bridge, runtime_low),
		[2] = offsetof(struct heddle_upc_bridge, node_of),
		[3] = offsetof(struct heddle_upc_bridge, first_clock),
		[4] = offsetof(struct heddle_upc_bridge, in_nosync),
		[5] = offsetof(struct heddle_upc_bridge, memory_of),
		[6] = offsetof(struct heddle_upc_bridge, count_accesses),
		[7] = offsetof(struct heddle_upc_bridge, count_accesses),
		[8] = sizeof(kept),
		[9] = sizeof(kept),
		[10] = sizeof(kept)};
	_Static_assert(sizeof(sizes) / sizeof(sizes[0]) == HEDDLE_UPC_BRIDGE_VERSION + 1, "the size of each version");
	memcpy(&kept, bridge, sizes[bridge->version]);
	return &kept;
}

/* Maps the bridge's numbers. A name that is in no table becomes a kind of its own. */
static void learn_bridge(const struct heddle_upc_bridge *bridge)
{
	struct heddle_upc_vocabulary *vocabulary = &heddle__upc_vocabulary;
	vocabulary->bridge = keep(bridge);
	vocabulary->user_first = bridge->user_first;
	vocabulary->user_last = bridge->user_last;
	if (bridge->version >= 2)
		learn_runtime(bridge);
	memcpy(vocabulary->nb_trivial, bridge->nb_trivial, sizeof(vocabulary->nb_trivial));
	for (unsigned int i = 0; i < bridge->event_count; i++) {
		const struct heddle_upc_kind *kind = heddle__upc_kind_named(bridge->events[i].name);
		if (!kind && is_wanted())
			kind = make_kind(bridge->events[i].name, false);
		if (kind)
			learn(kind, bridge->events[i].number);
	}
}

static void learn_once(void)
{
	struct heddle_upc_vocabulary *vocabulary = &heddle__upc_vocabulary;
	const struct heddle_upc_bridge *bridge = heddle_upc_bridge ? heddle_upc_bridge() : NULL;
	learn_own();
	if (bridge && (bridge->version < 1 || bridge->version > HEDDLE_UPC_BRIDGE_VERSION)) {
		heddle__warn(
			"the program's bridge has version %u, Heddle has %u: link the program again with heddle upcc",
			bridge->version, HEDDLE_UPC_BRIDGE_VERSION);
		bridge = NULL;
	}
	if (bridge) {
		learn_bridge(bridge);
		heddle__upc_counted_ask(bridge);
		heddle__inform("UPC: %s", bridge->compiler);
	} else if (_pupc_create_event || dlsym(RTLD_DEFAULT, "_pupc_create_event")) {
		learn_table(berkeley_numbers);
		vocabulary->user_first = 100;
		vocabulary->user_last = 999;
		vocabulary->nb_trivial[1] = (const void *)-1;
		heddle__inform("UPC: Berkeley's event numbers");
	} else if (pupc_event_startg || dlsym(RTLD_DEFAULT, "pupc_event_startg")) {
		learn_table(gnu_numbers);
		vocabulary->user_first = 1000;
		vocabulary->user_last = 1999;
		heddle__inform("UPC: GNU UPC's event numbers");
	}
}

void heddle__upc_vocabulary_init(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	pthread_once(&once, learn_once);
}
