/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Blame for locks. A lock has an entry in its scope's table while a thread holds it or waits for it. The entry sums up
 * the ticks waited: waiters times elapsed time, updated whenever a thread begins or ends waiting. The sum is charged to
 * the holder when it releases the lock. The table's size is fixed; a wait that finds no room there has no culprit.
 */
#include "core/blame/blame_locks.h"

#include <unistd.h>

#include "core/base/hash.h"
#include "core/blame/blame.h"
#include "core/blame/blame_board.h"
#include "core/threads/control.h"
#include "core/threads/region.h"
#include "core/threads/thread.h"
#include "core/tree/tree.h"

#define BUCKETS 512u
#define WAYS 8

/* The path if the holder's control is off: only times are measured. */
#define UNMEASURED (HEDDLE_BLAME_OPEN - 1)

struct entry {
	uint64_t lock;   /* 0: free */
	uint64_t last;   /* tick up to which the sum is computed */
	int64_t owed;    /* ticks to charge; below 0: a holder whose tick was later than a waiter's was overcharged */
	uint64_t holder; /* 0: none */
	uint32_t path;   /* node of the holder */
	uint32_t waiting;
	bool passed_on; /* another thread acquired the lock before its former holder reported the release */
};

struct heddle_blame_bucket {
	_Atomic uint32_t taken;
	struct entry entries[WAYS];
};

size_t heddle__blame_buckets_size(void)
{
	return BUCKETS * sizeof(struct heddle_blame_bucket);
}

/* Identifies a thread among those of all processes. */
static uint64_t name_of(const struct heddle_thread *thread)
{
	return (uint64_t)thread->tid << 32 | (thread->id + 1);
}

static struct heddle_blame_bucket *bucket_of(const struct heddle_scope *scope, uint64_t lock)
{
	_Static_assert(BUCKETS == 512, "nine bits of hash");
	return scope->buckets && lock ? &scope->buckets[heddle__hash(lock) >> 55] : NULL;
}

/* Returns the bucket of a lock, with the bucket's own lock acquired, or NULL. */
static struct heddle_blame_bucket *take_bucket(const struct heddle_scope *scope, uint64_t lock)
{
	struct heddle_blame_bucket *bucket = bucket_of(scope, lock);
	return bucket && heddle__board_acquire(&bucket->taken) ? bucket : NULL;
}

static struct entry *find_lock(struct heddle_blame_bucket *bucket, uint64_t lock, bool passed_on, uint64_t holder)
{
	for (unsigned int i = 0; i < WAYS; i++) {
		struct entry *entry = &bucket->entries[i];
		if (entry->lock == lock && entry->passed_on == passed_on && (!holder || entry->holder == holder))
			return entry;
	}
	return NULL;
}

/* Returns a new entry, or NULL if there is no room. */
static struct entry *add_lock(struct heddle_blame_bucket *bucket, uint64_t lock, uint64_t now)
{
	struct entry *entry = find_lock(bucket, 0, false, 0);
	if (entry)
		*entry = (struct entry){.lock = lock, .last = now};
	return entry;
}

static struct entry *find_or_add(struct heddle_blame_bucket *bucket, uint64_t lock, uint64_t now)
{
	struct entry *entry = find_lock(bucket, lock, false, 0);
	return entry ? entry : add_lock(bucket, lock, now);
}

static void advance(struct entry *entry, uint64_t now)
{
	if (now <= entry->last)
		return;
	entry->owed += (int64_t)((now - entry->last) * entry->waiting);
	entry->last = now;
}

/* Threads may call in another order than that of their ticks; the sum is still correct. */
static void come(struct entry *entry, uint64_t tick)
{
	advance(entry, tick);
	entry->waiting++;
	entry->owed += (int64_t)(entry->last - tick);
}

static void go(struct entry *entry, uint64_t tick)
{
	advance(entry, tick);
	entry->waiting--;
	entry->owed -= (int64_t)(entry->last - tick);
}

static uint64_t take_owed(struct entry *entry)
{
	int64_t owed = entry->owed > 0 ? entry->owed : 0;
	entry->owed -= owed;
	return (uint64_t)owed;
}

static void free_if_unused(struct entry *entry)
{
	if (!entry->waiting && !entry->holder)
		*entry = (struct entry){0};
}

static void charge_no_culprit(struct heddle_thread *thread, uint64_t ticks)
{
	heddle__blame_no_culprit(thread, HEDDLE_STATE_NO_HOLDER, HEDDLE_METRIC_LOCK_BLAME, ticks);
}

/*
 * Ticks waited while the lock was free are hand-off time, charged to the path of the next holder. A lock between
 * processes has no region while it is held; its hand-off time is charged where the holder waited for it.
 */
static void charge_hand_off(struct heddle_thread *thread, enum heddle_blame_scope scope, uint32_t path, uint64_t ticks)
{
	if (!ticks)
		return;
	uint32_t above = path == HEDDLE_BLAME_OPEN ? heddle__current_node(thread) : path;
	if (scope == HEDDLE_SCOPE_PROGRAM && thread->blamed.wait_node)
		above = thread->blamed.wait_node;
	uint32_t node = heddle__tree_child(above, HEDDLE_NODE_META(HEDDLE_NODE_STATE, HEDDLE_STATE_HAND_OFF), 0);
	heddle__blame_charge(heddle__slot(thread, node), HEDDLE_METRIC_LOCK_BLAME, ticks);
}

void heddle__blame_wait(struct heddle_thread *thread, enum heddle_blame_scope in, uint64_t lock)
{
	const struct heddle_scope *scope = &heddle__scopes[in];
	struct heddle_blamed *mine = &thread->blamed;
	if (thread->off)
		return;
	heddle__blame_unwait(thread);
	mine->waits_for = lock ? lock : UINT64_MAX;
	mine->waits_in = (uint8_t)in;
	mine->wait_began = thread->last_ticks;
	mine->wait_ended = 0;
	const struct heddle_region *wait = heddle__innermost(&thread->stack);
	mine->wait_node = wait ? wait->node : 0;
	uint64_t began = heddle__scope_tick(scope, mine->wait_began);
	struct heddle_blame_bucket *bucket = take_bucket(scope, lock);
	struct entry *entry = bucket ? find_or_add(bucket, lock, began) : NULL;
	mine->lost_wait = !entry;
	if (entry)
		come(entry, began);
	if (bucket)
		heddle__board_release(&bucket->taken);
}

/* Ends the thread's wait; returns the measured tick at which it ended. */
static uint64_t end_wait(struct heddle_thread *thread)
{
	struct heddle_blamed *mine = &thread->blamed;
	uint64_t ended = mine->wait_ended ? mine->wait_ended : thread->last_ticks;
	mine->waits_for = 0;
	return ended > mine->wait_began ? ended : mine->wait_began;
}

void heddle__blame_wait_over(struct heddle_thread *thread)
{
	thread->blamed.wait_ended = thread->last_ticks;
}

/* Ends a wait that is counted in no entry. */
static void end_lost_wait(struct heddle_thread *thread)
{
	uint64_t now = end_wait(thread);
	thread->blamed.lost_wait = false;
	charge_no_culprit(thread, now - thread->blamed.wait_began);
}

void heddle__blame_unwait(struct heddle_thread *thread)
{
	const struct heddle_scope *scope = &heddle__scopes[thread->blamed.waits_in];
	uint64_t lock = thread->blamed.waits_for, left = 0;
	if (!lock)
		return;
	if (thread->blamed.lost_wait) {
		end_lost_wait(thread);
		return;
	}
	uint64_t now = heddle__scope_tick(scope, end_wait(thread));
	struct heddle_blame_bucket *bucket = take_bucket(scope, lock);
	struct entry *entry = bucket ? find_lock(bucket, lock, false, 0) : NULL;
	if (entry) {
		go(entry, now);
		left = entry->waiting || entry->holder ? 0 : take_owed(entry);
		free_if_unused(entry);
	}
	if (bucket)
		heddle__board_release(&bucket->taken);
	charge_no_culprit(thread, left);
}

/*
 * Adds an entry for the former holder, which will report its release later, with what is to be charged to it. Returns
 * the ticks with no culprit, because there is no room.
 */
static uint64_t pass_on(struct heddle_blame_bucket *bucket, struct entry *entry)
{
	uint64_t owed = take_owed(entry);
	struct entry *former = add_lock(bucket, entry->lock, entry->last);
	if (!former)
		return owed;
	former->holder = entry->holder;
	former->path = entry->path;
	former->owed = (int64_t)owed;
	former->passed_on = true;
	return 0;
}

/* Ticks waited for a lock that are not charged to a holder, as found by the thread that acquires it. */
struct unheld {
	uint64_t no_culprit, hand_off;
};

/* Changes the entry's holder to a thread that acquired the lock. */
static struct unheld take_lock(struct heddle_blame_bucket *bucket, struct entry *entry, uint64_t holder, bool in_turn)
{
	struct unheld found = {0};
	if (entry->holder && entry->holder != holder)
		found.no_culprit = pass_on(bucket, entry);
	else if (!entry->holder && !in_turn)
		found.hand_off = take_owed(entry);
	entry->holder = holder;
	return found;
}

static void forget_held(struct heddle_blamed *mine, enum heddle_blame_scope scope, uint64_t lock)
{
	for (unsigned int i = 0; i < mine->held_count; i++) {
		if (mine->held[i].lock == lock && mine->held[i].scope == scope) {
			mine->held[i] = mine->held[mine->held_count - 1];
			mine->held_count--;
			return;
		}
	}
}

static void note_held(struct heddle_blamed *mine, enum heddle_blame_scope scope, uint64_t lock)
{
	forget_held(mine, scope, lock);
	if (mine->held_count == HEDDLE_HELD_LIMIT)
		return;
	mine->held[mine->held_count] = (struct heddle_held){lock, scope};
	atomic_signal_fence(memory_order_seq_cst);
	mine->held_count++;
}

void heddle__blame_hold(
	struct heddle_thread *thread, enum heddle_blame_scope in, uint64_t lock, bool in_turn, uint32_t path)
{
	const struct heddle_scope *scope = &heddle__scopes[in];
	struct heddle_blamed *mine = &thread->blamed;
	struct unheld found = {0};
	if (mine->waits_for && (mine->waits_for != lock || mine->lost_wait))
		heddle__blame_unwait(thread);
	if (thread->off)
		path = UNMEASURED;
	bool waited = mine->waits_for != 0;
	uint64_t now = heddle__scope_tick(scope, waited ? end_wait(thread) : heddle__measured_ticks());
	struct heddle_blame_bucket *bucket = take_bucket(scope, lock);
	struct entry *entry = bucket ? find_or_add(bucket, lock, now) : NULL;
	if (entry) {
		if (waited)
			go(entry, now);
		else
			advance(entry, now);
		found = take_lock(bucket, entry, name_of(thread), in_turn);
		entry->path = path;
	}
	if (bucket)
		heddle__board_release(&bucket->taken);
	charge_no_culprit(thread, found.no_culprit + (path == UNMEASURED ? found.hand_off : 0));
	if (path != UNMEASURED)
		charge_hand_off(thread, in, path, found.hand_off);
	if (entry)
		note_held(mine, in, lock);
}

/*
 * A release charges the path of the held lock if no sample arrived while it was held. This moves that blame to the
 * first path sampled while others wait for the lock: most locks are held for less than a sampling period.
 */
static void charge_from(struct heddle_thread *thread, uint32_t path, struct heddle_slot *slot)
{
	const unsigned int kind = HEDDLE_METRIC_LOCK_BLAME - HEDDLE_METRIC_COMMON;
	struct heddle_slot *from = path < UNMEASURED ? heddle__slot(thread, path) : NULL;
	if (!from || from == slot || !from->more || !from->more[kind])
		return;
	uint64_t ticks = from->more[kind];
	heddle__add(from, HEDDLE_METRIC_LOCK_BLAME, -ticks); /* a trace has it, too */
	heddle__add(from, HEDDLE_METRIC_BLAME, -ticks);
	heddle__blame_charge(slot, HEDDLE_METRIC_LOCK_BLAME, ticks);
}

/* A signal handler does not wait for a bucket's lock; that bucket's blame is left to the next sample or release. */
void heddle__blame_charge_held(struct heddle_thread *thread, struct heddle_slot *slot)
{
	for (unsigned int i = 0; i < thread->blamed.held_count; i++) {
		const struct heddle_held *held = &thread->blamed.held[i];
		const struct heddle_scope *scope = &heddle__scopes[held->scope];
		struct heddle_blame_bucket *bucket = bucket_of(scope, held->lock);
		if (!bucket || !heddle__blame_try(&bucket->taken))
			continue;
		struct entry *entry = find_lock(bucket, held->lock, false, name_of(thread));
		if (entry)
			advance(entry, heddle__scope_now(scope));
		uint64_t owed = entry ? take_owed(entry) : 0;
		uint32_t path = entry ? entry->path : UNMEASURED;
		heddle__board_release(&bucket->taken);
		heddle__blame_charge(slot, HEDDLE_METRIC_LOCK_BLAME, owed);
		if (owed)
			charge_from(thread, path, slot);
	}
}

static uint32_t path_of(struct heddle_thread *thread, const struct entry *entry)
{
	if (entry->holder != name_of(thread) || entry->path == HEDDLE_BLAME_OPEN)
		return heddle__current_node(thread);
	return entry->path;
}

/* The entry that was passed on with the thread as former holder; or the lock's current entry, updated to `now`. */
static struct entry *find_held(struct heddle_blame_bucket *bucket, uint64_t lock, uint64_t holder, uint64_t now)
{
	struct entry *entry = find_lock(bucket, lock, true, holder);
	if (entry)
		return entry;
	entry = find_lock(bucket, lock, false, 0);
	if (entry)
		advance(entry, now);
	return entry;
}

void heddle__blame_release(struct heddle_thread *thread, enum heddle_blame_scope in, uint64_t lock)
{
	const struct heddle_scope *scope = &heddle__scopes[in];
	struct heddle_blame_bucket *bucket = take_bucket(scope, lock);
	struct entry *entry = bucket ? find_held(bucket, lock, name_of(thread), heddle__scope_now(scope)) : NULL;
	uint64_t owed = 0;
	uint32_t path = UNMEASURED;
	forget_held(&thread->blamed, in, lock);
	if (entry) {
		owed = take_owed(entry);
		path = owed ? path_of(thread, entry) : UNMEASURED;
		entry->holder = 0;
		free_if_unused(entry);
	}
	if (bucket)
		heddle__board_release(&bucket->taken);
	if (path == UNMEASURED)
		charge_no_culprit(thread, owed);
	else
		heddle__blame_charge(heddle__slot(thread, path), HEDDLE_METRIC_LOCK_BLAME, owed);
}

/* Returns waiting between processes: each counts its own threads, from the begin of the wait, charged since or not. */
static uint64_t rest_of_program(uint64_t now)
{
	uint64_t sum = 0;
	for (const struct heddle_thread *thread = heddle__threads(); thread; thread = thread->next) {
		const struct heddle_blamed *mine = &thread->blamed;
		if (mine->waits_for && mine->waits_in == HEDDLE_SCOPE_PROGRAM && !mine->lost_wait)
			sum += now > mine->wait_began ? now - mine->wait_began : 0;
	}
	return sum;
}

uint64_t heddle__blame_locks_rest(uint64_t now)
{
	const struct heddle_blame_bucket *buckets = heddle__scopes[HEDDLE_SCOPE_PROCESS].buckets;
	uint64_t sum = rest_of_program(now);
	for (unsigned int i = 0; buckets && i < BUCKETS * WAYS; i++) {
		struct entry entry = buckets[i / WAYS].entries[i % WAYS];
		if (!entry.lock)
			continue;
		advance(&entry, now);
		sum += take_owed(&entry);
	}
	return sum;
}
