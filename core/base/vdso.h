/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions of the kernel's own page (vDSO), which the kernel maps into each process. */
#ifndef HEDDLE_CORE_VDSO_H
#define HEDDLE_CORE_VDSO_H

/* The function of that name; NULL: the kernel has no page, or the page has no such function. Context: init. */
void *heddle__vdso_function(const char *name);

#endif
