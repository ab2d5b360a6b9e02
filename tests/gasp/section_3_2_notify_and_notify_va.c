/* SPDX-License-Identifier: BSD-3-Clause */
/* "Both functions may be used interchangeably": a START through one is met by an END through the other. */
#include "client.h"

static void through_va(gasp_context_t context, unsigned int event, gasp_evttype_t type, const char *file, int line, ...)
{
	va_list arguments;
	va_start(arguments, line);
	gasp_event_notifyVA(context, event, type, file, line, 0, arguments);
	va_end(arguments);
}

int main(void)
{
	gasp_context_t context = init_upc();
	long long shared_pointer = 0;
	void *pointer = &shared_pointer;
	START(context, GASP_UPC_GET, "a.upc", 1, 0, 1, pointer, pointer, (size_t)100);
	through_va(context, GASP_UPC_GET, GASP_END, "a.upc", 1, 1, pointer, pointer, (size_t)100);
	through_va(context, GASP_UPC_GET, GASP_START, "a.upc", 1, 1, pointer, pointer, (size_t)10);
	END(context, GASP_UPC_GET, "a.upc", 1, 0, 1, pointer, pointer, (size_t)10);
	through_va(context, GASP_UPC_CACHE_HIT, GASP_ATOMIC, "a.upc", 2, (size_t)4);
	EXPECT("visits", "GASP_UPC_GET @a.upc:1", 2);
	EXPECT("bytes-got", "GASP_UPC_GET @a.upc:1", 110);
	EXPECT("visits", "GASP_UPC_CACHE_HIT @a.upc:2", 1);
	EXPECT("visits", "*", 3);
	return 0;
}
