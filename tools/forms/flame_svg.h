/* SPDX-License-Identifier: BSD-2-Clause */
/* flame_svg.h - draws calling contexts as a flame graph. */
#ifndef TOOLS_FORMS_FLAME_SVG_H
#define TOOLS_FORMS_FLAME_SVG_H

#include <stdbool.h>

#include "tools/profile/profile_fold.h"
#include "tools/util/buf.h"

/*
 * flame_svg() - adds a picture for an event: callers below the functions that they call, as wide as
 * what was counted inside. Equal colours are one file. The pointer shows exact numbers. A function
 * with `has_link` is a link to "#fROW" of the page. Boxes that are too narrow, and stacks that are
 * too high, are left out.
 */
void flame_svg(struct buf *out, const struct profile *profile, size_t event, const bool *has_link);

#endif
