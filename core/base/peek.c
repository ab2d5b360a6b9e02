/* SPDX-License-Identifier: BSD-3-Clause */
/* RUNS IN SIGNAL HANDLERS. The kernel copies, so a bad address causes an error code and not a fault. */
#include "core/base/peek.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

/* Set if process_vm_readv is not available: processor emulators lack it, and filters of containers may forbid it. */
static _Atomic bool by_file;

static ssize_t read_file(uintptr_t address, void *to, size_t size)
{
	int file = (int)syscall(SYS_openat, AT_FDCWD, "/proc/self/mem", O_RDONLY | O_CLOEXEC);
	ssize_t n = file < 0 ? -1 : pread(file, to, size, (off_t)address);
	if (file >= 0)
		syscall(SYS_close, file);
	return n;
}

size_t heddle__peek_some(uintptr_t address, void *to, size_t size)
{
	int saved_errno = errno;
	struct iovec local = {to, size};
	struct iovec remote = {(void *)address, size};
	ssize_t n = -1;
	if (!atomic_load_explicit(&by_file, memory_order_relaxed)) {
		n = process_vm_readv(getpid(), &local, 1, &remote, 1, 0);
		if (n < 0 && (errno == ENOSYS || errno == EPERM))
			atomic_store_explicit(&by_file, true, memory_order_relaxed);
	}
	if (n < 0 && atomic_load_explicit(&by_file, memory_order_relaxed))
		n = read_file(address, to, size);
	errno = saved_errno;
	return n < 0 ? 0 : (size_t)n;
}

bool heddle__peek(uintptr_t address, void *to, size_t size)
{
	return heddle__peek_some(address, to, size) == size;
}
