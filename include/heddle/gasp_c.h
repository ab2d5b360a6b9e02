/* SPDX-License-Identifier: BSD-3-Clause */
/* Events of C code: GASP 1.5, section 4.3. */
#ifndef HEDDLE_GASP_C_H
#define HEDDLE_GASP_C_H

#include "gasp.h"

/* Start, End: const char *funcsig */
#define GASP_C_FUNC GASP_HEDDLE_EVENT(1)
/* Start: size_t nbytes; End: size_t nbytes, void *returnptr */
#define GASP_C_MALLOC GASP_HEDDLE_EVENT(2)
/* Start: void *ptr, size_t size; End: void *ptr, size_t size, void *returnptr (not in 1.3) */
#define GASP_C_REALLOC GASP_HEDDLE_EVENT(3)
/* Start, End: void *ptr */
#define GASP_C_FREE GASP_HEDDLE_EVENT(4)

#endif
