/* SPDX-License-Identifier: BSD-3-Clause */
#pragma upc strict
#include <upc.h>
