// SPDX-License-Identifier: BSD-2-Clause
/* sched_switch.c - the switch between tasks: memory, registers, events, and its records. */
#include "linux/task/sched_parts.h"

#include "arch/x86/insn.h"
#include "arch/x86/msr.h"
#include "arch/x86/smp/smp.h"
#include "arch/x86/dev/tsc.h"
#include "lib/panic.h"
#include "lib/percpu.h"
#include "rt/base/tracepoints.h"

PERCPU struct task *sched_running;

static PERCPU struct {
	struct pmu_current shown; /* the task that runs, for records */
	bool rdpmc;               /* current value of CR4.PCE */
	struct space none;        /* the empty space of a CPU without a task */
} here;

const struct pmu_current *task_current(void)
{
	return &here.shown;
}

#define IDLE "swapper/0", 0

/* The last event that the task's own counters see of the switch. */
static __attribute__((noinline)) void note_switch(struct task *t)
{
	const struct pmu_regs at = {.ip = (uintptr_t)__builtin_return_address(0)};

	sched_own_counts()->switches++;
	if (t->state == TASK_SLEEPING) {
		t->usage.sleeps++;
		t->spent = false;
	} else {
		t->usage.preemptions++;
	}
	pmu_software(PERF_COUNT_SW_CONTEXT_SWITCHES, &at, 0);
}

static void trace_switch(const struct task *from, const struct task *to)
{
	static const enum trace_task_state states[] = {
		[TASK_WAITING] = TRACE_RUNNING,
		[TASK_SLEEPING] = TRACE_SLEEPS,
		[TASK_ENDED] = TRACE_DEAD,
	};

	if (to)
		trace(sched_switch, from->comm, from->tid, states[from->state], to->comm, to->tid);
	else
		trace(sched_switch, from->comm, from->tid, states[from->state], IDLE);
}

static void note_sleep(struct task *t)
{
	if (t->slept)
		trace(sched_stat_sleep, &t->events, t->comm, t->tid, clock_ns() - t->since);
	t->slept = false;
}

void sched_allow_rdpmc(bool allow)
{
	if (here.rdpmc == allow)
		return;
	here.rdpmc = allow;
	write_cr4((read_cr4() & ~CR4_PCE) | (allow ? CR4_PCE : 0));
}

void sched_enter_nothing(void)
{
	space_enter(&here.none, smp_cpu());
}

static void show_task(struct task *t)
{
	sched_running = t;
	here.shown.pid = t ? t->pid : 0;
	here.shown.tid = t ? t->tid : 0;
}

/* Events that the leaving task's own counters still see. As in Linux, they miss the switch at
 * its end. */
static void before_leaving(struct task *t, const struct task *next)
{
	const uint64_t ran = clock_ns() - t->since;

	trace(sched_stat_runtime, t->comm, t->tid, ran, t->ran + ran);
	if (t->state == TASK_ENDED)
		return;
	note_switch(t);
	trace_switch(t, next);
}

/* Records attribute the end to the ending task, though the next task is already current. */
static void trace_end(const struct task *t, const struct task *next)
{
	const struct pmu_current now = here.shown;

	here.shown.pid = t->pid;
	here.shown.tid = t->tid;
	trace_switch(t, next);
	here.shown = now;
}

/* Adds the task's time on this CPU, in ring 3 and in ring 0. */
static void note_times(struct task *t, uint64_t ran)
{
	struct sched_counts *counts = sched_own_counts();
	const uint64_t user = t->in_ring3 - tsc_to_ns(t->inside), before = t->user_told;

	t->ran += ran;
	t->user_told = user;
	counts->user_ns += user - before;
	counts->sys_ns += ran - (user - before);
}

static void after_leaving(struct task *t, const struct task *next, uint64_t now)
{
	if (t->state == TASK_ENDED)
		trace_end(t, next);
	note_times(t, now - t->since);
	t->since = now;
}

static void before_arrival(struct task *t, bool from_idle)
{
	note_sleep(t);
	if (from_idle)
		trace(sched_switch, IDLE, TRACE_RUNNING, t->comm, t->tid);
	sched_own_counts()->migrations += t->migrated;
	t->migrated = false;
	t->on_cpu = true;
}

/* The space of a task that has left this CPU may be freed at any time, so a CPU without a task
 * enters an empty one. */
static void enter_space(struct task *t)
{
	space_enter(t ? &t->process->mm->space : &here.none, smp_cpu());
	if (t)
		sched_allow_rdpmc(t->process->mm->rdpmc);
	show_task(t);
}

/*
 * The CPU's stack holds nothing of either task, so the switch is a sequence of plain calls. Code
 * between the two halves of pmu_task_switch() is in no task's counts.
 */
void sched_switch_to(struct task *from, struct task *to)
{
	const bool goes_on = from && from->state == TASK_RUNNING;
	uint64_t now;

	if (from) {
		before_leaving(from, to);
		pmu_task_leaves();
	}
	if (to)
		before_arrival(to, !from);
	enter_space(to);
	now = clock_ns();
	if (to)
		to->since = now; /* the switch counts as time of the next task */
	pmu_task_switch(to ? &to->events : NULL, goes_on);
	user_prepare(to ? &to->user : NULL);
	if (from)
		after_leaving(from, to, to ? now : clock_ns());
	if (from && from->state == TASK_ENDED)
		task_gone(from);
	else if (from)
		sched_let_go(from);
}

void sched_switch_init(void)
{
	here.shown.cpu = smp_cpu();
	if (space_init(&here.none))
		panic("no memory for an address space");
	space_enter(&here.none, smp_cpu());
}
