/* SPDX-License-Identifier: BSD-3-Clause */
/* Like Berkeley's, this header needs <stdarg.h>, but does not include it. */
#ifndef STANDIN_GASP_H
#define STANDIN_GASP_H
typedef struct _gasp_context_S *gasp_context_t;
gasp_context_t gasp_init(int model, int *argc, char ***argv);
void gasp_event_notifyVA(gasp_context_t, unsigned int, int, const char *, int, int, va_list);
void gasp_event_notify(gasp_context_t, unsigned int, int, const char *, int, int, ...);
#endif
