/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Conversions that UPC makes implicitly and clang refuses: the address of a member of a shared structure has an
 * indefinite block size in UPC, but keeps the structure's block size in clang.
 */
#ifndef UPC_DRIVER_REPAIR_H
#define UPC_DRIVER_REPAIR_H

#include "upc/driver/driver.h"

/* A range of translated text: rows and columns from 1; the end is exclusive. */
struct place {
	int row, column, end_row, end_column;
};

struct message {
	char file[4096];
	int line, column; /* line as in line markers; column of the translated text */
	struct place ranges[4];
	int range_count;
	const char *level;
	char text[4096];
};

/* Records the cast that would satisfy the message, if it is about such a conversion. */
void upc__repair(struct report *report, const struct message *message);
/* Whether an operand shown in the message is a null pointer constant. */
bool upc__is_null(const struct report *report, const struct message *message);

#endif
