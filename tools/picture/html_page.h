/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * html_page.h - writes a self-contained HTML page: it includes its style and pictures, needs no
 * network, and has no script. It is also well-formed XML.
 */
#ifndef TOOLS_PICTURE_HTML_PAGE_H
#define TOOLS_PICTURE_HTML_PAGE_H

#include <stdint.h>

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

/*
 * page_table_begin(), page_table_end() - enclose the rows of a table. `heads` ends with NULL; a
 * heading that begins with `>` is of numbers, which stand to the right. page_cell() - adds a cell
 * of class `class` (NULL: none). page_number() - adds a cell with a number.
 */
void page_table_begin(struct buf *out, const char *const *heads);
void page_table_end(struct buf *out);
void page_cell(struct buf *out, const char *class, const char *text);
void page_number(struct buf *out, uint64_t value);

/* page_bar() - adds a cell with a bar as long as `share`, from 0 to 1, and the share in percent. */
void page_bar(struct buf *out, double share);

#endif
