/* SPDX-License-Identifier: BSD-3-Clause */
/* libsignal_safe_malloc.so: see signal_safe_malloc.c. */
#ifndef SIGNAL_SAFE_MALLOC_H
#define SIGNAL_SAFE_MALLOC_H

/* Above 0 while the calling thread executes the allocator, but not a wrapper around it. */
extern __attribute__((tls_model("initial-exec"))) _Thread_local volatile int in_allocator;

#endif
