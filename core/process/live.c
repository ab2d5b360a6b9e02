/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * heddle__live_add and heddle__live_finish run in signal handlers; the rest does not. Threads share one row: its cache
 * line is not a bottleneck at a thousand samples per second and thread.
 */
#include "core/process/live.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "core/base/mapping.h"
#include "core/base/string_table.h"
#include "core/modules/model.h"
#include "core/modules/module.h"
#include "core/tree/event.h"
#include "core/tree/tree.h"
#include "format/live.h"

#define KNOWN_TEXTS 1024 /* texts published by this process; the launcher shows no name for further ones */
#define PROBES 16
#define STEPS 32    /* nodes searched from a sample's node outwards for what to show */
#define OWN_STEPS 8 /* functions among them, which may belong to a runtime's region */

bool heddle__is_live;

static struct heddle_live_head *head;
static struct heddle_live_row *row; /* NULL: the board has none left, or it could not be mapped */
static struct heddle_live_area *area;
static char board[64], board_key[24];
static _Atomic uint64_t known[KNOWN_TEXTS];

/* ---- the board ---- */

/* Parses the variable. False: the launcher's descriptor is no longer the board, or belongs to another process. */
static bool find_board(void)
{
	const char *text = secure_getenv(HEDDLE_LIVE_VARIABLE);
	char target[64];
	unsigned int pid, descriptor;
	if (!text || sscanf(text, "%8x:%8x:%16[0-9a-f]", &pid, &descriptor, board_key) != 3)
		return false;
	snprintf(board, sizeof(board), "/proc/%u/fd/%u", pid, descriptor);
	ssize_t length = readlink(board, target, sizeof(target) - 1);
	target[length > 0 ? length : 0] = '\0';
	return strcmp(target, "/memfd:" HEDDLE_LIVE_FILE " (deleted)") == 0;
}

/* Maps a part of the board; NULL: failed. The descriptor is closed at once, as the program may close any. */
static void *map(size_t size, size_t offset)
{
	int file = open(board, O_RDWR | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (file < 0)
		return NULL;
	void *memory = lseek(file, 0, SEEK_END) == (off_t)HEDDLE_LIVE_SIZE
			       ? heddle__mapping(size, PROT_READ | PROT_WRITE, MAP_SHARED, file, (off_t)offset)
			       : NULL;
	close(file);
	return memory;
}

/* Marks the row of the program that this one has replaced (exec): it has the same process number. */
static void replace_own(int32_t pid)
{
	for (size_t i = 0; i < HEDDLE_LIVE_ROWS; i++) {
		uint32_t state = atomic_load(&head->rows[i].state);
		if (atomic_load(&head->rows[i].pid) == pid && state >= HEDDLE_LIVE_RUNNING)
			atomic_compare_exchange_strong(&head->rows[i].state, &state, HEDDLE_LIVE_REPLACED);
	}
}

static struct heddle_live_row *claim_row(void)
{
	for (size_t i = 0; i < HEDDLE_LIVE_ROWS; i++) {
		uint32_t state = HEDDLE_LIVE_FREE;
		if (atomic_compare_exchange_strong(&head->rows[i].state, &state, HEDDLE_LIVE_CLAIMED))
			return &head->rows[i];
	}
	return NULL;
}

static void begin_row(struct heddle_live_row *mine, int32_t pid)
{
	uint32_t used = atomic_load(&mine->text_used);
	memset(area->text, 0, used < HEDDLE_LIVE_TEXT_SIZE ? used : HEDDLE_LIVE_TEXT_SIZE);
	atomic_store(&mine->pid, pid);
	atomic_store(&mine->cpu_ns, 0);
	atomic_store(&mine->samples, 0);
	atomic_store(&mine->recent, 0);
	atomic_store(&mine->text_used, 0);
	atomic_store(&mine->state, HEDDLE_LIVE_RUNNING);
	row = mine;
}

/*
 * Returns the process's number in the launcher's namespace, in which the launcher reads its CPU clock. If the process
 * is in another namespace of process ids, that number is shown by the /proc through which the board was found.
 */
static int32_t own_number(void)
{
	char number[16];
	ssize_t length = readlink("/proc/self", number, sizeof(number) - 1);
	number[length > 0 ? length : 0] = '\0';
	int32_t pid = atoi(number);
	return pid > 0 ? pid : getpid();
}

static void take_row(void)
{
	int32_t pid = own_number();
	replace_own(pid);
	struct heddle_live_row *mine = claim_row();
	if (!mine)
		return;
	size_t number = (size_t)(mine - head->rows);
	area = map(HEDDLE_LIVE_AREA_SIZE, HEDDLE_LIVE_HEAD_SIZE + number * HEDDLE_LIVE_AREA_SIZE);
	if (area)
		begin_row(mine, pid);
	else
		atomic_store(&mine->state, HEDDLE_LIVE_FREE);
}

void heddle__live_init(void)
{
	char key[24];
	if (!find_board())
		return;
	head = map(HEDDLE_LIVE_HEAD_SIZE, 0);
	if (!head)
		return;
	snprintf(key, sizeof(key), "%llx", (unsigned long long)head->key);
	if (strcmp(key, board_key) != 0) {
		heddle__remove_mapping(head, HEDDLE_LIVE_HEAD_SIZE);
		return;
	}
	take_row();
	heddle__is_live = true;
}

void heddle__live_after_fork(void)
{
	if (!heddle__is_live)
		return;
	if (area)
		heddle__remove_mapping(area, HEDDLE_LIVE_AREA_SIZE);
	area = NULL;
	row = NULL;
	for (size_t i = 0; i < KNOWN_TEXTS; i++)
		atomic_store_explicit(&known[i], 0, memory_order_relaxed);
	take_row();
}

/* ---- texts ---- */

/* Returns true if the text of `key` has not been published; the caller must then publish it. */
static bool is_new(uint64_t key)
{
	uint64_t hash = key * UINT64_C(0x9e3779b97f4a7c15) >> 32;
	for (unsigned int i = 0; i < PROBES; i++) {
		_Atomic uint64_t *at = &known[(hash + i) % KNOWN_TEXTS];
		uint64_t other = atomic_load_explicit(at, memory_order_relaxed);
		if (!other && atomic_compare_exchange_strong(at, &other, key))
			return true;
		if (other == key)
			return false;
	}
	return false;
}

/* Publishes a text that consists of `parts`, up to a NULL. */
static void publish(uint64_t key, const char *const *parts)
{
	char text[HEDDLE_LIVE_TEXT_MOST + 1];
	size_t used = 0;
	for (; *parts; parts++)
		for (const char *from = *parts; *from && used < HEDDLE_LIVE_TEXT_MOST; from++)
			text[used++] = *from;
	text[used++] = '\0';
	uint32_t size = (uint32_t)((sizeof(struct heddle_live_text) + used + 7) & ~(size_t)7);
	uint32_t at = atomic_fetch_add(&row->text_used, size);
	if (at + size > HEDDLE_LIVE_TEXT_SIZE) {
		atomic_fetch_sub(&row->text_used, size);
		return;
	}
	struct heddle_live_text *entry = (struct heddle_live_text *)(void *)(area->text + at);
	memcpy(entry->text, text, used);
	entry->size = size;
	atomic_store_explicit(&entry->key, key, memory_order_release);
}

static void publish_text(uint64_t key, const char *text)
{
	publish(key, (const char *const[]){text, NULL});
}

/* ---- samples ---- */

static uint64_t named(uint32_t kind, uint64_t what)
{
	return HEDDLE_PLACE(HEDDLE_LIVE_NAMED, (uint64_t)kind << 40 | what);
}

static uint64_t state_key(uint32_t state, uint32_t number)
{
	static const char *const labels[] = {
#define X(number, name, label) [number] = label,
		HEDDLE_STATES(X)
#undef X
	};
	uint64_t key = named(HEDDLE_NODE_STATE, (uint64_t)number << 16 | state);
	if (state < HEDDLE_STATE_COUNT && is_new(key)) {
		const struct heddle_model *model = heddle__model(number);
		const char *whose = model && model->state ? model->state : "";
		publish(key, (const char *const[]){"[", whose, *whose ? " " : "", labels[state], "]", NULL});
	}
	return key;
}

static uint64_t place_key(uint64_t place)
{
	uint32_t number = HEDDLE_PLACE_MODULE(place);
	uint64_t key = HEDDLE_PLACE(number, 0);
	if (number && is_new(key)) {
		const struct heddle_module *module = heddle__module_by_id(number);
		publish_text(key, module ? module->path : "");
	}
	return place;
}

/* True if only the runtime executes in such a region, and no function of the program. */
static bool is_runtimes(const struct heddle_event *event)
{
	switch (event->category) {
	case HEDDLE_CATEGORY_BARRIER:
	case HEDDLE_CATEGORY_TASK_SYNC:
	case HEDDLE_CATEGORY_COMMUNICATION:
	case HEDDLE_CATEGORY_FENCE:
	case HEDDLE_CATEGORY_COLLECTIVE:
	case HEDDLE_CATEGORY_EXIT:
		return true;
	case HEDDLE_CATEGORY_LOCK:
		return !heddle__event_is_held_lock(event->id);
	default:
		return false;
	}
}

static uint64_t region_key(const struct heddle_event *event)
{
	uint64_t key = named(HEDDLE_NODE_REGION, event->id);
	if (is_new(key))
		publish_text(key, event->label);
	return key;
}

static uint64_t function_key(const struct heddle_node *node)
{
	uint64_t key = named(HEDDLE_NODE_FUNCTION, node->place << 16);
	if (is_new(key))
		publish_text(key, heddle__string((uint32_t)node->place));
	return key;
}

/*
 * Returns what to show for a node: the innermost function of the program, or a runtime's region around it, whose
 * functions may be linked into the program. An outlined function belongs to the function that contains the construct.
 */
static uint64_t key_of(uint32_t id)
{
	uint64_t found = 0;
	unsigned int functions = 0;
	for (unsigned int i = 0; i < STEPS && id != HEDDLE_TREE_ROOT; i++) {
		const struct heddle_node *node = heddle__tree_node(id);
		uint32_t kind = HEDDLE_META_KIND(node->meta), event = HEDDLE_META_EVENT(node->meta);
		const struct heddle_event *region = kind == HEDDLE_NODE_REGION ? heddle__event_by_id(event) : NULL;
		if (region && is_runtimes(region))
			return region_key(region);
		if (kind == HEDDLE_NODE_STATE && event != HEDDLE_STATE_PARTIAL)
			return state_key(event, (uint32_t)node->place);
		if (kind == HEDDLE_NODE_FUNCTION && !found)
			return function_key(node);
		if (found && (kind != HEDDLE_NODE_FRAME || ++functions == OWN_STEPS))
			break;
		if (kind == HEDDLE_NODE_FRAME && !found)
			found = node->place;
		id = node->parent;
	}
	return found ? place_key(found) : 0;
}

void heddle__live_add(uint32_t node, uint64_t periods)
{
	if (!row) {
		atomic_fetch_add_explicit(&head->unlisted_samples, periods, memory_order_relaxed);
		return;
	}
	uint64_t key = node == HEDDLE_TREE_ROOT ? state_key(HEDDLE_STATE_HEDDLE, 0) : key_of(node);
	uint64_t at = atomic_fetch_add_explicit(&row->recent, 1, memory_order_relaxed);
	atomic_store_explicit(&area->recent[at % HEDDLE_LIVE_RECENT], key, memory_order_relaxed);
	atomic_fetch_add_explicit(&row->samples, periods, memory_order_relaxed);
}

bool heddle__live_take_line(void)
{
	return heddle__is_live && atomic_load(&head->shown) && atomic_exchange(&head->shown, 0);
}

void heddle__live_finish(void)
{
	if (!heddle__is_live)
		return;
	uint64_t cpu = heddle__clock_ns(CLOCK_PROCESS_CPUTIME_ID);
	if (!row) {
		atomic_fetch_add(&head->unlisted_cpu_ns, cpu);
		return;
	}
	atomic_store(&row->cpu_ns, cpu);
	atomic_store(&row->state, HEDDLE_LIVE_ENDED);
}
