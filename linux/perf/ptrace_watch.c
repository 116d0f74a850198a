// SPDX-License-Identifier: BSD-2-Clause
/*
 * ptrace_watch.c - the debug registers of a traced task. A register that DR7 enables is an event of
 * the task, like those of PERF_TYPE_BREAKPOINT. So both share the four registers of a CPU. SDM vol.
 * 3, "Debug Registers".
 */
#include "linux/task/ptrace_parts.h"

#include "arch/x86/cpu/user.h"
#include "arch/x86/msr.h"
#include "lib/string.h"
#include "rt/base/heap.h"
#include "linux/perf/perf_parts.h"
#include "linux/perf/perf_trap.h"
#include "linux/perf/ptrace_watch.h"
#include "linux/task/sched.h"

#include <linux/errno.h>
#include <linux/hw_breakpoint.h>

#define STATUS  6 /* DR6 */
#define CONTROL 7 /* DR7 */

#define ENABLES_OF(i)     (3ull << (2 * (i))) /* bits of DR7: local and global enable */
#define FIELDS_OF(dr7, i) ((dr7) >> (16 + 4 * (i)) & 15)

struct ptrace_watch {
	uint64_t value[PTRACE_DEBUG_REGISTERS];
	bool open[DR_BREAKPOINTS];
	struct pmu_event event[DR_BREAKPOINTS];
};

uint64_t ptrace_read_debug(const struct task *t, unsigned i)
{
	return t->trace.watch ? t->trace.watch->value[i] : 0;
}

static int attr_of(const struct ptrace_watch *w, unsigned i, struct perf_event_attr *attr)
{
	static const uint8_t types[] = {HW_BREAKPOINT_X, HW_BREAKPOINT_W, 0, HW_BREAKPOINT_RW},
			     lengths[] = {1, 2, 8, 4};
	const uint64_t fields = FIELDS_OF(w->value[CONTROL], i);

	*attr = (struct perf_event_attr){
		.type = PERF_TYPE_BREAKPOINT,
		.size = sizeof(*attr),
		.sample_period = 1,
		.exclude_kernel = 1,
		.exclude_hv = 1,
		.sigtrap = 1,
		.remove_on_exec = 1,
		.bp_addr = w->value[i],
		.bp_type = types[fields & 3],
		.bp_len = lengths[fields >> 2],
	};
	if (attr->bp_type == HW_BREAKPOINT_X && attr->bp_len != 1)
		return -EINVAL;
	if (attr->bp_type == HW_BREAKPOINT_X)
		attr->bp_len = sizeof(long);
	return attr->bp_type ? 0 : -EINVAL;
}

static void close_watch(struct ptrace_watch *w, unsigned i)
{
	if (w->open[i])
		pmu_event_close(&w->event[i]);
	w->open[i] = false;
}

static int open_watch(struct task *t, unsigned i)
{
	struct ptrace_watch *w = t->trace.watch;
	struct perf_event_attr attr;
	struct reason why;
	int err = attr_of(w, i, &attr);

	close_watch(w, i);
	if (err)
		return err;
	memset(&w->event[i], 0, sizeof(w->event[i]));
	err = pmu_event_open(&w->event[i], &attr, (int)t->tid, -1, NULL, 0, &why);
	w->open[i] = !err;
	return err;
}

static int set_control(struct task *t, uint64_t value)
{
	struct ptrace_watch *w = t->trace.watch;
	int err = 0;

	w->value[CONTROL] = value;
	for (unsigned i = 0; i < DR_BREAKPOINTS && !err; i++) {
		if (value & ENABLES_OF(i))
			err = open_watch(t, i);
		else
			close_watch(w, i);
	}
	return err;
}

static int set_address(struct task *t, unsigned i, uint64_t value)
{
	struct ptrace_watch *w = t->trace.watch;

	if (!user_range(value, 1) && value)
		return -EINVAL;
	w->value[i] = value;
	return w->value[CONTROL] & ENABLES_OF(i) ? open_watch(t, i) : 0;
}

/* A refused value leaves all registers as they were. */
static int set_register(struct task *t, unsigned i, uint64_t value)
{
	const uint64_t before = t->trace.watch->value[i];
	int err;

	if (i == STATUS) {
		t->trace.watch->value[i] = value;
		return 0;
	}
	err = i == CONTROL ? set_control(t, value) : set_address(t, i, value);
	if (err && i == CONTROL)
		set_control(t, before);
	else if (err)
		set_address(t, i, before);
	return err;
}

int ptrace_make_watch(struct task *t)
{
	if (!t->trace.watch)
		t->trace.watch = heap_alloc(sizeof(*t->trace.watch));
	return t->trace.watch ? 0 : -ENOMEM;
}

int ptrace_write_debug(struct task *t, unsigned i, uint64_t value)
{
	return i == 4 || i == 5 ? -EIO : set_register(t, i, value);
}

void ptrace_end_watch(struct task *t)
{
	struct ptrace_watch *w = t->trace.watch;

	if (!w)
		return;
	perf_lock();
	for (unsigned i = 0; i < DR_BREAKPOINTS; i++)
		close_watch(w, i);
	perf_unlock();
	t->trace.watch = NULL;
	heap_free(w);
}

bool ptrace_watch_hit(struct task *t, const struct perf_event_attr *attr)
{
	struct ptrace_watch *w = t->trace.watch;

	for (unsigned i = 0; w && i < DR_BREAKPOINTS; i++) {
		if (attr != &w->event[i].attr)
			continue;
		w->value[STATUS] |= 1ull << i;
		return true;
	}
	return false;
}
