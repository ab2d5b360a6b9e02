/* SPDX-License-Identifier: BSD-3-Clause */
/* The minimal runtime's functions that compilers would call for `parallel` and `task`. */
#ifndef HEDDLE_TESTS_OMPT_MINIMAL_RUNTIME_H
#define HEDDLE_TESTS_OMPT_MINIMAL_RUNTIME_H

typedef void minimal_body(void *argument);

/* Two threads execute the body. */
void minimal_parallel(minimal_body *body, void *argument);

/* Creates a task that executes the body immediately, on this thread. */
void minimal_task(minimal_body *body, void *argument);

#endif
