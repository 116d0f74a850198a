/* SPDX-License-Identifier: BSD-2-Clause */
/* flame_diff.h - draws the difference of two counts of the same stacks. */
#ifndef TOOLS_FORMS_FLAME_DIFF_H
#define TOOLS_FORMS_FLAME_DIFF_H

#include "tools/profile/stack_tree.h"
#include "tools/util/buf.h"

/*
 * flame_diff_svg() - adds a flame graph of what is below `top`. Each box is as wide as the larger
 * of both counts. A function is red where it itself has more than before, and blue where it has
 * less. The pointer shows exact numbers.
 */
void flame_diff_svg(struct buf *out, const struct stack_tree *tree, uint32_t top);

/*
 * flame_diff_table() - adds the same as a table: stacks whose own counts differ, the most first.
 * The last row is the sum of all.
 */
void flame_diff_table(struct buf *out, const struct stack_tree *tree, uint32_t top);

#endif
