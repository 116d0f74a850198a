// SPDX-License-Identifier: BSD-2-Clause
/* flame_layout.c - see flame_layout.h. */
#include "tools/forms/flame_layout.h"

#include <stdlib.h>

#include "tools/picture/markup.h"
#include "tools/util/memory.h"

#define NARROW      0.5 /* a box of less is left out */
#define HEIGHT_MOST 100 /* boxes on each other */

double flame_width(const struct flame_box *box, size_t i)
{
	return box[0].total ? FLAME_WIDTH * (double)box[i].total / (double)box[0].total : 0;
}

bool flame_is_shown(const struct flame_box *box, size_t i)
{
	return box[i].depth <= HEIGHT_MOST && flame_width(box, i) >= NARROW;
}

/* The order of boxes from left to right: the wider first. */
struct flame_order {
	uint32_t parent, box;
	uint64_t total;
};

static int compare_flame_order(const void *a, const void *b)
{
	const struct flame_order *x = a, *y = b;

	if (x->parent != y->parent)
		return x->parent < y->parent ? -1 : 1;
	if (x->total != y->total)
		return x->total > y->total ? -1 : 1;
	return (x->box > y->box) - (x->box < y->box);
}

/* Each box stands upon its parent, which is earlier in the order of parents. */
unsigned flame_layout(struct flame_box *box, size_t n)
{
	struct flame_order *order = memory_checked(calloc(n + 1, sizeof(*order)));
	unsigned height = 0;
	double x = 0;

	for (uint32_t i = 1; i < n; i++)
		order[i - 1] = (struct flame_order){box[i].parent, i, box[i].total};
	if (n)
		qsort(order, n - 1, sizeof(*order), compare_flame_order);
	for (size_t i = 0; i + 1 < n; i++) {
		const struct flame_box *parent = &box[order[i].parent];
		struct flame_box *this = &box[order[i].box];

		if (!i || order[i - 1].parent != order[i].parent)
			x = parent->x;
		this->x = x;
		this->depth = parent->depth + 1;
		x += flame_width(box, order[i].box);
		if (this->depth > height && flame_is_shown(box, order[i].box))
			height = this->depth;
	}
	free(order);
	return height;
}

void flame_label(struct buf *out, const struct flame_box *box, size_t i, double y, const char *name,
		 const char *ink)
{
	const double width = flame_width(box, i);

	if (width <= 4 + 3 * FLAME_LETTER)
		return;
	buf_printf(out, "<text class=\"n\" x=\"%.1f\" y=\"%.0f\" style=\"fill:%s\">", box[i].x + 3,
		   y + 12, ink);
	markup_add_fit(out, name, (unsigned)((width - 4) / FLAME_LETTER));
	buf_printf(out, "</text>");
}
