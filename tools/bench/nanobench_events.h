/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * nanobench_events.h - reads events from nanoBench's files. Its README defines a line as
 * EvtSel.UMASK(.CMSK=N)(.AnyT)(.EDG)(.INV)(.TakenAlone)(.CTR=N)(.MSR_3F6H=N)(.MSR_RSP0=N)... NAME.
 */
#ifndef TOOLS_BENCH_NANOBENCH_EVENTS_H
#define TOOLS_BENCH_NANOBENCH_EVENTS_H

#include "lib/reason.h"
#include "tools/util/buf.h"

/* config_read() - appends the events of the file at `path` to `list`, in the syntax of -e. -E
 * with the reason, which names the line. */
int config_read(const char *path, struct buf *list, struct reason *why);

#endif
