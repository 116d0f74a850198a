/* SPDX-License-Identifier: BSD-2-Clause */
/* trends_page.h - draws trends as one page: a line for each benchmark. */
#ifndef TOOLS_PAGES_TRENDS_PAGE_H
#define TOOLS_PAGES_TRENDS_PAGE_H

#include "tools/pages/trends.h"
#include "tools/util/buf.h"

/*
 * trends_page() - appends the page. `typed`: the command line; `url`: links to commits begin with
 * it; NULL: there are none. `path` is the page's file: links to other pages are relative to it.
 */
void trends_page(struct buf *out, const struct trends *trends, const char *const *typed,
		 const char *url, const char *path);

#endif
