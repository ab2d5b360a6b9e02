/* SPDX-License-Identifier: BSD-3-Clause */
/* Notes of the measurement. Runs in signal handlers: no lock, no allocation. */
#include "core/base/notes.h"

#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

#define NOTES 8

static const char *_Atomic notes[NOTES];

void heddle__note(const char *text)
{
	for (unsigned int i = 0; i < NOTES; i++) {
		const char *there = NULL;
		if (atomic_compare_exchange_strong(&notes[i], &there, text) || strcmp(there, text) == 0)
			return;
	}
}

const char *heddle__note_text(unsigned int index)
{
	return index < NOTES ? atomic_load(&notes[index]) : NULL;
}
