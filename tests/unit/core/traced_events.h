/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * traced_events.h - a tracepoint to hit, and events on it.
 */
#ifndef TESTS_TRACEPOINTS_H
#define TESTS_TRACEPOINTS_H

#define TRACE_DEFINE
#include "lib/trace.h"

#include "pmu/state/state.h"
#include "pmu/names/filter.h"
#include "tests/shim/rig.h"

#include <linux/errno.h>
#include <stdio.h>
#include <string.h>

#include "tests/unit/test.h"

TRACE_EVENT(test, plain, TRACE_PROTO(uint32_t a, int64_t b),
	    TRACE_STRUCT(field(uint32_t, a), field(int64_t, b)),
	    TRACE_ASSIGN(entry->a = a; entry->b = b;),
	    TRACE_PRINT("a=%u b=%ld %s", REC->a, REC->b, REC->a > 1 ? "many" : "few"))

TRACE_EVENT(test, roles, TRACE_PROTO(uint64_t count, uint64_t addr, const void *task),
	    TRACE_STRUCT(field(uint8_t, dummy)),
	    TRACE_ASSIGN(hit.count = count; hit.addr = addr; hit.task = task;),
	    TRACE_PRINT("%u", REC->dummy))

TRACE_EVENT(test, texts, TRACE_PROTO(const char *comm, const char *first, const char *second),
	    TRACE_STRUCT(array(char, comm, 8), string(first), string(second),
			 array(uint16_t, args, 2)),
	    TRACE_ASSIGN(trace_copy(entry->comm, comm, sizeof(entry->comm));
			 trace_string(&hit, &entry->first, first);
			 trace_string(&hit, &entry->second, second); entry->args[1] = 0xffff;),
	    TRACE_PRINT("%s: %s, "
			"%s",
			REC->comm, __get_str(first), __get_str(second)))

static struct {
	enum trace_context context;
	bool armed;
	unsigned times_armed;
} host;

static inline enum trace_context context(void)
{
	return host.context;
}

static inline uint32_t current_tid(void)
{
	return RIG_TID;
}

static inline void armed(bool on)
{
	host.armed = on;
	host.times_armed++;
}

static inline void boot_traced(void)
{
	static const struct trace_host trace_host = {context, current_tid, pmu_trace_hit, armed,
						     NULL};

	memset(&host, 0, sizeof(host));
	rig_boot("skx", true);
	trace_init(&trace_host);
}

static inline struct perf_event_attr on_tracepoint(const struct trace_event *event)
{
	return rig_attr(PERF_TYPE_TRACEPOINT, event->state->id);
}

static inline void open_traced(struct pmu_event *e, struct perf_event_attr attr)
{
	if (rig_open(e, &attr, NULL))
		fail_msg("open: %s", rig.why.text);
}

#endif
