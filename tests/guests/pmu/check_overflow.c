// SPDX-License-Identifier: BSD-2-Clause
/*
 * check_overflow.c - widths of counters, overflows, their status bits and interrupts, and freezing.
 * SDM vol. 3, "Architectural Performance Monitoring Version 2" and "4"; APM vol. 2, "Performance
 * Counter MSRs".
 */
#include "tests/guests/pmu/checks.h"

#include "arch/x86/dev/apic.h"
#include "arch/x86/insn.h"

#define TURNS 1000

/* Instructions of pmu_run() that are counted around those of the code. */
static uint64_t count_around(void)
{
	return pmu_count(0, pmu_events->instructions | PMU_BOTH, pmu_loop, TURNS) - 2 * TURNS;
}

static bool writes_full_width(void)
{
	return pmu.capabilities & PERF_CAP_FW_WRITE;
}

/* --- Widths --- */

static void check_legacy_writes(void)
{
	const uint64_t all = PMU_BITS(pmu.width);

	wrmsr(MSR_IA32_PMC0, 0x7fffffff);
	pmu_is(rdmsr(MSR_IA32_PMC0), 0x7fffffff, "IA32_PMC0 takes 31 bits as they are");
	wrmsr(MSR_IA32_PMC0, 0x80000000);
	pmu_is(rdmsr(MSR_IA32_PMC0), all & ~0x7fffffffull, "bit 31 goes into all above");
	wrmsr(MSR_IA32_PMC0, 0x1234567887654321);
	pmu_is(rdmsr(MSR_IA32_PMC0), (all & ~0xffffffffull) | 0x87654321,
	       "what is written to its upper half is not taken");
}

static void check_full_writes(void)
{
	const uint64_t all = PMU_BITS(pmu.width);

	for (unsigned i = 0; i < pmu.counters; i++) {
		pmu_keeps(MSR_IA32_A_PMC0 + i, all, "all bits of counter %u", i);
		pmu_keeps(MSR_IA32_A_PMC0 + i, 0x87654321, "no sign of counter %u", i);
		pmu_is(rdmsr(MSR_IA32_PMC0 + i), 0x87654321,
		       "counter %u has one value by two names", i);
		pmu_gp_on_write(MSR_IA32_A_PMC0 + i, 1ull << pmu.width, "beyond its width");
		pmu_gp_on_write(MSR_IA32_A_PMC0 + i, 1ull << 63, "beyond its width");
	}
	if (!pmu_names_next())
		return;
	pmu_gp_on_write(MSR_IA32_A_PMC0 + pmu.counters, 0, "there is no such counter");
	pmu_gp_on_read(MSR_IA32_A_PMC0 + pmu.counters, "there is no such counter");
}

/* The counter goes on from 0 behind its last value. */
static void check_wrap(unsigned i)
{
	const uint64_t most = PMU_BITS(pmu.width), around = count_around();

	pmu_select(i, pmu_events->instructions | PMU_BOTH);
	pmu_set(i, most - 99);
	pmu_run(1ull << i, pmu_loop, TURNS);
	pmu_is(pmu_get(i), 2 * TURNS + around - 100, "counter %u wraps at %u bits", i, pmu.width);
	pmu_is(pmu_status() & PMU_BITS(pmu.counters), 1ull << i, "its bit is set in the status");
	pmu_clear_status(1ull << i);
	pmu_is(pmu_status() & PMU_BITS(pmu.counters), 0, "and cleared by writing it");
	wrmsr(pmu_selector_msr(i), 0);
}

void pmu_check_widths(void)
{
	if (!pmu.is_amd) {
		check_legacy_writes();
		if (writes_full_width())
			check_full_writes();
	}
	for (unsigned i = 0; i < pmu.counters; i++)
		check_wrap(i);
}

/* --- Overflows --- */

static volatile uint64_t status_there, control_there, lvt_there;

static void note_registers(void)
{
	status_there = pmu_status();
	control_there = rdmsr(pmu_control_msr());
	lvt_there = world_apic_read(APIC_LVT_PC);
}

/* A counter overflows within the loop, and its interrupt may come. */
static void overflow_once(unsigned i, uint64_t more, uint32_t lvt)
{
	status_there = control_there = lvt_there = 0;
	world_on_interrupt = note_registers;
	pmu_set_lvt(lvt);
	pmu_select(i, pmu_events->instructions | PMU_BOTH | more);
	pmu_set(i, -(uint64_t)TURNS);
	pmu_run(1ull << i, pmu_loop, 4 * TURNS);
	world_on_interrupt = NULL;
}

static bool is_in_loop(uint64_t rip)
{
	return rip >= (uint64_t)pmu_loop && rip < (uint64_t)pmu_loop + 16;
}

static void check_nmi(unsigned i)
{
	overflow_once(i, EVTSEL_INT, APIC_LVT_NMI);
	pmu_is(world_nmis, 1, "counter %u: one NMI", i);
	pmu_is(world_interrupts, 0, "counter %u: nothing else", i);
	pmu_is(status_there & PMU_BITS(pmu.counters), 1ull << i,
	       "counter %u: the handler finds its bit", i);
	pmu_ok(is_in_loop(world_interrupted_at), "counter %u: it came in the loop", i);
	pmu_is(!!(lvt_there & APIC_LVT_MASKED), !pmu.is_amd, "counter %u: the LVT entry is %s then",
	       i, pmu.is_amd ? "not masked" : "masked");
	pmu_is(!!(world_apic_read(APIC_LVT_PC) & APIC_LVT_MASKED), !pmu.is_amd,
	       "counter %u: and stays so", i);
	pmu_clear_status(1ull << i);
	wrmsr(pmu_selector_msr(i), 0);
}

/* SDM vol. 3, "Local Vector Table": Intel masks the entry with the first one. */
static void overflow_again(void)
{
	pmu_set(0, -(uint64_t)TURNS);
	pmu_run(1, pmu_loop, 4 * TURNS);
}

static void check_mask(void)
{
	overflow_once(0, EVTSEL_INT, APIC_LVT_NMI);
	overflow_again();
	pmu_is(world_nmis, pmu.is_amd ? 2 : 1,
	       "a second overflow, with the entry as the first left it");
	pmu_clear_status(1);
	pmu_set_lvt(APIC_LVT_NMI);
	pmu_is(world_nmis, 0, "none waits for the entry to be unmasked");
	overflow_again();
	pmu_is(world_nmis, 1, "the next one comes by the entry that is unmasked");
	pmu_clear_status(1);
	overflow_once(0, EVTSEL_INT, APIC_LVT_NMI | APIC_LVT_MASKED);
	pmu_is(world_nmis, 0, "none by an entry that is masked");
	pmu_is(pmu_status() & 1, 1, "but its status bit is there");
	pmu_clear_status(1);
}

static void check_silent(void)
{
	overflow_once(0, 0, APIC_LVT_NMI);
	pmu_is(world_nmis, 0, "no interrupt without INT");
	pmu_is(pmu_status() & 1, 1, "but its status bit is there");
	pmu_clear_status(1);
}

static void check_fixed_vector(void)
{
	irq_enable();
	overflow_once(0, EVTSEL_INT, WORLD_VECTOR);
	irq_disable();
	pmu_is(world_interrupts, 1, "by a vector: one interrupt");
	pmu_is(world_nmis, 0, "by a vector: no NMI");
	pmu_ok(is_in_loop(world_interrupted_at), "by a vector: it came in the loop");
	pmu_clear_status(1);
	overflow_once(0, EVTSEL_INT, WORLD_VECTOR);
	pmu_is(world_interrupts, 0, "it waits while interrupts are off");
	irq_enable();
	pmu_nothing(0);
	irq_disable();
	pmu_is(world_interrupts, 1, "and comes when they are on");
	pmu_clear_status(1);
}

/* Two counters that overflow with the same instruction have one interrupt. */
static void check_two(void)
{
	pmu_set_lvt(APIC_LVT_NMI);
	for (unsigned i = 0; i < 2; i++) {
		pmu_select(i, pmu_events->instructions | PMU_BOTH | EVTSEL_INT);
		pmu_set(i, -(uint64_t)TURNS);
	}
	pmu_run(3, pmu_loop, 4 * TURNS);
	pmu_is(world_nmis, 1, "two at once: one NMI");
	pmu_is(pmu_status() & PMU_BITS(pmu.counters), 3, "two at once: both bits");
	pmu_clear_status(1);
	pmu_is(pmu_status() & PMU_BITS(pmu.counters), 2, "one is cleared, the other stays");
	pmu_clear_status(2);
}

/* SDM vol. 3, "IA32_PERF_GLOBAL_STATUS_SET"; PPR, "PerfCntrGlobalStatusSet". */
static void check_status_set(void)
{
	const uint32_t set_msr =
		pmu.is_amd ? MSR_AMD_PERF_CNTR_GLOBAL_STATUS_SET : MSR_IA32_PERF_GLOBAL_STATUS_SET;

	if (!pmu.is_amd && pmu.version < 4) {
		pmu_gp_on_write(set_msr, 1, "STATUS_SET comes with version 4");
		pmu_gp_on_read(MSR_IA32_PERF_GLOBAL_INUSE, "INUSE comes with version 4");
		return;
	}
	pmu_set_lvt(APIC_LVT_NMI);
	wrmsr(set_msr, 3);
	pmu_is(pmu_status() & PMU_BITS(pmu.counters), 3, "STATUS_SET sets bits");
	wrmsr(set_msr, 4);
	pmu_is(pmu_status() & PMU_BITS(pmu.counters), 7, "and leaves the others");
	pmu_is(world_nmis, 0, "and no interrupt comes of it");
	pmu_clear_status(7);
	pmu_is(pmu_status() & PMU_BITS(pmu.counters), 0, "they are cleared as others");
}

void pmu_check_overflow(void)
{
	for (unsigned i = 0; i < pmu.counters; i++)
		check_nmi(i);
	check_mask();
	check_silent();
	check_fixed_vector();
	pmu_reset();
	check_two();
	check_status_set();
}

/*
 * --- SDM vol. 3, "Freezing LBR and Performance Counters on PMI" and "Streamlined
 * Freeze_PerfMon_On_PMI"; APM vol. 2, "Freeze on PMI" ---
 */

static bool is_streamlined(void)
{
	return pmu.is_amd || pmu.version >= 4;
}

static volatile uint64_t count_there, count_later;

static void note_frozen(void)
{
	note_registers();
	count_there = pmu_get(0);
	pmu_loop(TURNS);
	count_later = pmu_get(0);
}

static void overflow_frozen(void)
{
	wrmsr(MSR_IA32_DEBUGCTL, DEBUGCTL_FREEZE_PERFMON);
	world_on_interrupt = note_frozen;
	pmu_set_lvt(APIC_LVT_NMI);
	pmu_select(0, pmu_events->instructions | PMU_BOTH | EVTSEL_INT);
	pmu_select(1, pmu_events->instructions | PMU_BOTH);
	pmu_set(0, -(uint64_t)TURNS);
	pmu_set(1, 0);
	pmu_run(3, pmu_loop, 4 * TURNS);
	world_on_interrupt = NULL;
}

static void check_streamlined(void)
{
	pmu_is(!!(status_there & GLOBAL_STATUS_CTR_FRZ), 1, "the status says that they are frozen");
	pmu_is(control_there, 3, "the global control is as it was");
	pmu_clear_status(1);
	pmu_set(0, 7);
	pmu_run(1, pmu_loop, TURNS);
	pmu_is(pmu_get(0), 7, "they stay frozen until that bit is cleared");
	pmu_clear_status(GLOBAL_STATUS_CTR_FRZ);
	pmu_is(pmu_status() & (GLOBAL_STATUS_CTR_FRZ | 3), 0, "it is cleared by writing it");
	pmu_run(1, pmu_loop, TURNS);
	pmu_ok(pmu_get(0) >= 7 + 2 * TURNS, "then they count");
}

static void check_legacy(void)
{
	pmu_is(status_there & GLOBAL_STATUS_CTR_FRZ, 0, "there is no such status before version 4");
	pmu_is(control_there, 0, "the global control is cleared");
	pmu_clear_status(1);
}

void pmu_check_freeze(void)
{
	overflow_frozen();
	pmu_is(world_nmis, 1, "one NMI");
	pmu_is(count_later, count_there, "nothing is counted in the handler");
	pmu_is(pmu_get(0), count_there, "nor behind it");
	pmu_ok(pmu_get(1) < 4 * TURNS, "the other counter stands, too");
	if (is_streamlined())
		check_streamlined();
	else
		check_legacy();
	pmu_reset();
	overflow_once(0, EVTSEL_INT, APIC_LVT_NMI);
	pmu_ok(pmu_get(0) > 6 * TURNS, "without FREEZE_PERFMON_ON_PMI counting goes on");
	pmu_is(pmu_status() & GLOBAL_STATUS_CTR_FRZ, 0, "and nothing is frozen");
}
