/* SPDX-License-Identifier: BSD-3-Clause */
/* Shares and labels as text, independent of any table. The caller prints the text around a cell. */
#include "cli/base/cells.h"

#include <string.h>

int heddle__value_width(enum heddle_metric metric)
{
	int width = (int)strlen(profile_metric_name(metric));
	return width > 10 ? width : 10;
}

void heddle__print_percent(const struct heddle_terminal *terminal, uint64_t value, uint64_t total)
{
	char text[32];
	enum heddle_style style = heddle__share_style(value, total);
	heddle__style(terminal, style);
	printf("%7s", heddle__format_percent(text, sizeof(text), value, total));
	if (style != HEDDLE_STYLE_NORMAL)
		heddle__style(terminal, HEDDLE_STYLE_NORMAL);
}

enum heddle_style heddle__label_style(const struct profile_label *label)
{
	return label->kind == HEDDLE_NODE_REGION || label->kind == HEDDLE_NODE_PHASE ? HEDDLE_STYLE_REGION
	       : label->kind == HEDDLE_NODE_STATE                                    ? HEDDLE_STYLE_STATE
	       : label->kind == HEDDLE_NODE_RUNTIME_FRAME                            ? HEDDLE_STYLE_DIM
										     : HEDDLE_STYLE_NORMAL;
}

size_t heddle__print_label(const struct heddle_terminal *terminal, const struct profile_label *label, size_t used)
{
	enum heddle_style style = heddle__label_style(label);
	if (style != HEDDLE_STYLE_NORMAL)
		heddle__style(terminal, style);
	size_t taken = heddle__print_fitting(terminal, label->text, used);
	if (style != HEDDLE_STYLE_NORMAL)
		heddle__style(terminal, HEDDLE_STYLE_NORMAL);
	return taken;
}
