/* SPDX-License-Identifier: BSD-2-Clause */
/* flame_layout.h - places the boxes of a flame graph: callers below what they call. */
#ifndef TOOLS_FORMS_FLAME_LAYOUT_H
#define TOOLS_FORMS_FLAME_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/util/buf.h"

#define FLAME_WIDTH  1120.0 /* pixels */
#define FLAME_HEIGHT 17     /* of a box */
#define FLAME_LETTER 6.8    /* width of a letter of the labels */

struct flame_box {
	uint32_t parent; /* index, lower than its own except for the root, box[0] */
	uint64_t total;  /* of the box and all above it */
	double x;        /* left edge; pixels */
	unsigned depth;  /* of the root: 0 */
};

/*
 * flame_layout() - sets x and depth of `n` boxes, whose parents and totals are set. Returns how
 * many boxes stand on each other, without the root.
 */
unsigned flame_layout(struct flame_box *box, size_t n);

/* flame_width() - returns the width of a box. flame_is_shown() - returns whether it is wide enough,
 * and not too high. */
double flame_width(const struct flame_box *box, size_t i);
bool flame_is_shown(const struct flame_box *box, size_t i);

/* flame_label() - adds the name of a box at `y`, in the colour `ink`, if it fits. */
void flame_label(struct buf *out, const struct flame_box *box, size_t i, double y, const char *name,
		 const char *ink);

#endif
