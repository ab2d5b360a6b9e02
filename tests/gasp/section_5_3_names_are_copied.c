/* SPDX-License-Identifier: BSD-3-Clause */
/* "The memory referenced by both arguments need not remain valid once the function returns." */
#include "client.h"

#include <sys/mman.h>

int main(void)
{
	gasp_context_t context = init_upc();
	char *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	strcpy(page, "short-lived");
	strcpy(page + 100, "value=%d");
	unsigned int event = gasp_create_event(context, page, page + 100);
	munmap(page, 4096);
	START(context, event, "a.upc", 1, 0, 3);
	END(context, event, "a.upc", 2, 0, 3);
	EXPECT("visits", "short-lived", 1);
	EXPECT_VALUES("short-lived", 1, 1, 3, 3, 3);
	return 0;
}
