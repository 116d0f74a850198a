// SPDX-License-Identifier: BSD-2-Clause
/* race_events.c - operations on the events of race.c, and what follows from each for their counts.
 */
#include "tests/programs/race.h"

struct perf_event_attr race_breakpoint(unsigned mark, bool disabled, uint64_t period)
{
	return (struct perf_event_attr){
		.type = PERF_TYPE_BREAKPOINT,
		.size = sizeof(struct perf_event_attr),
		.bp_type = HW_BREAKPOINT_X,
		.bp_addr = race_mark_address(mark),
		.bp_len = sizeof(long),
		.sample_period = period,
		.sample_type = period ? PERF_SAMPLE_IP : 0,
		.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING,
		.disabled = disabled,
		.exclude_kernel = 1,
		.exclude_hv = 1,
	};
}

struct perf_event_attr race_counting(uint32_t type, uint64_t config)
{
	return (struct perf_event_attr){
		.type = type,
		.size = sizeof(struct perf_event_attr),
		.config = config,
		.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING,
		.exclude_kernel = type == PERF_TYPE_HARDWARE,
		.exclude_hv = 1,
	};
}

long race_open_perf(const struct perf_event_attr *attr, long tid, int cpu, long group)
{
	const long handle = linux_perf_event_open(attr, tid, cpu, group, 0);

	race.ops[handle < 0 ? OP_REFUSED : OP_OPEN]++;
	return handle;
}

void race_close_perf(long handle)
{
	race.ops[OP_CLOSE]++;
	race_must_succeed("closing", linux_close(handle));
}

void race_control_perf(enum op op, long handle, unsigned long request, uint64_t arg)
{
	static const char names[OPS][10] = {
		[OP_ENABLE] = "ENABLE",   [OP_DISABLE] = "DISABLE", [OP_RESET] = "RESET",
		[OP_REFRESH] = "REFRESH", [OP_PERIOD] = "PERIOD",   [OP_MODIFY] = "MODIFY",
	};

	race.ops[op]++;
	race_must_succeed(names[op], linux_ioctl(handle, request, arg));
}

/* Notes that calls count from some moment after `ended_before` was read. */
static void enabled_from(struct event *e, uint64_t ended_before)
{
	e->high_from = ended_before;
	e->low_from = race_load_shared(&e->task->begun[e->mark]);
	e->enabled = true;
}

/* Notes that calls no longer count, from some moment after `ended_before` was read. */
static void disabled_from(struct event *e, uint64_t ended_before)
{
	const uint64_t begun = race_load_shared(&e->task->begun[e->mark]);

	if (!e->enabled)
		return;
	e->low += ended_before > e->low_from ? ended_before - e->low_from : 0;
	e->high += begun - e->high_from;
	e->enabled = false;
}

void race_open_event(struct event *e, const struct task *t, const struct perf_event_attr *attr,
		     unsigned mark)
{
	const uint64_t ended = race_load_shared(&t->ended[mark]);

	*e = (struct event){.task = t, .mark = mark, .period = attr->sample_period};
	e->handle = race_must_succeed("opening an event of a task",
				      race_open_perf(attr, t->tid, -1, -1));
	if (!attr->disabled)
		enabled_from(e, ended);
}

void race_enable(struct event *e)
{
	const uint64_t ended = race_load_shared(&e->task->ended[e->mark]);

	race_control_perf(OP_ENABLE, e->handle, PERF_EVENT_IOC_ENABLE, 0);
	if (!e->enabled)
		enabled_from(e, ended);
}

/* Adds a limit that the event never reaches. */
void race_refresh(struct event *e)
{
	const uint64_t ended = race_load_shared(&e->task->ended[e->mark]);

	race_control_perf(OP_REFRESH, e->handle, PERF_EVENT_IOC_REFRESH, 1u << 20);
	if (!e->enabled)
		enabled_from(e, ended);
}

void race_disable(struct event *e)
{
	const uint64_t ended = race_load_shared(&e->task->ended[e->mark]);

	race_control_perf(OP_DISABLE, e->handle, PERF_EVENT_IOC_DISABLE, 0);
	disabled_from(e, ended);
}

void race_reset(struct event *e)
{
	const uint64_t ended = race_load_shared(&e->task->ended[e->mark]);

	race_control_perf(OP_RESET, e->handle, PERF_EVENT_IOC_RESET, 0);
	e->low = e->high = e->value = 0;
	if (e->enabled)
		enabled_from(e, ended);
}

void race_set_period(struct event *e, uint64_t period)
{
	race_control_perf(OP_PERIOD, e->handle, PERF_EVENT_IOC_PERIOD, (uint64_t)&period);
	e->period = period;
}

/* Moves the event to the other mark; its count goes on. */
void race_modify(struct event *e)
{
	const unsigned other = !e->mark;
	struct perf_event_attr attr = race_breakpoint(other, false, e->period);
	const uint64_t ended = race_load_shared(&e->task->ended[e->mark]);
	const uint64_t ended_other = race_load_shared(&e->task->ended[other]);

	race_control_perf(OP_MODIFY, e->handle, PERF_EVENT_IOC_MODIFY_ATTRIBUTES, (uint64_t)&attr);
	disabled_from(e, ended);
	e->mark = other;
	enabled_from(e, ended_other);
}

/* Checks that hold for any event. */
uint64_t race_read_event(struct event *e)
{
	uint64_t now[3];

	race.ops[OP_READ]++;
	race_must_be("bytes of READ",
		     (uint64_t)race_must_succeed("READ", linux_read(e->handle, now, sizeof(now))),
		     sizeof(now));
	if (now[0] < e->value)
		fail_race("a count that went back", now[0], e->value, UINT64_MAX);
	if (now[1] < e->time_enabled)
		fail_race("time enabled that went back", now[1], e->time_enabled, UINT64_MAX);
	if (now[2] < e->time_running)
		fail_race("time running that went back", now[2], e->time_running, UINT64_MAX);
	if (now[2] > now[1])
		fail_race("time running above time enabled", now[2], 0, now[1]);
	e->value = now[0];
	e->time_enabled = now[1];
	e->time_running = now[2];
	return now[0];
}

/* Checks that hold for a breakpoint. */
void race_check_count(const char *what, struct event *e)
{
	const uint64_t ended = race_load_shared(&e->task->ended[e->mark]);
	const uint64_t value = race_read_event(e),
		       begun = race_load_shared(&e->task->begun[e->mark]);
	uint64_t low = e->low, high = e->high;

	if (e->enabled) {
		low += ended > e->low_from ? ended - e->low_from : 0;
		high += begun - e->high_from;
	}
	if (value < low || value > high)
		fail_race(what, value, low, high);
	if (!e->enabled)
		e->low = e->high = value;
}

/* Waits until the task has called that often from now on. */
void race_await_calls(const struct task *t, unsigned mark, uint64_t n)
{
	const uint64_t wanted = race_load_shared(&t->ended[mark]) + n;
	const uint64_t from = linux_now_ns();

	while (race_load_shared(&t->ended[mark]) < wanted) {
		linux_sleep_ns(20000);
		if (linux_now_ns() - from > PATIENCE_NS)
			fail_race("calls of a task that stands still",
				  race_load_shared(&t->ended[mark]), wanted, wanted);
	}
}
