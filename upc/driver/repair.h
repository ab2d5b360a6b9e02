/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Conversions that UPC makes by itself and clang refuses: the address of a member of a shared structure is a pointer to
 * an indefinitely blocked type, but clang leaves the structure's block size in it.
 */
#ifndef UPC_DRIVER_REPAIR_H
#define UPC_DRIVER_REPAIR_H

#include "upc/driver/driver.h"

/* From a place to before another, rows from 1 and columns from 1, of the translated text. */
struct place {
	int row, column, end_row, end_column;
};

struct message {
	char file[4096];
	int line, column; /* as line markers have it; column of the translated text */
	struct place ranges[4];
	int range_count;
	const char *level;
	char text[4096];
};

/* Notes the cast that the message asks for, if it is one of these. */
void upc__repair(struct report *report, const struct message *message);
/* Whether an operand that the message shows is a null pointer constant. */
bool upc__is_null(const struct report *report, const struct message *message);

#endif
