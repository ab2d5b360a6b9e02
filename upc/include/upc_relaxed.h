/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared accesses are relaxed, unless they are declared otherwise: UPC 1.3, section 7.1. May be included repeatedly. */
#pragma upc relaxed
#include <upc.h>
