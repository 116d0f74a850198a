/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * out.h - the forms in which what a command sent can be had: a table, of which `decode` and
 * `record` are the users.
 */
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
	const char *separator;       /* of csv */
};

struct out_format {
	const char *name; /* of the option, without its dashes */
	bool of_counts;   /* of counts, else of samples */
	bool is_binary;   /* not for a terminal */
	const char *file; /* where it goes without -o; NULL: standard output */
	/* Appends the whole to `out`, which is empty. 0, or -E with the reason. */
	int (*build)(struct buf *out, const struct out_source *source, struct reason *why);
};

extern const struct out_format out_perfdata, out_pipe;

/* out_find() - the one that an option names, NULL: there is none of that name. */
const struct out_format *out_find(const char *name);

/* The builders, one for each form. */
int out_csv(struct buf *out, const struct out_source *source, struct reason *why);
int out_json(struct buf *out, const struct out_source *source, struct reason *why);
int out_folded(struct buf *out, const struct out_source *source, struct reason *why);
int out_speedscope(struct buf *out, const struct out_source *source, struct reason *why);
int out_text(struct buf *out, const struct out_source *source, struct reason *why);

#endif
