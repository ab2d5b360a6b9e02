/* SPDX-License-Identifier: BSD-3-Clause */
/* 1.3's spellings in C++. */
#include "1_3_names.c"
