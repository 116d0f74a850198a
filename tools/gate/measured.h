/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * measured.h - the counts and samples in a file of any form: results of the gate, lines of `stat
 * -j`, a perf.data, a stream.
 */
#ifndef TOOLS_GATE_MEASURED_H
#define TOOLS_GATE_MEASURED_H

#include "lib/reason.h"
#include "tools/stream/stream.h"

enum measured_kind {
	MEASURED_EVENT,    /* a count */
	MEASURED_FUNCTION, /* events, estimated from samples */
	MEASURED_LINE,     /* likewise, for a source line */
	MEASURED_KINDS,
};

struct measured_row {
	char *name;
	enum measured_kind kind;
	uint64_t value;
};

/* A zeroed struct has none. */
struct measured {
	struct measured_row *row; /* by kind and name, without duplicates */
	size_t n;
};

/* measured_stored() - the caller's reader of a stream: 0, or -E with the reason. */
typedef int measured_stored(const char *path, struct stream *stream, struct reason *why);

/*
 * measured_read() - reads the file at `path` into `out`, which is empty. -E with the reason, which
 * names the file.
 */
int measured_read(struct measured *out, const char *path, measured_stored *stored,
		  struct reason *why);
void measured_free(struct measured *measured);

#endif
