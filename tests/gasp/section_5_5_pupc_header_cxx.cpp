/* SPDX-License-Identifier: BSD-3-Clause */
/* The same in C++. */
#include "section_5_5_pupc_header.c"
