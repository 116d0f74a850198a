// SPDX-License-Identifier: BSD-2-Clause
/*
 * breakpoint.c - events on the debug registers: executions of an address of ring 3 and accesses to
 * it. The #DB that each of them raises counts it. SDM vol. 3, "Debug Registers".
 *
 * Each CPU has four debug registers, and breakpoints are never multiplexed. The breakpoints of a
 * CPU and of any one task that may run there are at most four, from opening to closing. So whatever
 * task runs, on whatever CPU, all its breakpoints and all of the CPU's are set. An event gets its
 * register when it starts.
 */

#include "arch/x86/insn.h"
#include "arch/x86/msr.h"
#include "lib/panic.h"
#include "pmu/sched/debugregs.h"
#include "lib/reason.h"
#include "pmu/core/overflow.h"
#include "pmu/core/rate.h"

#include <linux/errno.h>
#include <linux/hw_breakpoint.h>

static void set_debug_address(unsigned i, uint64_t address)
{
	static void (*const write[])(uint64_t) = {write_dr0, write_dr1, write_dr2, write_dr3};

	write[i](address);
}

/* The fields of DR7 for register i. */
static uint64_t dr7_fields(const struct pmu_event *e, unsigned i)
{
	static const uint8_t lengths[] = {
		[1] = DR7_LEN_1, [2] = DR7_LEN_2, [4] = DR7_LEN_4, [8] = DR7_LEN_8};
	uint64_t access = DR7_EXECUTE, length = DR7_LEN_1;

	if (e->attr.bp_type != HW_BREAKPOINT_X) {
		access = e->attr.bp_type & HW_BREAKPOINT_R ? DR7_ACCESS : DR7_WRITE;
		length = lengths[e->attr.bp_len];
	}
	return DR7_ENABLE(i) | access << DR7_TYPE_SHIFT(i) | length << DR7_LEN_SHIFT(i);
}

static void write_debug_control(void)
{
	uint64_t dr7 = DR7_FIXED;

	for (unsigned i = 0; i < DR_BREAKPOINTS; i++)
		if (pmu.soft.breakpoints[i])
			dr7 |= dr7_fields(pmu.soft.breakpoints[i], i);
	write_dr7(dr7);
}

static void start_breakpoint(struct pmu_event *e)
{
	unsigned i = 0;

	while (pmu.soft.breakpoints[i])
		i++;
	ASSERT(i < DR_BREAKPOINTS);
	pmu.soft.breakpoints[i] = e;
	set_debug_address(i, e->attr.bp_addr);
	pmu.soft.watching++; /* before the register is set: pmu_breakpoints_hold() must see it, also
				in an NMI */
	local_barrier();
	write_debug_control();
}

static void stop_breakpoint(struct pmu_event *e)
{
	for (unsigned i = 0; i < DR_BREAKPOINTS; i++)
		if (pmu.soft.breakpoints[i] == e)
			pmu.soft.breakpoints[i] = NULL;
	write_debug_control();
	local_barrier();
	pmu.soft.watching--;
}

static void update_breakpoint(struct pmu_event *e)
{
	(void)e; /* each hit is counted when it happens */
}

static const struct pmu_class breakpoint_class = {
	.fields = PERF_SAMPLE_ADDR,
	.start = start_breakpoint,
	.stop = stop_breakpoint,
	.update = update_breakpoint,
};

static void hit_breakpoint(struct pmu_event *e, const struct pmu_regs *regs)
{
	if (pmu_limit_hit(e) || (regs->user ? e->attr.exclude_user : e->attr.exclude_kernel))
		return;
	local_add(&e->count, 1);
	if (!e->period || --e->left > 0)
		return;
	pmu_next_period(e);
	pmu_overflow(
		e, regs,
		&(struct pmu_sample_data){.fields = PERF_SAMPLE_ADDR, .addr = e->attr.bp_addr});
}

/* DR6 may also report registers that no event uses: these bits are ignored. */
enum pmu_debug pmu_debug(const struct pmu_regs *regs)
{
	const uint64_t dr6 = read_dr6();
	enum pmu_debug verdict = PMU_DEBUG_FOREIGN;

	write_dr6(dr6 & ~DR6_BREAKPOINTS);
	for (unsigned i = 0; i < DR_BREAKPOINTS; i++) {
		struct pmu_event *e = pmu.soft.breakpoints[i];

		if (!e || !(dr6 >> i & 1))
			continue;
		hit_breakpoint(e, regs);
		if (e->attr.bp_type == HW_BREAKPOINT_X)
			verdict = PMU_DEBUG_RESUME;
		else if (verdict == PMU_DEBUG_FOREIGN)
			verdict = PMU_DEBUG_DONE;
	}
	return dr6 & DR6_OTHERS ? PMU_DEBUG_FOREIGN : verdict;
}

/* The errors are the ones Linux gives to a program that is not root. */
static int check_breakpoint_attr(const struct perf_event_attr *attr, struct reason *why)
{
	int err = pmu_debugregs_check(attr, why);

	if (err || !pmu.host->watchable || pmu.host->watchable(attr->bp_addr, attr->bp_len))
		return err;
	if (attr->exclude_kernel)
		return refuse(why, EINVAL,
			      "address 0x%llx is not one of ring 3's, and exclude_kernel is set",
			      (unsigned long long)attr->bp_addr);
	return refuse(why, EPERM,
		      "address 0x%llx is not one of ring 3's, which are all that is watched",
		      (unsigned long long)attr->bp_addr);
}

/* --- How many breakpoints a task or a CPU may have --- */

/* The number of breakpoints of `context` that may be set on `cpu`. */
static unsigned held_breakpoints(const struct pmu_context *context, unsigned cpu)
{
	unsigned n = 0;

	for (struct pmu_event *l = context->leaders; l; l = l->next_leader)
		pmu_for_each (e, l)
			n += e->class == &breakpoint_class &&
			     (e->cpu < 0 || (unsigned)e->cpu == cpu);
	return n;
}

/* The task with the most breakpoints on `cpu`; NULL: there are no tasks. */
static const struct pmu_task *greediest_task(unsigned cpu, unsigned *most)
{
	const struct pmu_task *found = NULL;

	*most = 0;
	for (const struct pmu_task *t = pmu_shared.tasks; t; t = t->next) {
		unsigned n = held_breakpoints(&t->context, cpu);

		if (found && n <= *most)
			continue;
		*most = n;
		found = t;
	}
	return found;
}

/* Checks that one more breakpoint of `context` finds a register on `cpu`, whichever task runs. */
static int check_breakpoint_room(const struct pmu_context *context, unsigned cpu,
				 struct reason *why)
{
	const unsigned of_cpu = held_breakpoints(&pmu_contexts[cpu], cpu);
	const struct pmu_task *task = context->task;
	unsigned of_task;

	if (task)
		of_task = held_breakpoints(context, cpu);
	else
		task = greediest_task(cpu, &of_task);
	if (of_cpu + of_task < DR_BREAKPOINTS)
		return 0;
	return refuse(why, ENOSPC,
		      "CPU %u has %d debug registers, which are taken: %u by breakpoints of the "
		      "CPU, %u by those of task %u",
		      cpu, DR_BREAKPOINTS, of_cpu, of_task, task ? task->tid : 0);
}

/* Checks every CPU on which the event may be set. */
static int check_rooms(const struct pmu_event *e, struct reason *why)
{
	unsigned n = pmu.host->ncpus ? pmu.host->ncpus() : 1;
	int err = 0;

	if (e->cpu >= 0)
		return check_breakpoint_room(e->context, (unsigned)e->cpu, why);
	for (unsigned cpu = 0; cpu < n && !err; cpu++)
		err = check_breakpoint_room(e->context, cpu, why);
	return err;
}

static int make_breakpoint(struct pmu_event *e, struct reason *why)
{
	int err = check_breakpoint_attr(&e->attr, why);

	if (!err)
		err = check_rooms(e, why);
	if (!err)
		e->class = &breakpoint_class;
	return err;
}

static const struct pmu_kind breakpoint_kind = {
	.first = PERF_TYPE_BREAKPOINT,
	.last = PERF_TYPE_BREAKPOINT,
	.init = make_breakpoint,
	.check_modified = check_breakpoint_attr,
	.exact = true,
};

PMU_KIND(breakpoint_kind);
