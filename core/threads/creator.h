/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the path of the call that created a thread; the thread's own path continues it. */
#ifndef HEDDLE_CORE_CREATOR_H
#define HEDDLE_CORE_CREATOR_H

#include "core/threads/thread.h"

/* The call of a function that creates a thread. */
struct heddle_creation {
	uintptr_t pc, sp, bp; /* of the caller: return address, stack pointer after the return, frame pointer */
	uintptr_t function;   /* address of the function called, such as pthread_create */
};

/*
 * Returns the node of the call on the creator's path. Returns the root if its path is not known: `creator` is NULL or
 * off, or a runtime creates a worker, which that runtime's model attributes. If threads create threads by the same call
 * in turn, four levels of them have nodes of their own; deeper ones share the innermost of these. Context: owner
 * thread.
 */
uint32_t heddle__creation_node(struct heddle_thread *creator, const struct heddle_creation *call);

#endif
