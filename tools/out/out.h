/* SPDX-License-Identifier: BSD-2-Clause */
/* out.h - the output formats for a command's data. `decode` and `record` use this table. */
#ifndef TOOLS_OUT_OUT_H
#define TOOLS_OUT_OUT_H

#include <stdbool.h>

#include "tools/util/buf.h"
#include "tools/symbols/elf_image.h"
#include "lib/reason.h"
#include "tools/stream/stream.h"

struct out_source {
	const struct stream *stream;
	const struct stream_command *command;
	const struct elf_image *elf; /* NULL: no symbols */
	const char *separator;       /* separator of csv */
};

struct out_format {
	const char *name; /* name of the option, without its dashes */
	bool of_counts;   /* it shows counts; false: samples */
	bool is_binary;   /* it is not fit for a terminal */
	const char *file; /* file without -o; NULL: standard output */
	/* Appends all output to the empty `out`. Returns 0, or -E with the reason. */
	int (*build)(struct buf *out, const struct out_source *source, struct reason *why);
};

extern const struct out_format out_perfdata, out_pipe;

/* out_find() - returns the format that an option names; NULL: no such format. */
const struct out_format *out_find(const char *name);

/* The builders of the formats. */
int out_csv(struct buf *out, const struct out_source *source, struct reason *why);
int out_json(struct buf *out, const struct out_source *source, struct reason *why);
int out_folded(struct buf *out, const struct out_source *source, struct reason *why);
int out_speedscope(struct buf *out, const struct out_source *source, struct reason *why);
int out_text(struct buf *out, const struct out_source *source, struct reason *why);

#endif
