// SPDX-License-Identifier: BSD-2-Clause
/*
 * profile_speedscope.c - writes a "sampled" profile for each event: a sample is a calling context,
 * its weight what was counted there. The frames are the rows, and behind them unknown code and the
 * functions that a stack lacks.
 */
#include <inttypes.h>

#include "include/perf0/version.h"
#include "tools/forms/profile_out.h"
#include "tools/forms/profile_stack.h"
#include "tools/util/plainbuf.h"

#define SPEEDSCOPE_SCHEMA "https://www.speedscope.app/file-format-schema.json"

static void add_named_frame(struct buf *out, const char *name, const struct source_place *at)
{
	buf_printf(out, "{\"name\":");
	plain_add_json(out, name);
	if (at && at->file) {
		buf_printf(out, ",\"file\":");
		plain_add_json(out, at->file);
		buf_printf(out, ",\"line\":%u", at->line);
	}
	buf_printf(out, "}");
}

static void add_frames(struct buf *out, const struct profile_source *source)
{
	const struct profile *profile = source->profile;

	buf_printf(out, "{\"$schema\":\"" SPEEDSCOPE_SCHEMA "\",\n\"shared\":{\"frames\":[\n");
	for (size_t i = 0; i < profile->nrows; i++) {
		add_named_frame(out, profile->row[i].name, &source->lines->of_row[i]);
		buf_printf(out, ",\n");
	}
	add_named_frame(out, profile_frame_name(profile, PROFILE_NO_ROW), NULL);
	buf_printf(out, ",\n");
	add_named_frame(out, profile_frame_name(profile, PROFILE_CUT_ROW), NULL);
	buf_printf(out, "]},\n\"profiles\":[");
}

static size_t frame_number(const struct profile *profile, uint32_t row)
{
	if (row == PROFILE_NO_ROW)
		return profile->nrows;
	return row == PROFILE_CUT_ROW ? profile->nrows + 1 : row;
}

/* Adds the frames of a context, outermost first. */
static void add_context_frames(struct buf *out, const struct profile *profile, size_t context)
{
	uint32_t row[PROFILE_STACK_MOST];
	size_t n = profile_stack(profile, context, row);

	buf_printf(out, "[");
	while (n--)
		buf_printf(out, "%zu%s", frame_number(profile, row[n]), n ? "," : "");
	buf_printf(out, "]");
}

static void add_event_profile(struct buf *out, const struct profile *profile, size_t event)
{
	const char *between = "";
	uint64_t end = 0;

	for (size_t i = 0; i < profile->ncontexts; i++)
		end += profile->context[i].self.of[event];
	buf_printf(out, "{\"type\":\"sampled\",\"name\":");
	plain_add_json(out, profile->event[event].name);
	buf_printf(out, ",\"unit\":\"none\",\"startValue\":0,\"endValue\":%" PRIu64, end);
	buf_printf(out, ",\n\"samples\":[");
	for (size_t i = 0; i < profile->ncontexts; i++) {
		if (!profile->context[i].self.of[event])
			continue;
		buf_printf(out, "%s", between);
		add_context_frames(out, profile, i);
		between = ",\n";
	}
	between = "";
	buf_printf(out, "],\n\"weights\":[");
	for (size_t i = 0; i < profile->ncontexts; i++) {
		if (!profile->context[i].self.of[event])
			continue;
		buf_printf(out, "%s%" PRIu64, between, profile->context[i].self.of[event]);
		between = ",";
	}
	buf_printf(out, "]}");
}

void profile_speedscope(struct buf *out, const struct profile_source *source)
{
	struct buf command = {0};

	add_frames(out, source);
	for (size_t event = 0; event < source->profile->nevents; event++) {
		buf_printf(out, event ? ",\n" : "\n");
		add_event_profile(out, source->profile, event);
	}
	buf_printf(out, "],\n\"activeProfileIndex\":0,\"exporter\":\"perf0 " PERF0_VERSION
			"\",\n\"name\":");
	profile_add_command(&command, source);
	plain_add_json(out, buf_text(&command));
	buf_printf(out, "}\n");
	buf_free(&command);
}
