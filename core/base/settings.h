/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The settings of this process (listed in format/settings.h), read once from the environment and from the program's own
 * arguments, which take precedence. Arguments for Heddle: --heddle-NAME=VALUE, or --heddle-NAME for flags; NAME is the
 * option of `heddle run` without its dashes, and "output" for -o. Arguments after "--" are not examined.
 */
#ifndef HEDDLE_CORE_SETTINGS_H
#define HEDDLE_CORE_SETTINGS_H

#include <stdbool.h>

#include "format/settings.h"

/* Reads all settings; an invalid value is reported in one line, and the value without it is used. Context: init. */
void heddle__settings_read(void);

/*
 * Reads settings from arguments: from a file like /proc/self/cmdline, where a null byte ends each word. Context: init.
 */
void heddle__settings_read_arguments(int file);

/*
 * Removes all --heddle-... from a program's arguments: the others move up, followed by NULL. Any of the pointers may be
 * NULL, and several threads may do so with the same array. Context: any thread, not a signal handler.
 */
void heddle__settings_strip_arguments(int *argc, char ***argv);

/* A NUMBER or FLAG. Context: any thread, signal. */
long heddle__setting_number(enum heddle_setting setting);

/* The text as set, or the default; never NULL. Never freed. Context: any thread, signal. */
const char *heddle__setting_text(enum heddle_setting setting);

/* True if a LIST contains the word. Context: any thread, signal. */
bool heddle__setting_lists(enum heddle_setting setting, const char *word);

#endif
