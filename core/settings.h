/* SPDX-License-Identifier: BSD-3-Clause */
/* The settings of this process, read once from the environment (format/settings.h lists them). */
#ifndef HEDDLE_CORE_SETTINGS_H
#define HEDDLE_CORE_SETTINGS_H

#include <stdbool.h>

#include "format/settings.h"

/* Read them all; a bad value is reported in one line and its default taken. Context: init. */
void heddle__settings_read(void);

/* A NUMBER or FLAG. Context: any thread, signal. */
long heddle__setting_number(enum heddle_setting setting);

/* The text as set, or the default; never NULL. Valid for good. Context: any thread, signal. */
const char *heddle__setting_text(enum heddle_setting setting);

/* True if a LIST holds the word. Context: any thread, signal. */
bool heddle__setting_lists(enum heddle_setting setting, const char *word);

#endif
