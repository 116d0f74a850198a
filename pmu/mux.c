// SPDX-License-Identifier: BSD-2-Clause
/*
 * mux.c - time slices: a timer while somebody waits for a counter, the next decision when it goes
 * off. Slices are of time in which the task runs: what is left of one when the task stops is the
 * first slice of its next turn. They keep to a grid of pmu_time(), so that a late interrupt does
 * not add up, and a slice is as long whatever it took to decide on it.
 */
#include "pmu/core.h"

#include "lib/string.h"

#include <linux/errno.h>

static struct pmu_fair fair;

static void arm(uint64_t ns)
{
	pmu.scheduler.deadline = pmu.now + ns;
	pmu.host->mux_arm(ns);
}

static void disarm(void)
{
	if (!pmu.scheduler.deadline)
		return;
	pmu.scheduler.deadline = 0;
	pmu.host->mux_arm(0);
}

void pmu_mux_update(void)
{
	struct pmu_scheduler *s = &pmu.scheduler;

	if (!pmu.host->mux_arm)
		return;
	if (!pmu_tick_multiplexes(&s->tick)) {
		disarm();
		s->left = 0;
	} else if (!s->deadline) {
		arm(s->left ? s->left : s->interval);
		s->left = 0;
	}
}

void pmu_mux_suspend(void)
{
	struct pmu_scheduler *s = &pmu.scheduler;

	if (!s->deadline || pmu_tick_multiplexes(&s->tick))
		return;
	s->left = s->deadline > pmu.now ? s->deadline - pmu.now : 1;
	disarm();
}

void pmu_mux_timer(const struct pmu_regs *regs)
{
	struct pmu_scheduler *s = &pmu.scheduler;
	uint64_t next;

	if (!s->deadline)
		return;
	pmu_pause_at(regs);
	next = s->deadline + s->interval;
	s->deadline = 0;
	s->left = next > pmu.now && next - pmu.now < 2 * s->interval ? next - pmu.now : 0;
	pmu_tick_next(&s->tick);
	pmu_schedule();
	pmu.stats.rotations++;
	pmu_resume();
}

int pmu_set_mux_interval_us(uint64_t us)
{
	if (us < PMU_MUX_LEAST_US || us > PMU_MUX_MOST_US)
		return -EINVAL;
	pmu.scheduler.interval = us * 1000;
	return 0;
}

static void forget_service(struct pmu_context *context)
{
	for (struct pmu_event *l = context->leaders; l; l = l->next_leader)
		l->group.served = 0;
}

void pmu_set_policy(enum pmu_policy policy)
{
	struct pmu_scheduler *s = &pmu.scheduler;
	uint64_t irq = pmu_begin_change();

	memset(&fair, 0, sizeof(fair));
	s->tick.fair = policy == PMU_POLICY_FAIR ? &fair : NULL;
	forget_service(&pmu.cpu);
	for (struct pmu_task *task = pmu.tasks; task; task = task->next)
		forget_service(&task->context);
	pmu_schedule();
	pmu_end_change(irq);
}
