/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Wrappers of the malloc family: each one reports to libheddle.so, calls the next definition with the program's
 * arguments, and returns its result. A separate library, which only `heddle run --memory` preloads. Without
 * libheddle.so, or inside another wrapper (reallocarray calls realloc), a wrapper only calls the real function.
 */
#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/frame.h"
#include "models/c/memory/memory_calls.h"

#define EXPORT __attribute__((visibility("default")))

#pragma weak heddle_memory_begin
#pragma weak heddle_memory_end

#define REAL_FUNCTIONS(X) \
	X(malloc)         \
	X(calloc)         \
	X(realloc)        \
	X(reallocarray)   \
	X(free)           \
	X(aligned_alloc)  \
	X(posix_memalign) \
	X(memalign)       \
	X(valloc)         \
	X(pvalloc)

static struct {
#define X(name) __typeof__(name) *name;
	REAL_FUNCTIONS(X)
#undef X
} real;

static _Atomic bool real_known;
static _Thread_local bool resolving, inside;

/* Memory for allocations that dlsym makes while the real functions are looked up. Never freed. */
static alignas(16) char bootstrap[16384];
static _Atomic size_t bootstrap_used;

static void *bootstrap_alloc(size_t size)
{
	size_t rounded = (size + 15) & ~(size_t)15;
	if (size > sizeof(bootstrap))
		return NULL;
	size_t at = atomic_fetch_add(&bootstrap_used, rounded);
	return at + rounded <= sizeof(bootstrap) ? bootstrap + at : NULL;
}

static bool is_bootstrap(const void *block)
{
	return (const char *)block >= bootstrap && (const char *)block < bootstrap + sizeof(bootstrap);
}

static bool resolve(void)
{
	if (resolving)
		return false;
	resolving = true;
#define X(name) real.name = (__typeof__(name) *)dlsym(RTLD_NEXT, #name);
	REAL_FUNCTIONS(X)
#undef X
	resolving = false;
	atomic_store_explicit(&real_known, true, memory_order_release);
	return true;
}

static inline bool is_ready(void)
{
	return atomic_load_explicit(&real_known, memory_order_acquire) || resolve();
}

__attribute__((constructor)) static void at_load(void)
{
	is_ready();
}

/* A macro, since it must be evaluated in the wrapper itself. */
#define CALL(kind_) call_from(heddle__call_here(), HEDDLE_MEMORY_##kind_)

static inline struct heddle_memory_call call_from(struct heddle_call call, enum heddle_memory_kind kind)
{
	return (struct heddle_memory_call){.pc = call.pc, .sp = call.sp, .bp = call.bp, .kind = kind};
}

static inline bool begin(struct heddle_memory_call *call, const void *block)
{
	if (inside || !heddle_memory_begin)
		return false;
	inside = true;
	heddle_memory_begin(call, block);
	return true;
}

static inline void end(struct heddle_memory_call *call, const void *block, size_t size)
{
	heddle_memory_end(call, block, size);
	inside = false;
}

/* Returns SIZE_MAX on overflow: no allocation of that size succeeds. */
static size_t product(size_t count, size_t size)
{
	size_t bytes;
	return __builtin_mul_overflow(count, size, &bytes) ? SIZE_MAX : bytes;
}

EXPORT void *malloc(size_t size)
{
	struct heddle_memory_call call = CALL(MALLOC);
	if (!is_ready())
		return bootstrap_alloc(size);
	bool reported = begin(&call, NULL);
	void *block = real.malloc(size);
	if (reported)
		end(&call, block, size);
	return block;
}

EXPORT void *calloc(size_t count, size_t size)
{
	struct heddle_memory_call call = CALL(MALLOC);
	if (!is_ready())
		return bootstrap_alloc(product(count, size));
	bool reported = begin(&call, NULL);
	void *block = real.calloc(count, size);
	if (reported)
		end(&call, block, product(count, size));
	return block;
}

/* Moves a block from the bootstrap memory to the real heap. */
static void *leave_bootstrap(void *block, size_t size)
{
	size_t room = (size_t)(bootstrap + sizeof(bootstrap) - (char *)block);
	void *moved = is_ready() ? real.malloc(size) : bootstrap_alloc(size);
	return moved ? memcpy(moved, block, size < room ? size : room) : NULL;
}

EXPORT void *realloc(void *old, size_t size)
{
	struct heddle_memory_call call = CALL(REALLOC);
	if (is_bootstrap(old))
		return leave_bootstrap(old, size);
	if (!is_ready())
		return bootstrap_alloc(size);
	bool reported = begin(&call, old);
	void *block = real.realloc(old, size);
	if (reported)
		end(&call, block, size);
	return block;
}

EXPORT void *reallocarray(void *old, size_t count, size_t size)
{
	struct heddle_memory_call call = CALL(REALLOC);
	if (is_bootstrap(old))
		return leave_bootstrap(old, product(count, size));
	if (!is_ready())
		return bootstrap_alloc(product(count, size));
	bool reported = begin(&call, old);
	void *block = real.reallocarray(old, count, size);
	if (reported)
		end(&call, block, product(count, size));
	return block;
}

EXPORT void free(void *block)
{
	struct heddle_memory_call call = CALL(FREE);
	if (is_bootstrap(block) || !is_ready())
		return;
	bool reported = begin(&call, block);
	real.free(block);
	if (reported)
		end(&call, NULL, 0);
}

EXPORT void *aligned_alloc(size_t alignment, size_t size)
{
	struct heddle_memory_call call = CALL(MALLOC);
	if (!is_ready())
		return NULL;
	bool reported = begin(&call, NULL);
	void *block = real.aligned_alloc(alignment, size);
	if (reported)
		end(&call, block, size);
	return block;
}

EXPORT int posix_memalign(void **block, size_t alignment, size_t size)
{
	struct heddle_memory_call call = CALL(MALLOC);
	if (!is_ready())
		return ENOMEM;
	bool reported = begin(&call, NULL);
	int error = real.posix_memalign(block, alignment, size);
	if (reported)
		end(&call, error ? NULL : *block, size);
	return error;
}

EXPORT void *memalign(size_t alignment, size_t size)
{
	struct heddle_memory_call call = CALL(MALLOC);
	if (!is_ready())
		return NULL;
	bool reported = begin(&call, NULL);
	void *block = real.memalign(alignment, size);
	if (reported)
		end(&call, block, size);
	return block;
}

EXPORT void *valloc(size_t size)
{
	struct heddle_memory_call call = CALL(MALLOC);
	if (!is_ready())
		return NULL;
	bool reported = begin(&call, NULL);
	void *block = real.valloc(size);
	if (reported)
		end(&call, block, size);
	return block;
}

EXPORT void *pvalloc(size_t size)
{
	struct heddle_memory_call call = CALL(MALLOC);
	if (!is_ready())
		return NULL;
	bool reported = begin(&call, NULL);
	void *block = real.pvalloc(size);
	if (reported)
		end(&call, block, size);
	return block;
}
