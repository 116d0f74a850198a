// SPDX-License-Identifier: BSD-2-Clause
/* out.c - see out.h. */
#include "tools/out/out.h"

#include <string.h>

#include "tools/out/perfdata.h"
#include "tools/out/perfpipe.h"

static int build_perfdata(struct buf *out, const struct out_source *source, struct reason *why)
{
	return perfdata_build(out, source->stream, source->command, source->elf, why);
}

static int build_pipe(struct buf *out, const struct out_source *source, struct reason *why)
{
	return perfpipe_build(out, source->stream, source->command, source->elf, why);
}

const struct out_format out_perfdata = {
	.name = "perf.data", .file = PERFDATA_DEFAULT, .is_binary = true, .build = build_perfdata};
const struct out_format out_pipe = {.name = "pipe", .is_binary = true, .build = build_pipe};

static const struct out_format formats[] = {
	{.name = "csv", .of_counts = true, .build = out_csv},
	{.name = "json", .of_counts = true, .build = out_json},
	{.name = "folded", .build = out_folded},
	{.name = "speedscope", .build = out_speedscope},
	{.name = "text", .build = out_text},
};

const struct out_format *out_find(const char *name)
{
	for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++)
		if (!strcmp(formats[i].name, name))
			return &formats[i];
	return NULL;
}
