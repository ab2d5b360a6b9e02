/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of listeners. Notifying runs in signal handlers; registering does not. */
#include "core/threads/listeners.h"

#include <stddef.h>

const struct heddle_listener *heddle__listeners[HEDDLE_LISTENERS];
bool heddle__regions_are_heard;

void heddle__listen(const struct heddle_listener *listener)
{
	for (unsigned int i = 0; i < HEDDLE_LISTENERS; i++) {
		if (heddle__listeners[i] && heddle__listeners[i] != listener)
			continue;
		heddle__listeners[i] = listener;
		heddle__regions_are_heard |= listener->hears_regions;
		return;
	}
}

void heddle__listeners_switched(void)
{
	for (unsigned int i = 0; i < HEDDLE_LISTENERS && heddle__listeners[i]; i++) {
		if (heddle__listeners[i]->switched)
			heddle__listeners[i]->switched();
	}
}
