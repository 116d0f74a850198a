// SPDX-License-Identifier: BSD-2-Clause
/* guest_pmu.c - makes vpmu look at each instruction: SDM vol. 3, "Processor Event Based Sampling".
 */
#include "tests/guests/guests.h"

#include "arch/x86/dev/apic.h"
#include "arch/x86/insn.h"
#include "arch/x86/msr.h"
#include "lib/string.h"

#define COUNTER       1
#define COUNTER_WIDTH 48
#define PREC_DIST     0x4301c0 /* INST_RETIRED.PREC_DIST, which this counter alone has; both rings */
#define BRANCHES      0x4300c4 /* BR_INST_RETIRED.ALL_BRANCHES */
#define PERIOD        30
#define RECORD_BYTES  0xc8

/* The DS save area, of 64-bit fields. */
static struct {
	uint64_t branches[4];
	uint64_t base, index, maximum, threshold;
	uint64_t reset[8];
} area;
static uint8_t records[16384 * RECORD_BYTES];

uint32_t guest_count_branches(uint32_t turns)
{
	const uint64_t flags = irq_save();

	wrmsr(MSR_IA32_PERF_GLOBAL_CTRL, 0);
	wrmsr(MSR_IA32_PERFEVTSEL0, BRANCHES);
	wrmsr(MSR_IA32_PMC0, 0);
	wrmsr(MSR_IA32_PERF_GLOBAL_CTRL, 1);
	__asm__ volatile("1: dec %0; jnz 1b" : "+r"(turns)::"cc");
	wrmsr(MSR_IA32_PERF_GLOBAL_CTRL, 0);
	irq_restore(flags);
	return (uint32_t)rdmsr(MSR_IA32_PMC0);
}

void guest_count_once(uint32_t instructions)
{
	wrmsr(MSR_IA32_PERF_GLOBAL_CTRL, 0);
	wrmsr(MSR_IA32_PERFEVTSEL0 + COUNTER, PREC_DIST | EVTSEL_INT);
	wrmsr(MSR_IA32_PMC0 + COUNTER, (uint32_t)-instructions);
	wrmsr(MSR_IA32_PERF_GLOBAL_CTRL, 1u << COUNTER);
}

void guest_count_stop(void)
{
	wrmsr(MSR_IA32_PERF_GLOBAL_CTRL, 0);
}

static void count_precisely(uint64_t select)
{
	area.base = area.index = (uint64_t)records;
	area.maximum = area.threshold = (uint64_t)records + sizeof(records);
	area.reset[COUNTER] = -(uint64_t)PERIOD;
	wrmsr(MSR_IA32_DS_AREA, (uint64_t)&area);
	wrmsr(MSR_IA32_PERFEVTSEL0 + COUNTER, select);
	wrmsr(MSR_IA32_PMC0 + COUNTER, (uint32_t)-PERIOD);
	wrmsr(MSR_IA32_PEBS_ENABLE, 1u << COUNTER);
	wrmsr(MSR_IA32_PERF_GLOBAL_CTRL, 1u << COUNTER);
}

void guest_count_closely(void)
{
	count_precisely(PREC_DIST);
}

void guest_count_ring3_closely(void)
{
	count_precisely(PREC_DIST & ~EVTSEL_OS);
}

bool guest_record_is_due(void)
{
	return !(rdmsr(MSR_IA32_PMC0 + COUNTER) >> (COUNTER_WIDTH - 1) & 1);
}

void guest_count_no_more(void)
{
	wrmsr(MSR_IA32_PERF_GLOBAL_CTRL, 0);
	wrmsr(MSR_IA32_PEBS_ENABLE, 0);
	guest_print("PMU: %d records", area.index > area.base);
}

void guest_count_rings(void)
{
	wrmsr(MSR_IA32_PERFEVTSEL0, (BRANCHES & ~EVTSEL_OS));
	wrmsr(MSR_IA32_PERF_GLOBAL_CTRL, 1);
}

void guest_count_variously(void (*what)(void))
{
	guest_print("as it is");
	what();
	guest_print("with rings told apart");
	guest_count_rings();
	what();
	wrmsr(MSR_IA32_PERF_GLOBAL_CTRL, 0);
	wrmsr(MSR_IA32_PERFEVTSEL0, 0);
	guest_print("looked at closely");
	guest_count_closely();
	what();
	guest_count_no_more();
}
