/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * auxtrace.h - the trace of a recording in records of perf's own: AUXTRACE_INFO says what it is,
 * AUXTRACE has it. Layouts: tools/perf/util/event.h and intel-pt.h of Linux.
 */
#ifndef TOOLS_OUT_AUXTRACE_H
#define TOOLS_OUT_AUXTRACE_H

#include "tools/util/buf.h"
#include "tools/stream/stream.h"

/* auxtrace_add_info() - before all other records, how to read the trace; nothing without one. */
void auxtrace_add_info(struct buf *out, const struct stream_command *command);

/* auxtrace_add_data() - the trace, each part of it behind a record. */
void auxtrace_add_data(struct buf *out, const struct stream_command *command);

#endif
