// SPDX-License-Identifier: BSD-2-Clause
/*
 * intel.c - Intel's architectural performance monitoring, versions 1 to 6. Version 1 has no master
 * switch. From version 2 on, IA32_PERF_GLOBAL_CTRL starts and stops all counters at once, and
 * IA32_PERF_GLOBAL_STATUS reports overflows. The register that clears status bits has the same
 * number in all versions, whatever its name. SDM vol. 3, "Architectural Performance Monitoring".
 */
#include "arch/x86/insn.h"
#include "arch/x86/msr.h"
#include "arch/x86/portable/quirks.h"
#include "lib/bits.h"
#include "pmu/driver/driver.h"

#define FIXED_CTRL_FIELD (0xfull | FIXED_CTRL_ADAPTIVE)

/* The last value written to IA32_FIXED_CTR_CTRL, which all fixed counters share. */
static PERCPU uint64_t fixed_ctrl;

static bool is_fixed(const struct pmu_place *place)
{
	return place->index >= GLOBAL_FIXED_SHIFT;
}

static void set_fixed(unsigned fixed, uint64_t mode)
{
	fixed_ctrl &= ~(FIXED_CTRL_FIELD << FIXED_CTRL_SHIFT(fixed));
	fixed_ctrl |= mode << FIXED_CTRL_SHIFT(fixed);
	wrmsr(MSR_IA32_FIXED_CTR_CTRL, fixed_ctrl);
}

static uint64_t fixed_mode(uint64_t config)
{
	return (config & EVTSEL_OS ? FIXED_CTRL_OS : 0) |
	       (config & EVTSEL_USR ? FIXED_CTRL_USR : 0) |
	       (config & EVTSEL_INT ? FIXED_CTRL_PMI : 0) |
	       (config & EVTSEL_ANY ? FIXED_CTRL_ANY : 0) |
	       (config & EVTSEL_ADAPTIVE ? FIXED_CTRL_ADAPTIVE : 0);
}

static void program_intel(const struct pmu_place *place, uint64_t config)
{
	if (is_fixed(place))
		set_fixed(place->index - GLOBAL_FIXED_SHIFT, fixed_mode(config));
	else
		wrmsr(place->control, config | EVTSEL_EN);
}

static void clear_intel(const struct pmu_place *place)
{
	if (is_fixed(place))
		set_fixed(place->index - GLOBAL_FIXED_SHIFT, 0);
	else
		wrmsr(place->control, 0);
}

/*
 * All fixed counters share a register. A field that the firmware changed keeps its value when the
 * others are written.
 */
static bool holds_fixed(unsigned fixed, uint64_t mode)
{
	const unsigned shift = FIXED_CTRL_SHIFT(fixed);
	const uint64_t field = FIXED_CTRL_FIELD << shift, now = rdmsr(MSR_IA32_FIXED_CTR_CTRL);

	if (!((now ^ mode << shift) & field))
		return true;
	fixed_ctrl = (fixed_ctrl & ~field) | (now & field);
	return false;
}

static bool holds_intel(const struct pmu_place *place, uint64_t config)
{
	if (is_fixed(place))
		return holds_fixed(place->index - GLOBAL_FIXED_SHIFT, fixed_mode(config));
	return pmu_control_is(place->control, config);
}

static uint64_t running_intel(void)
{
	return rdmsr(MSR_IA32_PERF_GLOBAL_CTRL);
}

static void start_intel(uint64_t counters)
{
	wrmsr(MSR_IA32_PERF_GLOBAL_CTRL, counters | pmu_kept);
}

static void stop_intel(void)
{
	wrmsr(MSR_IA32_PERF_GLOBAL_CTRL, pmu_kept);
}

static uint64_t intel_overflowed(void)
{
	return rdmsr(MSR_IA32_PERF_GLOBAL_STATUS);
}

static void ack_intel(uint64_t status)
{
	wrmsr(MSR_IA32_PERF_GLOBAL_STATUS_RESET, status);
}

static void reset_general(uint64_t counters)
{
	for (counters &= bits_low(GLOBAL_FIXED_SHIFT); counters; counters &= counters - 1)
		wrmsr_safe(MSR_IA32_PERFEVTSEL0 + bits_first(counters), 0);
}

static void reset_intel(uint64_t counters)
{
	uint64_t status;

	wrmsr_safe(MSR_IA32_PERF_GLOBAL_CTRL, 0);
	reset_general(counters);
	fixed_ctrl = pmu_kept = 0;
	wrmsr_safe(MSR_IA32_FIXED_CTR_CTRL, 0);
	if (rdmsr_safe(MSR_IA32_PERF_GLOBAL_STATUS, &status) && status)
		wrmsr_safe(MSR_IA32_PERF_GLOBAL_STATUS_RESET, status);
}

/*
 * QUIRK_COUNTERS_RESET, errata AAK100, AAP53, BD53: after counters were programmed, all four run
 * with event selects that make them count, and are restored. Linux's intel_pmu_nhm_workaround()
 * does the same.
 */
static PERCPU bool is_programmed; /* since start() */

static void reset_counters(void)
{
	static const uint64_t selects[] = {0x4300b5, 0x4300d2, 0x4300b1, 0x4300b1};
	enum { N = sizeof(selects) / sizeof(selects[0]) };
	uint64_t select[N], count[N];

	for (unsigned i = 0; i < N; i++) {
		select[i] = rdmsr(MSR_IA32_PERFEVTSEL0 + i);
		count[i] = rdmsr(MSR_IA32_PMC0 + i);
		wrmsr(MSR_IA32_PERFEVTSEL0 + i, selects[i]);
		wrmsr(MSR_IA32_PMC0 + i, 0);
	}
	wrmsr(MSR_IA32_PERF_GLOBAL_CTRL, bits_low(N));
	wrmsr(MSR_IA32_PERF_GLOBAL_CTRL, 0);
	for (unsigned i = 0; i < N; i++) {
		wrmsr(MSR_IA32_PMC0 + i, count[i]);
		wrmsr(MSR_IA32_PERFEVTSEL0 + i, select[i]);
	}
}

static void program_nehalem(const struct pmu_place *place, uint64_t config)
{
	program_intel(place, config);
	is_programmed |= !is_fixed(place);
}

/* program_intel() has added the enable bit. */
static bool holds_nehalem(const struct pmu_place *place, uint64_t config)
{
	return holds_intel(place, config && !is_fixed(place) ? config | EVTSEL_EN : config);
}

static void start_nehalem(uint64_t counters)
{
	if (is_programmed)
		reset_counters();
	is_programmed = false;
	start_intel(counters);
}

static const struct pmu_driver version_1 = {
	.name = "Intel architectural perfmon version 1",
	.control = MSR_IA32_PERFEVTSEL0,
	.counter = MSR_IA32_PMC0,
	.stride = 1,
	PMU_SWITCHLESS,
	.reset = reset_general,
};

/* The operations of all versions from 2 on, but for program() and start(). */
#define VERSION_2_ON                                                                              \
	.name = "Intel architectural perfmon", .control = MSR_IA32_PERFEVTSEL0,                   \
	.counter = MSR_IA32_PMC0, .stride = 1, .clear = clear_intel, .stop = stop_intel,          \
	.running = running_intel, .has_switch = true, .master = MSR_IA32_PERF_GLOBAL_CTRL,        \
	.status = MSR_IA32_PERF_GLOBAL_STATUS, .status_reset = MSR_IA32_PERF_GLOBAL_STATUS_RESET, \
	.fixed_control = MSR_IA32_FIXED_CTR_CTRL, .overflowed = intel_overflowed,                 \
	.ack = ack_intel, .reset = reset_intel

static const struct pmu_driver version_2_on = {
	VERSION_2_ON,         .enable = EVTSEL_EN,  .program = program_intel,
	.start = start_intel, .holds = holds_intel, .quick = true,
};

static const struct pmu_driver nehalem = {
	VERSION_2_ON,
	.program = program_nehalem,
	.start = start_nehalem,
	.holds = holds_nehalem,
};

static const struct pmu_driver *driver_for(const struct pmu_caps *caps)
{
	if (has_quirk(caps, QUIRK_COUNTERS_RESET))
		return &nehalem;
	return caps->version == 1 ? &version_1 : &version_2_on;
}

/*
 * The old counter registers take 32 bits and sign-extend them; "Full-Width Writes" take all bits.
 */
#define NARROW_WRITE_BITS 32
#define INUSE_VERSION     4

bool pmu_intel_probe(const struct pmu_caps *caps, struct pmu_hardware *hw)
{
	unsigned write_bits;

	if (!caps->version || !caps->gp_mask || !caps->gp_width)
		return false;
	*hw = (struct pmu_hardware){
		.driver = driver_for(caps),
		.counters = caps->gp_mask | (uint64_t)caps->fixed_mask << GLOBAL_FIXED_SHIFT,
		.select_bits = EVTSEL_EVENT | EVTSEL_UMASK | EVTSEL_EDGE | EVTSEL_INV |
			       EVTSEL_CMASK | (caps->any_thread_deprecated ? 0 : EVTSEL_ANY) |
			       (caps->umask2 ? EVTSEL_INTEL_UMASK2 : 0) |
			       (caps->eq_bit ? EVTSEL_INTEL_EQ : 0),
		.width = caps->gp_width,
		.has_inuse = caps->version >= INUSE_VERSION,
		.full_width_writes = caps->perf_capabilities & PERF_CAP_FW_WRITE,
	};
	write_bits = hw->full_width_writes ? hw->width : NARROW_WRITE_BITS;
	hw->max_period = bits_low(write_bits - 1);
	return true;
}
