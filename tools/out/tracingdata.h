/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tracingdata.h - the section TRACING_DATA of a perf.data: how the raw data of tracepoints is laid
 * out and printed, in the form of trace.dat that libtraceevent reads.
 */
#ifndef TOOLS_OUT_TRACINGDATA_H
#define TOOLS_OUT_TRACINGDATA_H

#include "tools/util/buf.h"
#include "tools/stream/stream.h"

/* tracingdata_add() - for the tracepoints of `command`, which has some (nformats). */
void tracingdata_add(struct buf *out, const struct stream_command *command);

#endif
