// SPDX-License-Identifier: BSD-2-Clause
/* profile_cachegrind.c - writes cachegrind.out ("Cachegrind File Format"): costs by line. */
#include <inttypes.h>
#include <string.h>

#include "tools/forms/profile_out.h"
#include "tools/util/plainbuf.h"

static void add_name_line(struct buf *out, const char *key, const char *name)
{
	buf_printf(out, "%s=", key);
	plain_add(out, name ? name : "???", strlen(name ? name : "???"));
	buf_printf(out, "\n");
}

static void add_counts(struct buf *out, const struct profile_source *source,
		       const struct profile_sum *sum)
{
	for (size_t i = 0; i < source->profile->nevents; i++)
		buf_printf(out, " %" PRIu64, sum->of[i]);
	buf_printf(out, "\n");
}

static bool is_same_text(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

void profile_cachegrind(struct buf *out, const struct profile_source *source)
{
	const struct profile_lines *lines = source->lines;
	const struct profile_line *last = NULL;

	buf_printf(out, "cmd: ");
	profile_add_command(out, source);
	buf_printf(out, "\nevents:");
	for (size_t i = 0; i < source->profile->nevents; i++)
		buf_printf(out, " %s", source->profile->event[i].name);
	buf_printf(out, "\n");
	for (size_t i = 0; i < lines->n; last = &lines->line[i++]) {
		const struct profile_line *line = &lines->line[i];

		if (!last || !is_same_text(last->at.file, line->at.file) ||
		    last->row != line->row) {
			add_name_line(out, "fl", line->at.file);
			add_name_line(out, "fn", source->profile->row[line->row].name);
		}
		buf_printf(out, "%u", line->at.line);
		add_counts(out, source, &line->self);
	}
	buf_printf(out, "summary:");
	add_counts(out, source, &source->profile->total);
}
