/* SPDX-License-Identifier: BSD-3-Clause */
/* A profile of threads that the test makes is written, and read by the reader of the heddle command. */
#include "tests/support/unit.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "core/base/process_info.h"
#include "core/modules/module.h"
#include "core/process/thread_life.h"
#include "core/threads/elapsed.h"
#include "core/threads/region.h"
#include "core/tree/event.h"
#include "core/writer/file_name.h"
#include "core/writer/writer.h"
#include "tests/core/read_back.h"

#define UNDER_SANITIZER (UNDER_ASAN || UNDER_TSAN)

static struct heddle_event events[] = {
	{"test", "test_region", "region", HEDDLE_CATEGORY_OTHER, 0, true, false, 0, 0},
	{"test", "test_wait", "wait", HEDDLE_CATEGORY_BARRIER, 0, true, false, 0, 0},
};
static char directory[] = "/tmp/heddle-writer-XXXXXX";
static struct heddle_thread *self, *other;

static int set_up(void **state)
{
	(void)state;
	if (!mkdtemp(directory))
		return -1;
	snprintf(heddle__process.output, sizeof(heddle__process.output), "%s", directory);
	snprintf(heddle__process.program, sizeof(heddle__process.program), "/opt/some/program");
	snprintf(heddle__process.host, sizeof(heddle__process.host), "here");
	self = be_measured();
	heddle__process.start_ns = heddle__clock_ns(CLOCK_MONOTONIC);
	other = heddle__thread_acquire(0x1234, HEDDLE_THREAD_OTHER);
	other->uses = 1;
	other->times.end_ns = heddle__clock_ns(CLOCK_MONOTONIC);
	return heddle__modules_init(NULL) || heddle__events_register(events, 2);
}

/* Finds the only file in the directory; NULL if there is none. */
static const char *the_file(int *count)
{
	static char path[PATH_MAX];
	DIR *entries = opendir(directory);
	*count = 0;
	path[0] = '\0';
	for (struct dirent *entry; (entry = readdir(entries));) {
		if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
			continue;
		snprintf(path, sizeof(path), "%s/%s", directory, entry->d_name);
		++*count;
	}
	closedir(entries);
	return path;
}

static int clean_up(void **state)
{
	int count;
	(void)state;
	for (const char *path = the_file(&count); count; path = the_file(&count))
		unlink(path);
	return rmdir(directory);
}

static struct read_back *write_and_read(const char *ended_by)
{
	int count, error;
	heddle__freeze();
	assert_int_equal(heddle__write_profile(ended_by, heddle__measured_ticks()), 0);
	heddle__thaw();
	const char *path = the_file(&count);
	assert_int_equal(count, 1);
	struct read_back *back = read_back_open(path, &error);
	assert_int_equal(error, 0);
	return back;
}

static void assert_tree_is_the_same(const struct read_back *back)
{
	assert_true(read_back_nodes(back) >= heddle__tree_count());
	for (uint32_t i = 0; i < heddle__tree_count(); i++) {
		const struct heddle_node *node = heddle__tree_node(i);
		uint32_t parent, kind;
		const char *event;
		uint64_t offset;
		read_back_node(back, i, &parent, &kind, &event, &offset);
		assert_int_equal(parent, node->parent);
		assert_int_equal(kind, HEDDLE_META_KIND(node->meta));
		assert_true(offset == HEDDLE_PLACE_OFFSET(node->place));
		if (kind == HEDDLE_NODE_REGION)
			assert_string_equal(event, heddle__event_by_id(HEDDLE_META_EVENT(node->meta))->name);
	}
}

static void assert_values_are_the_same(const struct read_back *back, const struct heddle_thread *thread)
{
	for (uint32_t i = 0; i < heddle__slot_count(thread); i++) {
		const struct heddle_slot *slot = heddle__slot_at(thread, i);
		for (uint32_t metric = 0; metric < HEDDLE_METRIC_COMMON; metric++) {
			uint64_t value = slot->value[metric];
			if (metric == HEDDLE_METRIC_WALL_TIME)
				value = heddle__ticks_to_ns(value);
			assert_true(read_back_value(back, thread->id, metric, slot->node) == value);
		}
	}
}

static void nodes_and_values_are_read_as_they_were(void **state)
{
	(void)state;
	uint32_t nodes[300] = {HEDDLE_TREE_ROOT};
	for (uint32_t i = 1; i < 300; i++) {
		nodes[i] = heddle__tree_child(
			nodes[i / 3], HEDDLE_NODE_META(HEDDLE_NODE_FRAME, 0), 0x7fffffffffff - i * 1000);
		heddle__slot(self, nodes[i])->value[HEDDLE_METRIC_SAMPLES] = i;
		if (i % 7 == 0) { /* in another order than the first thread's */
			struct heddle_slot *slot = heddle__slot(other, nodes[300 - i]);
			slot->value[HEDDLE_METRIC_CPU_TIME] = UINT64_MAX - i;
			slot->value[HEDDLE_METRIC_VISITS] = i;
			slot->value[HEDDLE_METRIC_WALL_TIME] = 1000000 * i;
		}
	}
	heddle__region_begin(self, &events[0], 77);
	heddle__region_end(self, &events[0]);
	struct read_back *back = write_and_read("exit");
	assert_string_equal(read_back_ended_by(back), "exit");
	assert_int_equal(read_back_threads(back), 2);
	assert_int_equal(read_back_thread(back, 0), self->id); /* the older one first */
	assert_int_equal(read_back_thread(back, 1), other->id);
	assert_tree_is_the_same(back);
	assert_values_are_the_same(back, self);
	assert_values_are_the_same(back, other);
	read_back_close(back);
}

static void a_second_file_takes_the_first_one_s_place(void **state)
{
	(void)state;
	int count;
	char path[PATH_MAX];
	struct stat before, after;
	read_back_close(write_and_read("flush"));
	snprintf(path, sizeof(path), "%s", the_file(&count));
	assert_int_equal(stat(path, &before), 0);
	heddle__slot(self, HEDDLE_TREE_ROOT)->value[HEDDLE_METRIC_SAMPLES] += 1000;
	struct read_back *back = write_and_read("exit");
	assert_string_equal(read_back_ended_by(back), "exit");
	assert_values_are_the_same(back, self);
	read_back_close(back);
	assert_int_equal(stat(path, &after), 0);
	assert_true(after.st_ino != before.st_ino); /* the file was replaced, so it was complete at any time */
}

static void an_open_wait_has_its_time_up_to_now(void **state)
{
	(void)state;
	heddle__region_begin(self, &events[1], 88);
	uint64_t began = self->last_ticks;
	usleep(2000);
	uint64_t now = heddle__measured_ticks();
	assert_int_equal(heddle__write_profile("flush", now), 0);
	int count, error;
	struct read_back *back = read_back_open(the_file(&count), &error);
	uint32_t node = heddle__current_node(self);
	uint64_t ns = read_back_value(back, self->id, HEDDLE_METRIC_WALL_TIME, node);
	assert_true(ns == heddle__ticks_to_ns(now - began));
	read_back_close(back);
	heddle__region_end(self, &events[1]);
	assert_true(value_of(self, node, HEDDLE_METRIC_WALL_TIME) >= now - began); /* counts once */
}

static struct heddle_thread *to_be_charged;

/* The writer calls this after it has read a thread's slots: simulates an event of that thread at this moment. */
uint64_t __wrap_heddle__tasks_seen_ended(const struct heddle_thread *thread);
uint64_t __real_heddle__tasks_seen_ended(const struct heddle_thread *thread);
uint64_t __wrap_heddle__tasks_seen_ended(const struct heddle_thread *thread)
{
	if (thread == to_be_charged)
		heddle__charge_elapsed(to_be_charged, heddle__measured_ticks());
	return __real_heddle__tasks_seen_ended(thread);
}

static void a_wait_that_ends_meanwhile_keeps_its_time(void **state)
{
	(void)state;
	heddle__region_begin(self, &events[1], 99);
	uint64_t began = self->last_ticks;
	usleep(2000);
	heddle__freeze_at_end();
	uint64_t now = heddle__measured_ticks();
	to_be_charged = self;
	assert_int_equal(heddle__write_profile("flush", now), 0);
	to_be_charged = NULL;
	assert_true(self->last_ticks == now); /* the event took place */
	int count, error;
	struct read_back *back = read_back_open(the_file(&count), &error);
	uint64_t ns = read_back_value(back, self->id, HEDDLE_METRIC_WALL_TIME, heddle__current_node(self));
	assert_true(ns == heddle__ticks_to_ns(now - began));
	read_back_close(back);
	heddle__control_after_fork(); /* measurement and the clock continue */
	heddle__region_end(self, &events[1]);
}

/* Another process in another namespace of process ids may have the same number, and write at the same time. */
static void a_file_of_another_process_is_not_touched(void **state)
{
	(void)state;
	char name[64], others[PATH_MAX], path[PATH_MAX], text[16] = "";
	struct stat about;
	int error;
	read_back_close(write_and_read("flush"));
	snprintf(name, sizeof(name), "%s", heddle__file_name());
	unlink(the_file(&error));
	heddle__file_forget_name();
	snprintf(others, sizeof(others), "%s/.%s.part", directory, name);
	FILE *file = fopen(others, "w");
	assert_non_null(file);
	fputs("another's", file);
	fclose(file);
	assert_int_equal(heddle__write_profile("exit", heddle__measured_ticks()), 0);
	assert_string_not_equal(heddle__file_name(), name);
	file = fopen(others, "r");
	assert_non_null(file);
	assert_non_null(fgets(text, sizeof(text), file));
	fclose(file);
	assert_string_equal(text, "another's");
	snprintf(path, sizeof(path), "%s/%s", directory, heddle__file_name());
	assert_int_equal(stat(path, &about), 0);
	unlink(others);
	assert_int_equal(heddle__write_profile("exit", heddle__measured_ticks()), 0); /* its own is replaced */
	the_file(&error);
	assert_int_equal(error, 1);
}

static void what_cannot_be_written_is_an_error_and_leaves_nothing(void **state)
{
	(void)state;
	int count;
	struct rlimit before, small;
	read_back_close(write_and_read("flush"));
	snprintf(heddle__process.output, sizeof(heddle__process.output), "%s/not-there/either", directory);
	assert_int_equal(heddle__write_profile("exit", heddle__measured_ticks()), -ENOENT);
	snprintf(heddle__process.output, sizeof(heddle__process.output), "/proc/self");
	assert_true(heddle__write_profile("exit", heddle__measured_ticks()) < 0);
	snprintf(heddle__process.output, sizeof(heddle__process.output), "%s", directory);
	getrlimit(RLIMIT_FSIZE, &before);
	small = (struct rlimit){1000, before.rlim_max};
	signal(SIGXFSZ, SIG_IGN);
	setrlimit(RLIMIT_FSIZE, &small);
	int error = heddle__write_profile("exit", heddle__measured_ticks());
	setrlimit(RLIMIT_FSIZE, &before);
	assert_int_equal(error, -EFBIG);
	struct read_back *back = read_back_open(the_file(&count), &error);
	assert_int_equal(count, 1); /* the previous one, complete */
	assert_int_equal(error, 0);
	assert_string_equal(read_back_ended_by(back), "flush");
	read_back_close(back);
}

/* Writes a profile while the process may map only `more` bytes. */
static int write_with_room_for(size_t more)
{
	struct rlimit before, small;
	unsigned long pages = 0;
	FILE *file = fopen("/proc/self/statm", "r");
	assert_non_null(file);
	assert_int_equal(fscanf(file, "%lu", &pages), 1);
	fclose(file);
	getrlimit(RLIMIT_AS, &before);
	small = (struct rlimit){pages * (size_t)sysconf(_SC_PAGESIZE) + more, before.rlim_max};
	assert_int_equal(setrlimit(RLIMIT_AS, &small), 0);
	int error = heddle__write_profile("exit", heddle__measured_ticks());
	setrlimit(RLIMIT_AS, &before);
	return error;
}

static void little_address_space_loses_no_values_in_silence(void **state)
{
	(void)state;
	if (UNDER_SANITIZER)
		skip(); /* sanitizers map more than the limit allows */
	int count, error;
	for (uint32_t i = 1; i < 5000; i++) {
		uint32_t meta = HEDDLE_NODE_META(HEDDLE_NODE_FRAME, 0);
		struct heddle_slot *slot = heddle__slot(self, heddle__tree_child(HEDDLE_TREE_ROOT, meta, 0x900000 + i));
		slot->value[HEDDLE_METRIC_SAMPLES] = i;
	}
	assert_int_equal(write_with_room_for((size_t)2 << 20), 0);
	struct read_back *back = read_back_open(the_file(&count), &error);
	assert_int_equal(error, 0);
	assert_values_are_the_same(back, self);
	read_back_close(back);
	assert_int_equal(write_with_room_for((size_t)200 << 10), -ENOMEM);
	back = read_back_open(the_file(&count), &error);
	assert_int_equal(error, 0);
	assert_values_are_the_same(back, self);
	read_back_close(back);
}

static _Atomic bool stop;
static _Atomic uint64_t places; /* that threads may visit: without a limit, writing a file would take ever longer */

/* A thread that ignores that measurement is frozen, with new paths and with waits that take time. */
static void *go_on(void *unused)
{
	struct heddle_thread *thread = heddle__thread_ensure(HEDDLE_THREAD_OTHER);
	uint64_t place = 0;
	for (uint64_t i = 0; !atomic_load(&stop); i++) {
		if (place < atomic_load(&places))
			place++;
		heddle__enter(thread);
		heddle__region_begin(thread, &events[1], 0x10000 + place);
		heddle__leave(thread);
		heddle__enter(thread);
		heddle__region_end(thread, &events[1]);
		heddle__leave(thread);
		if (i % 8 == 0)
			usleep(100);
	}
	return unused;
}

static void a_file_is_whole_whatever_threads_do_meanwhile(void **state)
{
	(void)state;
	if (UNDER_TSAN)
		skip(); /* by design, values are read while their threads change them; a count may come later */
	pthread_t threads[2];
	for (int i = 0; i < 2; i++)
		threads[i] = start_plain(go_on, NULL);
	for (int i = 0; i < 20; i++) {
		atomic_fetch_add(&places, 2000);
		read_back_close(write_and_read("flush"));
	}
	atomic_store(&stop, true);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nodes_and_values_are_read_as_they_were),
		cmocka_unit_test(a_second_file_takes_the_first_one_s_place),
		cmocka_unit_test(an_open_wait_has_its_time_up_to_now),
		cmocka_unit_test(a_wait_that_ends_meanwhile_keeps_its_time),
		cmocka_unit_test(a_file_of_another_process_is_not_touched),
		cmocka_unit_test(what_cannot_be_written_is_an_error_and_leaves_nothing),
		cmocka_unit_test(little_address_space_loses_no_values_in_silence),
		cmocka_unit_test(a_file_is_whole_whatever_threads_do_meanwhile),
	};
	return cmocka_run_group_tests(tests, set_up, clean_up);
}
