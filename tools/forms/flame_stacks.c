// SPDX-License-Identifier: BSD-2-Clause
/* flame_stacks.c - see flame_stacks.h. */
#include "tools/forms/flame_stacks.h"

#include <stdlib.h>

#include "lib/printf.h"
#include "tools/forms/flame_layout.h"
#include "tools/picture/markup.h"
#include "tools/picture/palette.h"
#include "tools/picture/svg.h"
#include "tools/util/memory.h"

#define NUMBER_MAX 32

static struct flame_box *make_boxes(const struct stack_tree *tree)
{
	struct flame_box *box = memory_checked(calloc(tree->n + 1, sizeof(*box)));

	for (size_t i = tree->n; i--;) {
		box[i].parent = tree->node[i].parent;
		box[i].total += tree->node[i].self[STACK_NEW];
		if (i)
			box[box[i].parent].total += box[i].total;
	}
	return box;
}

static void add_stack_tip(struct buf *out, const struct flame_box *box, size_t i,
			  const struct stack_node *node)
{
	char total[NUMBER_MAX], self[NUMBER_MAX];

	fmt_print(total, sizeof(total), "%'llu", (unsigned long long)box[i].total);
	fmt_print(self, sizeof(self), "%'llu", (unsigned long long)node->self[STACK_NEW]);
	buf_printf(out, "<title>");
	markup_printf(out, "%s: %s (%.2f%%), self %s", node->name, total,
		      100.0 * (double)box[i].total / (double)box[0].total, self);
	buf_printf(out, "</title>");
}

static void add_stack_box(struct buf *out, const struct flame_box *box, size_t i,
			  const struct stack_node *node, unsigned colour, unsigned height)
{
	const double y = FLAME_HEIGHT * (height - box[i].depth);

	buf_printf(out, "<g>");
	add_stack_tip(out, box, i, node);
	buf_printf(out,
		   "<rect class=\"edge\" x=\"%.2f\" y=\"%.0f\" width=\"%.2f\" height=\"%d\" "
		   "fill=\"%s\"/>",
		   box[i].x, y, flame_width(box, i), FLAME_HEIGHT - 1, palette_colour(colour));
	flame_label(out, box, i, y, node->name, palette_ink(colour));
	buf_printf(out, "</g>\n");
}

void flame_stacks_svg(struct buf *out, const struct stack_tree *tree, const unsigned *colour,
		      const char *title)
{
	struct flame_box *box = make_boxes(tree);
	const unsigned height = flame_layout(box, tree->n);

	svg_begin(out, FLAME_WIDTH, FLAME_HEIGHT * (double)height, title, false);
	for (size_t i = 1; i < tree->n; i++)
		if (flame_is_shown(box, i))
			add_stack_box(out, box, i, &tree->node[i], colour[i], height);
	svg_end(out);
	free(box);
}
