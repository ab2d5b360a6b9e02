/* SPDX-License-Identifier: BSD-3-Clause */
/* The settings of a measurement: options of `heddle run`, checked and put into HEDDLE_* variables. */
#ifndef HEDDLE_CLI_RUN_SETTINGS_H
#define HEDDLE_CLI_RUN_SETTINGS_H

#include "format/settings.h"

/*
 * Check what the options gave (NULL: not given) and what the environment has, and set the variables of the options.
 * Returns 0 or an exit status, having said what is wrong.
 */
int heddle__run_settings_take(const char *const given[HEDDLE_SETTING_COUNT]);

/* By default, the library alone takes no samples; `heddle run` turns sampling on. */
void heddle__run_settings_sample(void);

#endif
