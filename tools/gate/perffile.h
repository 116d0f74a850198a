/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * perffile.h - a perf.data, of perf0's or of perf's own, as the recording of a stream, for whatever
 * reads those. Nothing in the file is trusted.
 */
#ifndef TOOLS_GATE_PERFFILE_H
#define TOOLS_GATE_PERFFILE_H

#include <stdbool.h>

#include "lib/reason.h"
#include "tools/stream/stream.h"

/* perffile_is() - whether the `n` bytes begin as a perf.data does. */
bool perffile_is(const uint8_t *bytes, size_t n);

/*
 * perffile_read() - the file into `stream`, which stream_init() was called for: one command, with
 * its events and records. -EINVAL with the reason: it is not whole, or compressed.
 */
int perffile_read(struct stream *stream, const uint8_t *bytes, size_t n, struct reason *why);

#endif
