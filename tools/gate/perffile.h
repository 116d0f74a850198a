/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * perffile.h - reads a perf.data of perf0 or perf as the recording of a stream. No value in the
 * file is trusted.
 */
#ifndef TOOLS_GATE_PERFFILE_H
#define TOOLS_GATE_PERFFILE_H

#include <stdbool.h>

#include "lib/reason.h"
#include "tools/stream/stream.h"

/* perffile_is() - returns whether the `n` bytes begin like a perf.data. */
bool perffile_is(const uint8_t *bytes, size_t n);

/*
 * perffile_read() - reads the file into the initialised `stream`: one command with its events and
 * records. -EINVAL with the reason: the file is incomplete or compressed.
 */
int perffile_read(struct stream *stream, const uint8_t *bytes, size_t n, struct reason *why);

#endif
