/* SPDX-License-Identifier: BSD-3-Clause */
/* Which of clang's messages are errors in UPC. */
#ifndef UPC_DRIVER_REPAIR_H
#define UPC_DRIVER_REPAIR_H

#include "upc/driver/driver.h"
#include "upc/typing/typing.h"

/* Whether an operand shown in the message is a null pointer constant. */
bool upc__is_null(const struct report *report, const struct upc_message *message);

/* messages.c: whether it is an error in UPC. */
bool upc__is_error(const struct report *report, const struct upc_message *message);

#endif
