/* SPDX-License-Identifier: BSD-2-Clause */
/* record_page.h - the part of a page that is about the samples of a recording. */
#ifndef TOOLS_PAGES_RECORD_PAGE_H
#define TOOLS_PAGES_RECORD_PAGE_H

#include "tools/out/out.h"
#include "tools/util/buf.h"

/*
 * record_sections() - adds what was recorded, for each event its hottest functions with their
 * hottest lines, flame graphs where samples have stacks, and what was lost. The recording's counts
 * are not in these sections.
 */
void record_sections(struct buf *out, const struct out_source *source);

#endif
