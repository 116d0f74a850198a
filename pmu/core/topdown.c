// SPDX-License-Identifier: BSD-2-Clause
/*
 * topdown.c - top-down metrics. PERF_METRICS has fractions, in 255ths, of the slots that fixed
 * counter 3 has counted. Both are cleared together, the counter first (SDM vol. 3, "Performance
 * Metrics"). A metric is an event in a group that the event slots leads. It uses no counter, and
 * counts slots times its fraction.
 *
 * The fractions cover everything since the last clearing, rounded to 255ths. So taking them adds
 * them to the counts of all metrics of the group at one moment, and clears both registers. A count
 * never decreases, and the count between two reads is off by at most one 255th. The registers have
 * values only for the whole group, so the counts are those of the last taking. Reading a count
 * takes the group first.
 *
 * They are taken while the counters stand still: in a pause, or in an NMI, which stops them while
 * metrics count. Reading a counting group pauses the counters for that.
 */
#include "pmu/core/topdown.h"

#include "arch/x86/insn.h"
#include "arch/x86/msr.h"
#include "pmu/core/counter.h"
#include "pmu/core/overflow.h"
#include "pmu/driver/modelled.h"
#include "pmu/sched/needs.h"

#include <linux/errno.h>

#define WHOLE 255 /* the sum of all fractions */

#define SLOTS_BIT UARCH_FIXED(UARCH_SLOTS_COUNTER)

/* The values of both registers since the last clearing. */
struct taken {
	uint64_t slots, shares;
};

static struct taken read_registers(bool wrapped)
{
	const struct pmu_place *place =
		&pmu.counters.places[GLOBAL_FIXED_SHIFT + UARCH_SLOTS_COUNTER];

	return (struct taken){
		.slots = rdpmc(place->rdpmc) + (wrapped ? pmu.counter_mask + 1 : 0),
		.shares = rdmsr(MSR_PERF_METRICS),
	};
}

/* `prev` is the remainder, in 255ths of a slot. */
static void add_share(struct pmu_event *metric, const struct taken *t)
{
	const uint64_t share = t->shares >> uarch_metric_shift(metric->config) & 0xff;
	const uint64_t sum = t->slots * share + metric->prev;

	metric->prev = sum % WHOLE;
	local_store(&metric->count, metric->count + sum / WHOLE);
}

static bool is_active_metric(const struct pmu_event *e)
{
	return e->class == &pmu_metric_class && e->state == PMU_STATE_ACTIVE;
}

/* Takes slots and all its metrics. `wrapped`: the counter has overflowed since. */
static void take_group(struct pmu_event *slots, bool wrapped)
{
	const struct taken t = read_registers(wrapped);

	for (struct pmu_event *m = slots->next_sibling; m; m = m->next_sibling)
		if (is_active_metric(m))
			add_share(m, &t);
	local_store(&slots->count, slots->count + t.slots - slots->prev);
	wrmsr(slots->place->counter, 0);
	wrmsr(MSR_PERF_METRICS, 0);
	slots->prev = 0;
}

/* --- Events on the PMU --- */

static void use_metrics(unsigned one)
{
	pmu.metrics.users += one;
	pmu.counters.beside = pmu.metrics.users ? GLOBAL_METRICS : 0;
	pmu.nmi.unusual = pmu.hw.mid_ack || pmu.metrics.users;
}

/* Takes the group first, so that the new metric gets only what is counted from here on. */
static void start_metric(struct pmu_event *e)
{
	struct pmu_event *slots = e->leader;

	if (!pmu.metrics.users)
		pmu_counter_update(slots);
	take_group(slots, false);
	use_metrics(1);
}

/* After the last metric, the counter of slots continues as an ordinary one. */
static void stop_metric(struct pmu_event *e)
{
	const struct taken t = read_registers(false);
	struct pmu_event *slots = e->leader;

	add_share(e, &t);
	use_metrics(-1u);
	if (pmu.metrics.users || slots->state != PMU_STATE_ACTIVE)
		return;
	pmu_counter_update(slots);
	pmu_counter_load(slots);
}

static void take_stopped(struct pmu_event *slots)
{
	if (pmu.metrics.users)
		take_group(slots, false);
	else
		pmu_counter_update(slots);
}

static bool is_counting(void)
{
	return local_load(&pmu.counters.live) & pmu.counters.used & pmu.driver->running();
}

/*
 * A pause serves pending overflows, and no NMI does so afterwards: so no NMI takes the group in
 * between.
 */
void pmu_metrics_take(struct pmu_event *slots)
{
	const bool counting = is_counting();

	if (counting)
		pmu_pause();
	if (slots->state == PMU_STATE_ACTIVE)
		take_stopped(slots);
	if (counting)
		pmu_resume();
}

static void update_metric(struct pmu_event *e)
{
	pmu_metrics_take(e->leader);
}

uint64_t pmu_metrics_serve(uint64_t status, uint64_t served)
{
	const uint64_t own = status & (SLOTS_BIT | GLOBAL_METRICS);

	if (!own || pmu.metrics.served != served)
		return status & ~own;
	pmu.metrics.served++;
	take_group(pmu.counters.on[GLOBAL_FIXED_SHIFT + UARCH_SLOTS_COUNTER], own & SLOTS_BIT);
	return status & ~own;
}

/* --- Groups --- */

/* The first metric makes an event slots a leader of metrics. */
static void join_slots(struct pmu_event *e)
{
	e->leader->class = &pmu_slots_class;
}

static bool has_other_metric(const struct pmu_event *e)
{
	for (const struct pmu_event *m = e->leader; m; m = m->next_sibling)
		if (m != e && m->class == &pmu_metric_class)
			return true;
	return false;
}

static void leave_slots(struct pmu_event *e)
{
	if (e->leader->class == &pmu_slots_class && !has_other_metric(e))
		e->leader->class = &pmu_hardware_class;
}

const struct pmu_class pmu_metric_class = {
	.follows = true,
	.start = start_metric,
	.stop = stop_metric,
	.update = update_metric,
	.opened = join_slots,
	.closed = leave_slots,
};

/* --- Opening --- */

int pmu_metric_init(struct pmu_event *e, uint64_t select, struct reason *why)
{
	const struct perf_event_attr *attr = &e->attr;

	e->class = &pmu_metric_class;
	if (attr->sample_period)
		return refuse(why, EINVAL,
			      "a metric has no overflows to sample by: it is a share of slots; "
			      "another event can: {slots,instructions,topdown-retiring}:S");
	if (attr->precise_ip)
		return refuse(why, EINVAL, "a metric cannot be precise: it has no counter");
	if (select & ~UARCH_EXACT)
		return refuse(why, EINVAL, "a metric takes no edge, inv, cmask or any");
	if (attr->config1)
		return refuse(why, EINVAL, "config1 has no meaning for a metric");
	e->uarch = pmu.uarch;
	e->truth = pmu_modelled_truth(select);
	e->config = select;
	return 0;
}

static bool is_slots(const struct pmu_event *e)
{
	return e->class->hardware && e->uarch && (e->config & UARCH_EXACT) == UARCH_SLOTS;
}

static bool counts_same_rings(const struct perf_event_attr *a, const struct perf_event_attr *b)
{
	return a->exclude_user == b->exclude_user && a->exclude_kernel == b->exclude_kernel &&
	       a->exclude_host == b->exclude_host;
}

int pmu_metric_check_group(const struct pmu_event *e, const struct pmu_event *leader,
			   struct reason *why)
{
	if (e->class != &pmu_metric_class)
		return 0;
	if (!leader || !is_slots(leader))
		return refuse(why, EINVAL,
			      "a metric counts only in a group that slots leads: "
			      "{slots,topdown-retiring}");
	if (leader->period)
		return refuse(why, EINVAL,
			      "slots cannot sample and lead metrics, as their counter starts at 0; "
			      "another event can: {slots,instructions,topdown-retiring}:S");
	if (!counts_same_rings(&e->attr, &leader->attr))
		return refuse(why, EINVAL,
			      "a metric is a share of what slots counts, in the same rings");
	return 0;
}
