// SPDX-License-Identifier: BSD-2-Clause
/*
 * check_lbr.c - last branch records of a sequence of branches that is known: SDM vol. 3, "Last
 * Branch, Interrupt, and Exception Recording" and "Architectural Last Branch Records"; APM vol. 2,
 * "Last Branch Stack Registers".
 */
#include "tests/guests/pmu/checks.h"

#include "arch/x86/dev/apic.h"
#include "arch/x86/insn.h"

#define RECORDS_MAX  32
#define OLD_RECORDS  8 /* other registers are behind these */
#define KINDS        6
#define LIP_BITS     48
#define LEGACY_KINDS 0x1fcull /* all of LBR_SELECT's */
#define TURNS        1000

/* code.S: offsets from pmu_branches, and the kind. */
struct branch {
	int32_t from, to;
	uint32_t kind;
};
extern const struct branch pmu_branch_list[], pmu_branch_list_end[];
void pmu_branches(uint64_t ignored);
void pmu_run_by(uint32_t msr, uint64_t value, void (*code)(uint64_t), uint64_t argument);

/* The bits that keep a kind out, or that let it in. */
static const struct kind {
	const char *name;
	uint64_t legacy, architectural;
} kinds[KINDS] = {
	{"conditional", 1ull << 2, ARCH_LBR_JCC},
	{"near relative call", 1ull << 3, ARCH_LBR_REL_CALL},
	{"near indirect call", 1ull << 4, ARCH_LBR_IND_CALL},
	{"near return", 1ull << 5, ARCH_LBR_RETURN},
	{"near indirect jump", 1ull << 6, ARCH_LBR_IND_JUMP},
	{"near relative jump", 1ull << 7, ARCH_LBR_REL_JUMP},
};
#define KIND_RETURN 3

static struct registers {
	uint32_t control, select, from, to, step;
	uint64_t on; /* of `control` */
	unsigned depth;
	bool by_top; /* IA32_LASTBRANCH_TOS says which is the newest */
} lbr;

static unsigned probe_depth(uint32_t first, unsigned most)
{
	uint64_t value;
	unsigned n = 0;

	while (n < most && rdmsr_safe(first + n, &value))
		n++;
	return n;
}

/* SDM vol. 4: where Nehalem has them, or Core 2 and Silvermont. */
static void find_by_model(void)
{
	lbr = (struct registers){MSR_IA32_DEBUGCTL,
				 MSR_LBR_SELECT,
				 MSR_LBR_FROM0,
				 MSR_LBR_TO0,
				 1,
				 DEBUGCTL_LBR,
				 probe_depth(MSR_LBR_FROM0, RECORDS_MAX),
				 true};
	if (lbr.depth)
		return;
	lbr.from = MSR_LBR_OLD_FROM0;
	lbr.to = MSR_LBR_OLD_TO0;
	lbr.depth = probe_depth(MSR_LBR_OLD_FROM0, OLD_RECORDS);
}

/* SDM vol. 3, "LBR Call Stack": with the formats from Haswell's on. */
static bool has_call_stack(void)
{
	return pmu.has_arch_lbr ||
	       (!pmu.is_amd && PERF_CAP_LBR_FMT(pmu.capabilities) >= LBR_FORMAT_EIP_FLAGS2);
}

static bool find_registers(void)
{
	const uint64_t arch = ARCH_LBR_ENABLE | ARCH_LBR_OS | ARCH_LBR_USR | ARCH_LBR_KINDS;

	if (pmu.has_amd_lbr)
		lbr = (struct registers){MSR_AMD_DBG_EXTN_CFG,
					 MSR_AMD_LBR_SELECT,
					 MSR_AMD_LBR_FROM0,
					 MSR_AMD_LBR_FROM0 + 1,
					 2,
					 AMD_LBR_ENABLE,
					 pmu.lbr_depth,
					 false};
	else if (pmu.has_arch_lbr)
		lbr = (struct registers){MSR_IA32_LBR_CTL,
					 MSR_IA32_LBR_CTL,
					 MSR_ARCH_LBR_FROM0,
					 MSR_ARCH_LBR_TO0,
					 1,
					 arch,
					 RECORDS_MAX,
					 false};
	else if (!pmu.is_amd && PERF_CAP_LBR_FMT(pmu.capabilities))
		find_by_model();
	return lbr.depth;
}

static uint32_t at(unsigned n)
{
	if (!lbr.by_top)
		return n * lbr.step;
	return (uint32_t)(rdmsr(MSR_LBR_TOS) - n) & (lbr.depth - 1);
}

static uint64_t linear(uint64_t value)
{
	return (uint64_t)((int64_t)(value << (64 - LIP_BITS)) >> (64 - LIP_BITS));
}

static uint64_t from_of(unsigned n)
{
	return linear(rdmsr(lbr.from + at(n)));
}

static uint64_t to_of(unsigned n)
{
	return linear(rdmsr(lbr.to + at(n)));
}

static void clear(void)
{
	for (unsigned i = 0; i < lbr.depth; i++) {
		wrmsr(lbr.from + i * lbr.step, 0);
		wrmsr(lbr.to + i * lbr.step, 0);
	}
}

static unsigned branches_listed(void)
{
	return (unsigned)(pmu_branch_list_end - pmu_branch_list);
}

/* Records are those of the list, but for kind `without`; the newest is the function's own return,
 * where there are returns. */
static void compare_records(unsigned without, const char *what)
{
	unsigned n = without != KIND_RETURN, wrong = 0, listed = 0;

	for (unsigned i = branches_listed(); i-- > 0 && n < lbr.depth;) {
		const struct branch *b = &pmu_branch_list[i];
		const uint64_t base = (uint64_t)pmu_branches;

		if (b->kind == without)
			continue;
		wrong += from_of(n) != base + (uint64_t)(int64_t)b->from ||
			 to_of(n) != base + (uint64_t)(int64_t)b->to;
		n++;
		listed++;
	}
	pmu_is(wrong, 0, "%s: the last %u have their source and target", what, listed);
}

static void run_with(uint64_t select, uint64_t on)
{
	clear();
	if (lbr.select != lbr.control)
		wrmsr(lbr.select, select);
	pmu_run_by(lbr.control, on, pmu_branches, 0);
}

static void check_kinds(void)
{
	for (unsigned i = 0; i < KINDS; i++) {
		const uint64_t on = pmu.has_arch_lbr ? lbr.on & ~kinds[i].architectural : lbr.on;

		run_with(kinds[i].legacy, on);
		compare_records(i, kinds[i].name);
	}
}

/* By rings: LBR_SELECT keeps them out, IA32_LBR_CTL lets them in. */
static void check_rings(void)
{
	run_with(LBR_NO_RING_0, pmu.has_arch_lbr ? lbr.on & ~ARCH_LBR_OS : lbr.on);
	pmu_is(from_of(0), 0, "nothing of ring 0 is recorded where it is not to be");
	run_with(LBR_NO_RING_3, pmu.has_arch_lbr ? lbr.on & ~ARCH_LBR_USR : lbr.on);
	compare_records(KINDS, "without ring 3");
}

/* SDM vol. 3, "LBR Call Stack": a return takes its call away. */
static void check_call_stack(void)
{
	const uint64_t calls_alone = 1ull << 2 | 1ull << 6 | 1ull << 7 | 1ull << 8;
	const uint64_t arch = ARCH_LBR_ENABLE | ARCH_LBR_OS | ARCH_LBR_CALL_STACK |
			      ARCH_LBR_REL_CALL | ARCH_LBR_IND_CALL | ARCH_LBR_RETURN;

	run_with(LBR_CALL_STACK | calls_alone, pmu.has_arch_lbr ? arch : lbr.on);
	for (unsigned i = 0; i < 4; i++)
		pmu_is(from_of(i), 0, "a stack of calls that have returned is empty at %u", i);
	if (lbr.select != lbr.control)
		wrmsr(lbr.select, 0);
}

static void check_lbr_msrs(void)
{
	pmu_gp_on_write(lbr.control, lbr.on | 1ull << 63, "a reserved bit");
	pmu_keeps(lbr.from, 0x123456789abc, "a source can be written");
	pmu_keeps(lbr.to, pmu.is_amd ? AMD_LBR_TO_VALID | 0x123456789abc : 0x123456789abc,
		  "and a target");
	if (lbr.by_top) {
		pmu_keeps(MSR_LBR_SELECT, LEGACY_KINDS | LBR_NO_RING_0 | LBR_NO_RING_3, "filters");
		wrmsr(MSR_LBR_SELECT, 0);
	}
	if (!pmu.has_arch_lbr)
		return;
	pmu_gp_on_write(MSR_IA32_LBR_DEPTH, 7, "no multiple of 8");
	wrmsr(MSR_IA32_LBR_DEPTH, lbr.depth);
	pmu_is(rdmsr(lbr.from), 0, "writing the depth empties the records");
}

/* --- SDM vol. 3, "Freezing LBR and Performance Counters on PMI" --- */

static volatile uint64_t control_there, status_there, newest_there, newest_later;

static void note_frozen(void)
{
	control_there = rdmsr(MSR_IA32_DEBUGCTL);
	status_there = pmu_status();
	newest_there = from_of(0);
	pmu_branches(0);
	newest_later = from_of(0);
}

static void check_freeze(void)
{
	const uint64_t debugctl =
		DEBUGCTL_FREEZE_LBRS | (lbr.control == MSR_IA32_DEBUGCTL ? DEBUGCTL_LBR : 0);

	clear();
	wrmsr(MSR_IA32_DEBUGCTL, debugctl);
	if (lbr.control != MSR_IA32_DEBUGCTL)
		wrmsr(lbr.control, lbr.on);
	world_on_interrupt = note_frozen;
	pmu_set_lvt(APIC_LVT_NMI);
	pmu_select(0, pmu_events->instructions | PMU_BOTH | EVTSEL_INT);
	pmu_set(0, -(uint64_t)TURNS);
	pmu_run(1, pmu_loop, 4 * TURNS);
	world_on_interrupt = NULL;
	wrmsr(MSR_IA32_DEBUGCTL, 0);
	if (lbr.control != MSR_IA32_DEBUGCTL)
		wrmsr(lbr.control, 0);
	pmu_is(world_nmis, 1, "one NMI");
	pmu_ok(newest_there >= (uint64_t)pmu_loop && newest_there < (uint64_t)pmu_loop + 16,
	       "its handler finds a branch of the loop as the newest");
	pmu_is(newest_later, newest_there, "and nothing of its own is recorded");
	if (pmu.is_amd || pmu.version >= 4)
		pmu_is(!!(status_there & GLOBAL_STATUS_LBR_FRZ), 1, "the status says so");
	else
		pmu_is(control_there & DEBUGCTL_LBR, 0, "DEBUGCTL.LBR is clear");
	pmu_clear_status(pmu_status());
}

void pmu_check_lbr(void)
{
	if (!find_registers()) {
		pmu_ok(true, "there are none");
		return;
	}
	pmu_ok(!(lbr.depth & (lbr.depth - 1)), "%u records", lbr.depth);
	if (pmu.has_arch_lbr)
		wrmsr(MSR_IA32_LBR_DEPTH, lbr.depth);
	run_with(0, lbr.on);
	compare_records(KINDS, "all kinds");
	check_kinds();
	check_rings();
	if (has_call_stack())
		check_call_stack();
	check_lbr_msrs();
	check_freeze();
}
