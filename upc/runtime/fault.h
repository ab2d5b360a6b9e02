/* SPDX-License-Identifier: BSD-3-Clause */
/* Accesses through pointers-to-shared that point to nothing. */
#ifndef HEDDLE_UPC_RUNTIME_FAULT_H
#define HEDDLE_UPC_RUNTIME_FAULT_H

/* Tell them from other bad accesses. Context: init. */
void hupc__fault_prepare(void);

#endif
