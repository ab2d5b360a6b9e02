/* SPDX-License-Identifier: BSD-3-Clause */
#pragma upc relaxed
#include <upc.h>
