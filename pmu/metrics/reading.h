/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reading.h - the interface between metrics.c and the layouts: a text that is parsed line by line.
 */
#ifndef PMU_METRICS_READING_H
#define PMU_METRICS_READING_H

#include "pmu/metrics/metrics.h"

struct reading {
	struct metrics *m;
	struct metrics_span rest; /* the rest of the text */
	char end;                 /* end of its lines */
	uint8_t text;
	uint8_t group; /* group of the next definitions, or METRICS_NO_GROUP */
	unsigned number;
	struct metrics_span line; /* the rest of the current line, without blanks at its ends */
	unsigned column;          /* column of `line`, from 1 */
	struct reason *why;
};

/*
 * reading_next() - moves to the next line that is neither empty nor a comment; false: there is
 * none. A line that is too long, or contains control characters, is refused: *err.
 */
bool reading_next(struct reading *r, int *err);

/*
 * reading_word() - takes the first word of the rest of the line, with the blanks behind it; empty
 * at the line's end.
 */
struct metrics_span reading_word(struct reading *r);

/* reading_refuse() - returns -EINVAL with a reason at the present position. */
int reading_refuse(struct reading *r, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/*
 * reading_add_*() - adds a definition at the present position; NULL with a reason: a duplicate
 * name, or too many. An existing group is reused.
 */
struct metrics_event *reading_add_event(struct reading *r, struct metrics_span name);
struct metrics_row *reading_add_row(struct reading *r, struct metrics_span name);
int reading_add_group(struct reading *r, struct metrics_span name);

/* layout_native(), layout_likwid() - parse the whole text. */
int layout_native(struct reading *r);
int layout_likwid(struct reading *r);

/*
 * likwid_event() - the event for LIKWID's name on `uarch` (NULL: unknown); without a translation,
 * the name itself.
 */
struct metrics_span likwid_event(struct metrics_span name, const struct uarch *uarch);

/*
 * likwid_options() - converts `options` of a counter ("EDGEDETECT:THRESHOLD=2") to terms of an
 * event in `terms`, each with a comma in front. -EINVAL: the option `bad` is unknown, or its number
 * is invalid.
 */
#define LIKWID_TERMS_MAX 128
int likwid_options(struct metrics_span options, char terms[LIKWID_TERMS_MAX],
		   struct metrics_span *bad);

#endif
