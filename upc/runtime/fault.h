/* SPDX-License-Identifier: BSD-3-Clause */
/* Diagnoses invalid accesses through pointers-to-shared. */
#ifndef HEDDLE_UPC_RUNTIME_FAULT_H
#define HEDDLE_UPC_RUNTIME_FAULT_H

/* Installs the signal handlers. Context: init. */
void hupc__fault_prepare(void);

#endif
