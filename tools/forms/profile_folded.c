// SPDX-License-Identifier: BSD-2-Clause
/*
 * profile_folded.c - writes a line for each calling context with costs. With several events, the
 * event's name comes first.
 */
#include <inttypes.h>
#include <string.h>

#include "tools/forms/profile_out.h"
#include "tools/forms/profile_stack.h"
#include "tools/util/plainbuf.h"

/* Semicolons separate functions, so a semicolon inside of a name becomes a colon. */
static void add_folded_function(struct buf *out, const char *name)
{
	const size_t start = out->size;

	plain_add(out, name, strlen(name));
	for (size_t i = start; i < out->size; i++)
		if (out->data[i] == ';')
			out->data[i] = ':';
}

static void add_folded_context(struct buf *out, const struct profile *profile, size_t event,
			       size_t context)
{
	uint32_t row[PROFILE_STACK_MOST];
	size_t n = profile_stack(profile, context, row);

	if (profile->nevents > 1)
		buf_printf(out, "%s;", profile->event[event].name);
	while (n--) {
		add_folded_function(out, profile_frame_name(profile, row[n]));
		buf_printf(out, n ? ";" : " ");
	}
	buf_printf(out, "%" PRIu64 "\n", profile->context[context].self.of[event]);
	buf_settle(out, false);
}

void profile_folded(struct buf *out, const struct profile_source *source)
{
	const struct profile *profile = source->profile;

	for (size_t event = 0; event < profile->nevents; event++)
		for (size_t i = 0; i < profile->ncontexts; i++)
			if (profile->context[i].self.of[event])
				add_folded_context(out, profile, event, i);
}
