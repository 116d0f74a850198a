/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * features.h - writes the feature sections of a perf.data file: which tool recorded, on which
 * machine, and which events. features.c has a row for each section.
 */
#ifndef TOOLS_OUT_FEATURES_H
#define TOOLS_OUT_FEATURES_H

#include <linux/perf_event.h>
#include "tools/util/buf.h"
#include "tools/symbols/elf_image.h"
#include "tools/out/mapped_files.h"
#include "tools/stream/stream.h"

/* Bytes of an event's attributes in a file, also where the headers of Linux have more. */
#define PERFDATA_ATTR_SIZE PERF_ATTR_SIZE_VER7

#define FEATURE_BITS 256

struct features_input {
	const struct stream *stream;
	const struct stream_command *command;
	const struct elf_image *elf; /* the image's file; NULL: none */
	struct mapped mapped;        /* all other mapped files */
	uint64_t first_ns, last_ns;  /* times of the first and last sample; 0: no samples */
};

/* features_free() - frees what the input owns. */
void features_free(struct features_input *input);

/* features_count() - returns the number of sections. */
size_t features_count(const struct features_input *input);

/* features_add() - appends the section of feature `bit`. Returns false if there is none. */
bool features_add(struct buf *out, unsigned bit, const struct features_input *input);

#endif
