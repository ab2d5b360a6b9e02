/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes runs at several scales for Extra-P, as lines of JSON. */
#ifndef HEDDLE_EXPORT_EXTRAP_H
#define HEDDLE_EXPORT_EXTRAP_H

#include "analysis/scaling.h"

#include <stdio.h>

/* `parameter` is the name of the scale in Extra-P. Returns 0 or -ENOMEM; the caller checks ferror(). */
int export_extrap(FILE *out, const struct heddle_scaling *scaling, const char *parameter);

#endif
