/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Messages between machines. The nth message received with a sender, receiver, communicator and tag is the nth one that
 * was sent; after lost events of the sender or the receiver, numbers are unknown. The order of two processes of a
 * machine is right to some 100 ns, which may be longer than a message takes: then all machines wait for each other, and
 * one continues without the message, whose times are compared when it arrives.
 */
#include "profile/trace/trace_causal.h"

#include <errno.h>
#include <stdlib.h>

#define MOST_EARLY 64 /* beyond that many, messages are matched wrongly: events of their sender are missing */

/* A message that was sent, or a receive that came before it. */
struct message {
	struct message *next;
	uint64_t ns, error_ns;
};

/* The messages of one sender, receiver, communicator and tag. */
struct channel {
	struct message *first, *last;
	size_t early; /* number of receives without a message: then the list has these */
	bool broken;
};

struct key {
	uint64_t first, second;
};

/* ---- ranks ---- */

static int set_machine(struct profile_causal_walk *walk, size_t rank, size_t machine)
{
	if (rank >= walk->machine_of_size) {
		size_t *grown = realloc(walk->machine_of, (rank + 1) * sizeof(*grown));
		if (!grown)
			return -ENOMEM;
		walk->machine_of = grown;
		while (walk->machine_of_size <= rank)
			walk->machine_of[walk->machine_of_size++] = SIZE_MAX;
		walk->machine_of[rank] = machine;
	} else if (walk->machine_of[rank] != machine) { /* spawned programs have ranks of their own */
		walk->machine_of[rank] = walk->machine_of[rank] == SIZE_MAX ? machine : SIZE_MAX;
	}
	return 0;
}

int profile_causal_begin_messages(struct profile_causal_walk *walk)
{
	const struct profile_trace *trace = walk->trace;
	int error = 0;
	walk->losses = calloc(trace->file_count + 1, sizeof(*walk->losses));
	for (size_t f = 0; f < trace->file_count && !error; f++) {
		const struct profile_trace_file *file = &trace->files[f];
		for (size_t g = 0; g < file->group_count && !error; g++)
			if (file->groups[g].identity && file->groups[g].all_rank < trace->file_count)
				error = set_machine(walk, file->groups[g].all_rank, file->machine);
	}
	return walk->losses ? error : -ENOMEM;
}

/* ---- channels ---- */

/* Finds the key of the machine's next event. Returns false unless it is a message between machines. */
static bool find_key(
	const struct profile_causal_walk *walk, const struct profile_causal_machine *machine, struct key *key)
{
	const struct profile_trace_file *file = profile_causal_file_of(walk, machine->thread);
	const struct profile_trace_cause *message = &machine->next;
	const struct heddle_trace_group *group =
		message->group && message->group <= file->group_count ? &file->groups[message->group - 1] : NULL;
	size_t own = (size_t)(machine - walk->machines), other = (size_t)message->partner;
	if (!group || !group->identity || other >= walk->machine_of_size || walk->machine_of[other] == SIZE_MAX ||
		walk->machine_of[other] == own || group->all_rank >= walk->machine_of_size ||
		walk->machine_of[group->all_rank] != own || walk->losses[file - walk->trace->files])
		return false;
	bool sends = message->kind == HEDDLE_CAUSE_SEND;
	uint64_t from = sends ? group->all_rank : other, to = sends ? other : group->all_rank;
	key->first = group->identity ^ (uint64_t)(message->tag + 1) * UINT64_C(0x9e3779b97f4a7c15);
	key->second = from << 32 | to;
	return true;
}

static struct channel *channel_of(struct profile_causal_walk *walk, const struct key *key)
{
	return profile_trace_table_make(&walk->channels, key->first, key->second, sizeof(struct channel));
}

static struct message take_first(struct channel *channel)
{
	struct message *first = channel->first, taken = *first;
	channel->first = first->next;
	channel->last = channel->first ? channel->last : NULL;
	channel->early -= channel->early > 0;
	free(first);
	return taken;
}

static int add_last(struct channel *channel, const struct message *added)
{
	struct message *message = malloc(sizeof(*message));
	if (!message)
		return -ENOMEM;
	*message = *added;
	if (channel->last)
		channel->last->next = message;
	else
		channel->first = message;
	channel->last = message;
	return 0;
}

/* ---- messages ---- */

/* A receive waits until the message was sent. */
bool profile_causal_may_receive(const struct profile_causal_walk *walk, const struct profile_causal_machine *machine)
{
	struct key key;
	if (!find_key(walk, machine, &key))
		return true;
	const struct channel *channel = profile_trace_table_find(&walk->channels, key.first, key.second);
	return channel && (channel->broken || (channel->first && !channel->early));
}

/* True if the message seems to have been received before it was sent. */
static bool compare(struct profile_causal_walk *walk, const struct message *sent, const struct message *received)
{
	uint64_t end;
	walk->result->messages.checked++;
	if (received->ns >= sent->ns)
		return false;
	bool beyond = !__builtin_add_overflow(received->ns, received->error_ns, &end) &&
		      end < (sent->ns > sent->error_ns ? sent->ns - sent->error_ns : 0);
	profile_causal_violate(&walk->result->messages, sent->ns - received->ns, true, beyond);
	return true;
}

static struct message make_message(const struct profile_causal_walk *walk, const struct profile_causal_machine *machine)
{
	return (struct message){NULL, profile_causal_time_of(walk, machine), profile_causal_error_of(walk, machine)};
}

/* Finds the channel of the machine's next event; NULL: it is not checked. Returns 0 or a negative error. */
static int find_channel(
	struct profile_causal_walk *walk, const struct profile_causal_machine *machine, struct channel **channel)
{
	struct key key;
	*channel = NULL;
	if (!find_key(walk, machine, &key))
		return 0;
	struct channel *found = channel_of(walk, &key);
	if (!found)
		return -ENOMEM;
	*channel = found->broken ? NULL : found;
	return 0;
}

int profile_causal_send(struct profile_causal_walk *walk, struct profile_causal_machine *machine)
{
	struct channel *channel;
	int error = find_channel(walk, machine, &channel);
	if (!channel)
		return error;
	struct message sent = make_message(walk, machine);
	if (channel->early) {
		struct message received = take_first(channel);
		compare(walk, &sent, &received);
		return 0;
	}
	machine->since_ns = profile_causal_later(machine->since_ns, machine->next.ns);
	return add_last(channel, &sent);
}

/* All machines wait: for each other, or for a message of a sender whose events are missing. */
static int go_on_early(struct profile_causal_walk *walk, struct channel *channel, const struct message *received)
{
	if (++channel->early <= MOST_EARLY)
		return add_last(channel, received);
	while (channel->first)
		take_first(channel);
	channel->broken = true;
	walk->result->partial = true;
	return 0;
}

int profile_causal_receive(struct profile_causal_walk *walk, struct profile_causal_machine *machine)
{
	struct channel *channel;
	int error = find_channel(walk, machine, &channel);
	if (!channel)
		return error;
	struct message received = make_message(walk, machine);
	if (!channel->first || channel->early)
		return go_on_early(walk, channel, &received);
	struct message sent = take_first(channel);
	if (!compare(walk, &sent, &received))
		return 0;
	return profile_causal_mend(walk, machine, sent.ns, profile_causal_later(machine->since_ns, machine->entry_ns));
}

void profile_causal_end_messages(struct profile_causal_walk *walk)
{
	struct channel *channel;
	while ((channel = profile_trace_table_drain(&walk->channels)) != NULL) {
		while (channel->first)
			take_first(channel);
		free(channel);
	}
	free(walk->machine_of);
	free(walk->losses);
}
