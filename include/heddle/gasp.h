/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The Global Address Space Performance tool interface, version 1.5 (GASP 1.5, sections 3 and 4), with the spellings of
 * version 1.3 as aliases. GASP clients (compilers, run-time systems) call these functions; libheddle.so defines them.
 * Heddle's own event numbers below are 32-bit values that no other compiler uses, so Heddle accepts them in addition to
 * another compiler's numbers.
 *
 * Context of all functions: any thread; not a signal handler, except gasp_control. They preserve errno.
 */
#ifndef HEDDLE_GASP_H
#define HEDDLE_GASP_H

#include <stdarg.h>

#ifdef __cplusplus
extern "C" {
#endif

#define GASP_VERSION 20060914

typedef enum { GASP_MODEL_UPC, GASP_MODEL_TITANIUM, GASP_MODEL_CAF, GASP_MODEL_MPI, GASP_MODEL_SHMEM } gasp_model_t;

typedef enum { GASP_START, GASP_END, GASP_ATOMIC } gasp_evttype_t;

struct _gasp_context_S;
typedef struct _gasp_context_S *gasp_context_t;

/*
 * Called once by each thread for each model, before any other function (section 3.2). Options of the form --heddle-NAME
 * or --heddle-NAME=VALUE are removed from *argc and *argv, which may be NULL. The context belongs to the calling
 * thread, and is valid until the process ends.
 */
gasp_context_t gasp_init(gasp_model_t srcmodel, int *argc, char ***argv);

/* Reports an event (section 3.2). `filename` may be NULL; else its text must stay valid and unchanged. */
void gasp_event_notify(gasp_context_t context, unsigned int evttag, gasp_evttype_t evttype, const char *filename,
	int linenum, int colnum, ...);
void gasp_event_notifyVA(gasp_context_t context, unsigned int evttag, gasp_evttype_t evttype, const char *filename,
	int linenum, int colnum, va_list varargs);

/*
 * Switches measurement of the calling thread off (0) or on (any other value); returns the previous value passed, or 1
 * if there is none (section 3.3). Context: any thread, signal.
 */
int gasp_control(gasp_context_t context, int on);

/* Returns what gasp_control would return, without changing anything (1.3, section 3.5). */
int gasp_control_query(gasp_context_t context);

/*
 * Creates a user event of the calling thread, and returns its number, from GASP_UPC_USEREVT_START to
 * GASP_UPC_USEREVT_END (section 5.3). Both texts are copied; `desc`, NULL or a printf format, describes the event's
 * arguments. If all numbers are in use, Heddle writes the profile and ends the program with a line on standard error,
 * as section 5.3 requires.
 */
unsigned int gasp_create_event(gasp_context_t context, const char *name, const char *desc);

/* Heddle's own event numbers. */
#define GASP_HEDDLE_EVENTS 0x48440000u
#define GASP_HEDDLE_EVENT(n) (GASP_HEDDLE_EVENTS + (n))

/* GASP 1.3 */
typedef gasp_model_t gasp_lang_t;
#define GASP_LANG_UPC GASP_MODEL_UPC
#define GASP_LANG_TITANIUM GASP_MODEL_TITANIUM
#define GASP_LANG_CAF GASP_MODEL_CAF
#define GASP_LANG_MPI GASP_MODEL_MPI
#define GASP_LANG_SHMEM GASP_MODEL_SHMEM
#define GASP_USEREVT_START 0x48450000u
#define GASP_USEREVT_END (GASP_USEREVT_START + 99999u)

#ifdef __cplusplus
}
#endif

#endif
