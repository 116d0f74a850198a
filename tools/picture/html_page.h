/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * html_page.h - a page of HTML that is whole by itself: style and pictures are in it, it asks no
 * network for anything and has no script. It is well-formed XML as well.
 */
#ifndef TOOLS_PICTURE_HTML_PAGE_H
#define TOOLS_PICTURE_HTML_PAGE_H

#include "tools/util/buf.h"

/* page_begin() - up to its headline; `words` (NULL: none) is the command line below it, as it would
 * be typed. page_end() - what made it, and the end. */
void page_begin(struct buf *out, const char *title, const char *const *words);
void page_end(struct buf *out);

/* page_section() - a headline, with a sentence below it; NULL: none. */
void page_section(struct buf *out, const char *title, const char *sentence);

/* page_picture() - an SVG that is wider than the page is moved along by itself; what is drawn
 * between the two is in it. */
void page_picture_begin(struct buf *out);
void page_picture_end(struct buf *out);

/* page_fact() - one line of a list between page_facts_begin() and page_facts_end(). */
void page_facts_begin(struct buf *out);
void page_fact(struct buf *out, const char *name, const char *value);
void page_facts_end(struct buf *out);

#endif
