/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * stack_tree.h - stacks of functions with exact counts before a change and after it, as a tree: a
 * node is a function that its parent calls. As text, a line is a stack with a count of its own:
 *
 *   OUTERMOST;...;INNERMOST COUNT
 *
 * which is the form of folded stacks. Lines are sorted by their bytes.
 */
#ifndef TOOLS_PROFILE_STACK_TREE_H
#define TOOLS_PROFILE_STACK_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/reason.h"
#include "tools/util/buf.h"

enum stack_side { STACK_OLD, STACK_NEW, STACK_SIDES };

struct stack_node {
	char *name;
	uint32_t parent;      /* index, lower than its own except for the root */
	uint32_t child, next; /* the last child; the child before it; 0: none */
	uint64_t self[STACK_SIDES];
};

/* A zeroed struct is empty; otherwise node[0] is the root, which has no name. */
struct stack_tree {
	struct stack_node *node;
	size_t n;
};

/*
 * stack_tree_find() - returns the child of that name; 0: there is none. stack_tree_child() - adds
 * it if there is none. A semicolon or a control character of a name becomes another character.
 */
uint32_t stack_tree_find(const struct stack_tree *tree, uint32_t parent, const char *name);
uint32_t stack_tree_child(struct stack_tree *tree, uint32_t parent, const char *name);

/* stack_tree_path() - appends the names from below `top` to `node`, with `between` in between. */
void stack_tree_path(struct buf *out, const struct stack_tree *tree, uint32_t top, uint32_t node,
		     const char *between);

/* stack_tree_sum() - returns the sum of a node and all below it. */
uint64_t stack_tree_sum(const struct stack_tree *tree, uint32_t node, enum stack_side side);

/* stack_tree_write() - appends the counts of a side as text. stack_tree_read() - adds the counts of
 * a text of `n` bytes; -EINVAL with the line. */
void stack_tree_write(struct buf *out, const struct stack_tree *tree, enum stack_side side);
int stack_tree_read(struct stack_tree *tree, enum stack_side side, const char *text, size_t n,
		    struct reason *why);

void stack_tree_free(struct stack_tree *tree);

#endif
