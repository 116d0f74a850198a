/* SPDX-License-Identifier: BSD-2-Clause */
/* mux_trace.h - tracepoints of the event core itself. */
#ifndef PMU_CORE_TRACE_H
#define PMU_CORE_TRACE_H

#include "lib/trace.h"

/*
 * Time slices have ended, and other events have their turn. `counters`: the counters in use from
 * now on.
 */
TRACE_EVENT(perf0, pmu_rotate, TRACE_PROTO(uint64_t counters, uint64_t late_ns),
	    TRACE_STRUCT(field(uint64_t, counters), field(uint64_t, late_ns)),
	    TRACE_ASSIGN(entry->counters = counters; entry->late_ns = late_ns;),
	    TRACE_PRINT("counters=0x%lx late_ns=%lu", REC->counters, REC->late_ns))

/* The events of a task have been put on counters, or will be taken off. */
TRACE_EVENT(perf0, pmu_sched_in, TRACE_PROTO(uint32_t pid, uint32_t tid, uint64_t counters),
	    TRACE_STRUCT(field(int32_t, pid), field(int32_t, tid), field(uint64_t, counters)),
	    TRACE_ASSIGN(entry->pid = (int32_t)pid; entry->tid = (int32_t)tid;
			 entry->counters = counters;),
	    TRACE_PRINT("pid=%d tid=%d counters=0x%lx", REC->pid, REC->tid, REC->counters))

TRACE_EVENT(perf0, pmu_sched_out, TRACE_PROTO(uint32_t pid, uint32_t tid, uint64_t counters),
	    TRACE_STRUCT(field(int32_t, pid), field(int32_t, tid), field(uint64_t, counters)),
	    TRACE_ASSIGN(entry->pid = (int32_t)pid; entry->tid = (int32_t)tid;
			 entry->counters = counters;),
	    TRACE_PRINT("pid=%d tid=%d counters=0x%lx", REC->pid, REC->tid, REC->counters))

/* A record of event `id` found no room; `lost` is the number of such records in its ring so far. */
TRACE_EVENT(perf0, rb_lost, TRACE_PROTO(uint64_t id, uint64_t bytes, uint64_t lost),
	    TRACE_STRUCT(field(uint64_t, id), field(uint64_t, bytes), field(uint64_t, lost)),
	    TRACE_ASSIGN(entry->id = id; entry->bytes = bytes; entry->lost = lost;),
	    TRACE_PRINT("id=%lu bytes=%lu lost=%lu", REC->id, REC->bytes, REC->lost))

#endif
