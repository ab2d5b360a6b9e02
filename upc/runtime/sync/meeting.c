/* SPDX-License-Identifier: BSD-3-Clause */
/* See the header. */
#include "upc/runtime/sync/meeting.h"

#include "upc/runtime/base/say.h"
#include "upc/runtime/end/fatal.h"

#define THREAD_SHIFT 48
#define HAS_VALUE (UINT64_C(1) << 58)

static uint64_t calls; /* the digest, at its position in a word */

static const char *const names[HUPC__MEETINGS] = {
	[0] = "nothing",
	[HUPC__START] = "the start of main",
	[HUPC__BARRIER] = "upc_barrier",
	[HUPC__ALL_ALLOC] = "upc_all_alloc",
	[HUPC__ALL_FREE] = "upc_all_free",
	[HUPC__ALL_LOCK_ALLOC] = "upc_all_lock_alloc",
	[HUPC__ALL_LOCK_FREE] = "upc_all_lock_free",
	[HUPC__ALL_ATOMICDOMAIN_ALLOC] = "upc_all_atomicdomain_alloc",
	[HUPC__ALL_ATOMICDOMAIN_FREE] = "upc_all_atomicdomain_free",
	[HUPC__ALL_BROADCAST] = "upc_all_broadcast",
	[HUPC__ALL_SCATTER] = "upc_all_scatter",
	[HUPC__ALL_GATHER] = "upc_all_gather",
	[HUPC__ALL_GATHER_ALL] = "upc_all_gather_all",
	[HUPC__ALL_EXCHANGE] = "upc_all_exchange",
	[HUPC__ALL_PERMUTE] = "upc_all_permute",
	[HUPC__ALL_REDUCE] = "upc_all_reduce",
	[HUPC__ALL_PREFIX_REDUCE] = "upc_all_prefix_reduce",
	[HUPC__END] = "the end of the program",
};

const char *hupc__meeting_name(enum hupc__meeting meeting)
{
	return names[meeting];
}

void hupc__waits_forever(const struct hupc__site *site, const char *what, int ended, int status)
{
	if (status == HUPC__LOST)
		hupc__fatal(
			site, "%s waits for thread %d, which has ended: it was killed, or called _exit", what, ended);
	hupc__fatal_with_status(status ? status : 1, site, "%s waits for thread %d, which has ended with status %d",
		what, ended, status);
}

static void describe_place(char *text, size_t size, const struct hupc__shared_place *place)
{
	struct hupc__site site = hupc__place_read(place);
	if (site.file)
		hupc__format(text, size, " at %s:%d", site.file, site.line);
	else
		text[0] = '\0';
}

_Noreturn static void mismatch(
	const struct hupc__site *site, uint64_t mine, uint64_t other, const struct hupc__shared_place *place)
{
	const char *name = names[hupc__word_meeting(mine)], *other_name = names[hupc__word_meeting(other)];
	char where[400];
	describe_place(where, sizeof(where), place);
	if (hupc__word_meeting(mine) != hupc__word_meeting(other))
		hupc__fatal(site, "%s, but thread %d has come to %s%s; all threads must call the same", name,
			hupc__word_thread(other), other_name, where);
	if ((mine ^ other) & HUPC__CALLS_MASK)
		hupc__fatal(site,
			"%s, but thread %d%s has called other collective functions without synchronization before; "
			"all threads must call the same",
			name, hupc__word_thread(other), where);
	if (hupc__word_meeting(mine) == HUPC__BARRIER)
		hupc__fatal(site, "%s with the value %d, but thread %d has %d%s; all must be equal", name, (int)mine,
			hupc__word_thread(other), (int)other, where);
	hupc__fatal(site, "%s with other arguments than thread %d%s; all threads must pass the same", name,
		hupc__word_thread(other), where);
}

void hupc__contradict(const struct hupc__site *site, uint64_t mine, const struct hupc__presence *other)
{
	if (hupc__word_meeting(other->word) == HUPC__END)
		hupc__waits_forever(
			site, names[hupc__word_meeting(mine)], hupc__word_thread(other->word), (int)other->word);
	mismatch(site, mine, other->word, &other->place);
}

bool hupc__presence_is_possible(const struct hupc__presence *presence)
{
	return !presence->word || (hupc__word_meeting(presence->word) >= HUPC__START &&
					  hupc__word_meeting(presence->word) < HUPC__MEETINGS &&
					  hupc__word_thread(presence->word) < hupc__threads);
}

uint64_t hupc__word(enum hupc__meeting meeting, bool has_value, uint64_t value)
{
	return (uint64_t)meeting << 59 | (has_value ? HAS_VALUE : 0) | (uint64_t)hupc__mythread << THREAD_SHIFT |
	       calls | (has_value ? value & HUPC__VALUE_MASK : 0);
}

uint64_t hupc__collective_word(enum hupc__meeting meeting, uint64_t arguments)
{
	return hupc__word(meeting, true, arguments ^ arguments >> 32);
}

void hupc__note_unsynchronized(enum hupc__meeting meeting, uint64_t arguments)
{
	uint64_t digest = hupc__digest(hupc__digest(calls, meeting), arguments);
	calls = (digest ^ digest >> 16 ^ digest >> 32 ^ digest >> 48) << HUPC__CALLS_SHIFT & HUPC__CALLS_MASK;
}

struct hupc__presence hupc__presence_at(const struct hupc__site *site, enum hupc__meeting meeting, uint64_t arguments)
{
	return (struct hupc__presence){hupc__collective_word(meeting, arguments), hupc__place_share(site)};
}
