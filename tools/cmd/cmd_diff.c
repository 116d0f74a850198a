// SPDX-License-Identifier: BSD-2-Clause
/* cmd_diff.c - `perf0 diff`: compares two files of counts or samples. */
#include "tools/cmd/commands.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/printf.h"
#include "tools/cmd/stored.h"
#include "tools/gate/measured.h"
#include "tools/util/memory.h"
#include "tools/util/message.h"
#include "tools/util/plainbuf.h"
#include "tools/util/status.h"

#define STATUS_SAME    0
#define STATUS_DIFFERS 1
#define STATUS_BAD     2
#define SHOWN_MOST     20 /* rows of functions, and of lines */
#define NUMBER_MAX     32

struct difference {
	const char *name;
	uint64_t old, got; /* 0: missing in that file */
};

/* A stream consists of frames. Any other file yields debris alone. */
static int read_stored(const char *path, struct stream *stream, struct reason *why)
{
	struct frame_stats stats;
	int err = stored_read(path, false, stream, &stats, why);

	if (!err && !stats.frames)
		err = refuse(why, EINVAL,
			     "this is no result of gate, no output of stat -j, no "
			     "perf.data and no stream");
	return err ? err : stream_check_so_far(stream, &stats, why);
}

static uint64_t distance(const struct difference *d)
{
	return d->got > d->old ? d->got - d->old : d->old - d->got;
}

/* Orders by falling distance. */
static int compare_differences(const void *a, const void *b)
{
	const struct difference *x = a, *y = b;
	const uint64_t dx = distance(x), dy = distance(y);

	if (dx != dy)
		return dx > dy ? -1 : 1;
	return strcmp(x->name, y->name);
}

/* Returns less than 0 if row `i` of `a` comes first, or exists in `a` alone. */
static int compare_order(const struct measured *a, size_t i, const struct measured *b, size_t k)
{
	if (i == a->n || k == b->n)
		return i == a->n ? 1 : -1;
	if (a->row[i].kind != b->row[k].kind)
		return a->row[i].kind < b->row[k].kind ? -1 : 1;
	return strcmp(a->row[i].name, b->row[k].name);
}

/* Collects all differences of one kind. Returns their number. */
static size_t find_differences(struct difference **out, const struct measured *a,
			       const struct measured *b, enum measured_kind kind)
{
	size_t i = 0, k = 0, n = 0;

	while (i < a->n || k < b->n) {
		const int order = compare_order(a, i, b, k);
		const struct measured_row *row = order <= 0 ? &a->row[i] : &b->row[k];
		struct difference d = {row->name, order <= 0 ? row->value : 0,
				       order >= 0 ? b->row[k].value : 0};

		i += order <= 0;
		k += order >= 0;
		if (row->kind != kind || d.old == d.got)
			continue;
		*out = memory_grow(*out, n, sizeof(d));
		(*out)[n++] = d;
	}
	return n;
}

static void add_difference(struct buf *out, const struct difference *d)
{
	char old[NUMBER_MAX], got[NUMBER_MAX], by[NUMBER_MAX], share[NUMBER_MAX] = "";

	fmt_print(old, sizeof(old), "%'llu", (unsigned long long)d->old);
	fmt_print(got, sizeof(got), "%'llu", (unsigned long long)d->got);
	fmt_print(by, sizeof(by), "%c%'llu", d->got < d->old ? '-' : '+',
		  (unsigned long long)distance(d));
	buf_printf(out, "%18s  %18s  %18s", old, got, by);
	if (d->old)
		snprintf(share, sizeof(share), "%c%.3g%%", d->got < d->old ? '-' : '+',
			 100.0 * (double)distance(d) / (double)d->old);
	buf_printf(out, "  %9s  ", share);
	plain_add(out, d->name, strlen(d->name));
	buf_printf(out, "\n");
}

/* Prints events in their order; functions and lines come in the order of their differences. */
static size_t print_kind(const struct measured *a, const struct measured *b,
			 enum measured_kind kind)
{
	static const char *const heads[MEASURED_KINDS] = {"event", "function", "line"};
	const size_t most = kind == MEASURED_EVENT ? SIZE_MAX : SHOWN_MOST;
	struct difference *differences = NULL;
	const size_t n = find_differences(&differences, a, b, kind);
	struct buf out = {0};

	if (n && kind != MEASURED_EVENT)
		qsort(differences, n, sizeof(*differences), compare_differences);
	if (n)
		buf_printf(&out, "%18s  %18s  %18s  %9s  %s\n", "old", "new", "difference", "",
			   heads[kind]);
	for (size_t i = 0; i < n && i < most; i++)
		add_difference(&out, &differences[i]);
	if (n > most)
		buf_printf(&out, "%*s%zu more\n", 71, "", n - most);
	fwrite(out.data, 1, out.size, stdout);
	buf_free(&out);
	free(differences);
	return n;
}

int cmd_diff(const struct options *options, const char **words)
{
	struct measured a = {0}, b = {0};
	struct reason why;
	size_t n = 0;
	int status;

	(void)options;
	if (!words[1] || !words[2] || words[3]) {
		message("perf0 diff: two files are needed; see `perf0 help diff`");
		return STATUS_BAD;
	}
	if (measured_read(&a, words[1], read_stored, &why) ||
	    measured_read(&b, words[2], read_stored, &why)) {
		message("perf0 diff: %s", why.text);
		status = STATUS_BAD;
	} else {
		for (int kind = 0; kind < MEASURED_KINDS; kind++)
			n += print_kind(&a, &b, (enum measured_kind)kind);
		if (!n)
			puts("nothing differs");
		status = n ? STATUS_DIFFERS : STATUS_SAME;
	}
	measured_free(&a);
	measured_free(&b);
	return status;
}
