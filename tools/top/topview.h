/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * topview.h - the view of `perf0 top`: a list of functions, or the addresses of one function after
 * zooming in. It knows no terminal: it takes keys and makes lines.
 */
#ifndef TOOLS_TOP_TOPVIEW_H
#define TOOLS_TOP_TOPVIEW_H

#include <stdbool.h>
#include <stddef.h>

#include "tools/top/profile.h"
#include "tools/stream/stream.h"
#include "tools/symbols/symbols.h"
#include "tools/top/terminal.h"

/* The contents of the screen, which the caller of topview_draw() fills in. */
struct top_model {
	const char *command; /* the recording command; "" before there is one */
	const char *state;   /* "waiting", "running", "ended" */
	const char *message; /* a line of the image's or the tool's text, or "" */
	const struct stream_event *events;
	size_t nevents;
	const struct profile *profile;
	uint64_t lost, skipped; /* lost samples; damaged bytes of the stream */
	unsigned ncpus;         /* CPUs of the machine; with one, no CPU is shown */
};

struct topview {
	size_t event;
	enum profile_sort sort;
	bool help, zoomed;
	struct place zoom;   /* the row that is shown in detail */
	struct place chosen; /* the row under the cursor */
	bool has_chosen;
	size_t cursor, top;    /* line under the cursor; first line on the screen */
	size_t nlines, height; /* of the list, as it was drawn last */
	struct buf list;       /* struct profile_row or struct profile_cell */
};

/* topview_key() - handles a key. Returns false if the user wants to leave. */
bool topview_key(struct topview *view, const struct top_model *model, int key);

/* topview_draw() - fills the started `screen`. */
void topview_draw(struct topview *view, const struct top_model *model, struct screen *screen);

/* topview_forget() - forgets events and rows, after the profile was cleared. */
void topview_forget(struct topview *view);
void topview_free(struct topview *view);

#endif
