/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages of the random program: ways to send, to receive, and to complete. */
#include "random.h"

#include <stdlib.h>

/* ---- requests ---- */

MPI_Request *expect_request(struct pending *pending, int partner, long long bytes, bool persistent)
{
	int at = pending->count++;
	pending->partner[at] = partner;
	pending->bytes[at] = bytes;
	pending->read[at] = 0;
	pending->persistent[at] = persistent;
	return &pending->request[at];
}

/* Counts what the requests completed by a call have received. */
static void completed(const char *name, const struct pending *pending, int count, const int *which)
{
	long long received = 0, bytes = 0;
	for (int i = 0; i < count; i++) {
		int at = which ? which[i] : i;
		bytes += pending->read[at];
		if (pending->partner[at] < 0)
			continue;
		received++;
		bytes += pending->bytes[at];
		pair(KNOWN_RECEIVED, pending->partner[at], pending->bytes[at]);
	}
	call(name, 0, 0, received, bytes);
}

static void complete_any(struct pending *pending, MPI_Status *status, bool test)
{
	int at, done = 1;
	for (int left = pending->count; left > 0;) {
		if (test)
			MPI_Testany(pending->count, pending->request, &at, &done, status);
		else
			MPI_Waitany(pending->count, pending->request, &at, status);
		bool none = at == MPI_UNDEFINED; /* MPICH: if all are persistent requests with MPI_PROC_NULL */
		completed(test ? "MPI_Testany" : "MPI_Waitany", pending, none ? 0 : done, &at);
		left = none && done ? 0 : left - done;
	}
}

static void complete_some(struct pending *pending, MPI_Status *statuses, bool test)
{
	int which[MANY], done = 0;
	for (int left = pending->count; left > 0; left -= done) {
		if (test)
			MPI_Testsome(pending->count, pending->request, &done, which, statuses);
		else
			MPI_Waitsome(pending->count, pending->request, &done, which, statuses);
		completed(test ? "MPI_Testsome" : "MPI_Waitsome", pending, done, which);
		if (done == MPI_UNDEFINED)
			break;
	}
}

/* Tests whether the requests are complete, and frees them: persistent ones while they are still active. */
static void free_each(struct pending *pending)
{
	MPI_Status status;
	for (int at = 0; at < pending->count; at++) {
		for (int done = 0; !done;) {
			MPI_Request_get_status(pending->request[at], &done, choose(2) ? &status : MPI_STATUS_IGNORE);
			completed("MPI_Request_get_status", pending, done, &at);
		}
		MPI_Request_free(&pending->request[at]);
		call("MPI_Request_free", 0, 0, 0, 0);
		pending->persistent[at] = false;
	}
}

static void complete_each(struct pending *pending, MPI_Status *status, bool test)
{
	int first = choose(pending->count), done = 0;
	for (int i = 0; i < pending->count; i++) {
		int at = (first + i) % pending->count;
		for (done = 0; test && !done;) {
			MPI_Test(&pending->request[at], &done, status);
			completed("MPI_Test", pending, done, &at);
		}
		if (test)
			continue;
		MPI_Wait(&pending->request[at], status);
		completed("MPI_Wait", pending, 1, &at);
	}
}

static void complete_by(struct pending *pending, int way)
{
	MPI_Status statuses[MANY], *ignored = choose(2) ? MPI_STATUSES_IGNORE : statuses;
	MPI_Status *one = choose(2) ? MPI_STATUS_IGNORE : statuses;
	int done = 0;
	if (pending->count == 0)
		return;
	switch (way) {
	case 0:
	case 1:
		complete_any(pending, one, way);
		break;
	case 2:
	case 3:
		complete_some(pending, ignored, way == 3);
		break;
	case 4:
	case 5:
		complete_each(pending, one, way == 5);
		break;
	case 6:
		free_each(pending);
		break;
	case 7:
		while (!done) {
			MPI_Testall(pending->count, pending->request, &done, ignored);
			completed("MPI_Testall", pending, done ? pending->count : 0, NULL);
		}
		break;
	default:
		MPI_Waitall(pending->count, pending->request, ignored);
		completed("MPI_Waitall", pending, pending->count, NULL);
	}
	for (int i = 0; i < pending->count; i++) {
		if (!pending->persistent[i])
			continue;
		MPI_Request_free(&pending->request[i]);
		call("MPI_Request_free", 0, 0, 0, 0);
	}
	pending->count = 0;
}

void complete(struct pending *pending)
{
	complete_by(pending, choose(9));
}

/* MPICH 4.0 completes requests of files only by some calls. Other calls abort the program or never return. */
void complete_files(struct pending *pending)
{
#ifdef MPICH_VERSION
	static const int ways[] = {4, 5, 8};
#else
	static const int ways[] = {0, 1, 2, 3, 4, 5, 7, 8};
#endif
	complete_by(pending, ways[choose(sizeof(ways) / sizeof(*ways))]);
}

void finish(MPI_Request *request)
{
	MPI_Wait(request, MPI_STATUS_IGNORE);
	call("MPI_Wait", 0, 0, 0, 0);
}

/* ---- messages ---- */

struct message {
	int side, from, to, tag, count, type, how, taken;
	bool none; /* both ranks use MPI_PROC_NULL */
	bool more; /* the buffer is larger than the message */
};

static long long bytes_of(const struct message *message)
{
	return (long long)message->count * type_sizes[message->type];
}

static struct message pick_message(const struct group *group, int tag, int ways)
{
	struct message message = {
		.side = pick(2), .tag = tag, .type = pick(TYPES), .how = pick(7), .taken = pick(ways)};
	message.from = pick(group->sizes[message.side]);
	message.to = pick(group->sizes[!message.side]);
	message.count = pick(8) == 0 ? 15000 : pick(20);
	message.none = pick(8) == 0;
	message.more = pick(2);
	if (message.how == 2 && message.count > 20) /* MPICH 4.0 truncates large buffered messages */
		message.how = 0;
#ifdef MPICH_VERSION
	if (message.type == MIXED && message.count > 20) /* ... and sometimes those of a type with holes */
		message.count = 20;
#endif
	return message;
}

static void start(MPI_Request *request, long long sent, long long bytes)
{
	MPI_Start(request);
	call("MPI_Start", sent, sent ? bytes : 0, 0, 0);
}

static void send_message(const struct group *group, const struct message *message, struct pending *pending)
{
	int to = message->none ? MPI_PROC_NULL : message->to, count = message->count, tag = message->tag;
	long long sent = !message->none, bytes = message->none ? 0 : bytes_of(message);
	bool persistent = message->how == 3 || message->how == 4;
	MPI_Datatype type = types[message->type];
	MPI_Request *request = expect_request(pending, -1, 0, persistent);
	if (sent)
		pair(KNOWN_SENT, group->world[!group->side][to], bytes);
	switch (message->how) {
	case 1:
		MPI_Issend(out, count, type, to, tag, group->comm, request);
		call("MPI_Issend", sent, bytes, 0, 0);
		break;
	case 2:
		MPI_Ibsend(out, count, type, to, tag, group->comm, request);
		call("MPI_Ibsend", sent, bytes, 0, 0);
		break;
	case 3:
		MPI_Send_init(out, count, type, to, tag, group->comm, request);
		call("MPI_Send_init", 0, 0, 0, 0);
		start(request, sent, bytes);
		break;
	case 4:
		MPI_Ssend_init(out, count, type, to, tag, group->comm, request);
		call("MPI_Ssend_init", 0, 0, 0, 0);
		start(request, sent, bytes);
		break;
#if MPI_VERSION >= 4
	case 5:
		MPI_Isend_c(out, count, type, to, tag, group->comm, request);
		call("MPI_Isend_c", sent, bytes, 0, 0);
		break;
#endif
	default:
		MPI_Isend(out, count, type, to, tag, group->comm, request);
		call("MPI_Isend", sent, bytes, 0, 0);
	}
}

/* Receives by a probe that extracts the message. */
static void receive_matched(const struct group *group, const struct message *message, struct pending *pending,
	int source, int count, int partner)
{
	char *to = in + (size_t)pending->count * REGION;
	MPI_Datatype type = types[message->type];
	MPI_Message matched;
	MPI_Status status;
	int there = 0;
	while (choose(2) && !there) {
		MPI_Improbe(source, message->tag, group->comm, &there, &matched, &status);
		call("MPI_Improbe", 0, 0, 0, 0);
	}
	if (!there) {
		MPI_Mprobe(source, message->tag, group->comm, &matched, MPI_STATUS_IGNORE);
		call("MPI_Mprobe", 0, 0, 0, 0);
	}
	if (message->taken == 3) {
		MPI_Imrecv(to, count, type, &matched, expect_request(pending, partner, bytes_of(message), false));
		call("MPI_Imrecv", 0, 0, 0, 0);
		return;
	}
	MPI_Mrecv(to, count, type, &matched, choose(2) ? &status : MPI_STATUS_IGNORE);
	call("MPI_Mrecv", 0, 0, partner >= 0, partner >= 0 ? bytes_of(message) : 0);
	if (partner >= 0)
		pair(KNOWN_RECEIVED, partner, bytes_of(message));
}

static void receive_message(const struct group *group, const struct message *message, struct pending *pending)
{
	char *to = in + (size_t)pending->count * REGION;
	MPI_Datatype type = types[message->type];
	int partner = message->none ? -1 : group->world[!group->side][message->from], tag = message->tag;
	int source = message->none ? MPI_PROC_NULL : message->taken % 2 ? MPI_ANY_SOURCE : message->from;
	int count = message->count + message->more;
	MPI_Request *request;
	switch (message->taken) {
	case 2:
		request = expect_request(pending, partner, bytes_of(message), true);
		MPI_Recv_init(to, count, type, source, tag, group->comm, request);
		call("MPI_Recv_init", 0, 0, 0, 0);
		start(request, 0, 0);
		break;
	case 3:
	case 4:
		receive_matched(group, message, pending, source, count, partner);
		break;
	case 5:
		MPI_Recv(to, count, type, source, tag, group->comm, MPI_STATUS_IGNORE);
		call("MPI_Recv", 0, 0, partner >= 0, partner >= 0 ? bytes_of(message) : 0);
		if (partner >= 0)
			pair(KNOWN_RECEIVED, partner, bytes_of(message));
		break;
	default:
		request = expect_request(pending, partner, bytes_of(message), false);
		MPI_Irecv(to, count, type, source, tag, group->comm, request);
		call("MPI_Irecv", 0, 0, 0, 0);
	}
}

/* Exchanges several messages at a time. Blocking receives are called after all sends. */
void exchange(const struct group *group)
{
	struct pending pending = {.count = 0};
	struct message messages[MANY / 2];
	int count = 1 + pick(MANY / 2), late = pick(2), tag = new_tag();
	for (int i = 0; i < count; i++)
		messages[i] = pick_message(group, tag + i, late ? 6 : 3);
	for (int pass = 0; pass < 2; pass++)
		for (int i = 0; i < count; i++) {
			bool inside = group->inter;
			if (pass == late && group->rank == messages[i].to &&
				(!inside || group->side != messages[i].side))
				receive_message(group, &messages[i], &pending);
			if (pass != late && group->rank == messages[i].from &&
				(!inside || group->side == messages[i].side))
				send_message(group, &messages[i], &pending);
		}
	complete(&pending);
}

/* Blocking sends in pairs, and in both directions at once. */
void blocking(const struct group *group)
{
	struct message message = pick_message(group, new_tag(), 1);
	long long bytes = bytes_of(&message);
	MPI_Datatype type = types[message.type];
	int n = own_size(group), shift = pick(n);
	bool inside = group->inter, replaces = pick(2);
	message.none = false;
	if (!inside) { /* a ring */
		int to = (group->rank + shift) % n, from = (group->rank + n - shift) % n;
		if (replaces)
			MPI_Sendrecv_replace(in, message.count, type, to, message.tag, from,
				group->shared ? message.tag : MPI_ANY_TAG, group->comm, MPI_STATUS_IGNORE);
		else
			MPI_Sendrecv(out, message.count, type, to, message.tag, in, message.count, type, MPI_ANY_SOURCE,
				message.tag, group->comm, MPI_STATUS_IGNORE);
		call(replaces ? "MPI_Sendrecv_replace" : "MPI_Sendrecv", 1, bytes, 1, bytes);
		pair(KNOWN_SENT, group->world[0][to], bytes);
		pair(KNOWN_RECEIVED, group->world[0][from], bytes);
		if (message.from == message.to)
			return;
	}
	if (group->rank == message.from && (!inside || group->side == message.side)) {
		if (message.how < 3)
			MPI_Send(out, message.count, type, message.to, message.tag + 1, group->comm);
		else if (message.how < 6)
			MPI_Ssend(out, message.count, type, message.to, message.tag + 1, group->comm);
		else
			MPI_Bsend(out, message.count, type, message.to, message.tag + 1, group->comm);
		call(message.how < 3 ? "MPI_Send" : message.how < 6 ? "MPI_Ssend" : "MPI_Bsend", 1, bytes, 0, 0);
		pair(KNOWN_SENT, group->world[!group->side][message.to], bytes);
	}
	if (group->rank == message.to && (!inside || group->side != message.side)) {
		MPI_Probe(MPI_ANY_SOURCE, message.tag + 1, group->comm, MPI_STATUS_IGNORE);
		call("MPI_Probe", 0, 0, 0, 0);
		MPI_Recv(in, message.count, type, message.from, message.tag + 1, group->comm, MPI_STATUS_IGNORE);
		call("MPI_Recv", 0, 0, 1, bytes);
		pair(KNOWN_RECEIVED, group->world[!group->side][message.from], bytes);
	}
}

/* Receives without a message, which are cancelled. */
void cancel(const struct group *group)
{
	struct pending pending = {.count = 0};
	int count = 1 + pick(3);
	for (int i = 0; i < count; i++) {
		MPI_Request *request = expect_request(&pending, -1, -1, false);
		MPI_Irecv(in + (size_t)i * REGION, 100, MPI_CHAR, MPI_ANY_SOURCE, 1, group->comm, request);
		call("MPI_Irecv", 0, 0, 0, 0);
		MPI_Cancel(request);
		call("MPI_Cancel", 0, 0, 0, 0);
	}
	complete(&pending);
}

#if MPI_VERSION >= 4
/* Marks partitions as ready in any order, one or several at a time. */
static void make_ready(MPI_Request request, int parts)
{
	int first = choose(parts), rest[MANY], count = 0;
	MPI_Pready(first, request);
	call("MPI_Pready", 0, 0, 0, 0);
	if (first > 0) {
		MPI_Pready_range(0, first - 1, request);
		call("MPI_Pready_range", 0, 0, 0, 0);
	}
	for (int part = parts - 1; part > first; part--)
		rest[count++] = part;
	MPI_Pready_list(count, rest, request);
	call("MPI_Pready_list", 0, 0, 0, 0);
}
#endif

/* Partitioned messages in a ring; those of several rounds, and other messages, have one tag. */
void partitioned(const struct group *group)
{
#if MPI_VERSION >= 4
	struct pending pending = {.count = 0};
	int n = own_size(group), shift = 1 + pick(n - 1), tag = new_tag(), messages = 1 + pick(3), rounds = 1 + pick(3);
	int to = (group->rank + shift) % n, from = (group->rank + n - shift) % n, parts[3];
	MPI_Request *sends[3], *receives[3];
	for (int i = 0; i < messages; i++) {
		parts[i] = 1 + pick(6);
		long long bytes = 4LL * parts[i] * (i + 1);
		receives[i] = expect_request(&pending, group->world[0][from], bytes, true);
		sends[i] = expect_request(&pending, -1, 0, true);
		MPI_Precv_init(in + (size_t)i * REGION, 1, parts[i] * (i + 1), MPI_INT, from, tag, group->comm,
			MPI_INFO_NULL, receives[i]);
		call("MPI_Precv_init", 0, 0, 0, 0);
		MPI_Psend_init(out, parts[i], i + 1, MPI_INT, to, tag, group->comm, MPI_INFO_NULL, sends[i]);
		call("MPI_Psend_init", 0, 0, 0, 0);
	}
	for (int round = 0; round < rounds; round++) {
		int first = choose(messages);
		for (int i = 0; i < messages; i++) {
			int at = (first + i) % messages;
			start(receives[at], 0, 0);
			start(sends[at], 1, pending.bytes[2 * at]);
			pair(KNOWN_SENT, group->world[0][to], pending.bytes[2 * at]);
			make_ready(*sends[at], parts[at]);
		}
		MPI_Waitall(pending.count, pending.request, MPI_STATUSES_IGNORE);
		completed("MPI_Waitall", &pending, pending.count, NULL);
	}
	for (int i = 0; i < pending.count; i++) {
		MPI_Request_free(&pending.request[i]);
		call("MPI_Request_free", 0, 0, 0, 0);
	}
#else
	(void)group;
#endif
}
