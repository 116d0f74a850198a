// SPDX-License-Identifier: BSD-2-Clause
/* pmu_init.c - start-up: detects the PMU, its driver and its microarchitecture, and tests it. */
#include "pmu/state/state.h"

#include "lib/panic.h"
#include "lib/string.h"
#include "lib/bits.h"
#include "pmu/core/firmware_conflict.h"
#include "pmu/core/rate.h"
#include "lib/reason.h"
#include "pmu/cpus/domain.h"
#include "pmu/core/schedule.h"
#include "pmu/cpus/siblings.h"
#include "pmu/state/read.h"
#include "pmu/state/remote.h"
#include "pmu/core/tfa.h"

#include <linux/errno.h>

static int no_pmu(struct reason *why)
{
	const struct pmu_caps *caps = pmu.caps;

	if (caps->vendor == CPU_VENDOR_OTHER)
		return refuse(why, ENODEV, "CPU vendor '%s' has no PMU that perf0 knows",
			      caps->vendor_id);
	return refuse(why, ENODEV, "CPUID shows no performance counters%s",
		      caps->kvm          ? ": KVM hides them (on the host: perf0 doctor --kvm)"
		      : caps->hypervisor ? " (a hypervisor hides them)"
					 : "");
}

/* The tables have the number of metrics; the CPU reports whether it has any. */
static uint8_t find_metrics(const struct pmu_caps *caps)
{
	if (!(caps->perf_capabilities & PERF_CAP_METRICS) ||
	    !(pmu.hw.counters & UARCH_FIXED(UARCH_SLOTS_COUNTER)))
		return 0;
	return (uint8_t)uarch_metrics(pmu.uarch);
}

static int find_driver(struct reason *why)
{
	const struct pmu_caps *caps = pmu.caps;
	bool found = false;
	int err;

	if (caps->vendor == CPU_VENDOR_INTEL)
		found = pmu_intel_probe(caps, &pmu.hw);
	else if (caps->vendor == CPU_VENDOR_AMD)
		found = pmu_amd_probe(caps, &pmu.hw);
	if (!found)
		return no_pmu(why);
	pmu_firmware_init();
	pmu.hw.driver->reset(pmu.hw.counters);
	err = pmu_sanity_check(&pmu.hw, uarch_generic(pmu.uarch, PERF_COUNT_HW_INSTRUCTIONS), why);
	if (err)
		return err;
	pmu.driver = pmu.hw.driver;
	if (pmu.driver->quick)
		pmu.quick = (struct pmu_quick){.master = pmu.driver->master,
					       .status = pmu.driver->status,
					       .ack = pmu.driver->status_reset};
	pmu.hw.mid_ack = uarch_mid_ack(pmu.uarch);
	pmu.nmi.unusual = pmu.hw.mid_ack;
	pmu.hw.metrics = find_metrics(caps);
	pmu_pebs_probe(caps, pmu.hw.counters, &pmu.hw.pebs);
	pmu_lbr_probe(caps, pmu.uarch, &pmu.hw.lbr);
	return 0;
}

void pmu_stop_all(void)
{
	if (pmu.hw.driver)
		pmu.hw.driver->reset(pmu.hw.counters);
}

static void find_places(void)
{
	for (uint64_t left = pmu.hw.counters; left; left &= left - 1) {
		unsigned counter = bits_first(left);

		pmu_place_init(&pmu.hw, counter, &pmu.counters.places[counter]);
	}
}

/* Records of format 1 have no address of the instruction itself. */
static uint8_t most_precise(const struct pmu_pebs *pebs)
{
	return pebs->format > 1 ? PMU_PRECISE_MOST : pebs->format;
}

static void describe_pmu(void)
{
	pmu.info = (struct pmu_info){.driver = "none", .uarch = pmu.uarch->name, .note = ""};
	if (!pmu.driver)
		return;
	pmu.info.driver = pmu.driver->name;
	pmu.info.note = pmu.uarch->note ? pmu.uarch->note : "";
	pmu.info.counters = pmu.hw.counters;
	pmu.info.width = pmu.hw.width;
	pmu.info.max_period = pmu.hw.max_period;
	pmu.info.select_bits = pmu.hw.select_bits;
	pmu.info.max_precise = most_precise(&pmu.hw.pebs);
}

/* Initializes the context of a CPU. The boot CPU comes first and initializes the shared state. */
static struct pmu_context *init_context(uint32_t cpu, uint8_t core)
{
	struct pmu_context *context;

	if (cpu >= PMU_MAX_CPUS)
		panic("there is no room for the events of CPU %u", cpu);
	context = &pmu_contexts[cpu];
	if (!cpu) {
		memset(&pmu_shared, 0, sizeof(pmu_shared));
		pmu_shared.gone.cpu = -1;
	}
	*context = (struct pmu_context){.cpu = (int)cpu, .active = true, .last_cpu = (int)cpu};
	context->core = core;
	return context;
}

/* From now on other CPUs may call this one. */
static void announce_pmu(void)
{
	static const struct uarch *first;

	if (!pmu.number)
		first = pmu.uarch;
	pmu_shared.hybrid |= pmu.uarch != first;
	if (pmu.number >= pmu_shared.ncpus)
		__atomic_store_n(&pmu_shared.ncpus, pmu.number + 1, __ATOMIC_RELEASE);
}

static void start_kinds(void)
{
	for (const struct pmu_kind *const *k = __start_pmu_kinds; k < __stop_pmu_kinds; k++)
		if ((*k)->start_up && pmu.driver)
			(*k)->start_up();
}

int pmu_init(const struct pmu_caps *caps, const struct pmu_host *host)
{
	struct reason why = {""};
	int err;

	memset(pmu_occurring, 0, sizeof(pmu_occurring));
	pmu = (struct pmu_core){
		.host = host,
		.caps = caps,
		.uarch = uarch_find(caps),
		.number = host->current->cpu,
		.cpu = init_context(host->current->cpu, caps->core_type),
		.nmi.unusual = true, /* there is no driver yet */
	};
	err = find_driver(&why);
	pmu.counter_mask = bits_low(pmu.hw.width);
	memcpy(pmu.problem, why.text, sizeof(pmu.problem));
	find_places();
	pmu_schedule_init();
	pmu_siblings_init();
	pmu_rate_init();
	pmu_tfa_init();
	pmu_domain_init();
	start_kinds();
	describe_pmu();
	announce_pmu();
	return err;
}

const char *pmu_problem(void)
{
	return pmu.driver ? NULL : pmu.problem;
}

const struct pmu_info *pmu_info(void)
{
	return &pmu.info;
}

const uint64_t *pmu_written(void)
{
	return &pmu.stats.books.written;
}

static void add_stats(void *arg)
{
	struct pmu_stats *sum = arg;

	pmu_books_add(&sum->books, &pmu.stats.books);
	sum->nmis += pmu.stats.nmis;
	sum->schedules += pmu.stats.schedules;
	sum->rotations += pmu.stats.rotations;
	sum->late_nmis += pmu.stats.late_nmis;
	sum->spurious_nmis += pmu.stats.spurious_nmis;
	sum->wakeups += pmu.stats.wakeups;
	sum->throttles += pmu.stats.throttles;
	sum->respites += pmu.stats.respites;
	sum->ticks += pmu.stats.ticks;
	sum->exchanges += pmu.stats.exchanges;
}

const struct pmu_stats *pmu_stats(void)
{
	static PERCPU struct pmu_stats sum;
	struct pmu_stats now = {.nmis = 0};

	pmu_on_each_cpu(add_stats, &now);
	sum = now;
	return &sum;
}
