/* SPDX-License-Identifier: BSD-3-Clause */
/* Routines of the runtime that the program calls for their result. Their time is the program's, not overhead. */
#ifndef HEDDLE_MODELS_OMPT_OMPT_CALLS_H
#define HEDDLE_MODELS_OMPT_OMPT_CALLS_H

#include <stdbool.h>
#include <stdint.h>

/* Looks up the routines in a library's handle, or in the process (NULL: RTLD_DEFAULT). Context: init. */
void heddle__ompt_know_calls(void *library);

/* True if the address is in such a routine. Context: any thread, signal. */
bool heddle__ompt_is_call(uintptr_t address);

#endif
