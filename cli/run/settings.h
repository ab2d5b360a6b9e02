/* SPDX-License-Identifier: BSD-3-Clause */
/* The settings of a measurement: options of `heddle run`, checked and put into HEDDLE_* variables. */
#ifndef HEDDLE_CLI_RUN_SETTINGS_H
#define HEDDLE_CLI_RUN_SETTINGS_H

#include "format/settings.h"

/*
 * Checks the values of options (NULL: not given) and of the environment, and sets the variables of the options. Returns
 * 0, or an exit status after printing the error.
 */
int heddle__run_settings_take(const char *const given[HEDDLE_SETTING_COUNT]);

/* Turns sampling on, which `heddle run` does by default and the library alone does not. */
void heddle__run_settings_sample(void);

#endif
