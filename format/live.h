/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The board of `heddle run --live`: memory that the launcher shares with the measured processes on its host. They add
 * their samples; the launcher reads them, and reclaims the rows of processes that have ended. The layout belongs to one
 * version of Heddle: it is never stored on disk. All members that both sides use are atomic; a reader must not rely on
 * what a process wrote.
 *
 * The launcher owns an unnamed file (memfd). HEDDLE_LIVE identifies it: "PID:DESCRIPTOR:KEY", numbers in hexadecimal,
 * so a process opens /proc/PID/fd/DESCRIPTOR. The key is that of the head, which distinguishes boards of other
 * launchers.
 */
#ifndef HEDDLE_FORMAT_LIVE_H
#define HEDDLE_FORMAT_LIVE_H

#include <stdatomic.h>
#include <stdint.h>

#define HEDDLE_LIVE_VARIABLE "HEDDLE_LIVE"
#define HEDDLE_LIVE_FILE "heddle-live"
#define HEDDLE_LIVE_ROWS 256        /* processes at the same time; further ones are only in the sums */
#define HEDDLE_LIVE_RECENT 4096     /* samples */
#define HEDDLE_LIVE_TEXT_MOST 1023u /* bytes of a name */

enum heddle_live_state {
	HEDDLE_LIVE_FREE,
	HEDDLE_LIVE_CLAIMED, /* a process is preparing it */
	HEDDLE_LIVE_RUNNING,
	HEDDLE_LIVE_REPLACED, /* its process executed another program, which has a row of its own */
	HEDDLE_LIVE_ENDED,    /* cpu_ns is valid */
};

/* One process. */
struct heddle_live_row {
	_Alignas(64) _Atomic uint32_t state; /* enum heddle_live_state */
	_Atomic int32_t pid;
	_Atomic uint64_t cpu_ns;  /* of the process, at its end */
	_Atomic uint64_t samples; /* sampling periods */
	_Atomic uint64_t recent;  /* entries written to the area's `recent`, a ring */
	_Atomic uint32_t text_used;
};

struct heddle_live_head {
	uint64_t key;
	_Atomic uint32_t shown; /* the line is on the terminal; the side that sets it to 0 erases the line */
	_Atomic uint64_t unlisted_cpu_ns, unlisted_samples; /* of processes without a row */
	struct heddle_live_row rows[HEDDLE_LIVE_ROWS];
};

/*
 * The code that a sample hit: a place of a module (HEDDLE_PLACE); or, with this number for the module, anything else
 * that is shown by a text: a region, a state.
 */
#define HEDDLE_LIVE_NAMED 0xffffu

#define HEDDLE_LIVE_TEXT_SIZE 32768u

/* The data of a row's process: its latest samples, and texts. */
struct heddle_live_area {
	_Atomic uint64_t recent[HEDDLE_LIVE_RECENT];
	_Alignas(8) unsigned char text[HEDDLE_LIVE_TEXT_SIZE];
};

/*
 * A text: the path of a module (key HEDDLE_PLACE(module, 0)), or the name of anything else (key as in `recent`). Texts
 * follow each other; the first one without a key is not complete yet.
 */
struct heddle_live_text {
	_Atomic uint64_t key;
	uint32_t size; /* bytes of this struct, including the text and padding to a multiple of 8 */
	char text[];   /* ended by a null byte */
};

#define HEDDLE_LIVE_HEAD_SIZE 65536u /* a multiple of the page size, also where pages are large */
#define HEDDLE_LIVE_AREA_SIZE 65536u
#define HEDDLE_LIVE_SIZE (HEDDLE_LIVE_HEAD_SIZE + HEDDLE_LIVE_ROWS * HEDDLE_LIVE_AREA_SIZE)

_Static_assert(sizeof(struct heddle_live_head) <= HEDDLE_LIVE_HEAD_SIZE, "the head has room");
_Static_assert(sizeof(struct heddle_live_area) <= HEDDLE_LIVE_AREA_SIZE, "an area has room");

#endif
