/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Conversions that UPC makes implicitly and clang refuses: the address of a member of a shared structure has an
 * indefinite block size in UPC, but keeps the structure's block size in clang.
 */
#ifndef UPC_DRIVER_REPAIR_H
#define UPC_DRIVER_REPAIR_H

#include "upc/driver/driver.h"
#include "upc/typing/typing.h"

/* Records the cast that would satisfy the message, if it is about such a conversion. */
void upc__repair(struct report *report, const struct upc_message *message);
/* Inserts the casts. Returns whether there were any: then the text must be parsed again. */
bool upc__repaired(struct report *report);
/* Whether an operand shown in the message is a null pointer constant. */
bool upc__is_null(const struct report *report, const struct upc_message *message);

/* messages.c: whether it is an error in UPC. */
bool upc__is_error(const struct report *report, const struct upc_message *message);

#endif
