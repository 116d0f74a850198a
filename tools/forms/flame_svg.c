// SPDX-License-Identifier: BSD-2-Clause
/* flame_svg.c - see flame_svg.h. */
#include "tools/forms/flame_svg.h"

#include <stdlib.h>

#include "lib/printf.h"
#include "tools/picture/markup.h"
#include "tools/picture/palette.h"
#include "tools/picture/svg.h"
#include "tools/forms/profile_stack.h"
#include "tools/util/memory.h"

#define WIDTH       1120.0 /* pixels */
#define BOX_HEIGHT  17
#define NARROW      0.5 /* a box of less is left out */
#define LETTER      6.8 /* of the labels */
#define HEIGHT_MOST 100 /* boxes on each other */
#define NUMBER_MAX  32

struct flame_box {
	uint64_t total; /* of the context and all below it */
	double x;       /* left edge; pixels */
	unsigned depth; /* of the root: 0 */
};

struct flame {
	struct buf *out;
	const struct profile *profile;
	size_t event;
	const bool *has_link;
	struct flame_box *box; /* of each context */
	unsigned height;       /* boxes on each other */
};

static double box_width(const struct flame *f, size_t i)
{
	return f->box[0].total ? WIDTH * (double)f->box[i].total / (double)f->box[0].total : 0;
}

static void sum_boxes(struct flame *f)
{
	const struct profile *p = f->profile;

	for (size_t i = p->ncontexts; i--;) {
		f->box[i].total += p->context[i].self.of[f->event];
		if (i)
			f->box[p->context[i].parent].total += f->box[i].total;
	}
}

/* The order of boxes from left to right: the wider first. */
struct flame_order {
	uint32_t parent, context;
	uint64_t total;
};

static int compare_flame_order(const void *a, const void *b)
{
	const struct flame_order *x = a, *y = b;

	if (x->parent != y->parent)
		return x->parent < y->parent ? -1 : 1;
	if (x->total != y->total)
		return x->total > y->total ? -1 : 1;
	return (x->context > y->context) - (x->context < y->context);
}

/* Places each box upon its parent, which is earlier in the order of parents. */
static void place_boxes(struct flame *f)
{
	const struct profile *p = f->profile;
	struct flame_order *order = memory_checked(calloc(p->ncontexts + 1, sizeof(*order)));
	double x = 0;

	for (uint32_t i = 1; i < p->ncontexts; i++)
		order[i - 1] = (struct flame_order){p->context[i].parent, i, f->box[i].total};
	if (p->ncontexts)
		qsort(order, p->ncontexts - 1, sizeof(*order), compare_flame_order);
	for (size_t i = 0; i + 1 < p->ncontexts; i++) {
		const struct flame_box *parent = &f->box[order[i].parent];
		struct flame_box *box = &f->box[order[i].context];

		if (!i || order[i - 1].parent != order[i].parent)
			x = parent->x;
		box->x = x;
		box->depth = parent->depth + 1;
		x += box_width(f, order[i].context);
		if (box->depth > f->height && box_width(f, order[i].context) >= NARROW)
			f->height = box->depth;
	}
	if (f->height > HEIGHT_MOST)
		f->height = HEIGHT_MOST;
	free(order);
}

static void add_tip(const struct flame *f, size_t i, const char *name)
{
	char total[NUMBER_MAX], self[NUMBER_MAX];

	fmt_print(total, sizeof(total), "%'llu", (unsigned long long)f->box[i].total);
	fmt_print(self, sizeof(self), "%'llu",
		  (unsigned long long)f->profile->context[i].self.of[f->event]);
	buf_printf(f->out, "<title>");
	markup_printf(f->out, "%s: %s (%.2f%%), self %s", name, total,
		      100.0 * (double)f->box[i].total / (double)f->box[0].total, self);
	buf_printf(f->out, "</title>");
}

static unsigned colour_of(const struct flame *f, uint32_t row)
{
	const struct code_object *object =
		row == PROFILE_NO_ROW ? NULL : f->profile->row[row].object;

	return object ? 1 + (unsigned)(object - f->profile->map->object) : 7;
}

static void add_box(const struct flame *f, size_t i)
{
	const uint32_t row = f->profile->context[i].row;
	const char *name = profile_frame_name(f->profile, row);
	const double width = box_width(f, i), y = BOX_HEIGHT * (f->height - f->box[i].depth);
	const bool is_link = row != PROFILE_NO_ROW && f->has_link[row];
	const unsigned columns = (unsigned)((width - 4) / LETTER);

	if (is_link)
		buf_printf(f->out, "<a href=\"#f%u\">", row);
	buf_printf(f->out, "<g>");
	add_tip(f, i, name);
	buf_printf(f->out,
		   "<rect class=\"edge\" x=\"%.2f\" y=\"%.0f\" width=\"%.2f\" height=\"%d\" "
		   "fill=\"%s\"/>",
		   f->box[i].x, y, width, BOX_HEIGHT - 1, palette_colour(colour_of(f, row)));
	if (width > 4 + 3 * LETTER) {
		buf_printf(f->out, "<text class=\"n\" x=\"%.1f\" y=\"%.0f\" style=\"fill:%s\">",
			   f->box[i].x + 3, y + 12, palette_ink(colour_of(f, row)));
		markup_add_fit(f->out, name, columns);
		buf_printf(f->out, "</text>");
	}
	buf_printf(f->out, "</g>%s\n", is_link ? "</a>" : "");
}

void flame_svg(struct buf *out, const struct profile *profile, size_t event, const bool *has_link)
{
	struct flame f = {.out = out, .profile = profile, .event = event, .has_link = has_link};

	f.box = memory_checked(calloc(profile->ncontexts + 1, sizeof(*f.box)));
	sum_boxes(&f);
	place_boxes(&f);
	svg_begin(out, WIDTH, BOX_HEIGHT * (double)f.height, profile->event[event].name, false);
	for (size_t i = 1; i < profile->ncontexts; i++)
		if (f.box[i].depth <= f.height && box_width(&f, i) >= NARROW)
			add_box(&f, i);
	svg_end(out);
	free(f.box);
}
