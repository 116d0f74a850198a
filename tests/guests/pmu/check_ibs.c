// SPDX-License-Identifier: BSD-2-Clause
/* check_ibs.c - samples of a loop: APM vol. 2, "Instruction-Based Sampling"; CPUID 8000_001Bh. */
#include "tests/guests/pmu/checks.h"

#include "arch/x86/insn.h"

#define LEAF         0x8000001bu
#define HAS_FETCH    (1u << 1)
#define HAS_OP       (1u << 2)
#define HAS_OP_COUNT (1u << 4)
#define TURNS        20000
#define MOST         0x40 /* times 16 */
#define LOOP_BYTES   16

#define APIC_ICR       0x300u
#define ICR_SELF       0x40000u
#define APIC_EILVT     0x500u /* APM vol. 2, "Extended Interrupts" */
#define EILVT_SPAN     0x10u
#define IBS_LVT(v)     ((v)&0xf) /* of IBS_CONTROL */
#define IBS_LVT_VALID  (1u << 8)
#define LVT_NMI_MASKED 0x10400u

extern const uint8_t pmu_loop_branch[]; /* the JNZ */

static volatile uint64_t control, rip, data, address;

static bool is_in_loop(uint64_t at)
{
	return at >= (uint64_t)pmu_loop && at < (uint64_t)pmu_loop + LOOP_BYTES;
}

static void check_op(uint64_t more)
{
	uint64_t again;

	wrmsr(MSR_AMD_IBS_OP_CTL, MOST | IBS_OP_EN | more);
	pmu_loop(TURNS);
	control = rdmsr(MSR_AMD_IBS_OP_CTL);
	rip = rdmsr(MSR_AMD_IBS_OP_RIP);
	data = rdmsr(MSR_AMD_IBS_OP_DATA);
	pmu_loop(TURNS);
	again = rdmsr(MSR_AMD_IBS_OP_RIP);
	wrmsr(MSR_AMD_IBS_OP_CTL, 0);
	pmu_is(!!(control & IBS_OP_VAL), 1, "an operation was sampled");
	pmu_ok(is_in_loop(rip), "which is of the loop");
	pmu_is(!!(data & IBS_OP_BRANCH_RETIRED), rip == (uint64_t)pmu_loop_branch,
	       "it is a branch where it is the JNZ");
	pmu_is(data & IBS_OP_RETURN, 0, "and no return");
	pmu_is(again, rip, "no other one is sampled while it is valid");
	pmu_loop(TURNS);
	pmu_is(rdmsr(MSR_AMD_IBS_OP_CTL) & IBS_OP_VAL, 0, "nothing is sampled while it is off");
}

static void check_fetch(void)
{
	wrmsr(MSR_AMD_IBS_FETCH_CTL, MOST | IBS_FETCH_EN);
	pmu_loop(TURNS);
	control = rdmsr(MSR_AMD_IBS_FETCH_CTL);
	address = rdmsr(MSR_AMD_IBS_FETCH_LINEAR);
	wrmsr(MSR_AMD_IBS_FETCH_CTL, 0);
	pmu_is(!!(control & IBS_FETCH_VAL), 1, "a fetch was sampled");
	pmu_ok(address / 64 >= (uint64_t)pmu_loop / 64 && address < (uint64_t)pmu_loop + LOOP_BYTES,
	       "which is of the loop's line");
	pmu_is(!!(control & IBS_FETCH_COMP), 1, "and completed");
}

static void take_long(void)
{
	pmu_loop(TURNS);
}

/* The extended interrupt that is IBS', as software looks for it: and an interrupt comes there. */
static uint32_t read_interrupted_lvt(void)
{
	uint32_t lvt;

	world_apic_write(APIC_ICR, ICR_SELF | WORLD_VECTOR);
	control = rdmsr(MSR_AMD_IBS_CONTROL);
	__asm__ volatile("sti; nop" ::: "memory");
	lvt = world_apic_read(APIC_EILVT + EILVT_SPAN * IBS_LVT(control));
	pmu_loop(TURNS);
	__asm__ volatile("cli" ::: "memory");
	return lvt;
}

static void check_lvt(void)
{
	const unsigned before = world_interrupts;

	control = rdmsr(MSR_AMD_IBS_CONTROL);
	if (!(control & IBS_LVT_VALID))
		return;
	world_apic_write(APIC_EILVT + EILVT_SPAN * IBS_LVT(control), LVT_NMI_MASKED);
	world_on_interrupt = take_long;
	pmu_is(read_interrupted_lvt(), LVT_NMI_MASKED,
	       "its extended interrupt keeps what is written, where an interrupt comes, too");
	pmu_is(world_interrupts - before, 1, "that interrupt came");
	world_on_interrupt = NULL;
}

void pmu_check_ibs(void)
{
	uint32_t has;

	if (!pmu.has_ibs) {
		pmu_ok(true, "there is none");
		return;
	}
	has = insn_cpuid(LEAF, 0).eax;
	if (has & HAS_OP)
		check_op(0);
	if (has & HAS_OP && has & HAS_OP_COUNT)
		check_op(IBS_OP_COUNTS_OPS);
	if (has & HAS_FETCH)
		check_fetch();
	check_lvt();
	pmu_gp_on_write(MSR_AMD_IBS_CONTROL, 0, "it is read only");
}
