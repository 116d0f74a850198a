/* SPDX-License-Identifier: BSD-2-Clause */
/* flame_stacks.h - draws a flame graph of stacks with one count each. */
#ifndef TOOLS_FORMS_FLAME_STACKS_H
#define TOOLS_FORMS_FLAME_STACKS_H

#include "tools/profile/stack_tree.h"
#include "tools/util/buf.h"

/*
 * flame_stacks_svg() - adds a flame graph of the new counts of a tree that is not empty. `colour`
 * has a number of palette.h for each node. `title` is for screen readers. The pointer shows exact
 * numbers.
 */
void flame_stacks_svg(struct buf *out, const struct stack_tree *tree, const unsigned *colour,
		      const char *title);

#endif
