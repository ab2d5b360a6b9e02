/* SPDX-License-Identifier: BSD-3-Clause */
/* Determines whether the value of a private variable at a use is that of a certain assignment. */
#include "tune/loop.h"

/* The node in which an assignment reaches all later uses: its block, or the for that begins with it. */
static const struct tune_node *reach_of(const struct tune_loop *loop, const struct tune_node *assignment)
{
	const struct tune_node *node = assignment->parent;
	if (node->kind == TUNE_FOR && node->child == assignment)
		return node;
	if (node->kind != TUNE_EXPRESSION)
		return NULL;
	return node == loop->body || node->parent->kind != TUNE_BLOCK ? node : node->parent;
}

bool heddle__tune_is_assigned_before(const struct tune_loop *loop, const struct tune_node *use)
{
	for (const struct tune_node *node = loop->body; node; node = heddle__tune_walk(loop->body, node)) {
		if (node->kind != TUNE_ASSIGNMENT || !heddle__tune_op(loop->file, node, "=") ||
			node->child->kind != TUNE_NAME || node->child->symbol != use->symbol)
			continue;
		const struct tune_node *reach = reach_of(loop, node);
		bool target = node->child == use, later = node->last < use->first;
		if (reach && heddle__tune_within(use, reach) && (target || later))
			return true;
	}
	return false;
}

bool heddle__tune_is_temporary(const struct tune_loop *loop, const struct tune_symbol *symbol)
{
	for (const struct tune_node *node = loop->body; node; node = heddle__tune_walk(loop->body, node))
		if (node->kind == TUNE_NAME && node->symbol == symbol && !heddle__tune_is_assigned_before(loop, node))
			return false;
	return true;
}

/* The child of `outer` that contains a node. */
static const struct tune_node *child_around(const struct tune_node *outer, const struct tune_node *node)
{
	while (node->parent != outer)
		node = node->parent;
	return node;
}

/* Returns true if each path from the loop to a use of the variable after it passes that assignment. */
static bool is_between(const struct tune_loop *loop, const struct tune_node *assignment, const struct tune_node *use)
{
	const struct tune_node *reach = reach_of(loop, assignment);
	if (!reach || !heddle__tune_within(use, reach) || (assignment->child != use && assignment->last >= use->first))
		return false;
	if (!heddle__tune_within(loop->node, reach))
		return true;
	return reach->kind == TUNE_BLOCK &&
	       (loop->node->last < assignment->first || loop->node->first > child_around(reach, use)->last);
}

bool heddle__tune_is_assigned_again(const struct tune_loop *loop, const struct tune_node *use)
{
	const struct tune_node *tree = loop->function->tree;
	bool found = false;
	for (const struct tune_node *node = tree; node; node = heddle__tune_walk(tree, node)) {
		if (node->kind == TUNE_LABEL || node->kind == TUNE_SWITCH)
			return false;
		found |= node->kind == TUNE_ASSIGNMENT && heddle__tune_op(loop->file, node, "=") &&
			 node->child->kind == TUNE_NAME && node->child->symbol == use->symbol &&
			 !heddle__tune_within(node, loop->node) && is_between(loop, node, use);
	}
	return found;
}
