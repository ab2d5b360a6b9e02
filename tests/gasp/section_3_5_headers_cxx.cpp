/* SPDX-License-Identifier: BSD-3-Clause */
/* The same in C++. */
#include "section_3_5_headers.c"
