/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Accesses with known numbers, of all sizes, in regions of each kind, while off, while paused, in a signal handler and
 * in other OpenMP threads; each thread accesses the next one's memory and its own.
 */
#include <heddle.h>
#include <pupc.h>
#include <signal.h>
#include <stdlib.h>
#include <upc_relaxed.h>

#define N 3000

struct wide {
	long first, second;
	char rest[5];
};

shared [N] char bytes[N * THREADS];
shared [N] short halves[N * THREADS];
shared [N] int words[N * THREADS];
shared double cyclic[N * THREADS];
shared [N] struct wide structures[N * THREADS];
shared [24] int blocks[24 * 40 * THREADS];
static int next;
static volatile long sink;

static void sizes(int times)
{
	long sum = 0;
	for (int i = 0; i < times; i++) {
		int at = next * N + i % N;
		bytes[at] = (char)i;
		halves[at] += (short)bytes[at];
		words[at] = halves[at];
		struct wide copy = structures[at];
		copy.first += words[at];
		structures[at] = copy;
		sum += copy.first + structures[at].second;
	}
	sink = sum;
}

static void shuffle(int times)
{
	for (int i = 0; i < times; i++)
		cyclic[i] += cyclic[(i * 7) % (N * THREADS)];
}

/* Two accesses to one element; the second one is executed in few blocks. */
static void sometimes(void)
{
	long sum = 0;
	for (int i = 0; i < 24 * 40 * THREADS; i++) {
		sum += blocks[i];
		if (i % 48 == 7)
			blocks[i] = i;
	}
	sink = sum;
}

/* Many short regions. */
static void regions(unsigned int event)
{
	for (int i = 0; i < 300; i++) {
		pupc_event_start(event, i);
		words[next * N + i] = i;
		shuffle(5);
		pupc_event_end(event, i);
		words[next * N + i]++;
	}
	upc_forall (int i = 0; i < N; i++; i)
		cyclic[i] = cyclic[i + 1];
}

static void off(void)
{
	sizes(100);
	pupc_control(0);
	sizes(1000);
	pupc_control(1);
	sizes(100);
	heddle_stop();
	sizes(1000);
	heddle_start();
	sizes(100);
}

static void handler(int signal)
{
	(void)signal;
	shuffle(40);
}

static void handled(void)
{
	for (int i = 0; i < 20; i++) {
		shuffle(700);
		raise(SIGUSR1);
	}
}

static void parallel(void)
{
#pragma omp parallel num_threads(3)
	{
		shuffle(N);
#pragma omp barrier
		sizes(500);
	}
}

int main(void)
{
	unsigned int event = pupc_create_event("some", "%d");
	next = (MYTHREAD + 1) % THREADS;
	signal(SIGUSR1, handler);
	upc_barrier;
	sizes(5 * N);
	shuffle(N * THREADS);
	sometimes();
	regions(event);
	upc_barrier;
	off();
	handled();
	parallel();
	upc_barrier;
	if (MYTHREAD == 0)
		sizes(7);
	return 0;
}
