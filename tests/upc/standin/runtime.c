/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The smallest runtime that upc/abi.h allows, for tests of the compiler alone: forked processes, a spinning barrier,
 * memory that is never freed. With UPC_TRACE=1, prints instrumented events on stderr.
 *
 * With UPC_NODE_SIZE=K, every K threads are a node, and memory of threads on other nodes is not mapped at its usual
 * address: a direct access fails. With UPC_NODE_APART=1, near threads are outside the range with which code compares,
 * too. With UPC_COUNT=1, each thread prints how often remote memory was accessed. With UPC_POISON=1, no thread's memory
 * is near, and none is far: a function that checks for either is detected.
 */
#define THREADS standin_const_threads
#define MYTHREAD standin_const_mythread
#define __upcrt_threads_inverse standin_const_inverse
#define __upcrt_checked standin_const_checked
#define __upcrt_remote standin_const_remote
#define __upcrt_same_node standin_const_same_node
#define __upcrt_node_shift standin_const_node_shift
#define __upcrt_node_size standin_const_node_size
#define __upcrt_node_base standin_const_node_base
#define __upcrt_outstanding standin_const_outstanding
#include "upc/abi.h"
#include "upc/update.h"
#undef THREADS
#undef MYTHREAD
#undef __upcrt_threads_inverse
#undef __upcrt_checked
#undef __upcrt_remote
#undef __upcrt_same_node
#undef __upcrt_node_shift
#undef __upcrt_node_size
#undef __upcrt_node_base
#undef __upcrt_outstanding

#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define SEGMENT ((size_t)16 << 20)
/* All memory is mapped at these addresses, too, for the functions of this file. */
#define OWN UINT64_C(0x100000000000)
#define ADDRESS(pointer) ((char *)UPCRT_ADDRESS(pointer) - UPCRT_BASE + OWN)

int THREADS = 1;
int MYTHREAD;
uint64_t __upcrt_threads_inverse;
int __upcrt_checked, __upcrt_remote;
unsigned char __upcrt_same_node[UPCRT_MAX_THREADS] = {[0 ... UPCRT_MAX_THREADS - 1] = 1};
uint64_t __upcrt_node_shift, __upcrt_node_size = UINT64_MAX, __upcrt_node_base = UPCRT_BASE;
static const void *outstanding;
const void *const volatile *__upcrt_outstanding = (const void *const volatile *)&outstanding;
_Thread_local int __upcrt_forall_depth;
_Thread_local int __upcrt_gasp;
_Thread_local struct upcrt_site __upcrt_site;

extern struct upcrt_shared_record __start_upcrt_shared[] __attribute__((weak));
extern struct upcrt_shared_record __stop_upcrt_shared[] __attribute__((weak));
extern struct upcrt_unit_record __start_upcrt_units[];
extern struct upcrt_unit_record __stop_upcrt_units[];

/* Shared by all processes. */
static struct control {
	atomic_int arrived;
	atomic_int generation;
	atomic_size_t top; /* equal in every segment */
	upcrt_shared result;
} * control;

static void arrive(void)
{
	int generation = atomic_load(&control->generation);
	if (atomic_fetch_add(&control->arrived, 1) + 1 == THREADS) {
		atomic_store(&control->arrived, 0);
		atomic_fetch_add(&control->generation, 1);
	}
	while (atomic_load(&control->generation) == generation)
		sched_yield();
}

static void event(const char *name)
{
	if (__upcrt_gasp && __upcrt_site.file != NULL)
		fprintf(stderr, "%d %s @%s:%d\n", MYTHREAD, name, __upcrt_site.file, __upcrt_site.line);
	__upcrt_site.file = NULL;
}

void __upcrt_notify(int named, int value, const char *file, int line)
{
	(void)named, (void)value, (void)file, (void)line;
	event("notify");
	atomic_thread_fence(memory_order_seq_cst);
}

void __upcrt_wait(int named, int value, const char *file, int line)
{
	(void)named, (void)value, (void)file, (void)line;
	event("wait");
	arrive();
}

void __upcrt_barrier(int named, int value, const char *file, int line)
{
	event("barrier");
	(void)named, (void)value, (void)file, (void)line;
	arrive();
}

void __upcrt_fence(void)
{
	event("fence");
	atomic_thread_fence(memory_order_seq_cst);
}

#define MARK(name)                                                                                                   \
	void __upcrt_##name(upcrt_shared pointer, uint64_t size, void *local, int flags, const char *file, int line) \
	{                                                                                                            \
		(void)local;                                                                                         \
		fprintf(stderr, "%d " #name " thread=%d size=%d flags=%d @%s:%d\n", MYTHREAD,                        \
			(int)UPCRT_THREAD(pointer), (int)size, flags, file, line);                                   \
	}
MARK(get_start)
MARK(get_end)
MARK(put_start)
MARK(put_end)

void __upcrt_forall_start(const char *file, int line)
{
	fprintf(stderr, "%d forall_start @%s:%d\n", MYTHREAD, file, line);
}

void __upcrt_forall_end(const char *file, int line)
{
	fprintf(stderr, "%d forall_end @%s:%d\n", MYTHREAD, file, line);
}

void __upcrt_function_start(const char *name, const char *file, int line)
{
	fprintf(stderr, "%d function_start %s @%s:%d\n", MYTHREAD, name, file, line);
}

void __upcrt_function_end(const char *name, const char *file, int line)
{
	fprintf(stderr, "%d function_end %s @%s:%d\n", MYTHREAD, name, file, line);
}

static upcrt_shared allocate(size_t bytes)
{
	size_t at = atomic_fetch_add(&control->top, (bytes + 63) & ~(size_t)63);
	if (at + bytes > SEGMENT) {
		fputs("stand-in: out of shared memory\n", stderr);
		_exit(3);
	}
	return UPCRT_POINTER(0, 0, at);
}

upcrt_shared upc_alloc(size_t bytes);
upcrt_shared upc_alloc(size_t bytes)
{
	return allocate(bytes) | (upcrt_shared)MYTHREAD << UPCRT_OFFSET_BITS;
}

upcrt_shared upc_all_alloc(size_t blocks, size_t bytes);
upcrt_shared upc_all_alloc(size_t blocks, size_t bytes)
{
	event("upc_all_alloc");
	arrive();
	if (MYTHREAD == 0)
		control->result = allocate((blocks + (size_t)THREADS - 1) / (size_t)THREADS * bytes);
	arrive();
	upcrt_shared result = control->result;
	arrive();
	return result;
}

size_t upc_threadof(upcrt_shared pointer);
size_t upc_threadof(upcrt_shared pointer)
{
	return UPCRT_THREAD(pointer);
}

size_t upc_phaseof(upcrt_shared pointer);
size_t upc_phaseof(upcrt_shared pointer)
{
	return UPCRT_PHASE(pointer);
}

size_t upc_addrfield(upcrt_shared pointer);
size_t upc_addrfield(upcrt_shared pointer)
{
	return UPCRT_OFFSET(pointer);
}

upcrt_shared upc_resetphase(upcrt_shared pointer);
upcrt_shared upc_resetphase(upcrt_shared pointer)
{
	return pointer & UPCRT_ADDRESS_MASK;
}

void upc_memget(void *to, upcrt_shared from, size_t bytes);
void upc_memget(void *to, upcrt_shared from, size_t bytes)
{
	event("upc_memget");
	memcpy(to, ADDRESS(from), bytes);
}

void upc_memput(upcrt_shared to, const void *from, size_t bytes);
void upc_memput(upcrt_shared to, const void *from, size_t bytes)
{
	event("upc_memput");
	memcpy(ADDRESS(to), from, bytes);
}

void upc_memset(upcrt_shared to, int byte, size_t bytes);
void upc_memset(upcrt_shared to, int byte, size_t bytes)
{
	event("upc_memset");
	memset(ADDRESS(to), byte, bytes);
}

static struct {
	int get, put, copy, set, update, order, strict;
} counts;

void __upcrt_remote_get(upcrt_shared from, uint64_t size, void *buffer, int flags, void *code)
{
	(void)code;
	counts.get++;
	counts.strict += flags & UPCRT_ACCESS_STRICT;
	memcpy(buffer, ADDRESS(from), size);
}

void __upcrt_remote_put(upcrt_shared to, uint64_t size, const void *buffer, int flags, void *code)
{
	(void)code;
	counts.put++;
	counts.strict += flags & UPCRT_ACCESS_STRICT;
	atomic_thread_fence(memory_order_seq_cst);
	memcpy(ADDRESS(to), buffer, size);
	atomic_thread_fence(memory_order_seq_cst);
}

void __upcrt_remote_copy(
	upcrt_shared to, void *private_to, upcrt_shared from, const void *private_from, uint64_t size, int flags)
{
	counts.copy++;
	counts.strict += flags & UPCRT_ACCESS_STRICT;
	memmove(to ? ADDRESS(to) : private_to, from ? ADDRESS(from) : private_from, size);
}

void __upcrt_remote_set(upcrt_shared to, int byte, uint64_t size, int flags)
{
	counts.set++;
	counts.strict += flags & UPCRT_ACCESS_STRICT;
	memset(ADDRESS(to), byte, size);
}

uint64_t __upcrt_remote_update(upcrt_shared object, uint64_t size, int operation, uint64_t operand, uint64_t expected)
{
	counts.update++;
	return upcrt_update(ADDRESS(object), size, operation, operand, expected);
}

void __upcrt_order(void)
{
	counts.order++;
}

static void show_counts(void)
{
	if (getenv("UPC_COUNT") != NULL)
		fprintf(stderr, "%d get %d put %d copy %d set %d order %d strict %d\n", MYTHREAD, counts.get,
			counts.put, counts.copy, counts.set, counts.order, counts.strict);
}

static uint64_t elements_of(const struct upcrt_shared_record *record)
{
	return record->flags & UPCRT_TIMES_THREADS ? record->elements * (uint64_t)THREADS : record->elements;
}

static void allocate_variable(const struct upcrt_shared_record *record)
{
	uint64_t elements = elements_of(record), block = record->block ? record->block : elements;
	uint64_t rows = ((elements + block - 1) / block + (uint64_t)THREADS - 1) / (uint64_t)THREADS;
	*record->slot = allocate(rows * block * record->element_size);
}

static void fill_variable(const struct upcrt_shared_record *record)
{
	uint64_t elements = elements_of(record), block = record->block ? record->block : elements;
	for (uint64_t i = 0; i < elements && i * record->element_size < record->initial_size; i++) {
		uint64_t thread = i / block % (uint64_t)THREADS, row = i / block / (uint64_t)THREADS;
		uint64_t offset = UPCRT_OFFSET(*record->slot) + (row * block + i % block) * record->element_size;
		uint64_t rest = record->initial_size - i * record->element_size;
		memcpy(ADDRESS(UPCRT_POINTER(0, thread, offset)),
			(const char *)record->initial + i * record->element_size,
			rest < record->element_size ? rest : record->element_size);
	}
}

static int flags_of(upcrt_shared pointer)
{
	return (int)UPCRT_THREAD(pointer) == MYTHREAD ? UPCRT_ACCESS_LOCAL : 0;
}

static bool reports(upcrt_shared pointer, const struct upcrt_access *access)
{
	return __upcrt_gasp && (access->flags & UPCRT_ACCESS_LOCAL || !flags_of(pointer));
}

/* Compiled code counts no accesses itself: each one calls this function. */
void __upcrt_reported_get(
	upcrt_shared from, void *buffer, const struct upcrt_access *access, struct upcrt_count *count, void *code)
{
	int line = (int)access->line;
	if (reports(from, access))
		__upcrt_get_start(from, access->size, NULL, flags_of(from), access->file, line);
	if (__upcrt_same_node[UPCRT_THREAD(from)])
		memcpy(buffer, ADDRESS(from), access->size);
	else
		__upcrt_remote_get(from, access->size, buffer, 0, code);
	if (reports(from, access))
		__upcrt_get_end(from, access->size, NULL, flags_of(from), access->file, line);
	count->left = 0;
}

void __upcrt_reported_put(
	upcrt_shared to, const void *buffer, const struct upcrt_access *access, struct upcrt_count *count, void *code)
{
	int line = (int)access->line;
	if (reports(to, access))
		__upcrt_put_start(to, access->size, NULL, flags_of(to), access->file, line);
	if (__upcrt_same_node[UPCRT_THREAD(to)])
		memcpy(ADDRESS(to), buffer, access->size);
	else
		__upcrt_remote_put(to, access->size, buffer, 0, code);
	if (reports(to, access))
		__upcrt_put_end(to, access->size, NULL, flags_of(to), access->file, line);
	count->left = 0;
}

static void map_segment(upcrt_shared segment)
{
	int file = memfd_create("segment", 0);
	void *at[] = {ADDRESS(segment), UPCRT_ADDRESS(segment)};
	for (int i = 0; i < 2; i++)
		if (file < 0 || ftruncate(file, (off_t)SEGMENT) != 0 ||
			mmap(at[i], SEGMENT, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED_NOREPLACE, file, 0) ==
				MAP_FAILED)
			abort();
	close(file);
}

/* Called in each thread: unmaps the memory of threads on other nodes. */
static void part(int node_size)
{
	if (node_size >= THREADS)
		return;
	memset(__upcrt_same_node, 0, sizeof __upcrt_same_node);
	for (int i = 0; i < THREADS; i++) {
		__upcrt_same_node[i] = i / node_size == MYTHREAD / node_size;
		if (!__upcrt_same_node[i])
			munmap(UPCRT_ADDRESS(UPCRT_POINTER(0, i, 0)), SEGMENT);
	}
	int first = MYTHREAD / node_size * node_size, end = first + node_size < THREADS ? first + node_size : THREADS;
	__upcrt_node_shift = -UPCRT_POINTER(0, first, 1);
	__upcrt_node_size = getenv("UPC_NODE_APART") != NULL ? 0 : UPCRT_POINTER(0, end - first, 0);
	__upcrt_node_base = UPCRT_BASE - __upcrt_node_shift;
	outstanding = &outstanding; /* not NULL, so that each call of __upcrt_order is made and counted */
	__upcrt_remote = __upcrt_checked = 1;
}

static void start(void)
{
	for (struct upcrt_unit_record *unit = __start_upcrt_units; unit < __stop_upcrt_units; unit++)
		if (unit->static_threads != 0)
			THREADS = unit->static_threads;
	__upcrt_threads_inverse = UINT64_MAX / (uint64_t)THREADS;
	control = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	for (int i = 0; i < THREADS; i++)
		map_segment(UPCRT_POINTER(0, i, 0));
	control->top = 4096;
	for (struct upcrt_shared_record *record = __start_upcrt_shared; record < __stop_upcrt_shared; record++)
		allocate_variable(record);
	for (struct upcrt_unit_record *unit = __start_upcrt_units; unit < __stop_upcrt_units; unit++)
		if (unit->start != NULL)
			unit->start();
	for (struct upcrt_shared_record *record = __start_upcrt_shared; record < __stop_upcrt_shared; record++)
		fill_variable(record);
	if (getenv("UPC_RECORDS") != NULL)
		for (struct upcrt_shared_record *record = __start_upcrt_shared; record < __stop_upcrt_shared; record++)
			fprintf(stderr, "%s: %s x %d, size %d, block %d @%s:%d\n", record->name, record->type,
				(int)elements_of(record), (int)record->element_size, (int)record->block, record->file,
				(int)record->line);
}

static void run(int thread, int argc, char **argv)
{
	MYTHREAD = thread;
	__upcrt_gasp = __upcrt_checked = getenv("UPC_TRACE") != NULL;
	if (getenv("UPC_NODE_SIZE") != NULL)
		part(atoi(getenv("UPC_NODE_SIZE")));
	if (getenv("UPC_POISON") != NULL)
		memset(__upcrt_same_node, 0, sizeof __upcrt_same_node), __upcrt_node_size = 0;
	int status = __upcrt_user_main(argc, argv);
	show_counts();
	arrive();
	exit(status);
}

int main(int argc, char **argv)
{
	static pid_t threads[UPCRT_MAX_THREADS];
	const char *count = getenv("UPC_THREADS");
	THREADS = count ? atoi(count) : 1;
	start();
	for (int i = 0; i < THREADS; i++)
		if ((threads[i] = fork()) == 0)
			run(i, argc, argv);
	int worst = 0, status;
	while (wait(&status) > 0) {
		int code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
		worst = code > worst ? code : worst;
		/* The other threads may wait for it forever. */
		for (int i = 0; i < THREADS && WIFSIGNALED(status); i++)
			kill(threads[i], SIGKILL);
	}
	return worst;
}
