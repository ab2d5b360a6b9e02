/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The interface between the UPC runtime and a network: a plug-in that moves data and messages between UPC threads that
 * share no memory. The runtime builds everything else on it: atomics, locks, barriers, collective functions, heaps.
 *
 * A plug-in is a shared library that defines hupc_network_open. It runs all callbacks of the runtime, and all changes
 * of its own state, under one lock, held by whichever thread makes progress: a thread that waits, or the plug-in's
 * progress thread, which sleeps while nothing arrives.
 *
 * UPC threads are numbered from 0. Offsets are those of pointers-to-shared, in bytes from the start of a segment; the
 * caller has checked that they are in range. Context of all functions, unless stated: any thread, not in a signal
 * handler, lock not held. "handler": in a callback, lock held.
 */
#ifndef HEDDLE_UPC_NETWORK_H
#define HEDDLE_UPC_NETWORK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HUPC__NETWORK_VERSION 4
#define HUPC__MESSAGE_LIMIT 4096 /* bytes of a message or an answer */
#define HUPC__SECRET_SIZE 16

/* The thread to answer, and which of its questions. May be copied; must be answered once, possibly later. */
struct hupc__ticket {
	int thread;
	uint64_t question;
};

/* What the runtime passes to the plug-in. All pointers stay valid until close. */
struct hupc__network_host {
	uint32_t version; /* HUPC__NETWORK_VERSION */
	int mythread, threads;
	char *segment;                           /* this thread's segment: offset 0 */
	uint64_t segment_start, segment_end;     /* offsets that other threads may access */
	unsigned char secret[HUPC__SECRET_SIZE]; /* the job's: random, known only to its processes */
	const char *devices; /* names of the interfaces to use, separated by ','; NULL: the plug-in chooses */

	/*
	 * The network address that `thread` published: copies at most *size bytes and sets *size. Returns false if the
	 * thread has none. Called once for each thread that this thread sends to first. Context: lock held; may block.
	 */
	bool (*address_of)(int thread, void *address, size_t *size);

	/*
	 * Called when a message has arrived. `ticket`: NULL for a message that was sent; a question must be answered
	 * once, now or later. Returns NULL, or the reason why the message is invalid: then `broken` is called. Context:
	 * handler. Must not block, nor call functions that wait.
	 */
	const char *(*handle)(int from, const void *message, size_t size, const struct hupc__ticket *ticket);

	/*
	 * Called when the connection to a thread was lost and neither side has called `close`. `why` is one line.
	 * Called once for a thread. If it returns, waits for that thread never end, and messages to it are dropped.
	 * Context: handler, or a function that sends.
	 */
	void (*lost)(int thread, const char *why);

	/*
	 * Called when a thread of this job has sent an invalid message; `why` is a part of a line. Further messages of
	 * that thread are ignored. Called once for a thread. Context: handler.
	 */
	void (*broken)(int thread, const char *why);

	/*
	 * Called when a connection from outside of this job was dropped for the first time; later ones are only
	 * counted. Context: any thread; must not wait for the lock.
	 */
	void (*stranger)(const char *address);
};

/* A transfer that is not complete; 0: none. */
typedef uint64_t hupc__transfer;

struct hupc__network {
	uint32_t version; /* HUPC__NETWORK_VERSION */

	/* The address by which other threads reach this one; the runtime publishes it. */
	const void *address;
	size_t address_size;

	/*
	 * Blocking transfers. `put` returns when `from` may be changed; the data is at the target after a `fence`, and
	 * may be buffered in this process until then, or until it waits or sends something else to that target. Puts of
	 * one thread to one target take effect in order, and before its later gets and messages there.
	 */
	void (*get)(int thread, uint64_t offset, void *to, uint64_t size);
	void (*put)(int thread, uint64_t offset, const void *from, uint64_t size);

	/*
	 * Nonblocking transfers. The private memory must not be changed (for a get, nor read) before `wait`, or before
	 * a `test` that returned true; either of these ends the transfer. A put is then at its target. A result of 0:
	 * already complete.
	 */
	hupc__transfer (*get_begin)(int thread, uint64_t offset, void *to, uint64_t size);
	hupc__transfer (*put_begin)(int thread, uint64_t offset, const void *from, uint64_t size);
	bool (*test)(hupc__transfer transfer);
	void (*wait)(hupc__transfer transfer);

	/*
	 * The pointer that this points to is not NULL while puts of this process may not have reached their targets. It
	 * may be read at any time.
	 */
	const void *const volatile *outstanding;

	/* Returns when all earlier puts of this process are at their targets. Costs little if there are none. */
	void (*fence)(void);

	/* Sends a message to a thread, possibly this one. In order for each pair of threads. Context: also handler. */
	void (*send)(int thread, const void *message, size_t size);

	/* Sends a message that counts as a put: a fence waits until its target has handled it. Context: not handler. */
	void (*send_as_put)(int thread, const void *message, size_t size);

	/* Sends a question and waits for its answer, of exactly `answer_size` bytes. The target may be this thread. */
	void (*ask)(int thread, const void *question, size_t size, void *answer, size_t answer_size);

	/* Answers a question. Context: also handler. */
	void (*answer)(const struct hupc__ticket *ticket, const void *answer, size_t size);

	/*
	 * Makes progress until `done(data)` is true: polls for a while, then sleeps. `done` is called with the lock
	 * held, by any thread, after something arrived or `wake` was called, and at least every 300 ms; it is not
	 * called again after it was true. It must not wait; it may send and answer.
	 */
	void (*wait_until)(bool (*done)(void *data), void *data);

	/* The lock under which callbacks run. Not recursive. Must be held briefly only. */
	void (*lock)(void);
	void (*unlock)(void);

	/* Makes waiting threads check `done` again. Context: lock held, also handler. */
	void (*wake)(void);

	/*
	 * Ends the network after all threads have agreed to end. Lost connections are no longer reported. In other
	 * threads of this process, functions called later wait until the process ends; in the thread that closed the
	 * network, they do nothing.
	 */
	void (*close)(void);

	/* The addresses and ports on which this thread listens, separated by blanks; "": none. */
	const char *listening;

	/* Returns the number of connections from outside of this job. */
	unsigned long (*strangers)(void);

	/* Returns how often the plug-in's own thread has polled for events. */
	unsigned long (*thread_polls)(void);
};

/*
 * Opens the network. Returns NULL if it cannot be used; `problem` is then one line with the reason. Creates the
 * plug-in's threads. Called once, after constructors.
 */
typedef const struct hupc__network *hupc__network_open_function(
	const struct hupc__network_host *host, char *problem, size_t problem_size);
hupc__network_open_function hupc_network_open;

#endif
