/* SPDX-License-Identifier: BSD-3-Clause */
/* See the header. Letters that nobody takes yet are kept in a list, which has at most one letter for each sender. */
#include "upc/runtime/mail.h"

#include <stdlib.h>
#include <string.h>

#include "upc/runtime/control.h"
#include "upc/runtime/network.h"

struct envelope {
	uint32_t message; /* HUPC__MESSAGE_MAIL */
	uint32_t size;
	uint64_t call; /* of a collective function */
	char letter[HUPC__MAIL_SIZE];
};

struct arrived {
	struct arrived *next;
	int from;
	struct envelope envelope;
};

static struct arrived *first, **end = &first;
static uint64_t call;

void hupc__mail_begin(void)
{
	call++;
}

void hupc__mail_send(int thread, const void *letter, size_t size)
{
	struct envelope envelope = {.message = HUPC__MESSAGE_MAIL, .size = (uint32_t)size, .call = call};
	memcpy(envelope.letter, letter, size);
	hupc__network->send(thread, &envelope, sizeof(envelope));
}

void hupc__receive_mail(int from, const void *message, size_t size, const struct hupc__ticket *ticket)
{
	struct arrived *it = malloc(sizeof(*it));
	(void)ticket;
	if (!it)
		abort();
	it->next = NULL;
	it->from = from;
	memcpy(&it->envelope, message, size);
	*end = it;
	end = &it->next;
	hupc__network->wake();
}

/* What is waited for, and where it was found. */
struct wanted {
	int from;
	struct arrived *found;
};

/* Takes the letter out of the list. Context: lock held. */
static bool find(void *data)
{
	struct wanted *wanted = data;
	for (struct arrived **at = &first; *at && !wanted->found; at = &(*at)->next) {
		if ((*at)->from != wanted->from || (*at)->envelope.call != call)
			continue;
		wanted->found = *at;
		*at = (*at)->next;
		end = wanted->found->next ? end : at;
		break;
	}
	return wanted->found;
}

void hupc__mail_take(int thread, void *letter, size_t size)
{
	struct wanted wanted = {thread, NULL};
	hupc__network->wait_until(find, &wanted);
	memcpy(letter, wanted.found->envelope.letter, size);
	free(wanted.found);
}
