// SPDX-License-Identifier: BSD-2-Clause
/* page_parts.c - see page_parts.h. */
#include "tools/forms/page_parts.h"

#include <inttypes.h>

#include "tools/picture/html_page.h"
#include "tools/picture/markup.h"

void page_add_name(const struct html_profile *page, uint32_t row)
{
	const bool is_link = row != PROFILE_NO_ROW && page->has_section[row];

	if (is_link)
		buf_printf(page->out, "<a href=\"#f%" PRIu32 "\">", row);
	markup_add(page->out, profile_row_name(page->profile, row));
	buf_printf(page->out, is_link ? "</a>" : "");
}

void page_add_number(const struct html_profile *page, uint64_t value)
{
	page_number(page->out, value);
}

void page_add_counts(const struct html_profile *page, const struct profile_sum *sum)
{
	for (size_t i = 0; i < page->profile->nevents; i++)
		if (sum->of[i])
			page_add_number(page, sum->of[i]);
		else
			buf_printf(page->out, "<td class=\"v\"></td>");
}
