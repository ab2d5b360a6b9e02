/* SPDX-License-Identifier: BSD-3-Clause */
/* Blame of UPC threads: identifies locks across processes, and reports their waits and holders to core/blame. */
#include "models/upc/upc_locks.h"

#include "core/blame/blame.h"
#include "core/blame/blame_locks.h"
#include "models/upc/upc_vocabulary.h"

void heddle__upc_blame_join(struct heddle_thread *thread)
{
	if (!heddle__blames)
		return;
	heddle__enter(thread);
	heddle__blame_join_program("upc");
	heddle__blame_join(thread);
	heddle__leave(thread);
}

uint64_t heddle__upc_lock_number(const struct heddle_upc_arguments *arguments)
{
	const struct heddle_upc_bridge *bridge = heddle__upc_vocabulary.bridge;
	if (!bridge || !bridge->threadof || !bridge->addrfield || !arguments->lock)
		return 0;
	return ((uint64_t)bridge->threadof(arguments->lock) + 1) << 48 ^ bridge->addrfield(arguments->lock);
}

void heddle__upc_blame_wait(struct heddle_thread *thread, const struct heddle_upc_arguments *arguments)
{
	heddle__blame_wait(thread, HEDDLE_SCOPE_PROGRAM, heddle__upc_lock_number(arguments));
}

void heddle__upc_blame_hold(struct heddle_thread *thread, const struct heddle_upc_arguments *arguments, uint32_t path)
{
	heddle__blame_hold(thread, HEDDLE_SCOPE_PROGRAM, heddle__upc_lock_number(arguments), false, path);
}

void heddle__upc_blame_unlock(struct heddle_thread *thread, const struct heddle_upc_arguments *arguments)
{
	heddle__blame_release(thread, HEDDLE_SCOPE_PROGRAM, heddle__upc_lock_number(arguments));
}
