/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * perffile.h - reads a perf.data, perf0's or perf's own, as the recording of a stream. Nothing in
 * the file is trusted.
 */
#ifndef TOOLS_GATE_PERFFILE_H
#define TOOLS_GATE_PERFFILE_H

#include <stdbool.h>

#include "lib/reason.h"
#include "tools/stream/stream.h"

/* perffile_is() - whether the `n` bytes begin like a perf.data. */
bool perffile_is(const uint8_t *bytes, size_t n);

/*
 * perffile_read() - reads the file into `stream`, which stream_init() has initialised: one command,
 * with its events and records. -EINVAL with the reason: it is incomplete, or compressed.
 */
int perffile_read(struct stream *stream, const uint8_t *bytes, size_t n, struct reason *why);

#endif
