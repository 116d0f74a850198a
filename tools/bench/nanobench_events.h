/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * nanobench_events.h - events in files of nanoBench's, as its README has them: a line is
 * EvtSel.UMASK(.CMSK=N)(.AnyT)(.EDG)(.INV)(.TakenAlone)(.CTR=N)(.MSR_3F6H=N)(.MSR_RSP0=N)... NAME.
 */
#ifndef TOOLS_BENCH_NANOBENCH_EVENTS_H
#define TOOLS_BENCH_NANOBENCH_EVENTS_H

#include "lib/reason.h"
#include "tools/util/buf.h"

/* config_read() - the events of the file at `path`, appended to `list` as -e takes them. -E with
 * the reason, which names the line. */
int config_read(const char *path, struct buf *list, struct reason *why);

#endif
