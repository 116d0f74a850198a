// SPDX-License-Identifier: BSD-2-Clause
/*
 * registers.c - fixed counters, reserved bits, RDPMC and AMD's names: SDM vol. 3, "Architectural
 * Performance Monitoring"; SDM vol. 2, "RDPMC"; APM vol. 2, "Performance Monitoring Counters".
 */
#include "tests/guests/pmu/checks.h"

#include "arch/x86/dev/apic.h"
#include "arch/x86/insn.h"

#define TURNS         1000
#define FIXED_PARTS   4 /* from there on they count parts of the slots, which may be none */
#define FIXED_NAMES   7 /* FIXED_CTR6 is the last that SDM vol. 4 names */
#define FIXED_RDPMC   (1u << 30)
#define FAST_RDPMC    (1u << 31)
#define METRICS_RDPMC (1u << 29)
#define VECTOR_GP     13

/* --- Fixed counters --- */

static void run_fixed(unsigned i, uint64_t mode, uint64_t value, void (*code)(uint64_t))
{
	wrmsr(MSR_IA32_FIXED_CTR_CTRL, mode << FIXED_CTRL_SHIFT(i));
	wrmsr(MSR_IA32_FIXED_CTR0 + i, value);
	pmu_run(1ull << (GLOBAL_FIXED_SHIFT + i), code, TURNS);
}

static uint64_t count_fixed(unsigned i, uint64_t mode, void (*code)(uint64_t))
{
	run_fixed(i, mode, 0, code);
	return rdmsr(MSR_IA32_FIXED_CTR0 + i);
}

static void loop_in_ring3(uint64_t turns)
{
	world_in_ring3(pmu_loop, turns);
}

static void no_loop_in_ring3(uint64_t turns)
{
	(void)turns;
	world_in_ring3(pmu_nothing, 0);
}

/* Fixed counter 0: INST_RETIRED.ANY. */
static void check_instructions(void)
{
	const uint64_t os = FIXED_CTRL_OS, usr = FIXED_CTRL_USR;
	const uint64_t general = pmu_count(0, pmu_events->instructions | PMU_BOTH, pmu_loop, TURNS);

	pmu_is(count_fixed(0, os | usr, pmu_loop), general, "FIXED_CTR0 counts as a general one");
	pmu_is(count_fixed(0, os, pmu_loop), general, "of ring 0 with bit 0");
	pmu_is(count_fixed(0, usr, pmu_loop), 0, "not with bit 1");
	pmu_is(count_fixed(0, 0, pmu_loop), 0, "and not without both");
	pmu_is(count_fixed(0, usr, loop_in_ring3), 2 * TURNS + 5, "of ring 3 with bit 1");
	pmu_is(count_fixed(0, os, loop_in_ring3), count_fixed(0, os, no_loop_in_ring3),
	       "and bit 0 has nothing of that");
}

/* All of one run: instructions, cycles and reference cycles all go on. */
static void check_all_fixed(void)
{
	uint64_t modes = 0;

	for (unsigned i = 0; i < PMU_FIXED_END; i++) {
		if (!pmu_has_fixed(i))
			continue;
		modes |= (FIXED_CTRL_OS | FIXED_CTRL_USR) << FIXED_CTRL_SHIFT(i);
		wrmsr(MSR_IA32_FIXED_CTR0 + i, 0);
	}
	wrmsr(MSR_IA32_FIXED_CTR_CTRL, modes);
	pmu_select(0, pmu_events->cycles | PMU_BOTH);
	pmu_set(0, 0);
	pmu_run((uint64_t)pmu.fixed << GLOBAL_FIXED_SHIFT | 1, pmu_loop, TURNS);
	for (unsigned i = 0; i < FIXED_PARTS; i++)
		if (pmu_has_fixed(i))
			pmu_ok(rdmsr(MSR_IA32_FIXED_CTR0 + i) > 0, "FIXED_CTR%u counts", i);
	if (pmu_has_fixed(1))
		pmu_same_cycles(rdmsr(MSR_IA32_FIXED_CTR0 + 1), pmu_get(0),
				"FIXED_CTR1 has the cycles that a general counter has");
	wrmsr(pmu_selector_msr(0), 0);
}

static void check_fixed_overflow(unsigned i)
{
	const uint64_t bit = 1ull << (GLOBAL_FIXED_SHIFT + i);
	const uint64_t near = PMU_BITS(pmu.fixed_width) - 99;

	pmu_set_lvt(APIC_LVT_NMI);
	run_fixed(i, FIXED_CTRL_OS | FIXED_CTRL_PMI, near, pmu_loop);
	pmu_is(world_nmis, 1, "FIXED_CTR%u: one NMI", i);
	pmu_is(pmu_status() & ~GLOBAL_METRICS, bit, "FIXED_CTR%u: its status bit", i);
	pmu_clear_status(bit);
	pmu_set_lvt(APIC_LVT_NMI);
	run_fixed(i, FIXED_CTRL_OS, near, pmu_loop);
	pmu_is(world_nmis, 0, "FIXED_CTR%u: no NMI without bit 3", i);
	pmu_is(pmu_status() & ~GLOBAL_METRICS, bit, "FIXED_CTR%u: but its status bit", i);
	pmu_clear_status(bit);
}

static void check_fixed_register(unsigned i)
{
	const uint64_t all = PMU_BITS(pmu.fixed_width);

	pmu_keeps(MSR_IA32_FIXED_CTR0 + i, all, "all bits of FIXED_CTR%u", i);
	pmu_gp_on_write(MSR_IA32_FIXED_CTR0 + i, all + 1, "beyond its width");
	for (unsigned bit = 0; bit < 4; bit++)
		if (bit != 2)
			pmu_keeps(MSR_IA32_FIXED_CTR_CTRL, 1ull << (FIXED_CTRL_SHIFT(i) + bit),
				  "bit %u of FIXED_CTR%u", bit, i);
	if (pmu.version >= 5)
		pmu_gp_on_write(MSR_IA32_FIXED_CTR_CTRL, FIXED_CTRL_ANY << FIXED_CTRL_SHIFT(i),
				"AnyThread of FIXED_CTR%u is no more", i);
}

static void check_no_fixed_register(unsigned i)
{
	pmu_gp_on_write(MSR_IA32_FIXED_CTR_CTRL, FIXED_CTRL_OS << FIXED_CTRL_SHIFT(i),
			"of a counter that is not there");
	pmu_gp_on_read(MSR_IA32_FIXED_CTR0 + i, "there is no such fixed counter");
}

void pmu_check_fixed(void)
{
	if (!pmu.fixed) {
		pmu_ok(pmu.is_amd, "Intel's version 2 has fixed counters, AMD none");
		return;
	}
	check_instructions();
	check_all_fixed();
	for (unsigned i = 0; i < FIXED_PARTS; i++)
		if (pmu_has_fixed(i))
			check_fixed_overflow(i);
	for (unsigned i = 0; i < FIXED_NAMES; i++)
		if (pmu_has_fixed(i))
			check_fixed_register(i);
		else
			check_no_fixed_register(i);
}

/* --- Reserved bits --- */

static const struct selector_bit {
	uint64_t bit;
	const char *name;
} selector_bits[] = {
	{EVTSEL_USR, "USR"}, {EVTSEL_OS, "OS"},     {EVTSEL_EDGE, "E"},
	{EVTSEL_INT, "INT"}, {EVTSEL_EN, "EN"},     {EVTSEL_INV, "INV"},
	{0xff00, "UMASK"},   {0xff000000, "CMASK"}, {0xff, "event"},
};

/* A selector has UMASK2 and EQ where leaf 23H announces them. */
static void check_wide_selector(unsigned i)
{
	const uint32_t msr = pmu_selector_msr(i);

	if (pmu.has_umask2)
		pmu_keeps(msr, EVTSEL_INTEL_UMASK2, "UMASK2 of selector %u", i);
	else
		pmu_gp_on_write(msr, 1ull << 40, "there is no UMASK2");
	if (pmu.has_eq)
		pmu_keeps(msr, EVTSEL_INTEL_EQ, "EQ of selector %u", i);
	else
		pmu_gp_on_write(msr, EVTSEL_INTEL_EQ, "there is no EQ");
	pmu_gp_on_write(msr, 1ull << 63, "bit 63 of a selector is reserved");
}

static void check_selector(unsigned i)
{
	for (size_t k = 0; k < sizeof(selector_bits) / sizeof(*selector_bits); k++)
		pmu_keeps(pmu_selector_msr(i), selector_bits[k].bit, "%s of selector %u",
			  selector_bits[k].name, i);
	if (!pmu.is_amd)
		check_wide_selector(i);
	wrmsr(pmu_selector_msr(i), 0);
}

static void check_global(void)
{
	const uint64_t all = PMU_BITS(pmu.counters) | (uint64_t)pmu.fixed << GLOBAL_FIXED_SHIFT;

	pmu_keeps(MSR_IA32_PERF_GLOBAL_CTRL, all, "all counters");
	pmu_gp_on_write(MSR_IA32_PERF_GLOBAL_CTRL, 1ull << pmu.counters, "no such counter");
	for (unsigned i = 0; i < FIXED_NAMES; i++)
		if (!pmu_has_fixed(i))
			pmu_gp_on_write(MSR_IA32_PERF_GLOBAL_CTRL, 1ull << (GLOBAL_FIXED_SHIFT + i),
					"no such fixed counter");
	pmu_gp_on_write(MSR_IA32_PERF_GLOBAL_CTRL, 1ull << 63, "a reserved bit");
	pmu_is(rdmsr(MSR_IA32_PERF_GLOBAL_CTRL), all, "what faults changes nothing");
	pmu_control(0);
	pmu_gp_on_write(MSR_IA32_PERF_GLOBAL_STATUS, 0, "the status is read only");
	pmu_gp_on_write(MSR_IA32_PERF_GLOBAL_STATUS_RESET, 1ull << pmu.counters, "no such counter");
	pmu_gp_on_write(MSR_IA32_PERF_CAPABILITIES, pmu.capabilities, "it is read only");
	if (!pmu_names_next())
		return;
	pmu_gp_on_read(MSR_IA32_PERFEVTSEL0 + pmu.counters, "no such selector");
	pmu_gp_on_write(MSR_IA32_PERFEVTSEL0 + pmu.counters, 0, "no such selector");
	pmu_gp_on_write(MSR_IA32_PMC0 + pmu.counters, 0, "no such counter");
}

/* SDM vol. 3, "IA32_PERF_GLOBAL_INUSE MSR". */
static void check_inuse(void)
{
	const uint64_t pmi = 1ull << 63;

	pmu_gp_on_write(MSR_IA32_PERF_GLOBAL_INUSE, 0, "INUSE is read only");
	pmu_is(rdmsr(MSR_IA32_PERF_GLOBAL_INUSE), 0, "nothing is in use");
	wrmsr(pmu_selector_msr(1), pmu_events->instructions);
	pmu_is(rdmsr(MSR_IA32_PERF_GLOBAL_INUSE), 2, "a selector with an event is");
	wrmsr(pmu_selector_msr(1), EVTSEL_OS);
	pmu_is(rdmsr(MSR_IA32_PERF_GLOBAL_INUSE), 0, "one without is not");
	wrmsr(pmu_selector_msr(0), pmu_events->instructions | EVTSEL_INT);
	pmu_is(rdmsr(MSR_IA32_PERF_GLOBAL_INUSE), 1 | pmi, "with INT so is the interrupt");
	wrmsr(pmu_selector_msr(0), 0);
	wrmsr(MSR_IA32_FIXED_CTR_CTRL, FIXED_CTRL_OS << FIXED_CTRL_SHIFT(1));
	pmu_is(rdmsr(MSR_IA32_PERF_GLOBAL_INUSE), 2ull << GLOBAL_FIXED_SHIFT,
	       "a fixed counter that is on is");
	wrmsr(MSR_IA32_FIXED_CTR_CTRL, FIXED_CTRL_PMI);
	pmu_is(rdmsr(MSR_IA32_PERF_GLOBAL_INUSE), pmi, "and its interrupt");
	wrmsr(MSR_IA32_FIXED_CTR_CTRL, 0);
	wrmsr(pmu_selector_msr(1), 0);
}

static void check_intel(void)
{
	check_global();
	if (pmu.version >= 4)
		check_inuse();
	pmu_gp_on_write(MSR_IA32_PEBS_ENABLE, 1ull << 63, "a reserved bit");
	pmu_gp_on_write(MSR_IA32_PEBS_ENABLE, 1ull << pmu.counters, "no such counter");
	pmu_gp_on_write(MSR_IA32_DEBUGCTL, 1ull << 63, "a reserved bit");
	pmu_keeps(MSR_IA32_DEBUGCTL, DEBUGCTL_FREEZE_LBRS | DEBUGCTL_FREEZE_PERFMON, "both freeze");
	wrmsr(MSR_IA32_DEBUGCTL, 0);
	if (!pmu.has_debug_store)
		return;
	pmu_keeps(MSR_IA32_DS_AREA, 0x123456789000, "a linear address");
	pmu_gp_on_write(MSR_IA32_DS_AREA, 1ull << 63, "an address that is not canonical");
	wrmsr(MSR_IA32_DS_AREA, 0);
}

void pmu_check_reserved(void)
{
	for (unsigned i = 0; i < pmu.counters; i++)
		check_selector(i);
	if (!pmu.is_amd)
		check_intel();
}

/* --- RDPMC --- */

static volatile uint64_t read_in_ring3;

static void read_counter(uint64_t index)
{
	read_in_ring3 = rdpmc((uint32_t)index);
}

static void check_index(uint32_t index, uint64_t wanted)
{
	uint64_t value;

	pmu_ok(rdpmc_safe(index, &value), "ring 0 reads %x", index);
	pmu_is(value, wanted, "and has what is in the counter");
}

static void check_ring3(uint32_t index, uint64_t wanted)
{
	const uint64_t cr4 = read_cr4();

	write_cr4(cr4 & ~CR4_PCE);
	pmu_is(world_in_ring3(read_counter, index), VECTOR_GP, "ring 3 reads no %x without CR4.PCE",
	       index);
	write_cr4(cr4 | CR4_PCE);
	pmu_is(world_in_ring3(read_counter, index), WORLD_RETURNED, "ring 3 reads %x with it",
	       index);
	pmu_is(read_in_ring3, wanted, "and has what is in the counter");
	write_cr4(cr4);
}

static void check_no_index(uint32_t index, const char *why)
{
	const uint64_t cr4 = read_cr4();
	uint64_t value;

	pmu_ok(!rdpmc_safe(index, &value), "#GP: RDPMC has no %x: %s", index, why);
	write_cr4(cr4 | CR4_PCE);
	pmu_is(world_in_ring3(read_counter, index), VECTOR_GP, "#GP: RDPMC has no %x in ring 3",
	       index);
	write_cr4(cr4);
}

static void check_rdpmc_intel(void)
{
	for (unsigned i = 0; i < FIXED_NAMES; i++) {
		const uint64_t value = (0xabcdull << 32 | (0x1000 + i)) & PMU_BITS(pmu.fixed_width);

		if (!pmu_has_fixed(i)) {
			check_no_index(FIXED_RDPMC | i, "no such fixed counter");
			continue;
		}
		wrmsr(MSR_IA32_FIXED_CTR0 + i, value);
		check_index(FIXED_RDPMC | i, value);
		check_ring3(FIXED_RDPMC | i, value);
		wrmsr(MSR_IA32_FIXED_CTR0 + i, 0);
	}
	check_no_index(pmu.counters, "no such counter");
	check_no_index(FAST_RDPMC, "fast reads are not architectural");
	check_no_index(1u << 28, "a type that is reserved");
	if (pmu.capabilities & PERF_CAP_METRICS) {
		check_index(METRICS_RDPMC, rdmsr(MSR_PERF_METRICS));
		check_ring3(METRICS_RDPMC, rdmsr(MSR_PERF_METRICS));
		check_no_index(METRICS_RDPMC | 1, "there is one register of metrics");
	} else {
		check_no_index(METRICS_RDPMC, "there are no metrics");
	}
}

void pmu_check_rdpmc(void)
{
	for (unsigned i = 0; i < pmu.counters; i++) {
		const uint64_t value = (0x8765ull << 32 | (0x2000 + i)) & PMU_BITS(pmu.width);

		pmu_set(i, value);
		check_index(i, pmu_get(i));
		check_ring3(i, pmu_get(i));
		pmu_set(i, 0);
	}
	if (!pmu.is_amd)
		check_rdpmc_intel();
	else
		check_no_index(0xffffffff, "no such counter");
}

/* --- AMD's names --- */

#define AMD_LEGACY 4

static void check_aliases(unsigned i)
{
	wrmsr(MSR_K7_EVNTSEL0 + i, pmu_events->branches | EVTSEL_OS);
	pmu_is(rdmsr(MSR_AMD_PERF_CTL0 + 2 * i), pmu_events->branches | EVTSEL_OS,
	       "selector %u: what is written by the old name is there by the new one", i);
	wrmsr(MSR_AMD_PERF_CTL0 + 2 * i, pmu_events->cycles | EVTSEL_USR);
	pmu_is(rdmsr(MSR_K7_EVNTSEL0 + i), pmu_events->cycles | EVTSEL_USR,
	       "selector %u: and the other way round", i);
	wrmsr(MSR_K7_PERFCTR0 + i, 0x123456789abc + i);
	pmu_is(rdmsr(MSR_AMD_PERF_CTR0 + 2 * i), 0x123456789abc + i,
	       "counter %u: likewise, of full width", i);
	wrmsr(MSR_AMD_PERF_CTR0 + 2 * i, 0xcba987654321 - i);
	pmu_is(rdmsr(MSR_K7_PERFCTR0 + i), 0xcba987654321 - i, "counter %u: and back", i);
}

/* APM vol. 2, "Performance Event-Select Registers": event select 11:8 are bits 35:32. */
static void check_amd_selector(void)
{
	pmu_keeps(MSR_AMD_PERF_CTL0, EVTSEL_AMD_EVENT_HI, "upper bits of the event");
	pmu_keeps(MSR_AMD_PERF_CTL0, 3ull << 40, "host and guest");
}

static void check_amd_control(void)
{
	pmu_keeps(MSR_AMD_PERF_CNTR_GLOBAL_CTL, PMU_BITS(pmu.counters), "all counters");
	pmu_control(0);
	pmu_keeps(MSR_IA32_DEBUGCTL, DEBUGCTL_FREEZE_PERFMON, "freeze counters on PMI");
	wrmsr(MSR_IA32_DEBUGCTL, 0);
}

void pmu_check_amd(void)
{
	if (!pmu.is_amd) {
		pmu_ok(!pmu.is_amd, "this is no CPU of AMD's");
		return;
	}
	for (unsigned i = 0; i < AMD_LEGACY; i++)
		check_aliases(i);
	check_amd_selector();
	check_amd_control();
}
