/* SPDX-License-Identifier: BSD-3-Clause */
/* Time: UPC 1.3 library, upc_tick.h. A tick is 1 ns of a monotonic clock. */
#ifndef HUPC_UPC_TICK_H
#define HUPC_UPC_TICK_H

#include <stdint.h>

typedef uint64_t upc_tick_t;
#define UPC_TICK_MIN ((upc_tick_t)0)
#define UPC_TICK_MAX ((upc_tick_t)UINT64_MAX)

extern upc_tick_t upc_ticks_now(void);
extern uint64_t upc_ticks_to_ns(upc_tick_t ticks);

#endif
