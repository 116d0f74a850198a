/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * features.h - the feature sections of a perf.data file: which tool recorded, on which machine, and
 * which events. A row for each in features.c.
 */
#ifndef TOOLS_OUT_FEATURES_H
#define TOOLS_OUT_FEATURES_H

#include "tools/util/buf.h"
#include "tools/symbols/elf_image.h"
#include "tools/out/mapped_files.h"
#include "tools/stream/stream.h"

#define FEATURE_BITS 256

struct features_input {
	const struct stream *stream;
	const struct stream_command *command;
	const struct elf_image *elf; /* of the image; NULL: none */
	struct mapped mapped;        /* the other files */
	uint64_t first_ns, last_ns;  /* times of samples, 0: there are none */
};

/* features_free() - what the input has of its own. */
void features_free(struct features_input *input);

/* features_count() - how many sections there will be. */
size_t features_count(const struct features_input *input);

/* features_add() - appends the section of feature `bit`; false: there is none. */
bool features_add(struct buf *out, unsigned bit, const struct features_input *input);

#endif
