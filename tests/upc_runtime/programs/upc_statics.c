/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared variables with static storage: placed, zero or initialized, in the same way for all threads. */
#include "upc_program.h"

static void start(void);
UNIT(start);

static const int contents[11] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
static const char text[] = "indefinite";
static upcrt_shared link_contents[1]; /* filled by start */
static upcrt_shared zeros, blocks, cyclic, indefinite, dynamic, link_to;

#define SHARED(variable, initial, size, elements, element_size, block, alignment, flags)                             \
	{                                                                                                            \
		&variable, #variable, "int", "program.upc", initial, elements, element_size, block, size, alignment, \
			__LINE__, flags, 0                                                                           \
	}

__attribute__((section(UPCRT_SHARED_SECTION), used)) static const struct upcrt_shared_record records[] = {
	SHARED(zeros, NULL, 0, 100, 4, 0, 4, 0),
	SHARED(blocks, contents, sizeof(contents), 11, 4, 3, 4, 0),
	SHARED(cyclic, contents, sizeof(contents), 20, 4, 1, 64, 0),
	SHARED(indefinite, text, sizeof(text), sizeof(text), 1, 0, 1, 0),
	SHARED(dynamic, contents, 4, 6, 4, 2, 4, UPCRT_TIMES_THREADS),
	SHARED(link_to, link_contents, 8, 1, 8, 1, 8, 0),
};

static void start(void)
{
	link_contents[0] = blocks + 8;
}

static int *element(upcrt_shared array, int block, int i)
{
	int number = i / block;

	return UPCRT_ADDRESS(UPCRT_POINTER(0, number % THREADS,
		UPCRT_OFFSET(array) + (uint64_t)(number / THREADS * block + i % block) * sizeof(int)));
}

int __upcrt_user_main(int argc, char **argv)
{
	(void)argc, (void)argv;
	for (int i = 0; i < 100; i++)
		CHECK(*element(zeros, 100, i) == 0);
	for (int i = 0; i < 11; i++)
		CHECK(*element(blocks, 3, i) == i + 1);
	for (int i = 0; i < 20; i++)
		CHECK(*element(cyclic, 1, i) == (i < 11 ? i + 1 : 0));
	for (int i = 0; i < 6 * THREADS; i++)
		CHECK(*element(dynamic, 2, i) == (i == 0));
	CHECK(UPCRT_OFFSET(cyclic) % 64 == 0);
	CHECK(!strcmp(UPCRT_ADDRESS(indefinite), "indefinite"));
	CHECK(*(upcrt_shared *)UPCRT_ADDRESS(link_to) == blocks + 8);
	BARRIER();
	*element(zeros, 100, MYTHREAD) = MYTHREAD + 1;
	BARRIER();
	for (int t = 0; t < THREADS; t++)
		CHECK(*element(zeros, 100, t) == t + 1);
	if (MYTHREAD == 0)
		print_line("passed");
	return 0;
}
