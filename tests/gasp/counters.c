/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Counters are charged to the function that GASP_C_FUNC reports, and to the user event and the shared access in it;
 * they are charged to nothing while gasp_control has switched the thread off. HEDDLE_METRICS requests page faults.
 */
#include "client.h"

#include <sys/mman.h>

#include "tests/support/sanitizers.h"

/* A sanitizer's data occupies pages, too. */
#if UNDER_ASAN
#define EXTRA(pages) ((pages) + 100)
#else
#define EXTRA(pages) 40
#endif
#define EXPECT_PAGES(path, pages) EXPECT_BETWEEN("page-faults", path, (pages)-5, (pages) + EXTRA(pages))

static void touch(size_t pages)
{
	size_t size = pages * 4096;
	volatile char *block = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	REQUIRE(block != MAP_FAILED);
	madvise((void *)block, size, MADV_NOHUGEPAGE);
	for (size_t i = 0; i < size; i += 4096)
		block[i] = 1;
	munmap((void *)block, size);
}

int main(void)
{
	gasp_context_t context = init_upc();
	unsigned int event = gasp_create_event(context, "mine", NULL);
	START(context, GASP_C_FUNC, "a.upc", 1, 0, "int user_main(void)");
	touch(400);
	START(context, GASP_C_FUNC, "a.upc", 10, 0, "solve");
	touch(300);
	START(context, event, "a.upc", 11, 0);
	touch(200);
	START(context, GASP_UPC_BARRIER, "a.upc", 12, 0, 1, 0);
	touch(100);
	END(context, GASP_UPC_BARRIER, "a.upc", 12, 0, 1, 0);
	END(context, event, "a.upc", 13, 0);
	gasp_control(context, 0);
	touch(5000);
	gasp_control(context, 1);
	END(context, GASP_C_FUNC, "a.upc", 14, 0, "solve");
	END(context, GASP_C_FUNC, "a.upc", 15, 0, "int user_main(void)");
	EXPECT_PAGES("int user_main(void)", 400);
	EXPECT_PAGES("int user_main(void);solve", 300);
	EXPECT_PAGES("int user_main(void);solve;mine", 200);
	EXPECT_PAGES("int user_main(void);solve;mine;GASP_UPC_BARRIER @a.upc:12", 100);
	return 0;
}
