/* SPDX-License-Identifier: BSD-3-Clause */
/* Variables of an environment. Context: also before constructors. */
#ifndef HEDDLE_UPC_RUNTIME_ENVIRONMENT_H
#define HEDDLE_UPC_RUNTIME_ENVIRONMENT_H

/* The value of a variable; NULL: not set. */
const char *hupc__environment_value(char **environment, const char *name);

/* The value of a variable as a number; -1: none. */
int hupc__environment_number(char **environment, const char *name);

#endif
