// SPDX-License-Identifier: BSD-2-Clause
/*
 * amd.c - AMD's core counters in three generations: four of K7, six by PerfCtrExtCore at
 * interleaved addresses, and PerfMonV2, which adds global control and status. All have 48 bits. The
 * delivery of a PMI does not mask LVTPC, and a PMI that was under way when its counter was served
 * still comes. APM vol. 2, "Performance Monitoring Counters".
 */
#include "arch/x86/insn.h"
#include "arch/x86/msr.h"
#include "lib/bits.h"
#include "pmu/driver/driver.h"

#define COUNTER_BITS  48
#define K7_COUNTERS   4
#define CORE_COUNTERS 6

static void program_amd(const struct pmu_place *place, uint64_t config)
{
	wrmsr(place->control, config | EVTSEL_EN);
}

static void clear_amd(const struct pmu_place *place)
{
	wrmsr(place->control, 0);
}

static bool holds_amd(const struct pmu_place *place, uint64_t config)
{
	return pmu_control_is(place->control, config);
}

static uint64_t running_amd(void)
{
	return rdmsr(MSR_AMD_PERF_CNTR_GLOBAL_CTL);
}

static void start_amd(uint64_t counters)
{
	wrmsr(MSR_AMD_PERF_CNTR_GLOBAL_CTL, counters | pmu_kept);
}

static void stop_amd(void)
{
	wrmsr(MSR_AMD_PERF_CNTR_GLOBAL_CTL, pmu_kept);
}

/* Zen 4 with old microcode reports reserved status bits, which cannot be cleared. */
static uint64_t status_bits;

static uint64_t amd_overflowed(void)
{
	return rdmsr(MSR_AMD_PERF_CNTR_GLOBAL_STATUS) & status_bits;
}

static void ack_amd(uint64_t status)
{
	wrmsr(MSR_AMD_PERF_CNTR_GLOBAL_STATUS_CLR, status);
}

static void reset_controls(uint32_t control, uint32_t stride, uint64_t counters)
{
	for (; counters; counters &= counters - 1)
		wrmsr_safe(control + bits_first(counters) * stride, 0);
}

static void reset_k7(uint64_t counters)
{
	reset_controls(MSR_K7_EVNTSEL0, 1, counters);
}

static void reset_core(uint64_t counters)
{
	reset_controls(MSR_AMD_PERF_CTL0, 2, counters);
}

static void reset_v2(uint64_t counters)
{
	uint64_t status;

	pmu_kept = 0;
	status_bits = counters | GLOBAL_STATUS_CTR_FRZ | GLOBAL_STATUS_LBR_FRZ;
	wrmsr_safe(MSR_AMD_PERF_CNTR_GLOBAL_CTL, 0);
	reset_core(counters);
	if (rdmsr_safe(MSR_AMD_PERF_CNTR_GLOBAL_STATUS, &status) && status & status_bits)
		wrmsr_safe(MSR_AMD_PERF_CNTR_GLOBAL_STATUS_CLR, status & status_bits);
}

static const struct pmu_driver k7 = {
	.name = "AMD K7 counters",
	.unmasked = true,
	.control = MSR_K7_EVNTSEL0,
	.counter = MSR_K7_PERFCTR0,
	.stride = 1,
	PMU_SWITCHLESS,
	.reset = reset_k7,
};

static const struct pmu_driver core = {
	.name = "AMD PerfCtrExtCore",
	.unmasked = true,
	.control = MSR_AMD_PERF_CTL0,
	.counter = MSR_AMD_PERF_CTR0,
	.stride = 2,
	PMU_SWITCHLESS,
	.reset = reset_core,
};

static const struct pmu_driver v2 = {
	.name = "AMD PerfMonV2",
	.unmasked = true,
	.control = MSR_AMD_PERF_CTL0,
	.counter = MSR_AMD_PERF_CTR0,
	.stride = 2,
	.enable = EVTSEL_EN,
	.program = program_amd,
	.clear = clear_amd,
	.start = start_amd,
	.stop = stop_amd,
	.holds = holds_amd,
	.running = running_amd,
	.has_switch = true,
	.master = MSR_AMD_PERF_CNTR_GLOBAL_CTL,
	.status = MSR_AMD_PERF_CNTR_GLOBAL_STATUS,
	.status_reset = MSR_AMD_PERF_CNTR_GLOBAL_STATUS_CLR,
	.overflowed = amd_overflowed,
	.ack = ack_amd,
	.reset = reset_v2,
};

static unsigned count_amd_counters(const struct pmu_caps *caps)
{
	if (caps->perfmon_v2 && caps->amd_core)
		return caps->amd_core;
	return caps->perfctr_core || caps->perfmon_v2 ? CORE_COUNTERS : K7_COUNTERS;
}

/* The four counters of K7 have no CPUID bit: the sanity check finds out whether they work. */
bool pmu_amd_probe(const struct pmu_caps *caps, struct pmu_hardware *hw)
{
	*hw = (struct pmu_hardware){
		.driver = caps->perfmon_v2     ? &v2
			  : caps->perfctr_core ? &core
					       : &k7,
		.counters = bits_low(count_amd_counters(caps)),
		.select_bits = EVTSEL_EVENT | EVTSEL_UMASK | EVTSEL_EDGE | EVTSEL_INV |
			       EVTSEL_CMASK | EVTSEL_AMD_EVENT_HI,
		.width = COUNTER_BITS,
		.max_period = bits_low(COUNTER_BITS - 1),
	};
	return true;
}
