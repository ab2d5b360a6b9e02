/* SPDX-License-Identifier: BSD-3-Clause */
/* Overlapping LIKWID regions, in the main thread and in another one. */
#include <likwid-marker.h>
#include <pthread.h>
#include <stdio.h>

static void *run(void *of)
{
	for (int i = 0; i < 7; i++) {
		LIKWID_MARKER_START("copy");
		LIKWID_MARKER_START("scale");
		LIKWID_MARKER_STOP("copy");
		LIKWID_MARKER_STOP("scale");
	}
	return of;
}

int main(void)
{
	pthread_t other;
	LIKWID_MARKER_INIT;
	LIKWID_MARKER_REGISTER("copy");
	run(NULL);
	pthread_create(&other, NULL, run, NULL);
	pthread_join(other, NULL);
	LIKWID_MARKER_CLOSE;
	puts("done");
	return 0;
}
