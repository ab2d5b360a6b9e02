/* SPDX-License-Identifier: BSD-3-Clause */
/* Cells that several tables print: shares, names of nodes, and their widths and colours. */
#ifndef HEDDLE_CLI_CELLS_H
#define HEDDLE_CLI_CELLS_H

#include "cli/base/terminal.h"
#include "profile/view/view.h"

/* The width of a metric's values, in columns. */
int heddle__value_width(enum heddle_metric metric);

/* Prints a percentage in seven columns, coloured by size. */
void heddle__print_percent(const struct heddle_terminal *terminal, uint64_t value, uint64_t total);

/* The style of a label, by its kind. */
enum heddle_style heddle__label_style(const struct profile_label *label);

/* Prints a label, coloured by kind, in a line of which `used` columns are taken. Returns the columns it took. */
size_t heddle__print_label(const struct heddle_terminal *terminal, const struct profile_label *label, size_t used);

#endif
