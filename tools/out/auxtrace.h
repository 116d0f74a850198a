/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * auxtrace.h - writes the trace of a recording as perf's records: AUXTRACE_INFO describes it,
 * AUXTRACE contains it. Layouts: tools/perf/util/event.h and intel-pt.h of Linux.
 */
#ifndef TOOLS_OUT_AUXTRACE_H
#define TOOLS_OUT_AUXTRACE_H

#include "tools/util/buf.h"
#include "tools/stream/stream.h"

/*
 * auxtrace_add_info() - adds the description of the trace, which precedes all other records. Adds
 * nothing if the recording has no trace.
 */
void auxtrace_add_info(struct buf *out, const struct stream_command *command);

/* auxtrace_add_data() - adds the trace, with a record before each of its parts. */
void auxtrace_add_data(struct buf *out, const struct stream_command *command);

#endif
