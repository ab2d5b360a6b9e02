/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds and opens the network's plug-in, publishes its address, and hands on messages. See the header. */
#include "upc/runtime/messages/network.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "upc/runtime/base/control.h"
#include "upc/runtime/base/nodes.h"
#include "upc/runtime/base/plugin.h"
#include "upc/runtime/base/say.h"
#include "upc/runtime/base/system.h"
#include "upc/runtime/start/monitor.h"

#define LIBRARY "libheddle-upc-ucx.so"
#define LOOPBACK "lo"
#define LOSS_MS 1500 /* for another thread, which may connect first, to end this one before it speaks of a loss */
#define LINE_MS 200  /* for the launcher to print the line, before it ends the job */
#define TERMINATION_MS 1000 /* for other nodes to answer that they end */
#define PART 96             /* bytes of an address in one published value, which has at most 200 characters (job.h) */

const struct hupc__network *hupc__network;
static const struct hupc__job *job;
int hupc__network_connections;
static volatile bool ending; /* lost connections are expected */

static void key_of(char *key, size_t size, size_t part)
{
	hupc__format(key, size, "upc-address-%u", (unsigned int)part);
}

static void put_part(const unsigned char *bytes, size_t size, size_t part)
{
	char key[32], text[2 * PART + 1];
	for (size_t i = 0; i < size; i++)
		snprintf(text + 2 * i, 3, "%02x", bytes[i]);
	text[2 * size] = '\0';
	key_of(key, sizeof(key), part);
	job->put(key, text);
}

/* A part that is not full is the last one; an empty one may be. */
static void publish(const unsigned char *address, size_t size)
{
	for (size_t at = 0; at <= size; at += PART)
		put_part(address + at, size - at < PART ? size - at : PART, at / PART);
}

/* Returns the number of bytes; more than PART: there is no such part. */
static size_t get_part(int thread, size_t part, unsigned char *bytes)
{
	char key[32], text[2 * PART + 1];
	size_t size = 0;
	key_of(key, sizeof(key), part);
	if (!job->get(thread, key, text, sizeof(text)))
		return SIZE_MAX;
	for (; size < PART && text[2 * size]; size++) {
		char digits[3] = {text[2 * size], text[2 * size + 1], '\0'};
		bytes[size] = (unsigned char)strtoul(digits, NULL, 16);
	}
	return size;
}

static bool address_of(int thread, void *address, size_t *size)
{
	size_t got = PART, at = 0;
	for (size_t part = 0; got == PART; part++, at += got) {
		unsigned char bytes[PART];
		got = get_part(thread, part, bytes);
		if (got > PART || at + got > *size)
			return false;
		memcpy((char *)address + at, bytes, got);
	}
	*size = at;
	hupc__network_connections++;
	return true;
}

static hupc__receiver receive_end, receive_ends;

/* By enum hupc__message: who takes it, and what it is called. */
static const struct {
	hupc__receiver *receive;
	const char *name;
} messages[HUPC__MESSAGES] = {
	[HUPC__MESSAGE_MEET] = {hupc__receive_meet, "a barrier's"},
	[HUPC__MESSAGE_QUEUED] = {hupc__receive_queued, "a collective function's"},
	[HUPC__MESSAGE_PROBE] = {hupc__receive_probe, "a question for a status"},
	[HUPC__MESSAGE_STATUS] = {hupc__receive_status, "a status"},
	[HUPC__MESSAGE_CLAIM] = {hupc__receive_claim, "a claim to end the program"},
	[HUPC__MESSAGE_GRANT] = {hupc__receive_grant, "a grant to end the program"},
	[HUPC__MESSAGE_ATOMIC] = {hupc__receive_atomic, "an atomic operation"},
	[HUPC__MESSAGE_UPDATE] = {hupc__receive_update, "an update"},
	[HUPC__MESSAGE_LOCK] = {hupc__receive_lock, "upc_lock"},
	[HUPC__MESSAGE_UNLOCK] = {hupc__receive_unlock, "upc_unlock"},
	[HUPC__MESSAGE_FREED] = {hupc__receive_freed, "upc_lock_free"},
	[HUPC__MESSAGE_ORPHAN] = {hupc__receive_orphan, "a lock whose holder ends"},
	[HUPC__MESSAGE_TAKE] = {hupc__receive_take, "an allocation"},
	[HUPC__MESSAGE_GIVE] = {hupc__receive_give, "upc_free"},
	[HUPC__MESSAGE_FIND] = {hupc__receive_find, "a question for a block"},
	[HUPC__MESSAGE_SET] = {hupc__receive_set, "upc_memset"},
	[HUPC__MESSAGE_COPY] = {hupc__receive_copy, "upc_memcpy"},
	[HUPC__MESSAGE_CLOCK] = {hupc__receive_clock, "a question for the clock"},
	[HUPC__MESSAGE_END] = {receive_end, "the end of the program"},
	[HUPC__MESSAGE_ENDS] = {receive_ends, "an answer to the end"},
};

static const char *handle(int from, const void *message, size_t size, const struct hupc__ticket *ticket)
{
	_Alignas(16) char aligned[HUPC__MESSAGE_LIMIT];
	uint32_t kind;
	if (size < sizeof(kind) || size > sizeof(aligned))
		return "a message of that size";
	memcpy(aligned, message, size);
	memcpy(&kind, aligned, sizeof(kind));
	if (kind >= HUPC__MESSAGES)
		return "a message of an unknown kind";
	return messages[kind].receive(from, aligned, size, ticket) ? NULL : messages[kind].name;
}

/* ---- the end ---- */

struct end_message {
	uint32_t message; /* HUPC__MESSAGE_END or HUPC__MESSAGE_ENDS */
	int32_t status;
};

static void send_to(int thread, enum hupc__message kind, int status)
{
	struct end_message message = {kind, status};
	hupc__network->send(thread, &message, sizeof(message));
}

/* This process ends in a signal handler, as when another thread of its node asks for it. */
static bool receive_end(int from, const void *message, size_t size, const struct hupc__ticket *ticket)
{
	if (size != sizeof(struct end_message) || ticket)
		return false;
	ending = true;
	send_to(from, HUPC__MESSAGE_ENDS, 0);
	hupc__ask_to_end(((const struct end_message *)message)->status);
	kill(getpid(), HUPC__END_SIGNAL);
	return true;
}

/* While this thread ends the others: how many still have not answered, and until when it waits. */
static struct {
	int missing;
	uint64_t until;
} termination;

static bool receive_ends(int from, const void *message, size_t size, const struct hupc__ticket *ticket)
{
	(void)from;
	(void)message;
	if (size != sizeof(struct end_message) || ticket)
		return false;
	termination.missing--;
	hupc__network->wake();
	return true;
}

static bool all_answered(void *unused)
{
	(void)unused;
	return termination.missing <= 0 || hupc__now_ms() >= termination.until;
}

void hupc__network_end_others(int status)
{
	if (!hupc__network || ending)
		return;
	ending = true;
	termination.until = hupc__now_ms() + TERMINATION_MS;
	for (int t = 0; t < hupc__threads; t++) {
		if (!hupc__is_near(t)) {
			termination.missing++;
			send_to(t, HUPC__MESSAGE_END, status);
		}
	}
	hupc__network->wait_until(all_answered, NULL);
	usleep(1000 * TERMINATION_MS / 5); /* the launcher is to see their end before this one's */
}

/* A thread that was lost, or sends what no thread sends, and why or what. */
static struct {
	int thread;
	bool broken;
	char why[100];
} loss;

/*
 * Whoever ends the program may have reached the lost thread before this one: it gets the time to say so. Several
 * threads may lose the same one: the one with the lowest number is the first to speak.
 */
static void *speak_of_loss(void *unused)
{
	bool first;
	if (!loss.broken)
		usleep(1000 * (useconds_t)(LOSS_MS + (hupc__mythread < 500 ? hupc__mythread : 500)));
	if (ending)
		return unused;
	first = hupc__ask_to_end(1);
	if (first && loss.broken)
		hupc__say("thread %d: thread %d sent what no thread of this program sends (%s); is its memory "
			  "overwritten, or is it another program?",
			hupc__mythread, loss.thread, loss.why);
	else if (first)
		hupc__say("thread %d: lost thread %d, which was killed or can no longer be reached (%s)",
			hupc__mythread, loss.thread, loss.why);
	ending = true;
	usleep(1000 * LINE_MS);
	job->abort(1, loss.broken ? "a thread is broken" : "a thread was lost");
	kill(getpid(), HUPC__END_SIGNAL);
	return unused;
}

/* Ends the job; waits for nothing. */
static void give_up_on(int thread, bool broken, const char *why)
{
	static bool once;
	sigset_t all, before;
	pthread_t speaker;
	if (ending || once)
		return;
	once = true;
	loss.thread = thread;
	loss.broken = broken;
	hupc__format(loss.why, sizeof(loss.why), "%s", why);
	hupc__plugin_unmeasured(true);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	if (pthread_create(&speaker, NULL, speak_of_loss, NULL) == 0)
		pthread_detach(speaker);
	else
		speak_of_loss(NULL);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	hupc__plugin_unmeasured(false);
}

static void lost(int thread, const char *why)
{
	give_up_on(thread, false, why);
}

static void broken(int thread, const char *why)
{
	give_up_on(thread, true, why);
}

static void stranger(const char *address)
{
	hupc__say("thread %d: dropped a connection from %s, which is not of this job; the program goes on, and says it "
		  "once",
		hupc__mythread, address);
}

void hupc__network_expect_end(void)
{
	ending = true;
}

void hupc__network_stop(void)
{
	if (hupc__network)
		hupc__network->close();
}

/* ---- the start ---- */

static struct hupc__network_host host;

/* All ranks find the same: rank 0 says it. The line comes before the launcher ends the job. */
_Noreturn static void fail(const char *why)
{
	if (hupc__mythread == 0)
		hupc__say(
			"the threads are on %d nodes: %s; or run all of them on one machine, with UPC_NODE_SIZE unset",
			hupc__nodes_count(), why);
	job->fence();
	job->finalize();
	_exit(1);
}

/*
 * The interfaces to use: as the user says; else, on one machine, the one that only this machine reaches, unless the
 * user chooses by UCX's variable. NULL: all.
 */
static const char *devices(const struct hupc__common *common)
{
	const char *own = getenv("UPC_NETWORK_DEVICES"), *of_ucx = getenv("UCX_NET_DEVICES");
	if (own && *own)
		return own;
	return common->one_machine && !of_ucx ? LOOPBACK : NULL;
}

/* Where loopback does not work, all that UCX finds is used. */
static const struct hupc__network *open_network(hupc__network_open_function *open, char *problem, size_t size)
{
	const struct hupc__network *opened = open(&host, problem, size);
	if (opened || !host.devices || strcmp(host.devices, LOOPBACK) != 0 || getenv("UPC_NETWORK_DEVICES"))
		return opened;
	host.devices = NULL;
	return open(&host, problem, size);
}

const char *hupc_network_listening(void)
{
	return hupc__network ? hupc__network->listening : "";
}

void hupc__network_start(const struct hupc__job *the_job, const struct hupc__common *common)
{
	static char problem[400];
	hupc__network_open_function *open;
	job = the_job;
	*(void **)&open = hupc__plugin_find(LIBRARY, "hupc_network_open", problem, sizeof(problem));
	if (!open)
		fail(problem);
	host = (struct hupc__network_host){.version = HUPC__NETWORK_VERSION,
		.mythread = hupc__mythread,
		.threads = hupc__threads,
		.segment = UPCRT_ADDRESS(UPCRT_POINTER(0, hupc__mythread, 0)),
		.segment_start = HUPC__PAGE,
		.segment_end = hupc__control->segment_size,
		.devices = devices(common),
		.address_of = address_of,
		.handle = handle,
		.lost = lost,
		.broken = broken,
		.stranger = stranger};
	memcpy(host.secret, common->secret, sizeof(host.secret));
	const struct hupc__network *opened = open_network(open, problem, sizeof(problem));
	if (!opened)
		fail(problem);
	hupc__network = hupc__network_count(opened);
	publish(hupc__network->address, hupc__network->address_size);
}
