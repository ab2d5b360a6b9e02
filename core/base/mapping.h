/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mmap(2) and munmap(2) without the functions of these names, which the program, or what it is built with, may have:
 * ThreadSanitizer's takes a new mapping for a write by the calling thread, and reports a race when another thread
 * passes that memory to write(2). Where Heddle itself is built with a sanitizer, which has to know its memory, on
 * processors other than x86-64, and where tests let calls fail (HEDDLE_MAPS_BY_FUNCTION), these functions are called.
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

#if defined(__x86_64__) && !HEDDLE_IS_SANITIZED && !defined(HEDDLE_MAPS_BY_FUNCTION)

/* The kernel's result: an address, or a negated errno. */
static inline long heddle__call_mmap(size_t size, int protection, int flags, int fd, off_t offset)
{
	register long r10 __asm__("r10") = flags;
	register long r8 __asm__("r8") = fd;
	register long r9 __asm__("r9") = offset;
	long result = SYS_mmap;
	__asm__ volatile("syscall"
			 : "+a"(result)
			 : "D"(0L), "S"(size), "d"((long)protection), "r"(r10), "r"(r8), "r"(r9)
			 : "rcx", "r11", "memory");
	return result;
}

static inline long heddle__call_munmap(void *at, size_t size)
{
	long result = SYS_munmap;
	__asm__ volatile("syscall" : "+a"(result) : "D"(at), "S"(size) : "rcx", "r11", "memory");
	return result;
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

#endif

/* NULL: errno says why. */
static inline void *heddle__mapping(size_t size, int protection, int flags, int fd, off_t offset)
{
	long result = heddle__call_mmap(size, protection, flags, fd, offset);
	if (result < 0) /* addresses of programs are below half of all */
		errno = (int)-result;
	return result < 0 ? NULL : (void *)(uintptr_t)result;
}

/* Zeroed memory of this process. NULL: errno says why. */
static inline void *heddle__private_mapping(size_t size)
{
	return heddle__mapping(size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

/* 0, or -1 with errno. */
static inline int heddle__remove_mapping(void *at, size_t size)
{
	long result = heddle__call_munmap(at, size);
	if (result < 0)
		errno = (int)-result;
	return result < 0 ? -1 : 0;
}

#endif
