/* SPDX-License-Identifier: BSD-3-Clause */
/* Names in Markdown, as pull requests show it. */
#ifndef HEDDLE_CLI_MARKDOWN_H
#define HEDDLE_CLI_MARKDOWN_H

/* Prints text so that none of its characters means anything in Markdown, also in a cell of a table. */
void heddle__print_markdown(const char *text);

#endif
