// SPDX-License-Identifier: BSD-2-Clause
/* mark.c - hits a tracepoint of its own, to see what ring 3 can tell. */
#include "apps/workloads/crt.h"

USER_TRACE_EVENT(workload, mark, TRACE_PROTO(uint64_t turn, uint64_t turns),
		 TRACE_STRUCT(field(uint64_t, turn), field(uint64_t, left), array(char, phase, 8)),
		 TRACE_ASSIGN(entry->turn = turn; entry->left = turns - turn - 1;
			      entry->phase[0] = turn ? 'r' : 'f'; entry->phase[1] = '\0';),
		 TRACE_PRINT("turn=%lu left=%lu phase=%s", REC->turn, REC->left, REC->phase))

static void workload_mark(uint64_t turns)
{
	for (uint64_t turn = 0; turn < turns; turn++)
		trace(mark, turn, turns);
	linux_exit_group(0);
}

static const struct workload mark = {
	.name = "mark",
	.usage = "[N]",
	.summary = "hits its tracepoint workload:mark N times (100)",
	.entry = WORKLOAD_CODE(workload_mark),
	.params = {{"N", WORKLOAD_NUMBER, 100, 0, UINT64_MAX}},
};
WORKLOAD_ENTRY(mark);
