// SPDX-License-Identifier: BSD-2-Clause
/* meter.c - see meter.h. */
#include "pmu/x86/meter.h"

#include "arch/x86/insn.h"
#include "lib/bits.h"
#include "pmu/names/dynamic.h"
#include "lib/reason.h"
#include "pmu/core/overflow.h"

#include <linux/errno.h>

static uint64_t tsc_ahead; /* the TSC's lead over a TSC that was never set */

void pmu_tsc_moved(int64_t ticks)
{
	tsc_ahead += (uint64_t)ticks;
}

/* The TSC is read by RDTSC, which also works where RDMSR of the TSC does not. */
static uint64_t read_meter(const struct pmu_event *e)
{
	return e->meter.msr == MSR_IA32_TSC ? rdtsc() - tsc_ahead : rdmsr(e->meter.msr);
}

/* The growth of the counter since the last update of `e`; `raw` is the register now. */
static uint64_t counted_since(const struct pmu_event *e, uint64_t raw)
{
	return ((raw - e->prev) & bits_low(e->meter.width)) << e->meter.shift;
}

/* An event whose limit, or whose leader's limit, is reached counts no more. */
static uint64_t meter_count(const struct pmu_event *e)
{
	return e->count + (pmu_limit_hit(e) ? 0 : counted_since(e, read_meter(e)));
}

static void update_meter(struct pmu_event *e)
{
	const uint64_t raw = read_meter(e);

	if (!pmu_limit_hit(e))
		e->count += counted_since(e, raw);
	e->prev = raw;
}

/*
 * One timer of the CPU serves all its meters that could wrap. It is never later than any of them
 * needs: a meter that starts while the timer is armed for a later time arms it anew.
 */
static void arm_meter_timer(uint64_t ns)
{
	const uint64_t now = pmu_now();

	if (pmu.soft.refresh_at && pmu.soft.refresh_at <= now + ns)
		return;
	pmu.soft.refresh_at = now + ns;
	pmu.host->refresh_arm(ns);
}

static void start_meter(struct pmu_event *e)
{
	if (e->meter.control)
		wrmsr(e->meter.control, e->config);
	e->prev = read_meter(e);
	if (!e->meter.refresh_ns)
		return;
	e->next_metered = pmu.soft.meters;
	pmu.soft.meters = e;
	arm_meter_timer(e->meter.refresh_ns);
}

static void stop_meter(struct pmu_event *e)
{
	struct pmu_event **at = &pmu.soft.meters;

	if (e->meter.control)
		wrmsr(e->meter.control, 0);
	update_meter(e);
	if (!e->meter.refresh_ns)
		return;
	while (*at != e)
		at = &(*at)->next_metered;
	*at = e->next_metered;
	if (pmu.soft.meters)
		return;
	pmu.soft.refresh_at = 0;
	pmu.host->refresh_arm(0);
}

/* The PMU is paused, so that no NMI reads half of a change. */
void pmu_refresh_timer(const struct pmu_regs *regs)
{
	uint64_t first = UINT64_MAX;

	pmu.soft.refresh_at = 0;
	pmu_pause_at(regs);
	for (struct pmu_event *e = pmu.soft.meters; e; e = e->next_metered) {
		update_meter(e);
		if (e->meter.refresh_ns < first)
			first = e->meter.refresh_ns;
	}
	if (pmu.soft.meters)
		arm_meter_timer(first);
	pmu_resume();
}

const struct pmu_class pmu_meter_class = {
	.start = start_meter,
	.stop = stop_meter,
	.update = update_meter,
	.count = meter_count,
};

int pmu_meter_init(struct pmu_event *e, const char *pmu_name, const struct pmu_meter *m,
		   struct reason *why)
{
	if (e->attr.sample_period)
		return refuse(why, EINVAL, "%s counts, but cannot sample: it does not interrupt",
			      pmu_name);
	if (e->attr.exclude_user || e->attr.exclude_kernel || e->attr.exclude_host)
		return refuse(why, EINVAL,
			      "%s knows neither rings nor guests: it takes no modifier u, k or G",
			      pmu_name);
	if (m->refresh_ns && !pmu.host->refresh_arm)
		return refuse(why, EOPNOTSUPP, "%s: there is no timer to see it wrap", pmu_name);
	e->meter = *m;
	e->class = &pmu_meter_class;
	return 0;
}

int pmu_meter_needs_cpu(const struct pmu_event *e, struct reason *why)
{
	const struct dynamic_pmu *p = dynamic_pmu_of(e->attr.type);

	if (!e->context->task && !e->set)
		return 0;
	return refuse(why, EINVAL, "%s counts for %s, not for a task: take -a or -C", p->name,
		      dynamic_scope_name(p->scope));
}
