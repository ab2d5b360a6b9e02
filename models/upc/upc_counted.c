/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A place is found by the number in its count. The places at which compiled code counts now are in a list. A change of
 * the shadow stack adds what they counted and empties the list; then the next access at each place is an event again.
 * That does not affect which access is timed: the distance to the next timed one continues across such changes.
 */
#include "models/upc/upc_counted.h"

#include <string.h>

#include "core/base/clock.h"
#include "core/base/likely.h"
#include "core/base/memory.h"
#include "core/base/notes.h"
#include "core/base/settings.h"
#include "core/blame/blame.h"
#include "core/counters/counting.h"
#include "core/threads/listeners.h"
#include "core/threads/region.h"
#include "core/threads/trace.h"
#include "models/upc/upc_access.h"
#include "models/upc/upc_handles.h"
#include "models/upc/upc_names.h"

#define TIMED_EVERY 512 /* accesses, on average */
#define BLOCK 64u
#define BLOCKS 512u
#define SMOOTH 16u   /* timed accesses in a mean time, about */
#define PARTS 256u   /* units of a tick */
#define CHUNK 16384u /* bytes of memory for the program's additional counts */
#define CHUNKS 512u
#define PATHS 8u /* paths of a place with known times; a further path replaces one of them */
#define EACH_TIMED 16u
#define INTERRUPTED_NS 1000u /* an access within a node that takes longer was interrupted */
#define NOTE "UPC: the time of accesses within the node is an estimate: about one in 500 was timed"
#define END_WAIT_NS 50000u
#define END_WAITS 20000u

/* The times of accesses at one place on one path. */
struct times {
	const struct heddle_slot *slot;
	uint32_t mean;  /* ticks of an access, in PARTS */
	uint32_t timed; /* number of accesses in the mean, at most SMOOTH */
	double error;   /* standard error of the estimated time, in ticks */
};

struct place {
	struct place *next; /* in the list of places that count */
	struct heddle_upc_count *count;
	struct heddle_slot *slot;       /* of the last event at this place; NULL: none */
	struct times *times;            /* of that slot */
	struct heddle_partner *partner; /* with --accesses */
	size_t size;
	int32_t from;     /* `left` when counts were last added */
	int32_t due;      /* accesses until the next timed one, while nothing is counted */
	int32_t distance; /* the random distance from which `due` began; 0: none yet */
	uint32_t own;     /* mean ticks of an access here that is an event, in PARTS */
	bool counts;      /* in the list */
	bool puts, local;
	bool each;    /* with --accesses: the accessed object cannot be counted, so each access is an event */
	uint8_t turn; /* of these events, one in EACH_TIMED is timed */
	struct times of[PATHS];
};

struct heddle_upc_places {
	struct place *blocks[BLOCKS];
	struct place *_Atomic first; /* of the list */
	_Atomic uint32_t readers;    /* other threads that read the list */
	uint32_t used;
	char *chunks[CHUNKS];
	uint32_t used_memory; /* bytes used in `chunks` */
	uint64_t random;
	uintptr_t at_event; /* stack address of the event in progress; its changes of the stack do not end counting */
	bool due;           /* the access in progress is to be timed */
	int32_t covered;    /* accesses counted at its place since the last event there */
};

static bool wanted, by_variable, by_version;
static _Atomic bool noted;

static struct heddle_upc_places *places_of(struct heddle_thread *thread)
{
	struct heddle_upc_handles *handles = heddle__upc_handles_of(thread);
	if (handles && !handles->places)
		handles->places = heddle__alloc(sizeof(*handles->places));
	return handles ? handles->places : NULL;
}

static struct heddle_upc_places *known_places(struct heddle_thread *thread)
{
	struct heddle_upc_handles *handles = heddle__upc_handles_known(thread);
	return handles ? handles->places : NULL;
}

/* Returns NULL if memory is exhausted, or if there are too many places. */
static struct place *place_at(struct heddle_upc_places *places, uint32_t index)
{
	struct place **block = index / BLOCK < BLOCKS ? &places->blocks[index / BLOCK] : NULL;
	if (block && !*block)
		*block = heddle__alloc(BLOCK * sizeof(**block));
	return block && *block ? &(*block)[index % BLOCK] : NULL;
}

static struct place *place_of(struct heddle_upc_places *places, struct heddle_upc_count *count)
{
	if (HEDDLE_LIKELY(count->number))
		return place_at(places, count->number - 1);
	struct place *place = place_at(places, places->used);
	if (!place)
		return NULL;
	*place = (struct place){.count = count};
	count->number = ++places->used;
	return place;
}

static void *memory_of(struct heddle_upc_places *places, uint32_t size)
{
	uint32_t at = places->used_memory % CHUNK, chunk = places->used_memory / CHUNK + (at + size > CHUNK);
	if (chunk >= CHUNKS)
		return NULL;
	if (!places->chunks[chunk])
		places->chunks[chunk] = heddle__alloc(CHUNK);
	if (!places->chunks[chunk])
		return NULL;
	at = at + size > CHUNK ? 0 : at;
	places->used_memory = chunk * CHUNK + at + size;
	return places->chunks[chunk] + at;
}

/* Returns a uniformly distributed distance, so that timed accesses do not follow the period of a loop. */
static int32_t next_due(struct heddle_upc_places *places)
{
	if (!places->random)
		places->random = (uintptr_t)places ^ heddle__ticks() << 16 ^ 1;
	places->random ^= places->random << 13;
	places->random ^= places->random >> 7;
	places->random ^= places->random << 17;
	return 1 + (int32_t)(places->random % (2 * TIMED_EVERY - 1));
}

/* ---- adding what was counted ---- */

/*
 * Moves `ticks`, which were spent in accesses, to the place's slot. They are subtracted from the time of the code
 * around the accesses: of the innermost region or, if samples account for that code, of the next sample; at most the
 * time since the last sample.
 */
static void move_time(struct heddle_thread *thread, const struct place *place, uint64_t ticks)
{
	struct heddle_slot *slot = place->slot;
	struct heddle_slot *around = heddle__innermost_slot(thread);
	if (around == slot)
		return;
	if (around) {
		heddle__charge(thread, around, heddle__measured_ticks());
		uint64_t *charged = &around->value[HEDDLE_METRIC_WALL_TIME];
		ticks = ticks < *charged ? ticks : *charged;
		*charged -= ticks;
	} else {
		uint64_t now = heddle__measured_ticks(), since = thread->sampled.ticks + thread->sampled.owed_ticks;
		uint64_t most = now > since ? now - since : 0;
		ticks = ticks < most ? ticks : most;
		thread->sampled.owed_ticks += ticks;
	}
	slot->value[HEDDLE_METRIC_WALL_TIME] += ticks;
	if (place->partner)
		place->partner->ticks += ticks;
}

static void add_counts(const struct place *place, uint64_t count)
{
	struct heddle_slot *slot = place->slot;
	uint64_t bytes = count * place->size;
	slot->value[HEDDLE_METRIC_VISITS] += count;
	heddle__slot_add(slot, place->puts ? HEDDLE_METRIC_BYTES_PUT : HEDDLE_METRIC_BYTES_GOT, bytes);
	heddle__slot_add(slot, place->local ? HEDDLE_METRIC_LOCAL : HEDDLE_METRIC_SAME_NODE, count);
	if (!place->local)
		heddle__slot_add(slot, HEDDLE_METRIC_SAME_NODE_BYTES, bytes);
	heddle__slot_distribute_many(slot, (double)place->size, count);
	struct heddle_partner *partner = place->partner;
	if (!partner)
		return;
	*(place->puts ? &partner->puts : &partner->gets) += count;
	*(place->puts ? &partner->bytes_put : &partner->bytes_got) += bytes;
}

/*
 * Adds what the place counted since the last call, and returns how many accesses these were. A signal handler may see
 * `left` below 0. Counts are not added while measurement is paused (by another thread).
 */
static int32_t take_counts(struct place *place)
{
	int32_t left = place->count->left > 0 ? place->count->left : 0, counted = place->from - left;
	place->from = left;
	if (counted <= 0 || atomic_load_explicit(&heddle__run_state, memory_order_relaxed) == HEDDLE_PAUSED)
		return 0;
	add_counts(place, (uint64_t)counted);
	return counted;
}

static void add_counted(struct heddle_thread *thread, struct place *place)
{
	int32_t counted = take_counts(place);
	if (counted)
		move_time(thread, place, (uint64_t)counted * place->times->mean / PARTS);
}

/* Ends counting, since the thread's innermost region changes: later accesses belong to another path. */
static void end_counting(struct heddle_thread *thread, struct heddle_upc_places *places)
{
	struct place *place = atomic_load_explicit(&places->first, memory_order_relaxed);
	atomic_store_explicit(&places->first, NULL, memory_order_relaxed);
	for (; place; place = place->next) {
		add_counted(thread, place);
		place->due = place->from;
		place->count->left = place->from = 0;
		place->counts = false;
	}
	thread->counts_places = false;
	heddle__update_special(thread);
}

static bool is_in_event(const struct heddle_upc_places *places)
{
	return places->at_event && (uintptr_t)__builtin_frame_address(0) < places->at_event;
}

static void before_change(struct heddle_thread *thread, const struct heddle_region *opened)
{
	(void)opened;
	struct heddle_upc_places *places = thread->counts_places ? known_places(thread) : NULL;
	if (places && !is_in_event(places))
		end_counting(thread, places);
}

/* Called when measurement of all threads is switched: counts up to now belong to the previous state. */
static void before_switch(void)
{
	struct heddle_thread *thread = heddle__thread_self();
	if (!thread || atomic_load_explicit(&thread->inside, memory_order_relaxed))
		return;
	heddle__enter(thread);
	before_change(thread, NULL);
	heddle__leave(thread);
}

void heddle__upc_counted_add(struct heddle_thread *thread)
{
	struct heddle_upc_places *places = known_places(thread);
	if (!places || (thread != heddle__thread_self() && !heddle__is_read_at_rest()))
		return;
	atomic_fetch_add(&places->readers, 1);
	for (struct place *place = atomic_load(&places->first); place; place = place->next)
		add_counted(thread, place);
	atomic_fetch_sub(&places->readers, 1);
}

void heddle__upc_counted_end(struct heddle_thread *thread)
{
	struct heddle_upc_places *places = known_places(thread);
	if (!places)
		return;
	end_counting(thread, places);
	places->used = places->used_memory = 0; /* the next owner of the context has other counts */
	for (uint32_t i = 0; atomic_load(&places->readers) && i < END_WAITS; i++)
		heddle__clock_nap(END_WAIT_NS);
}

static void forget(struct heddle_thread *thread, bool lives)
{
	struct heddle_upc_places *places = known_places(thread);
	if (!places)
		return;
	struct place *place = atomic_load(&places->first);
	atomic_store(&places->first, NULL);
	atomic_store(&places->readers, 0);
	for (; place && lives; place = place->next) {
		place->count->left = place->from = 0;
		place->counts = false;
	}
	if (!lives)
		places->used = places->used_memory = 0;
	thread->counts_places = false;
	heddle__update_special(thread);
}

void heddle__upc_counted_after_fork(void)
{
	struct heddle_thread *self = heddle__thread_self();
	for (struct heddle_thread *thread = heddle__threads(); thread; thread = thread->next)
		forget(thread, thread == self);
}

/* ---- events ---- */

/* Called before an access is reported. Returns nonzero if `end` may let compiled code count. */
static int begin(struct heddle_upc_count *count)
{
	struct heddle_thread *thread = heddle__thread_self();
	if (!wanted || !thread || atomic_load_explicit(&thread->inside, memory_order_relaxed))
		return 0;
	heddle__enter(thread);
	struct heddle_upc_places *places = places_of(thread);
	struct place *place = places && !is_in_event(places) ? place_of(places, count) : NULL;
	if (place) {
		places->at_event = (uintptr_t)__builtin_frame_address(0);
		places->due = place->counts ? !count->left : --place->due <= 0;
		places->covered = place->counts ? take_counts(place) : 0;
	}
	heddle__leave(thread);
	return !place ? 0 : place->each && ++place->turn % EACH_TIMED ? HEDDLE_UPC_UNTIMED : 1;
}

/* Returns the slot of the access that was reported last; NULL: nothing is counted now. */
static struct heddle_slot *reported_slot(const struct heddle_thread *thread, const struct heddle_upc_kind *kind)
{
	const struct heddle_region *over = heddle__last_popped(&thread->stack);
	if (!heddle__is_counting(thread) || !over || over->deferred || !over->slot || !heddle__is_lasting(over->slot) ||
		over->meta != HEDDLE_NODE_META(HEDDLE_NODE_REGION, kind->event->id))
		return NULL;
	return over->slot;
}

/* Charges the accesses counted before the reported one to the path of the last event, by the mean time there. */
static void take_mean_time(struct heddle_thread *thread, struct heddle_upc_places *places, const struct place *place)
{
	if (places->covered)
		move_time(thread, place, (uint64_t)places->covered * place->times->mean / PARTS);
	places->covered = 0;
}

static void change_path(
	struct heddle_thread *thread, struct heddle_upc_places *places, struct place *place, struct heddle_slot *slot)
{
	struct times *times = &place->of[slot->node % PATHS];
	take_mean_time(thread, places, place);
	if (times->slot != slot)
		*times = (struct times){.slot = slot};
	place->times = times;
	place->slot = slot;
}

/*
 * Each timed access represents those since the last timed one, on any path: the variance of their sum grows by the
 * square of their number times its deviation from the mean. The square root is computed by Newton's method, from above,
 * since the library uses the C library only, and no libm.
 */
static void add_error(struct heddle_slot *slot, struct times *times, int32_t stands_for, uint64_t ticks)
{
	double off = (double)stands_for * ((double)ticks - (double)times->mean / PARTS);
	off = off < 0 ? -off : off;
	double before = times->error, square = before * before + off * off, root = before + off;
	for (int i = 0; i < 4 && root > 0; i++)
		root = (root + square / root) / 2;
	if (root <= before)
		return;
	times->error = root;
	heddle__slot_add(slot, HEDDLE_METRIC_ACCESS_TIME_ERROR, (uint64_t)root - (uint64_t)before);
}

/*
 * Charges the accesses counted before the reported one: by its time if it was due to be timed, else by the mean time.
 */
static void take_time(
	struct heddle_thread *thread, struct heddle_upc_places *places, struct place *place, uint64_t took)
{
	uint64_t limit = heddle__ns_to_ticks(INTERRUPTED_NS), ticks = took < limit ? took : limit;
	struct times *times = place->times;
	if (places->due && times->timed)
		add_error(place->slot, times, place->distance, ticks);
	if (places->due || times->timed < SMOOTH) {
		uint64_t sum = (uint64_t)times->mean * times->timed + ticks * PARTS;
		times->mean = (uint32_t)(sum / (times->timed + 1));
		times->timed += times->timed < SMOOTH;
	}
	if (places->due && places->covered)
		move_time(thread, place, (uint64_t)places->covered * ticks);
	else
		take_mean_time(thread, places, place);
}

/*
 * With --accesses some objects are counted, and for others each access is an event. The time of these, too, is reduced
 * to that of the access alone. The rest is charged to the code around it or, if samples account for that code, to the
 * measurement itself, without interruptions.
 */
static void take_own_time(struct heddle_thread *thread, struct heddle_slot *slot,
	const struct heddle_upc_accessed *accessed, uint64_t own)
{
	uint64_t limit = heddle__ns_to_ticks(INTERRUPTED_NS);
	if (!accessed->partner || accessed->elapsed <= own)
		return;
	uint64_t rest = accessed->elapsed - own;
	struct heddle_slot *around = heddle__innermost_slot(thread);
	slot->value[HEDDLE_METRIC_WALL_TIME] -= rest;
	accessed->partner->ticks -= rest;
	if (!around) {
		around = heddle__event_slot(
			thread, slot->node, HEDDLE_NODE_META(HEDDLE_NODE_STATE, HEDDLE_STATE_HEDDLE), 0);
		rest = rest < limit ? rest : limit;
	}
	around->value[HEDDLE_METRIC_WALL_TIME] += rest;
}

/* Returns the ticks of the access itself: measured, or if it was not timed, the mean of those that were. */
static uint64_t own_ticks(struct place *place, uint64_t ticks, int begun)
{
	uint64_t limit = heddle__ns_to_ticks(INTERRUPTED_NS);
	ticks = ticks < limit ? ticks : limit;
	if (begun == HEDDLE_UPC_UNTIMED)
		return place->own / PARTS;
	place->own = place->own ? (uint32_t)((7 * (uint64_t)place->own + ticks * PARTS) / 8) : (uint32_t)ticks * PARTS;
	return ticks;
}

static void note(void)
{
	heddle__note(NOTE);
	atomic_store_explicit(&noted, true, memory_order_relaxed);
}

/* Starts counting: accesses at the place belong to its slot until the thread's innermost region changes. */
static void start_counting(struct heddle_thread *thread, struct heddle_upc_places *places, struct place *place)
{
	if (HEDDLE_UNLIKELY(!atomic_load_explicit(&noted, memory_order_relaxed)))
		note();
	if (places->due)
		place->due = place->distance = next_due(places);
	else if (place->counts)
		place->due = place->from;
	place->count->left = place->from = place->due;
	if (place->counts)
		return;
	place->counts = true;
	place->next = atomic_load_explicit(&places->first, memory_order_relaxed);
	atomic_store_explicit(&places->first, place, memory_order_release);
	if (thread->counts_places)
		return;
	thread->counts_places = true;
	heddle__update_special(thread);
}

/* With --accesses: true if accesses to the same object and owner can be counted. */
static bool is_ranged(const struct heddle_upc_accessed *accessed)
{
	return accessed && accessed->partner && accessed->high && (by_version || !accessed->now);
}

static void set_range(struct heddle_upc_range *range, const struct heddle_upc_accessed *accessed)
{
	range->low = accessed->low;
	range->high = accessed->high;
	if (!by_version)
		return;
	range->now = accessed->now;
	range->version = accessed->version;
}

static void end_event(struct heddle_thread *thread, struct heddle_upc_count *count,
	const struct heddle_upc_counted *access, const struct heddle_upc_kind *kind, int begun)
{
	struct heddle_upc_places *places = known_places(thread);
	struct place *place = place_of(places, count);
	struct heddle_slot *slot = reported_slot(thread, kind);
	places->at_event = 0;
	if (!access->same_node)
		return;
	place->size = access->size;
	place->puts = access->put;
	place->local = access->local;
	const struct heddle_upc_accessed *accessed = by_variable ? heddle__upc_accessed(thread) : NULL;
	if (slot && accessed)
		take_own_time(thread, slot, accessed, own_ticks(place, access->cycles, begun));
	place->each = by_variable && !is_ranged(accessed);
	if (!slot || place->each) {
		take_mean_time(thread, places, place);
		if (!slot || place->counts)
			end_counting(thread, places);
		count->left = 0;
		return;
	}
	if (accessed)
		set_range(access->range, accessed);
	struct heddle_partner *partner = accessed ? accessed->partner : NULL;
	if (place->slot != slot || place->partner != partner)
		change_path(thread, places, place, slot);
	place->partner = partner;
	take_time(thread, places, place, access->cycles);
	start_counting(thread, places, place);
}

/* Called after an access was reported, for which `begin` returned `begun`. */
static void end(struct heddle_upc_count *count, const struct heddle_upc_counted *access, int begun)
{
	struct heddle_thread *thread = heddle__thread_self();
	const struct heddle_upc_kind *kind = &heddle__upc_kinds[access->put ? HEDDLE_UPC_PUT : HEDDLE_UPC_GET];
	if (begun && thread) {
		heddle__enter(thread);
		end_event(thread, count, access, kind, begun);
		heddle__leave(thread);
	}
	if (!kind->row && access->same_node)
		count->left = INT32_MAX; /* accesses are not measured */
}

/*
 * Returns memory for the program's additional counts, with --accesses. The rest of a chunk that is too small stays
 * unused.
 */
static void *memory(size_t size)
{
	struct heddle_thread *thread = heddle__thread_self();
	if (!thread || atomic_load_explicit(&thread->inside, memory_order_relaxed))
		return NULL;
	heddle__enter(thread);
	struct heddle_upc_places *places = places_of(thread);
	void *found = places && size <= CHUNK ? memory_of(places, (uint32_t)((size + 15) & ~(size_t)15)) : NULL;
	if (found)
		memset(found, 0, size);
	heddle__leave(thread);
	return found;
}

/* ---- start ---- */

static const struct heddle_upc_counting counting = {begin, end, NULL}, ranges = {begin, end, memory};
static const struct heddle_listener listener = {.before_change = before_change, .switched = before_switch};

/*
 * With the value `auto`, accesses are counted if samples account for time. Blame, traces and counters need an event for
 * each access; the time of some accesses is in cycles of the processor's counter.
 */
void heddle__upc_counted_start(void)
{
	const char *how = heddle__setting_text(HEDDLE_SETTING_INST_TIME);
	bool sampled = strcmp(how, "sampled") == 0 ||
		       (strcmp(how, "all") != 0 && (heddle__setting_number(HEDDLE_SETTING_SAMPLE_HZ) != 0 ||
							   *heddle__setting_text(HEDDLE_SETTING_SAMPLE_EVENT)));
	by_variable = heddle__setting_number(HEDDLE_SETTING_ACCESSES);
	wanted = sampled && !heddle__blames && !heddle__tracing && !heddle__counters() && heddle__clock_is_tsc;
	if (wanted)
		heddle__listen(&listener);
}

void heddle__upc_counted_ask(const struct heddle_upc_bridge *bridge)
{
	bool excluded = !heddle__upc_kinds[HEDDLE_UPC_GET].row || !heddle__upc_kinds[HEDDLE_UPC_PUT].row;
	wanted = wanted && (!by_variable || bridge->version >= 9);
	by_version = bridge->version >= 10;
	if ((wanted || excluded) && bridge->version >= 8 && bridge->count_accesses)
		bridge->count_accesses(wanted && by_variable ? &ranges : &counting);
}
