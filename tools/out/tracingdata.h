/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tracingdata.h - writes the section TRACING_DATA of a perf.data: the layout and print format of
 * each tracepoint's raw data, in the format trace.dat that libtraceevent reads.
 */
#ifndef TOOLS_OUT_TRACINGDATA_H
#define TOOLS_OUT_TRACINGDATA_H

#include "tools/util/buf.h"
#include "tools/stream/stream.h"

/* tracingdata_add() - adds the tracepoints of `command`, which has at least one (nformats). */
void tracingdata_add(struct buf *out, const struct stream_command *command);

#endif
