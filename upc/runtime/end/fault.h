/* SPDX-License-Identifier: BSD-3-Clause */
/* Diagnoses invalid accesses through pointers-to-shared. */
#ifndef HEDDLE_UPC_RUNTIME_FAULT_H
#define HEDDLE_UPC_RUNTIME_FAULT_H

#include "upc/abi.h"

/* Installs the signal handlers. Context: init. */
void hupc__fault_prepare(void);

/* Ends the program: the instruction at `code` accesses memory out of range. Context: any, also signal. */
_Noreturn void hupc__fault_report(void *code, upcrt_shared shared);

#endif
