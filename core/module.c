/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/module.h"
