// SPDX-License-Identifier: BSD-2-Clause
/* hardware.c - creates events of the core PMU: their event selects and their possible counters. */
#include "pmu/state/state.h"

#include "arch/x86/insn.h"
#include "arch/x86/msr.h"
#include "pmu/sched/needs.h"
#include "lib/reason.h"
#include "pmu/core/branches.h"
#include "pmu/core/counter.h"
#include "pmu/core/distrust.h"
#include "pmu/core/topdown.h"
#include "pmu/core/precise.h"
#include "pmu/names/kinds.h"
#include "pmu/driver/modelled.h"

#include <linux/errno.h>

static int from_generic(const struct perf_event_attr *attr, uint64_t *select, struct reason *why)
{
	if (attr->config >= PERF_COUNT_HW_MAX)
		return refuse(why, EINVAL, "there is no generic hardware event %llu",
			      (unsigned long long)attr->config);
	*select = uarch_generic(pmu.uarch, attr->config);
	if (!*select)
		return refuse(why, ENOENT, "this CPU (%s) has no such event", pmu.uarch->name);
	return 0;
}

/* perf_event_open(2), PERF_TYPE_HW_CACHE: cache, operation and result in a byte each. */
static int from_cache(const struct perf_event_attr *attr, uint64_t *select, struct reason *why)
{
	unsigned cache = attr->config & 0xff, op = attr->config >> 8 & 0xff;
	unsigned result = attr->config >> 16 & 0xff;

	if (attr->config >> 24 || cache >= PERF_COUNT_HW_CACHE_MAX ||
	    op >= PERF_COUNT_HW_CACHE_OP_MAX || result >= PERF_COUNT_HW_CACHE_RESULT_MAX)
		return refuse(why, EINVAL, "there is no generic cache event 0x%llx",
			      (unsigned long long)attr->config);
	*select = uarch_cache(pmu.uarch, cache, op, result);
	if (!*select)
		return refuse(why, ENOENT, "this CPU (%s) has no such cache event",
			      pmu.uarch->name);
	return 0;
}

static int from_raw(const struct perf_event_attr *attr, uint64_t *select, struct reason *why)
{
	const uint64_t raw = uarch_raw_select(pmu.uarch, attr->config);
	const uint64_t unknown = raw & ~pmu.hw.select_bits;

	if (unknown)
		return refuse(
			why, EINVAL,
			"bits 0x%llx of the raw event 0x%llx are not part of this CPU's event "
			"select",
			(unsigned long long)unknown, (unsigned long long)attr->config);
	*select = raw;
	return 0;
}

/* An event for the other core type of a hybrid is refused. */
static int check_kind(const struct perf_event_attr *attr, struct reason *why)
{
	const uint32_t extended = kinds_extended(attr);
	uint8_t core = kinds_of(attr);

	if (extended && (!pmu.caps->hybrid || !core))
		return refuse(why, ENOENT, "this machine has no PMU of type %u for generic events",
			      extended);
	if (!core && attr->type == PERF_TYPE_RAW && pmu_shared.hybrid)
		core = UARCH_CORE;
	if (!core || (pmu.caps->hybrid && pmu.caps->core_type == core))
		return 0;
	return refuse(why, ENOENT, "this CPU (%s) is no %s", pmu.uarch->name,
		      core == UARCH_ATOM ? "cpu_atom" : "cpu_core");
}

static int select_of(const struct perf_event_attr *attr, uint64_t *select, struct reason *why)
{
	switch (attr->type) {
	case PERF_TYPE_HARDWARE:
		return from_generic(attr, select, why);
	case PERF_TYPE_HW_CACHE:
		return from_cache(attr, select, why);
	default:
		return from_raw(attr, select, why);
	}
}

static int find_select(const struct perf_event_attr *attr, uint64_t *select, struct reason *why)
{
	struct perf_event_attr of_kind = *attr;
	const int err = check_kind(attr, why);

	of_kind.config = kinds_config(attr);
	return err ? err : select_of(&of_kind, select, why);
}

/* Leaf 0xA: a set bit, or one beyond the length, marks a missing architectural event. */
static bool is_event_absent(uint64_t select)
{
	static const uint64_t architectural[] = {
		UARCH_SELECT(0x3c, 0x00), UARCH_SELECT(0xc0, 0x00), UARCH_SELECT(0x3c, 0x01),
		UARCH_SELECT(0x2e, 0x4f), UARCH_SELECT(0x2e, 0x41), UARCH_SELECT(0xc4, 0x00),
		UARCH_SELECT(0xc5, 0x00),
	};

	if (pmu.caps->vendor != CPU_VENDOR_INTEL)
		return false;
	for (unsigned i = 0; i < sizeof(architectural) / sizeof(architectural[0]); i++)
		if ((select & UARCH_EXACT) == architectural[i])
			return i >= pmu.caps->events_length || pmu.caps->events_absent >> i & 1;
	return false;
}

/* Finds the constraint in the tables, of which `row` is that of the event, limited to the counters
 * of this machine. */
static void find_event_counters(struct pmu_event *e, uint64_t select,
				const struct uarch_constraint *row)
{
	const uint64_t there = e->attr.precise_ip ? pmu.hw.pebs.counters : pmu.hw.counters;

	e->tick.constraint = pmu_constraint(uarch_counters(pmu.uarch, select) & there,
					    row && row->flags & UARCH_OVERLAP);
	e->tick.corrupting = pmu.sibling.hyper_threading &&
			     uarch_erratum(pmu.uarch, UARCH_HT_EXCLUSIVE, select, UARCH_NOW);
}

/* Finds the register beside the counter in the tables, and checks that this machine has it. */
static int find_needs(struct pmu_event *e, uint64_t select, struct reason *why)
{
	int err = pmu_find_needs(pmu.uarch, select, pmu_register_value(pmu.uarch, &e->attr),
				 UARCH_NOW, &e->tick, why);
	const struct uarch_extra *row;

	if (err || !e->tick.extra.registers)
		return err;
	row = uarch_extra(pmu.uarch, select);
	if (!pmu_has_msr(row->msr))
		return refuse(why, ENXIO,
			      "event 0x%llx needs MSR 0x%x, which this machine does not have%s",
			      (unsigned long long)select, row->msr, cpuid_kvm_reason());
	e->extra = row;
	e->other_extra = uarch_alternative(pmu.uarch, &select);
	return 0;
}

/*
 * The rings in which it counts. There is no guest here: with exclude_host it has a counter, as in
 * Linux, which never advances.
 */
static uint64_t rings_of(const struct perf_event_attr *attr)
{
	if (attr->exclude_host)
		return 0;
	return (attr->exclude_user ? 0 : EVTSEL_USR) | (attr->exclude_kernel ? 0 : EVTSEL_OS);
}

static int make_hardware_event(struct pmu_event *e, struct reason *why)
{
	const struct perf_event_attr *attr = &e->attr;
	const struct uarch_constraint *row;
	uint64_t select;
	int err;

	e->class = &pmu_hardware_class;
	if (!pmu.driver)
		return refuse(why, ENOENT, "%s", pmu.problem);
	if (attr->config2)
		return refuse(why, EINVAL, "config2 has no meaning for this event");
	err = find_select(attr, &select, why);
	if (!err && uarch_is_metric(select, pmu.hw.metrics))
		return pmu_metric_init(e, select, why);
	if (!err && attr->precise_ip && pmu.caps->vendor == CPU_VENDOR_AMD)
		return pmu.unit->take_over(e, select, why);
	if (err)
		return err;
	if (is_event_absent(select))
		return refuse(why, ENOENT, "CPUID says that this CPU does not have event 0x%llx",
			      (unsigned long long)select);
	if (attr->precise_ip)
		err = pmu_precise_init(e, &select, why);
	if (!err)
		err = find_needs(e, select, why);
	if (err)
		return err;
	row = uarch_constraint(pmu.uarch, select, UARCH_NOW);
	if (!attr->precise_ip && row && row->flags & UARCH_PEBS_ONLY)
		return refuse(why, EINVAL,
			      "this CPU (%s) counts event 0x%llx as a precise event only",
			      pmu.uarch->name, (unsigned long long)select);
	find_event_counters(e, select, row);
	if (!e->tick.constraint.counters)
		return refuse(why, EINVAL, "no counter of this CPU (%s) can count event 0x%llx%s",
			      pmu.uarch->name, (unsigned long long)select,
			      uarch_counters(pmu.uarch, select) & pmu_distrusted()
				      ? ": the self-test found those that could wrong (doctor)"
				      : "");
	if (!(e->tick.constraint.counters & ~PMU_GENERAL_MASK))
		err = pmu_check_modelled(select, why);
	if (err)
		return err;
	e->uarch = pmu.uarch;
	e->truth = pmu_modelled_truth(select);
	e->config = select | EVTSEL_INT | rings_of(attr);
	if (attr->precise_ip)
		pmu_precise_finish(e);
	e->setting = uarch_setting(pmu.uarch, select, attr->precise_ip);
	return attr->sample_type & PERF_SAMPLE_BRANCH_STACK ? pmu_branches_init(e, why) : 0;
}

/* perf's generic types are those of the core PMU; so is PERF_TYPE_RAW. */
static const struct pmu_kind generic_kind = {
	.first = PERF_TYPE_HARDWARE,
	.last = PERF_TYPE_HARDWARE,
	.init = make_hardware_event,
};
static const struct pmu_kind cache_kind = {
	.first = PERF_TYPE_HW_CACHE,
	.last = PERF_TYPE_RAW,
	.init = make_hardware_event,
};

static const struct pmu_kind atom_kind = {
	.first = PMU_TYPE_CPU_ATOM,
	.last = PMU_TYPE_CPU_ATOM,
	.init = make_hardware_event,
};

PMU_KIND(generic_kind);
PMU_KIND(atom_kind);
PMU_KIND(cache_kind);
