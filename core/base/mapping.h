/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The system calls mmap, munmap and mremap, made without the functions of these names, which may be replaced.
 * ThreadSanitizer's mmap records a new mapping as a write by the calling thread, and reports a race when another thread
 * passes that memory to write(2). Network libraries (UCX) patch the functions of the C library at run time. A thread
 * that calls one of them meanwhile spins until the patch is complete: forever, if it is a signal handler of the
 * patching thread. The functions are called if Heddle itself is built with a sanitizer, which has to know of its
 * memory; on processors other than x86-64 and AArch64; and where tests make calls fail (HEDDLE_MAPS_BY_FUNCTION).
 * Context: any thread, signal.
 */
#ifndef HEDDLE_CORE_MAPPING_H
#define HEDDLE_CORE_MAPPING_H

#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/types.h>

#if defined(__has_feature)
#define HEDDLE_IS_SANITIZED (__has_feature(thread_sanitizer) || __has_feature(address_sanitizer))
#elif defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
#define HEDDLE_IS_SANITIZED 1
#else
#define HEDDLE_IS_SANITIZED 0
#endif

#if (defined(__x86_64__) || defined(__aarch64__)) && !HEDDLE_IS_SANITIZED && !defined(HEDDLE_MAPS_BY_FUNCTION)

/* The kernel's result: an address, or a negated errno. */
static inline long heddle__call_kernel(long number, long a, long b, long c, long d, long e, long f)
{
#if defined(__x86_64__)
	register long r10 __asm__("r10") = d;
	register long r8 __asm__("r8") = e;
	register long r9 __asm__("r9") = f;
	__asm__ volatile("syscall"
			 : "+a"(number)
			 : "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
			 : "rcx", "r11", "memory");
	return number;
#else
	register long x8 __asm__("x8") = number;
	register long x0 __asm__("x0") = a;
	register long x1 __asm__("x1") = b;
	register long x2 __asm__("x2") = c;
	register long x3 __asm__("x3") = d;
	register long x4 __asm__("x4") = e;
	register long x5 __asm__("x5") = f;
	__asm__ volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5) : "memory");
	return x0;
#endif
}

static inline long heddle__call_mmap(size_t size, int protection, int flags, int fd, off_t offset)
{
	return heddle__call_kernel(SYS_mmap, 0, (long)size, protection, flags, fd, offset);
}

static inline long heddle__call_munmap(void *at, size_t size)
{
	return heddle__call_kernel(SYS_munmap, (long)(uintptr_t)at, (long)size, 0, 0, 0, 0);
}

static inline long heddle__call_mremap(void *at, size_t size, size_t new_size, int flags)
{
	return heddle__call_kernel(SYS_mremap, (long)(uintptr_t)at, (long)size, (long)new_size, flags, 0, 0);
}

#else

static inline long heddle__call_mmap(size_t size, int protection, int flags, int fd, off_t offset)
{
	void *at = mmap(NULL, size, protection, flags, fd, offset);
	return at == MAP_FAILED ? -errno : (long)(uintptr_t)at;
}

static inline long heddle__call_munmap(void *at, size_t size)
{
	return munmap(at, size) ? -errno : 0;
}

static inline long heddle__call_mremap(void *at, size_t size, size_t new_size, int flags)
{
	void *moved = mremap(at, size, new_size, flags);
	return moved == MAP_FAILED ? -errno : (long)(uintptr_t)moved;
}

#endif

/* Returns the mapping, or NULL with errno set. */
static inline void *heddle__mapping(size_t size, int protection, int flags, int fd, off_t offset)
{
	long result = heddle__call_mmap(size, protection, flags, fd, offset);
	if (result < 0) /* user addresses are in the lower half, so not negative */
		errno = (int)-result;
	return result < 0 ? NULL : (void *)(uintptr_t)result;
}

/* Returns zeroed private memory, or NULL with errno set. */
static inline void *heddle__private_mapping(size_t size)
{
	return heddle__mapping(size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

/* Resizes a mapping, which may move. Returns its address, or NULL with errno set; the mapping is then unchanged. */
static inline void *heddle__resized_mapping(void *at, size_t size, size_t new_size)
{
	long result = heddle__call_mremap(at, size, new_size, MREMAP_MAYMOVE);
	if (result < 0)
		errno = (int)-result;
	return result < 0 ? NULL : (void *)(uintptr_t)result;
}

/* Returns 0, or -1 with errno set. */
static inline int heddle__remove_mapping(void *at, size_t size)
{
	long result = heddle__call_munmap(at, size);
	if (result < 0)
		errno = (int)-result;
	return result < 0 ? -1 : 0;
}

#endif
