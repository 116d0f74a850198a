// SPDX-License-Identifier: BSD-2-Clause
/* profile_out.c - see profile_out.h. */
#include "tools/forms/profile_out.h"

#include <errno.h>
#include <string.h>

static const struct profile_format formats[] = {
	{"callgrind", "callgrind.out", false, false, profile_callgrind},
	{"folded", "profile.folded", false, true, profile_folded},
	{"speedscope", "profile.speedscope.json", false, true, profile_speedscope},
	{"html", "profile.html", false, false, profile_html},
	{"pprof", "profile.pb.gz", true, true, profile_pprof},
};
#define FORMATS (sizeof(formats) / sizeof(formats[0]))

const struct profile_format *profile_format_at(size_t i)
{
	return i < FORMATS ? &formats[i] : NULL;
}

const struct profile_format *profile_format_find(const char *name)
{
	for (size_t i = 0; i < FORMATS; i++)
		if (!strcmp(formats[i].name, name))
			return &formats[i];
	return NULL;
}

int profile_format_build(const struct profile_format *format, struct buf *out,
			 const struct profile_source *source, struct reason *why)
{
	if (format->has_stacks && source->profile->ncontexts < 2)
		return refuse(why, ENODATA, "%s needs call stacks, and none were counted",
			      format->name);
	format->build(out, source);
	return 0;
}

void profile_add_command(struct buf *out, const struct profile_source *source)
{
	for (const char *const *word = source->words; *word; word++)
		buf_printf(out, "%s%s", word == source->words ? "" : " ", *word);
}
