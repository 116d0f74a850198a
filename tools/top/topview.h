/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * topview.h - what `perf0 top` shows and how keys change it: a list of functions, and zoomed into
 * one of them, of its addresses. Knows no terminal: keys in, lines out.
 */
#ifndef TOOLS_TOP_TOPVIEW_H
#define TOOLS_TOP_TOPVIEW_H

#include <stdbool.h>
#include <stddef.h>

#include "tools/top/profile.h"
#include "tools/stream/stream.h"
#include "tools/symbols/symbols.h"
#include "tools/top/terminal.h"

/* The content of the screen; the caller of topview_draw() fills it in. */
struct top_model {
	const char *command; /* what records, "" before anything does */
	const char *state;   /* "waiting", "running", "ended" */
	const char *message; /* one line of the image's or the tool's, or "" */
	const struct stream_event *events;
	size_t nevents;
	const struct profile *profile;
	uint64_t lost, skipped; /* samples; bytes of the stream that were damaged */
	unsigned ncpus;         /* of the machine: of one, nothing is said */
};

struct topview {
	size_t event;
	enum profile_sort sort;
	bool help, zoomed;
	struct place zoom;   /* the row that is zoomed into */
	struct place chosen; /* the row that the cursor is on */
	bool has_chosen;
	size_t cursor, top;    /* of the list that is shown: the line, and the first on screen */
	size_t nlines, height; /* of the list, as last drawn */
	struct buf list;       /* struct profile_row or struct profile_cell */
};

/* topview_key() - false: the user wants to leave. */
bool topview_key(struct topview *view, const struct top_model *model, int key);

/* topview_draw() - fills `screen`, which was started. */
void topview_draw(struct topview *view, const struct top_model *model, struct screen *screen);

/* topview_forget() - the profile was cleared: its events and rows are others now. */
void topview_forget(struct topview *view);
void topview_free(struct topview *view);

#endif
