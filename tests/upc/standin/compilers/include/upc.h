/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The part of UPC that the stand-ins for other UPC compilers support. `shared` is ignored; accesses are written as
 * calls. The compilers define STANDIN_ACCESSES and STANDIN_FUNCTIONS if their options request it; the library's
 * functions send events depending on the macros that GNU and Clang UPC's headers test.
 */
#ifndef STANDIN_UPC_H
#define STANDIN_UPC_H
#include <stddef.h>

#define shared
extern int MYTHREAD, THREADS;
size_t upc_threadof(shared void *p);
size_t upc_phaseof(shared void *p);
size_t upc_addrfield(shared void *p);

#ifdef STANDIN_THREADS
__attribute__((weak)) int standin_threads = STANDIN_THREADS;
#endif

void standin_event(unsigned int event, const char *file, int line, const char *function, size_t size);
#define STANDIN_EVENT(event, function, size) standin_event(event, __FILE__, __LINE__, function, size)

/* Gets 8 bytes of another thread. */
#ifdef STANDIN_ACCESSES
#define STANDIN_GET() STANDIN_EVENT(STANDIN_GET_EVENT, NULL, 8)
#else
#define STANDIN_GET() ((void)0)
#endif
#if __UPC_PUPC__ && __UPC_PUPC_INST__
#define STANDIN_MEMGET(size) STANDIN_EVENT(STANDIN_MEMGET_EVENT, NULL, size)
#else
#define STANDIN_MEMGET(size) ((void)(size))
#endif
/* Reports a function's name, if a compiler reports functions through GASP. */
#ifdef STANDIN_FUNCTIONS
#define STANDIN_FUNCTION(name) STANDIN_EVENT(STANDIN_FUNCTION_EVENT, name, 0)
#else
#define STANDIN_FUNCTION(name) ((void)0)
#endif

#if STANDIN_BERKELEY
#define STANDIN_GET_EVENT 1111
#define STANDIN_MEMGET_EVENT 1030
#define STANDIN_FUNCTION_EVENT 1023
#else
#define STANDIN_GET_EVENT 26
#define STANDIN_MEMGET_EVENT 23
#define STANDIN_FUNCTION_EVENT 1
#endif
#endif
