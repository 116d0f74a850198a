/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * html_page.h - writes a self-contained HTML page: it includes its style and pictures, needs no
 * network, and has no script. It is also well-formed XML.
 */
#ifndef TOOLS_PICTURE_HTML_PAGE_H
#define TOOLS_PICTURE_HTML_PAGE_H

#include "tools/util/buf.h"

/* page_begin() - adds the page's head and headline. `words` (NULL: none) is a command line,
 * which is printed below as it would be typed. page_end() - adds the version of perf0, and ends
 * the page. */
void page_begin(struct buf *out, const char *title, const char *const *words);
void page_end(struct buf *out);

/* page_section() - adds a headline, and a sentence below it; NULL: none. */
void page_section(struct buf *out, const char *title, const char *sentence);

/* page_picture_begin(), page_picture_end() - enclose a picture. An SVG that is wider than the
 * page scrolls by itself. */
void page_picture_begin(struct buf *out);
void page_picture_end(struct buf *out);

/* page_fact() - adds a line to a list between page_facts_begin() and page_facts_end(). */
void page_facts_begin(struct buf *out);
void page_fact(struct buf *out, const char *name, const char *value);
void page_facts_end(struct buf *out);

#endif
