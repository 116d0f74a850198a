/* SPDX-License-Identifier: BSD-2-Clause */
/* reading.h - between metrics.c and the layouts: a text that is being read, line by line. */
#ifndef PMU_METRICS_READING_H
#define PMU_METRICS_READING_H

#include "pmu/metrics/metrics.h"

struct reading {
	struct metrics *m;
	struct metrics_span rest; /* what of the text is still to come */
	char end;                 /* of its lines */
	uint8_t text;
	uint8_t group; /* what comes is of this one, or METRICS_NO_GROUP */
	unsigned number;
	struct metrics_span line; /* the current one, without blanks at its ends */
	unsigned column;          /* from 1, of what is left of the line */
	struct reason *why;
};

/* reading_next() - the next line that is neither empty nor a comment; false: there is none. A line
 * that is too long, or has bytes that are no text, is refused: *err. */
bool reading_next(struct reading *r, int *err);

/* reading_word() - takes the first word of what is left of the line, with the blanks behind it;
 * empty at the line's end. */
struct metrics_span reading_word(struct reading *r);

/* reading_refuse() - -EINVAL; the place is what is left of the line. */
int reading_refuse(struct reading *r, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* reading_add_*() - one more; NULL: a reason says why not (twice the name, too many). The place is
 * what is left of the line. A group that is there is taken again. */
struct metrics_event *reading_add_event(struct reading *r, struct metrics_span name);
struct metrics_row *reading_add_row(struct reading *r, struct metrics_span name);
int reading_add_group(struct reading *r, struct metrics_span name);

/* layout_native(), layout_likwid() - all of the text. */
int layout_native(struct reading *r);
int layout_likwid(struct reading *r);

/* likwid_event() - what LIKWID's name of an event is on `uarch` (NULL: not known); the name itself
 * where it is no other. */
struct metrics_span likwid_event(struct metrics_span name, const struct uarch *uarch);

/* likwid_options() - the terms that `options` of a counter ("EDGEDETECT:THRESHOLD=2") put into an
 * event, each with a comma in front, in `terms`; -EINVAL: the option `bad` is not known, or its
 * number is none. */
#define LIKWID_TERMS_MAX 128
int likwid_options(struct metrics_span options, char terms[LIKWID_TERMS_MAX],
		   struct metrics_span *bad);

#endif
