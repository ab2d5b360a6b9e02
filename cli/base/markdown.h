/* SPDX-License-Identifier: BSD-3-Clause */
/* Names in Markdown, for pull requests. */
#ifndef HEDDLE_CLI_MARKDOWN_H
#define HEDDLE_CLI_MARKDOWN_H

/* Prints text so that none of its characters has a meaning in Markdown, not even in a cell of a table. */
void heddle__print_markdown(const char *text);

#endif
