/* SPDX-License-Identifier: BSD-3-Clause */
/* The example of section 4.3 of the document named in heddle/upc_cache.h, by its names; with puts and counts added. */
#include <stdio.h>
#include <upc_relaxed.h>
#include <heddle/upc_cache.h>

#define COUNT 3000

static shared int x[COUNT * THREADS], y[2 * COUNT * THREADS];

static void dp(int n, shared int *left, shared int *right)
{
	int chunk = 1024, ty;
	hpcstpf_handle_t hdl = hpcstpf_open(right, chunk);

	for (int ii = 0; ii * chunk < n; ii++) {
		int end = (ii + 1) * chunk < n ? (ii + 1) * chunk : n;

		upc_forall (int i = ii * chunk; i < end; i++; &left[i]) {
			hpcstpf_hint(hdl, i * 2);
		}
		hpcstpf_start_download(hdl);
		hpcstpf_finish_download(hdl);
		upc_forall (int i = ii * chunk; i < end; i++; &left[i]) {
			hpcstpf_get(hdl, i * 2, &ty);
			left[i] = left[i] * ty;
		}
		hpcstpf_start_upload(hdl);
		hpcstpf_finish_upload(hdl);
	}
	hpcstpf_close(hdl);
}

/* Each thread puts elements of the next one. Returns the number of messages. */
static unsigned long move(int n)
{
	hpcstpf_handle_t hdl = hpcstpf_open(y, n);
	unsigned long messages;

	upc_forall (int i = 0; i < n; i++; &x[i]) {
		int value = i;

		hpcstpf_put(hdl, (i + 1) % n, &value);
	}
	hpcstpf_start_upload(hdl);
	hpcstpf_finish_upload(hdl);
	messages = heddle_cache_count(hdl).messages;
	hpcstpf_close(hdl);
	return messages;
}

int main(void)
{
	int n = COUNT * THREADS, wrong = 0;
	unsigned long messages;

	upc_forall (int i = 0; i < n; i++; &x[i])
		x[i] = i % 7;
	upc_forall (int i = 0; i < 2 * n; i++; &y[i])
		y[i] = i % 11;
	upc_barrier;
	dp(n, x, y);
	upc_barrier;
	upc_forall (int i = 0; i < n; i++; &x[i])
		wrong += x[i] != (i % 7) * (2 * i % 11);
	upc_barrier;
	messages = move(n);
	upc_barrier;
	upc_forall (int i = 0; i < n; i++; &y[i])
		wrong += y[i] != (i + n - 1) % n;
	/* All elements that a thread puts belong to the next thread, so it sends one message. */
	if (wrong != 0 || messages > 1) {
		fprintf(stderr, "thread %d: %d wrong, %lu messages\n", MYTHREAD, wrong, messages);
		return 1;
	}
	upc_barrier;
	if (MYTHREAD == 0)
		puts("aliases: right");
	return 0;
}
