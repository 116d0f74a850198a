/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * measured.h - reads counts and samples from a file: results of the gate, lines of `stat -j`, a
 * perf.data, or a stream.
 */
#ifndef TOOLS_GATE_MEASURED_H
#define TOOLS_GATE_MEASURED_H

#include "lib/reason.h"
#include "tools/stream/stream.h"

enum measured_kind {
	MEASURED_EVENT,    /* a count */
	MEASURED_FUNCTION, /* events, estimated from samples */
	MEASURED_LINE,     /* events of a source line, estimated from samples */
	MEASURED_KINDS,
};

struct measured_row {
	char *name;
	enum measured_kind kind;
	uint64_t value;
};

/* Counts and samples of a file. A zeroed struct has none. */
struct measured {
	struct measured_row *row; /* sorted by kind and name, without duplicates */
	size_t n;
};

/* measured_stored - the caller's reader of streams. Returns 0, or -E with the reason. */
typedef int measured_stored(const char *path, struct stream *stream, struct reason *why);

/*
 * measured_read() - reads the file at `path` into the empty `out`. -E with the reason, which names
 * the file.
 */
int measured_read(struct measured *out, const char *path, measured_stored *stored,
		  struct reason *why);
void measured_free(struct measured *measured);

#endif
