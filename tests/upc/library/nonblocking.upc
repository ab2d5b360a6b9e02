/* SPDX-License-Identifier: BSD-3-Clause */
/* upc_nb.h: transfers with and without a handle, many at a time, waited for in any order, and by a fence. */
#include <string.h>
#include <upc_nb.h>

#include "../programs/check.h"

#define COUNT 40
#define SIZE 300

shared [SIZE] unsigned char data[SIZE * THREADS], other[SIZE * THREADS];
static unsigned char own[COUNT][SIZE];

static unsigned char pattern(int thread, int i)
{
	return (unsigned char)(thread * 17 + i * 3 + 1);
}

static void prepare(void)
{
	for (int i = 0; i < SIZE; i++) {
		data[MYTHREAD * SIZE + i] = pattern(MYTHREAD, i);
		other[MYTHREAD * SIZE + i] = 0;
	}
	memset(own, 0, sizeof(own));
	upc_barrier;
}

static void check_own(void)
{
	for (int k = 0; k < COUNT; k++) {
		for (int i = 0; i < SIZE; i++)
			CHECK(own[k][i] == (i < k + 1 ? pattern((MYTHREAD + k) % THREADS, i) : 0));
	}
}

static void with_handles(void)
{
	upc_handle_t handles[COUNT];

	prepare();
	for (int k = 0; k < COUNT; k++)
		handles[k] = upc_memget_nb(own[k], &data[(MYTHREAD + k) % THREADS * SIZE], k + 1);
	for (int k = COUNT - 1; k >= 0; k--) {
		if (k % 3 == 0)
			upc_sync(handles[k]);
		else
			while (!upc_sync_attempt(handles[k]))
				;
	}
	check_own();

	int next = (MYTHREAD + 1) % THREADS;
	upc_handle_t put = upc_memput_nb(&other[next * SIZE], own[COUNT - 1], 10);
	upc_handle_t fill = upc_memset_nb(&other[next * SIZE + 10], 0x77, 10);
	upc_handle_t copy = upc_memcpy_nb(&other[next * SIZE + 20], &data[next * SIZE], 10);
	upc_sync(copy);
	upc_sync(put);
	upc_sync(fill);
	upc_barrier;
	int previous = (MYTHREAD + THREADS - 1) % THREADS;
	for (int i = 0; i < 10; i++) {
		CHECK(other[MYTHREAD * SIZE + i] == pattern((previous + COUNT - 1) % THREADS, i));
		CHECK(other[MYTHREAD * SIZE + 10 + i] == 0x77);
		CHECK(other[MYTHREAD * SIZE + 20 + i] == pattern(MYTHREAD, i));
	}
	upc_barrier;
}

static void without_handles(void)
{
	prepare();
	for (int k = 0; k < COUNT; k++)
		upc_memget_nbi(own[k], &data[(MYTHREAD + k) % THREADS * SIZE], k + 1);
	upc_synci();
	check_own();

	int next = (MYTHREAD + 1) % THREADS;
	upc_memput_nbi(&other[next * SIZE], own[COUNT - 1], 10);
	upc_memset_nbi(&other[next * SIZE + 10], 0x55, 10);
	upc_memcpy_nbi(&other[next * SIZE + 20], &data[next * SIZE], 10);
	while (!upc_synci_attempt())
		;
	upc_barrier;
	for (int i = 0; i < 10; i++) {
		CHECK(other[MYTHREAD * SIZE + 10 + i] == 0x55);
		CHECK(other[MYTHREAD * SIZE + 20 + i] == pattern(MYTHREAD, i));
	}
	upc_barrier;
}

/* Waiting for complete transfers has no effect, however often; waiting for no transfer has none either. */
static void trivial(void)
{
	upc_handle_t none = UPC_COMPLETE_HANDLE;

	upc_sync(none);
	upc_sync(UPC_COMPLETE_HANDLE);
	CHECK(upc_sync_attempt(none) != 0);
	upc_synci();
	CHECK(upc_synci_attempt() != 0);
	upc_sync(upc_memput_nb(&data[0], own, 0));
	upc_sync(upc_memget_nb(own, &data[0], 0));
	upc_sync(upc_memcpy_nb(&data[0], &other[0], 0));
	upc_sync(upc_memset_nb(&data[0], 1, 0));
	upc_memput_nbi(&data[0], own, 0);
	upc_synci();
	/* Handles may be copied, compared with the constant, and stored in shared memory. */
	upc_handle_t handle = upc_memset_nb(&other[MYTHREAD * SIZE], 9, 5), same = handle;
	if (same != UPC_COMPLETE_HANDLE)
		upc_sync(same);
	CHECK(other[MYTHREAD * SIZE + 4] == 9);
	upc_barrier;
}

/* Waited for by another function, after other transfers and statements. */
static void across(void)
{
	prepare();
	int next = (MYTHREAD + 1) % THREADS;
	upc_handle_t handle = upc_memget_nb(own[0], &data[next * SIZE], SIZE);
	upc_memput_nbi(&other[MYTHREAD * SIZE], "abcd", 5);
	upc_notify;
	upc_wait;
	upc_fence;
	upc_sync(handle);
	for (int i = 0; i < SIZE; i++)
		CHECK(own[0][i] == pattern(next, i));
	upc_synci();
	CHECK(other[MYTHREAD * SIZE + 3] == 'd');
	upc_barrier;
}

int main(void)
{
	with_handles();
	without_handles();
	trivial();
	across();
	return failures != 0;
}
