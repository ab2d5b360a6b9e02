/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * "Any user data referenced by pointers passed to gasp_event_notify shall not be modified by tool code": all pointers
 * refer to read-only memory.
 */
#include "client.h"

#include <sys/mman.h>

int main(void)
{
	gasp_context_t context = init_upc();
	char *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	strcpy(page, "a.upc");
	strcpy(page + 64, "int f(void)");
	strcpy(page + 128, "text");
	mprotect(page, 4096, PROT_READ);
	void *shared_pointer = page + 1024, *private_memory = page + 2048;
	unsigned int event = gasp_create_event(context, page + 128, "%s");
	START(context, GASP_C_FUNC, page, 1, 0, page + 64);
	START(context, GASP_UPC_MEMGET, page, 2, 0, private_memory, shared_pointer, (size_t)64);
	END(context, GASP_UPC_MEMGET, page, 2, 0, private_memory, shared_pointer, (size_t)64);
	START(context, GASP_UPC_LOCK, page, 3, 0, shared_pointer);
	END(context, GASP_UPC_LOCK, page, 3, 0, shared_pointer);
	ATOMIC(context, event, page, 4, 0, page + 128);
	END(context, GASP_C_FUNC, page, 5, 0, page + 64);
	EXPECT("visits", "int f(void);GASP_UPC_MEMGET @a.upc:2", 1);
	EXPECT("visits", "int f(void);GASP_UPC_LOCK @a.upc:3", 1);
	EXPECT("visits", "int f(void);text", 1);
	return 0;
}
