/* SPDX-License-Identifier: BSD-2-Clause */
/* line_marks.h - parses the serial line of a machine whose vpmu sets marks
 * (include/perf0/marks.h), piece by piece. */
#ifndef TOOLS_STREAM_LINE_MARKS_H
#define TOOLS_STREAM_LINE_MARKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "include/perf0/marks.h"

enum marks_part { MARKS_FIRMWARE, MARKS_VPMU, MARKS_IMAGE, MARKS_ENDED, MARKS_DIED };

/* The state of parsing. Apart from the functions and `ctx`, zeroes mean the start of the line. */
struct marks {
	enum marks_part part;     /* the writer of the next text */
	bool was_started;         /* the image was started */
	uint64_t status;          /* exit status of the image, after it ended */
	char held[MARK_MOST + 2]; /* bytes that may be the start of a mark */
	size_t nheld;
	/* Receives text and its writer. */
	void (*text)(void *ctx, enum marks_part part, const char *bytes, size_t n);
	void (*awaits)(void *ctx);  /* vpmu waits for its options (include/perf0/awaited.h) */
	void (*started)(void *ctx); /* the image starts, and writes the next text */
	void *ctx;
};

void marks_add(struct marks *marks, const char *bytes, size_t n);

#endif
