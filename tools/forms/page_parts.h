/* SPDX-License-Identifier: BSD-2-Clause */
/* page_parts.h - the parts of a profile's page that profile_page.c and page_function.c share. */
#ifndef TOOLS_FORMS_PAGE_PARTS_H
#define TOOLS_FORMS_PAGE_PARTS_H

#include <stdbool.h>

#include "tools/forms/profile_out.h"

struct html_profile {
	struct buf *out;
	const struct profile_source *source;
	const struct profile *profile;
	const struct profile_lines *lines;
	struct buf inlined; /* struct profile_inlined of all functions */
	bool *has_section;  /* of each row: the page has a section "f" with its number */
};

/* page_function() - adds the section of a row: its callers, what it calls, source and code. */
void page_function(const struct html_profile *page, uint32_t row);

/* page_add_name() - adds the name of a row, as a link to its section if there is one. */
void page_add_name(const struct html_profile *page, uint32_t row);

/* page_add_counts() - adds a cell for each event; 0 is an empty cell. */
void page_add_counts(const struct html_profile *page, const struct profile_sum *sum);

/* page_add_number() - adds a cell with a number. */
void page_add_number(const struct html_profile *page, uint64_t value);

#endif
