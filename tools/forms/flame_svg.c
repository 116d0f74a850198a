// SPDX-License-Identifier: BSD-2-Clause
/* flame_svg.c - see flame_svg.h. */
#include "tools/forms/flame_svg.h"

#include <stdlib.h>

#include "lib/printf.h"
#include "tools/picture/markup.h"
#include "tools/picture/palette.h"
#include "tools/picture/svg.h"
#include "tools/forms/flame_layout.h"
#include "tools/forms/profile_stack.h"
#include "tools/util/memory.h"

#define NUMBER_MAX 32

struct flame {
	struct buf *out;
	const struct profile *profile;
	size_t event;
	const bool *has_link;
	struct flame_box *box; /* of each context */
	unsigned height;       /* boxes on each other */
};

static void sum_boxes(struct flame *f)
{
	const struct profile *p = f->profile;

	for (size_t i = p->ncontexts; i--;) {
		f->box[i].parent = p->context[i].parent;
		f->box[i].total += p->context[i].self.of[f->event];
		if (i)
			f->box[p->context[i].parent].total += f->box[i].total;
	}
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
	const double y = FLAME_HEIGHT * (f->height - f->box[i].depth);
	const bool is_link = row != PROFILE_NO_ROW && f->has_link[row];

	if (is_link)
		buf_printf(f->out, "<a href=\"#f%u\">", row);
	buf_printf(f->out, "<g>");
	add_tip(f, i, name);
	buf_printf(f->out,
		   "<rect class=\"edge\" x=\"%.2f\" y=\"%.0f\" width=\"%.2f\" height=\"%d\" "
		   "fill=\"%s\"/>",
		   f->box[i].x, y, flame_width(f->box, i), FLAME_HEIGHT - 1,
		   palette_colour(colour_of(f, row)));
	flame_label(f->out, f->box, i, y, name, palette_ink(colour_of(f, row)));
	buf_printf(f->out, "</g>%s\n", is_link ? "</a>" : "");
}

void flame_svg(struct buf *out, const struct profile *profile, size_t event, const bool *has_link)
{
	struct flame f = {.out = out, .profile = profile, .event = event, .has_link = has_link};

	f.box = memory_checked(calloc(profile->ncontexts + 1, sizeof(*f.box)));
	sum_boxes(&f);
	f.height = flame_layout(f.box, profile->ncontexts);
	svg_begin_links(out, FLAME_WIDTH, FLAME_HEIGHT * (double)f.height,
			profile->event[event].name);
	for (size_t i = 1; i < profile->ncontexts; i++)
		if (flame_is_shown(f.box, i))
			add_box(&f, i);
	svg_end(out);
	free(f.box);
}
