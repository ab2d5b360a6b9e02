/* SPDX-License-Identifier: BSD-3-Clause */
/* `--causal`: the effect of the controlled logical clock on a trace, in words. */
#ifndef HEDDLE_CLI_CLOCK_CORRECTION_H
#define HEDDLE_CLI_CLOCK_CORRECTION_H

#include "profile/trace/trace_correct.h"

#define HEDDLE_CORRECTION_TEXT 320

/* Writes one line without its end. */
void heddle__correction_text(
	char *text, size_t size, const struct profile_trace *trace, const struct profile_trace_correction *correction);

#endif
