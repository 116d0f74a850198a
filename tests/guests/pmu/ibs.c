// SPDX-License-Identifier: BSD-2-Clause
/* ibs.c - samples of a loop: APM vol. 2, "Instruction-Based Sampling"; CPUID 8000_001Bh. */
#include "tests/guests/pmu/pmu.h"

#include "arch/x86/insn.h"

#define LEAF         0x8000001bu
#define HAS_FETCH    (1u << 1)
#define HAS_OP       (1u << 2)
#define HAS_OP_COUNT (1u << 4)
#define TURNS        20000
#define MOST         0x40 /* times 16 */
#define LOOP_BYTES   16

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
	pmu_gp_on_write(MSR_AMD_IBS_CONTROL, 0, "it is read only");
}
