// SPDX-License-Identifier: BSD-2-Clause
/*
 * counters.c - general counters, by Intel's architectural registers (SDM vol. 3, "Architectural
 * Performance Monitoring") or AMD's of PerfMonV2 (APM vol. 2, "Performance Monitoring Counters").
 */
#include "tests/guests/pmu/checks.h"

#include "arch/x86/dev/apic.h"
#include "arch/x86/insn.h"
#include "lib/printf.h"

static const struct pmu_events intel = {.instructions = 0xc0, .branches = 0xc4, .cycles = 0x3c};
static const struct pmu_events amd = {.instructions = 0xc0, .branches = 0xc2, .cycles = 0x76};
const struct pmu_events *pmu_events;

void pmu_run_by(uint32_t msr, uint64_t counters, void (*code)(uint64_t), uint64_t argument);

static bool writes_full_width(void)
{
	return pmu.capabilities & PERF_CAP_FW_WRITE;
}

uint32_t pmu_selector_msr(unsigned i)
{
	return pmu.is_amd ? MSR_AMD_PERF_CTL0 + 2 * i : MSR_IA32_PERFEVTSEL0 + i;
}

uint32_t pmu_counter_msr(unsigned i)
{
	if (pmu.is_amd)
		return MSR_AMD_PERF_CTR0 + 2 * i;
	return (writes_full_width() ? MSR_IA32_A_PMC0 : MSR_IA32_PMC0) + i;
}

uint32_t pmu_control_msr(void)
{
	return pmu.is_amd ? MSR_AMD_PERF_CNTR_GLOBAL_CTL : MSR_IA32_PERF_GLOBAL_CTRL;
}

uint32_t pmu_status_msr(void)
{
	return pmu.is_amd ? MSR_AMD_PERF_CNTR_GLOBAL_STATUS : MSR_IA32_PERF_GLOBAL_STATUS;
}

uint32_t pmu_clear_msr(void)
{
	return pmu.is_amd ? MSR_AMD_PERF_CNTR_GLOBAL_STATUS_CLR : MSR_IA32_PERF_GLOBAL_STATUS_RESET;
}

void pmu_select(unsigned i, uint64_t selector)
{
	wrmsr(pmu_selector_msr(i), selector | EVTSEL_EN);
}

void pmu_set(unsigned i, uint64_t value)
{
	wrmsr(pmu_counter_msr(i), value & PMU_BITS(pmu.width));
}

uint64_t pmu_get(unsigned i)
{
	return rdmsr(pmu_counter_msr(i)) & PMU_BITS(pmu.width);
}

void pmu_control(uint64_t counters)
{
	wrmsr(pmu_control_msr(), counters);
}

uint64_t pmu_status(void)
{
	return rdmsr(pmu_status_msr());
}

void pmu_clear_status(uint64_t bits)
{
	wrmsr(pmu_clear_msr(), bits);
}

void pmu_set_lvt(uint32_t entry)
{
	world_apic_write(APIC_LVT_PC, entry);
	world_interrupts = world_nmis = 0;
	world_interrupted_at = 0;
}

/* AMD's before PerfMonV2 have neither a global control nor a status. */
static bool has_switch(void)
{
	return pmu.version;
}

static void clear_fixed(void)
{
	wrmsr(MSR_IA32_FIXED_CTR_CTRL, 0);
	for (unsigned i = 0; i < PMU_FIXED_END; i++)
		if (pmu_has_fixed(i))
			wrmsr(MSR_IA32_FIXED_CTR0 + i, 0);
}

void pmu_reset(void)
{
	pmu_events = pmu.is_amd ? &amd : &intel;
	if (has_switch())
		pmu_control(0);
	wrmsr(MSR_IA32_DEBUGCTL, 0);
	for (unsigned i = 0; i < pmu.counters; i++) {
		wrmsr(pmu_selector_msr(i), 0);
		pmu_set(i, 0);
	}
	if (pmu.fixed)
		clear_fixed();
	if (has_switch())
		pmu_clear_status(pmu_status());
	pmu_set_lvt(APIC_LVT_MASKED | WORLD_VECTOR);
	world_on_interrupt = NULL;
}

void pmu_run(uint64_t counters, void (*code)(uint64_t), uint64_t argument)
{
	pmu_run_by(pmu_control_msr(), counters, code, argument);
}

uint64_t pmu_count(unsigned i, uint64_t selector, void (*code)(uint64_t), uint64_t argument)
{
	uint64_t count;

	pmu_select(i, selector);
	pmu_set(i, 0);
	pmu_run(1ull << i, code, argument);
	count = pmu_get(i);
	wrmsr(pmu_selector_msr(i), 0);
	return count;
}

/* --- Checks of registers --- */

static const char *in_words(const char *what, va_list args)
{
	static char text[200];

	fmt_vprint(text, sizeof(text), what, args);
	return text;
}

void pmu_gp_on_write(uint32_t msr, uint64_t value, const char *what, ...)
{
	va_list args;

	va_start(args, what);
	pmu_ok(!wrmsr_safe(msr, value), "#GP: %x takes no %llx: %s", msr, (unsigned long long)value,
	       in_words(what, args));
	va_end(args);
}

void pmu_gp_on_read(uint32_t msr, const char *what, ...)
{
	uint64_t value;
	va_list args;

	va_start(args, what);
	pmu_ok(!rdmsr_safe(msr, &value), "#GP: there is no %x: %s", msr, in_words(what, args));
	va_end(args);
}

void pmu_keeps(uint32_t msr, uint64_t value, const char *what, ...)
{
	const bool taken = wrmsr_safe(msr, value);
	uint64_t got = 0;
	const char *text;
	va_list args;

	va_start(args, what);
	text = in_words(what, args);
	va_end(args);
	if (!taken || !rdmsr_safe(msr, &got))
		pmu_ok(false, "%x takes %llx: %s", msr, (unsigned long long)value, text);
	else
		pmu_is(got, value, "%x keeps %llx: %s", msr, (unsigned long long)value, text);
}
