/* SPDX-License-Identifier: BSD-3-Clause */
/* A thread's counters: every count is charged to the innermost region, exactly once. */
#include "tests/support/unit.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "core/base/settings.h"
#include "core/counters/counting.h"
#include "core/process/thread_life.h"
#include "core/threads/control.h"
#include "core/threads/listeners.h"
#include "core/threads/region.h"
#include "core/threads/task.h"

/* The kernel's own count of page faults; perf's; three times perf's; nothing. All but the first need perf. */
#define METRICS "page-faults,faults{1:2},thrice{3*1:2+1:2-1:2},none{1:2-1:2}"
/* Page faults of the code around a measurement, most of them in sanitizer builds; touch() causes many more. */
#define FEW 100
enum { BY_KERNEL, BY_PERF, THRICE, NONE, COUNTERS };

static struct heddle_event events[] = {
	{"test", "test_a", "a", HEDDLE_CATEGORY_OTHER, 0, true, false, 0, 0},
	{"test", "test_b", "b", HEDDLE_CATEGORY_OTHER, 0, true, false, 0, 0},
};
static const struct heddle_event *const a = &events[0], *const b = &events[1];
static struct heddle_thread *self;
static bool has_perf;

static void touch(size_t pages)
{
	size_t size = pages * 4096;
	volatile char *block = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert_ptr_not_equal(block, MAP_FAILED);
	madvise((void *)block, size, MADV_NOHUGEPAGE);
	for (size_t i = 0; i < pages; i++)
		block[i * 4096] = 1;
	munmap((void *)block, size);
}

static uint64_t kernels_count(void)
{
	struct rusage usage;
	getrusage(RUSAGE_THREAD, &usage);
	return (uint64_t)usage.ru_minflt + (uint64_t)usage.ru_majflt;
}

static uint64_t count_of(uint32_t node, unsigned int counter)
{
	for (uint32_t i = 0; i < heddle__slot_count(self); i++) {
		const struct heddle_slot *slot = heddle__slot_at(self, i);
		if (slot->node == node)
			return slot->counts ? slot->counts[counter] : 0;
	}
	return 0;
}

static uint64_t sum_of_counts(unsigned int counter)
{
	uint64_t sum = 0;
	for (uint32_t i = 0; i < heddle__slot_count(self); i++) {
		const struct heddle_slot *slot = heddle__slot_at(self, i);
		sum += slot->counts ? slot->counts[counter] : 0;
	}
	return sum;
}

static uint32_t node_of(uint32_t parent, const struct heddle_event *event, uint64_t place)
{
	return heddle__tree_child(parent, HEDDLE_NODE_META(HEDDLE_NODE_REGION, event->id), place);
}

static int set_up(void **state)
{
	struct heddle_counter counter;
	(void)state;
	assert_int_equal(heddle__counter_parse("f{1:2}", 6, &counter), 0);
	has_perf = heddle__counter_try(&counter) == 0;
	if (!has_perf)
		puts("perf is forbidden here: only the kernel's own counts are tested");
	setenv("HEDDLE_METRICS", has_perf ? METRICS : "page-faults", 1);
	heddle__settings_read();
	heddle__counting_init();
	self = be_measured();
	heddle__events_give_time = true;
	return heddle__events_register(events, 2);
}

static int start(void **state)
{
	(void)state;
	heddle__enter(self);
	heddle__count_innermost(self);
	return 0;
}

static int end(void **state)
{
	(void)state;
	assert_int_equal(self->stack.depth, 0);
	heddle__leave(self);
	return 0;
}

/* A sanitizer's own data occupies pages, too. */
#if UNDER_TSAN
#define MOST(pages) (6 * (pages) + 300)
#elif UNDER_ASAN
#define MOST(pages) (2 * (pages) + 100)
#else
#define MOST(pages) ((pages) + 20)
#endif

/* The kernel may count a page fault that it restarts once or twice. */
#define assert_about(value, expected) assert_in_range(value, (expected)-4, MOST(expected))

static void faults_belong_to_the_innermost_region(void **state)
{
	uint32_t outer = node_of(HEDDLE_TREE_ROOT, a, 1), inner = node_of(outer, b, 2);
	(void)state;
	heddle__region_begin(self, a, 1);
	touch(300);
	heddle__region_begin(self, b, 2);
	touch(100);
	heddle__region_end(self, b);
	touch(50);
	heddle__region_end(self, a);
	assert_about(count_of(outer, BY_KERNEL), 350);
	assert_about(count_of(inner, BY_KERNEL), 100);
	if (!has_perf)
		return;
	assert_about(count_of(outer, BY_PERF), 350);
	assert_about(count_of(inner, BY_PERF), 100);
	assert_int_equal(count_of(inner, THRICE), 3 * count_of(inner, BY_PERF));
	assert_int_equal(sum_of_counts(NONE), 0);
}

static void all_that_the_kernel_counts_is_charged(void **state)
{
	(void)state;
	uint64_t kernel = kernels_count(), charged = sum_of_counts(BY_KERNEL);
	for (int i = 0; i < 20; i++) {
		heddle__region_begin(self, i % 2 ? a : b, (uint64_t)i);
		touch(10);
		heddle__phase_begin(self, (uint32_t)i, 0);
		touch(5);
		heddle__task_switch(self, 0x100, HEDDLE_TREE_ROOT, NULL, 0);
		touch(5);
		heddle__task_end(self, 0x100, 0);
		heddle__phase_end(self, (uint32_t)i);
		heddle__region_end(self, i % 2 ? a : b);
	}
	heddle__count_innermost(self);
	kernel = kernels_count() - kernel;
	charged = sum_of_counts(BY_KERNEL) - charged;
	assert_in_range(charged, kernel - 2, kernel + 2);
}

static void nothing_is_counted_while_the_thread_is_off(void **state)
{
	(void)state;
	uint64_t before = sum_of_counts(BY_KERNEL);
	heddle__apply_control(self, false);
	heddle__region_begin(self, a, 5);
	touch(500);
	heddle__region_end(self, a);
	heddle__apply_control(self, true);
	heddle__count_innermost(self);
	assert_in_range(sum_of_counts(BY_KERNEL) - before, 0, FEW);
}

static void nothing_is_counted_while_measuring_is_off(void **state)
{
	(void)state;
	uint64_t before = sum_of_counts(BY_KERNEL);
	heddle__leave(self);
	heddle__pause();
	touch(500);
	heddle__continue();
	heddle__enter(self);
	assert_in_range(sum_of_counts(BY_KERNEL) - before, 0, FEW);
	touch(100);
	heddle__count_innermost(self);
	assert_about(sum_of_counts(BY_KERNEL) - before, 100);
}

static bool is_slow;

/* Simulates a thread that loses its processor between the reading and the switch. */
static void take_long(void)
{
	if (is_slow)
		usleep(50000);
}

static void a_slow_switch_shares_nothing_out(void **state)
{
	static const struct heddle_listener slow = {.switched = take_long};
	(void)state;
	uint64_t before = sum_of_counts(BY_KERNEL);
	heddle__listen(&slow);
	is_slow = true;
	heddle__leave(self);
	heddle__pause();
	touch(500);
	heddle__continue();
	heddle__enter(self);
	is_slow = false;
	assert_in_range(sum_of_counts(BY_KERNEL) - before, 0, FEW);
}

static void what_is_not_charged_yet_is_known(void **state)
{
	uint64_t rest[HEDDLE_COUNTER_LIMIT];
	(void)state;
	touch(200);
	assert_true(heddle__counting_rest(self, rest));
	assert_about(rest[BY_KERNEL], 200);
	heddle__count_innermost(self);
	assert_true(heddle__counting_rest(self, rest));
	assert_in_range(rest[BY_KERNEL], 0, 4);
}

static struct {
	uint64_t rest[HEDDLE_COUNTER_LIMIT];
	struct heddle_thread *thread;
	_Atomic int step;
} other;

static void *run_other(void *argument)
{
	(void)argument;
	other.thread = heddle__thread_ensure(HEDDLE_THREAD_OTHER);
	touch(200);
	atomic_store(&other.step, 1);
	while (atomic_load(&other.step) == 1)
		usleep(1000);
	heddle__thread_end(other.thread);
	return NULL;
}

static void another_threads_rest_can_be_read(void **state)
{
	(void)state;
	pthread_t thread = start_plain(run_other, NULL);
	while (atomic_load(&other.step) == 0)
		usleep(1000);
	bool known = heddle__counting_rest(other.thread, other.rest);
	atomic_store(&other.step, 2);
	pthread_join(thread, NULL);
	assert_true(known);
	assert_about(other.rest[BY_KERNEL], 200);
	if (has_perf)
		assert_about(other.rest[BY_PERF], 200);
	assert_false(heddle__counting_rest(other.thread, other.rest));
}

/* The program has closed Heddle's descriptor and reused its number: Heddle must not read the program's bytes. */
static void a_descriptor_that_is_the_programs_now_is_not_read(void **state)
{
	int ends[2];
	char byte = 0;
	(void)state;
	if (!has_perf)
		return;
	int fd = self->counting->perf[0].fd;
	assert_int_equal(pipe(ends), 0);
	assert_int_equal(write(ends[1], "x", 1), 1);
	int kept = dup(fd);
	assert_int_equal(dup2(ends[0], fd), fd);
	uint64_t before = sum_of_counts(BY_PERF);
	touch(100);
	heddle__count_innermost(self);
	assert_int_equal(sum_of_counts(BY_PERF), before);
	assert_int_equal(read(ends[0], &byte, 1), 1);
	assert_int_equal(byte, 'x');
	dup2(kept, fd);
	close(kept);
	close(ends[0]);
	close(ends[1]);
	heddle__count_innermost(self);
	assert_true(sum_of_counts(BY_PERF) >= before + 96);
}

static int counts_of_a_child(void)
{
	heddle__threads_after_fork();
	heddle__counting_after_fork();
	if (sum_of_counts(BY_KERNEL) != 0)
		return 1;
	touch(100);
	heddle__count_innermost(self);
	uint64_t counted = sum_of_counts(has_perf ? BY_PERF : BY_KERNEL);
	return counted >= 96 && counted <= MOST(100) ? 0 : 2;
}

static void a_forked_child_counts_for_itself(void **state)
{
	int status;
	(void)state;
	touch(1000);
	pid_t child = fork();
	if (child == 0)
		_exit(counts_of_a_child());
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
	uint64_t before = sum_of_counts(has_perf ? BY_PERF : BY_KERNEL);
	heddle__count_innermost(self); /* the parent's counters still count */
	assert_true(sum_of_counts(has_perf ? BY_PERF : BY_KERNEL) >= before + 996);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, start, end)
	const struct CMUnitTest tests[] = {
		TEST(faults_belong_to_the_innermost_region),
		TEST(all_that_the_kernel_counts_is_charged),
		TEST(nothing_is_counted_while_the_thread_is_off),
		TEST(nothing_is_counted_while_measuring_is_off),
		TEST(a_slow_switch_shares_nothing_out),
		TEST(what_is_not_charged_yet_is_known),
		TEST(another_threads_rest_can_be_read),
		TEST(a_descriptor_that_is_the_programs_now_is_not_read),
		TEST(a_forked_child_counts_for_itself),
	};
	return cmocka_run_group_tests(tests, set_up, NULL);
}
