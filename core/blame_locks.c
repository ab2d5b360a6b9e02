/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Blame for locks. A lock has an entry in its scope's table while somebody holds it or waits for it. The entry sums up
 * the ticks waited: waiters times elapsed time, brought up to date whenever one comes or goes. The holder takes the sum
 * when it lets go. The table's size is fixed; who finds no room there is on its own, and its waiting nobody's.
 */
#include <unistd.h>

#include "core/blame_board.h"
#include "core/control.h"
#include "core/region.h"
#include "core/thread.h"

#define BUCKETS 512u
#define WAYS 8

struct entry {
	uint64_t lock;   /* 0: free */
	uint64_t last;   /* tick up to which the sum is */
	int64_t owed;    /* below 0: given too much, to a holder whose tick was later than a waiter's */
	uint64_t holder; /* 0: none */
	uint32_t path;   /* of the holder */
	uint32_t waiting;
	bool passed_on; /* somebody else has the lock, but its former holder has not told of letting go yet */
};

struct heddle_blame_bucket {
	_Atomic uint32_t taken;
	struct entry entries[WAYS];
};

size_t heddle__blame_buckets_size(void)
{
	return BUCKETS * sizeof(struct heddle_blame_bucket);
}

/* Names a thread among those of all processes. */
static uint64_t name_of(const struct heddle_thread *thread)
{
	return (uint64_t)thread->tid << 32 | (thread->id + 1);
}

static struct heddle_blame_bucket *bucket_of(const struct heddle_scope *scope, uint64_t lock)
{
	_Static_assert(BUCKETS == 512, "nine bits of hash");
	return scope->buckets && lock ? &scope->buckets[lock * 0x9e3779b97f4a7c15u >> 55] : NULL;
}

/* The lock's bucket, taken; or NULL. */
static struct heddle_blame_bucket *take_bucket(const struct heddle_scope *scope, uint64_t lock)
{
	struct heddle_blame_bucket *bucket = bucket_of(scope, lock);
	return bucket && heddle__blame_take(&bucket->taken) ? bucket : NULL;
}

static struct entry *find(struct heddle_blame_bucket *bucket, uint64_t lock, bool passed_on, uint64_t holder)
{
	for (unsigned int i = 0; i < WAYS; i++) {
		struct entry *entry = &bucket->entries[i];
		if (entry->lock == lock && entry->passed_on == passed_on && (!holder || entry->holder == holder))
			return entry;
	}
	return NULL;
}

/* A new entry; NULL: no room. */
static struct entry *add(struct heddle_blame_bucket *bucket, uint64_t lock, uint64_t now)
{
	struct entry *entry = find(bucket, 0, false, 0);
	if (entry)
		*entry = (struct entry){.lock = lock, .last = now};
	return entry;
}

static struct entry *find_or_add(struct heddle_blame_bucket *bucket, uint64_t lock, uint64_t now)
{
	struct entry *entry = find(bucket, lock, false, 0);
	return entry ? entry : add(bucket, lock, now);
}

static void advance(struct entry *entry, uint64_t now)
{
	if (now <= entry->last)
		return;
	entry->owed += (int64_t)((now - entry->last) * entry->waiting);
	entry->last = now;
}

/* Threads come in another order than their ticks are in: the sum is right all the same. */
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

static void give_to_nobody(struct heddle_thread *thread, uint64_t ticks)
{
	heddle__blame_nobody(thread, HEDDLE_STATE_NO_HOLDER, HEDDLE_METRIC_LOCK_BLAME, ticks);
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
	uint64_t began = heddle__scope_tick(scope, mine->wait_began);
	struct heddle_blame_bucket *bucket = take_bucket(scope, lock);
	struct entry *entry = bucket ? find_or_add(bucket, lock, began) : NULL;
	mine->lost_wait = !entry;
	if (entry)
		come(entry, began);
	if (bucket)
		heddle__blame_let_go(&bucket->taken);
}

/* The measured tick at which its wait ended; it waits no more. */
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

/* A wait in no entry. */
static void end_lost_wait(struct heddle_thread *thread)
{
	uint64_t now = end_wait(thread);
	thread->blamed.lost_wait = false;
	give_to_nobody(thread, now - thread->blamed.wait_began);
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
	struct entry *entry = bucket ? find(bucket, lock, false, 0) : NULL;
	if (entry) {
		go(entry, now);
		left = entry->waiting || entry->holder ? 0 : take_owed(entry);
		free_if_unused(entry);
	}
	if (bucket)
		heddle__blame_let_go(&bucket->taken);
	give_to_nobody(thread, left);
}

/* The former holder will tell later that it let go: keep what it is to be given. What there is no room for is nobody's.
 */
static uint64_t pass_on(struct heddle_blame_bucket *bucket, struct entry *entry)
{
	uint64_t owed = take_owed(entry);
	struct entry *former = add(bucket, entry->lock, entry->last);
	if (!former)
		return owed;
	former->holder = entry->holder;
	former->path = entry->path;
	former->owed = (int64_t)owed;
	former->passed_on = true;
	return 0;
}

/* The thread has the lock of that entry. Returns what is nobody's. */
static uint64_t take_lock(struct heddle_blame_bucket *bucket, struct entry *entry, uint64_t holder, bool in_turn)
{
	uint64_t nobodys = 0;
	if (entry->holder && entry->holder != holder)
		nobodys = pass_on(bucket, entry);
	else if (!entry->holder && !in_turn)
		nobodys = take_owed(entry);
	entry->holder = holder;
	return nobodys;
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
	uint64_t nobodys = 0;
	if (mine->waits_for && (mine->waits_for != lock || mine->lost_wait))
		heddle__blame_unwait(thread);
	if (thread->off)
		return;
	bool waited = mine->waits_for != 0;
	uint64_t now = heddle__scope_tick(scope, waited ? end_wait(thread) : heddle__measured_ticks());
	struct heddle_blame_bucket *bucket = take_bucket(scope, lock);
	struct entry *entry = bucket ? find_or_add(bucket, lock, now) : NULL;
	if (entry) {
		if (waited)
			go(entry, now);
		else
			advance(entry, now);
		nobodys = take_lock(bucket, entry, name_of(thread), in_turn);
		entry->path = path;
	}
	if (bucket)
		heddle__blame_let_go(&bucket->taken);
	give_to_nobody(thread, nobodys);
	if (entry)
		note_held(mine, in, lock);
}

/* The handler waits for nobody: what it can't have now, the next sample or the release gets. */
void heddle__blame_sample_held(struct heddle_thread *thread, struct heddle_slot *slot)
{
	for (unsigned int i = 0; i < thread->blamed.held_count; i++) {
		const struct heddle_held *held = &thread->blamed.held[i];
		const struct heddle_scope *scope = &heddle__scopes[held->scope];
		struct heddle_blame_bucket *bucket = bucket_of(scope, held->lock);
		if (!bucket || !heddle__blame_try(&bucket->taken))
			continue;
		struct entry *entry = find(bucket, held->lock, false, name_of(thread));
		if (entry)
			advance(entry, heddle__scope_now(scope));
		uint64_t owed = entry ? take_owed(entry) : 0;
		heddle__blame_let_go(&bucket->taken);
		heddle__blame_give(slot, HEDDLE_METRIC_LOCK_BLAME, owed);
	}
}

static uint32_t path_of(struct heddle_thread *thread, const struct entry *entry)
{
	if (entry->holder != name_of(thread) || entry->path == UINT32_MAX)
		return heddle__current_node(thread);
	return entry->path;
}

/* The thread's own entry, up to now; or the lock's, if somebody else is said to have it. */
static struct entry *find_held(struct heddle_blame_bucket *bucket, uint64_t lock, uint64_t holder, uint64_t now)
{
	struct entry *entry = find(bucket, lock, true, holder);
	if (entry)
		return entry;
	entry = find(bucket, lock, false, 0);
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
	uint32_t path = 0;
	forget_held(&thread->blamed, in, lock);
	if (entry) {
		owed = take_owed(entry);
		path = owed ? path_of(thread, entry) : 0;
		entry->holder = 0;
		free_if_unused(entry);
	}
	if (bucket)
		heddle__blame_let_go(&bucket->taken);
	if (owed)
		heddle__blame_give(heddle__slot(thread, path), HEDDLE_METRIC_LOCK_BLAME, owed);
}

/* Of waits between processes, each has its own threads' part: from their beginning, whatever was given since. */
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
