/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Several accesses are outstanding at the same time and complete in another order than initiated: each is in flight
 * until its own DATA has ended, not begun; with several on one handle, each DATA applies to one of them. SYNC's time
 * belongs to its region. DATA may be reported inside SYNC, and a handle's value may be reused at once.
 */
#include "client.h"

#define MS 1000000u

static gasp_context_t context;
static uint64_t begun, ended[8];

static void initiate(int line, int put, gasp_upc_nb_handle_t handle)
{
	void *any = &context;
	unsigned int event = put ? GASP_UPC_NB_PUT_INIT : GASP_UPC_NB_GET_INIT;
	START(context, event, "a.upc", line, 0, 1, any, any, (size_t)line);
	END(context, event, "a.upc", line, 0, 1, any, any, (size_t)line, handle);
}

static void arrive(int put, gasp_upc_nb_handle_t handle)
{
	unsigned int event = put ? GASP_UPC_NB_PUT_DATA : GASP_UPC_NB_GET_DATA;
	START(context, event, "a.upc", 20, 0, handle);
	spend(2 * MS);
	END(context, event, "a.upc", 20, 0, handle);
}

static void synchronize(int line, gasp_upc_nb_handle_t handle, int put, int arrives)
{
	START(context, GASP_UPC_NB_SYNC, "a.upc", line, 0, handle);
	if (arrives)
		arrive(put, handle);
	spend(2 * MS);
	END(context, GASP_UPC_NB_SYNC, "a.upc", line, 0, handle);
}

static uint64_t since_begun(void)
{
	return now() - begun;
}

static void expect_flight(int line, uint64_t low, uint64_t high)
{
	char path[64];
	snprintf(path, sizeof(path), "*_INIT @a.upc:%d", line);
	EXPECT_BETWEEN("flight-time", path, low * 99 / 100, high * 101 / 100);
}

int main(void)
{
	gasp_upc_nb_handle_t a = (void *)0x10, b = (void *)0x20, c = (void *)0x30;
	context = init_upc();
	begun = now();
	initiate(1, 0, a);
	initiate(2, 1, b);
	initiate(3, 0, c); /* these three use one handle */
	initiate(4, 1, c);
	initiate(5, 0, c);
	uint64_t all = since_begun();
	arrive(1, b);
	ended[2] = since_begun();
	arrive(0, c);
	ended[3] = since_begun();
	arrive(0, c);
	ended[5] = since_begun();
	synchronize(30, c, 1, 1); /* the put's data: 2 ms before the end */
	ended[4] = since_begun() - 2 * MS;
	initiate(6, 1, c); /* c again, while a and b are outstanding */
	uint64_t again = since_begun();
	synchronize(31, a, 0, 0);
	ended[1] = since_begun();
	synchronize(32, b, 1, 0);
	synchronize(33, c, 1, 0);
	ended[6] = since_begun();
	expect_flight(1, ended[1] - all, ended[1]);
	expect_flight(2, 2 * MS, ended[2]);
	expect_flight(3, 4 * MS, ended[3]);
	expect_flight(4, 8 * MS, ended[4]);
	expect_flight(5, 6 * MS, ended[5]);
	expect_flight(6, 6 * MS, ended[6] - again + 2 * MS);
	EXPECT("bytes-got", "*", 1 + 3 + 5);
	EXPECT("bytes-put", "*", 2 + 4 + 6);
	EXPECT_BETWEEN("wall-time", "*NB_SYNC @a.upc:30", 4 * MS * 99 / 100, UINT64_MAX);
	EXPECT_BETWEEN("wall-time", "*NB_SYNC @a.upc:31", 2 * MS * 99 / 100, UINT64_MAX);
	EXPECT("visits", "*NB_SYNC @a.upc:3?", 4);
	return 0;
}
