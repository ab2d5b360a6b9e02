/* SPDX-License-Identifier: BSD-3-Clause */
/* "Any memory referenced by ... arguments (e.g. string arguments) need not remain valid once the function returns." */
#include "client.h"

#include <sys/mman.h>

int main(void)
{
	gasp_context_t context = init_upc();
	unsigned int event = gasp_create_event(context, "text", "%s %d");
	for (int i = 0; i < 100; i++) {
		char *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		strcpy(page, "gone soon");
		START(context, event, "a.upc", 1, 0, page, i);
		munmap(page, 4096);
		END(context, event, "a.upc", 1, 0, page, i); /* the memory is not even valid at this time */
	}
	EXPECT("visits", "text", 100);
	EXPECT_STRING("text", 1, "gone soon", 100);
	EXPECT_VALUES("text", 2, 100, 0, 99, 4950);
	return 0;
}
