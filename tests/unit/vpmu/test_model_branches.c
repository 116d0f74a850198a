// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_model_branches.c - last branch records of the modelled PMUs: their registers and values, the
 * recorded branches, and the end of recording.
 */
#include "tests/unit/vpmu/modelled_pmu.h"

#define EVERY_KIND ((1u << BRANCH_KINDS) - 1)

static struct vpmu_model branching(const char *name)
{
	struct vpmu_model m = model_of(name, false);

	vpmu_model_counts(&m, EVENTS_LEVEL_MODEL);
	return m;
}

static void assert_gp(struct vpmu_model *m, uint32_t msr, uint64_t v)
{
	uint64_t ignored;

	assert_int_equal(vpmu_model_wrmsr(m, msr, v), VPMU_GP);
	if (!v)
		assert_int_equal(vpmu_model_rdmsr(m, msr, &ignored), VPMU_GP);
}

static void report_branch(struct vpmu_model *m, enum vpmu_ring ring, enum branch_kind kind,
			  uint64_t from)
{
	vpmu_model_branch(m, ring, kind,
			  (struct branch_record){.from = from,
						 .to = from + 0x100,
						 .info = BRANCH_MISPREDICTED | BRANCH_TIMED | 5});
}

static struct cpuid_regs ask(const struct vpmu_model *m, uint32_t leaf, uint32_t subleaf)
{
	struct cpuid_regs r = {0};

	vpmu_model_cpuid(m, leaf, subleaf, &r);
	return r;
}

/* --- Announced features --- */

TEST(test_presence)
{
	static const char *const names[] = {"hsw", "skx", "icl", "adl", "zen4"};
	static const uint32_t intel[] = {MSR_LBR_SELECT,     MSR_LBR_TOS,        MSR_LBR_FROM0,
					 MSR_LBR_TO0,        MSR_LBR_INFO0,      MSR_IA32_LBR_CTL,
					 MSR_IA32_LBR_DEPTH, MSR_ARCH_LBR_FROM0, MSR_ARCH_LBR_TO0,
					 MSR_ARCH_LBR_INFO0};
	static const uint32_t amd[] = {MSR_AMD_LBR_SELECT, MSR_AMD_DBG_EXTN_CFG, MSR_AMD_LBR_FROM0,
				       MSR_AMD_LBR_FROM0 + 1};

	for (unsigned i = 0; i < 5; i++) {
		struct vpmu_model m = model_of(names[i], false);

		for (unsigned k = 0; i < 4 && k < sizeof(intel) / sizeof(*intel); k++)
			assert_gp(&m, intel[k], 0);
		for (unsigned k = 0; i == 4 && k < sizeof(amd) / sizeof(*amd); k++)
			assert_gp(&m, amd[k], 0);
		assert_int_equal(ask(&m, 7, 0).edx & 1u << 19, 0);
		assert_int_equal(ask(&m, 0x80000022, 0).eax & 2, 0);
		assert_int_equal(vpmu_model_branches_wanted(&m, VPMU_USR), 0);
		if (i < 4)
			assert_int_equal(PERF_CAP_LBR_FMT(read_msr(&m, MSR_IA32_PERF_CAPABILITIES)),
					 0);
	}
}

/* libc reads the leaves up to the highest one, so a program's instructions depend on it. */
TEST(test_highest_leaf_without_records)
{
	size_t count;
	const struct vpmu_uarch *const *list = vpmu_uarch_list(&count);

	for (size_t i = 0; i < count; i++) {
		const struct vpmu_model with = branching(list[i]->name),
					without = model_of(list[i]->name, false);

		assert_int_equal(ask(&without, 0, 0).eax, ask(&with, 0, 0).eax);
		assert_int_equal(ask(&without, 0x80000000, 0).eax, ask(&with, 0x80000000, 0).eax);
		assert_int_equal(ask(&without, 0x1c, 0).eax, 0);
	}
}

TEST(test_identity)
{
	static const struct {
		const char *name;
		unsigned format;
	} formats[] = {{"hsw", LBR_FORMAT_EIP_FLAGS2}, {"skx", LBR_FORMAT_INFO},
		       {"icl", LBR_FORMAT_INFO},       {"slm", LBR_FORMAT_LIP},
		       {"knl", LBR_FORMAT_LIP},        {"adl", LBR_FORMAT_ARCHITECTURAL}};
	struct vpmu_model m;

	for (unsigned i = 0; i < 6; i++) {
		m = branching(formats[i].name);
		assert_int_equal(PERF_CAP_LBR_FMT(read_msr(&m, MSR_IA32_PERF_CAPABILITIES)),
				 formats[i].format);
		assert_int_equal(!!(ask(&m, 7, 0).edx & 1u << 19), i == 5);
	}
	assert_int_equal(ask(&m, 0, 0).eax, 0x1c);
	assert_int_equal(ask(&m, 0x1c, 0).eax, 0xb);
	assert_int_equal(ask(&m, 0x1c, 0).ebx, 7);
	assert_int_equal(ask(&m, 0x1c, 0).ecx, 7);
	m = branching("zen4");
	assert_int_equal(ask(&m, 0x80000022, 0).eax & 6, 6);
	assert_int_equal(ask(&m, 0x80000022, 0).ebx >> 4 & 0x3f, 16);
	/* The registers remain when the level below no longer counts. */
	vpmu_model_counts(&m, EVENTS_LEVEL_NONE);
	read_msr(&m, MSR_AMD_LBR_FROM0);
}

/* --- By model --- */

TEST(test_by_model)
{
	struct vpmu_model m = branching("skx");

	assert_gp(&m, MSR_LBR_SELECT, 0x400);
	assert_gp(&m, MSR_LBR_TOS, 32);
	assert_gp(&m, MSR_IA32_LBR_CTL, 0);
	report_branch(&m, VPMU_USR, BRANCH_KIND_JCC, 0x1000);
	assert_int_equal(read_msr(&m, MSR_LBR_FROM0 + 1), 0); /* off */
	write_msr(&m, MSR_IA32_DEBUGCTL, DEBUGCTL_LBR);
	for (unsigned i = 1; i <= 33; i++)
		report_branch(&m, VPMU_USR, BRANCH_KIND_JCC, 0x1000 * i);
	assert_int_equal(read_msr(&m, MSR_LBR_TOS), 1);
	assert_int_equal(read_msr(&m, MSR_LBR_FROM0 + 1), 0x21000);
	assert_int_equal(read_msr(&m, MSR_LBR_TO0 + 1), 0x21100);
	assert_int_equal(read_msr(&m, MSR_LBR_FROM0 + 2), 0x2000);
	assert_int_equal(read_msr(&m, MSR_LBR_INFO0 + 1), LBR_INFO_MISPREDICTED | 5);
	write_msr(&m, MSR_LBR_FROM0 + 2, 0xffff800000001000);
	assert_int_equal(read_msr(&m, MSR_LBR_FROM0 + 2), 0xffff800000001000);
}

/* Eight records of plain addresses. Knights Landing has a flag in the source, and other registers.
 */
TEST(test_format_1)
{
	static const struct {
		const char *name;
		uint32_t from, to, none;
		uint64_t source;
	} rows[] = {
		{"slm", 0x40, 0x60, 0x680, 0xffff800000001000},
		{"knl", 0x680, 0x6c0, 0x40, 0xffff800000001000},
		{"knl", 0x680, 0x6c0, 0x60, 0x7fff800000001000},
	};

	for (unsigned i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct vpmu_model m = branching(rows[i].name);
		const bool told = i != 2;
		uint64_t beyond;

		assert_gp(&m, rows[i].none, 0);
		assert_int_not_equal(vpmu_model_rdmsr(&m, rows[i].from + 8, &beyond), VPMU_DONE);
		assert_int_not_equal(vpmu_model_rdmsr(&m, rows[i].to + 8, &beyond), VPMU_DONE);
		assert_gp(&m, MSR_LBR_INFO0, 0);
		assert_gp(&m, MSR_LBR_TOS, 8);
		assert_gp(&m, MSR_LBR_SELECT, LBR_CALL_STACK);
		write_msr(&m, MSR_IA32_DEBUGCTL, DEBUGCTL_LBR);
		for (unsigned k = 0; k < 9; k++)
			vpmu_model_branch(
				&m, VPMU_OS, BRANCH_KIND_JCC,
				(struct branch_record){.from = 0xffff800000001000,
						       .to = 0xffff800000001100,
						       .info = told ? BRANCH_MISPREDICTED : 0});
		assert_int_equal(read_msr(&m, MSR_LBR_TOS), 1);
		assert_int_equal(read_msr(&m, rows[i].from + 1), rows[i].source);
		assert_int_equal(read_msr(&m, rows[i].to + 1), 0xffff800000001100);
		write_msr(&m, rows[i].from + 7, rows[i].source);
		assert_int_equal(read_msr(&m, rows[i].from + 7), rows[i].source);
	}
}

/* Sixteen records, with a flag in the upper bit of the source. */
TEST(test_format_4)
{
	struct vpmu_model m = branching("hsw");

	assert_gp(&m, MSR_LBR_FROM0 + 16, 0);
	assert_gp(&m, MSR_LBR_INFO0, 0);
	write_msr(&m, MSR_IA32_DEBUGCTL, DEBUGCTL_LBR);
	report_branch(&m, VPMU_OS, BRANCH_KIND_JCC, 0xffff800000001000);
	assert_int_equal(read_msr(&m, MSR_LBR_FROM0 + 1),
			 LBR_FROM_MISPREDICTED | 0xffff800000001000);
	assert_int_equal(read_msr(&m, MSR_LBR_TO0 + 1), 0xffff800000001100);
	/* There is no TSX: bits 62:61 extend the sign, or the write faults. */
	write_msr(&m, MSR_LBR_FROM0, 0xffff800000001000 & UINT64_MAX >> 1);
	write_msr(&m, MSR_LBR_FROM0, 0x1000 | LBR_FROM_MISPREDICTED);
	assert_true(
		vpmu_model_wrmsr_faults(&m, MSR_LBR_FROM0, 0xffff800000001000 & UINT64_MAX >> 3));
	assert_true(vpmu_model_wrmsr_faults(&m, MSR_LBR_FROM0, 0x1000 | LBR_FROM_IN_TSX));
}

/* --- Records --- */

static void check_kinds(struct vpmu_model *m, uint32_t msr, uint64_t value, uint8_t os, uint8_t usr)
{
	write_msr(m, msr, value);
	assert_int_equal(vpmu_model_branches_wanted(m, VPMU_OS), os);
	assert_int_equal(vpmu_model_branches_wanted(m, VPMU_USR), usr);
}

TEST(test_filters)
{
	struct vpmu_model m = branching("icl");

	write_msr(&m, MSR_IA32_DEBUGCTL, DEBUGCTL_LBR);
	check_kinds(&m, MSR_LBR_SELECT, 0, EVERY_KIND, EVERY_KIND);
	check_kinds(&m, MSR_LBR_SELECT, LBR_NO_RING_0, 0, EVERY_KIND);
	check_kinds(&m, MSR_LBR_SELECT, LBR_NO_RING_3, EVERY_KIND, 0);
	/* Bits 2 to 8: JCC, relative call, indirect call, return, indirect jump, relative jump,
	 * far. */
	check_kinds(&m, MSR_LBR_SELECT, 0x1fc & ~0x20, 1 << BRANCH_KIND_RETURN,
		    1 << BRANCH_KIND_RETURN);
	m = branching("zen4");
	write_msr(&m, MSR_AMD_DBG_EXTN_CFG, AMD_LBR_ENABLE);
	check_kinds(&m, MSR_AMD_LBR_SELECT, 0x1fc & ~0x10, 1 << BRANCH_KIND_IND_CALL,
		    1 << BRANCH_KIND_IND_CALL);
	assert_gp(&m, MSR_AMD_LBR_SELECT, LBR_CALL_STACK);
	m = branching("adl");
	check_kinds(&m, MSR_IA32_LBR_CTL, ARCH_LBR_ENABLE | ARCH_LBR_USR | ARCH_LBR_KINDS, 0,
		    EVERY_KIND);
	check_kinds(&m, MSR_IA32_LBR_CTL, ARCH_LBR_ENABLE | ARCH_LBR_OS | ARCH_LBR_IND_JUMP,
		    1 << BRANCH_KIND_IND_JUMP, 0);
	check_kinds(&m, MSR_IA32_LBR_CTL, ARCH_LBR_OS | ARCH_LBR_KINDS, 0, 0);
	assert_gp(&m, MSR_IA32_LBR_CTL, 1ull << 23);
}

TEST(test_call_stack)
{
	struct vpmu_model m = branching("skx");

	write_msr(&m, MSR_LBR_SELECT, LBR_CALL_STACK);
	write_msr(&m, MSR_IA32_DEBUGCTL, DEBUGCTL_LBR);
	report_branch(&m, VPMU_USR, BRANCH_KIND_REL_CALL, 0x1000);
	report_branch(&m, VPMU_USR, BRANCH_KIND_IND_CALL, 0x2000);
	report_branch(&m, VPMU_USR, BRANCH_KIND_RETURN, 0x3000);
	assert_int_equal(read_msr(&m, MSR_LBR_TOS), 1);
	assert_int_equal(read_msr(&m, MSR_LBR_FROM0 + 1), 0x1000);
	assert_int_equal(read_msr(&m, MSR_LBR_FROM0 + 2), 0);
	m = branching("adl");
	write_msr(&m, MSR_IA32_LBR_CTL,
		  ARCH_LBR_ENABLE | ARCH_LBR_USR | ARCH_LBR_CALL_STACK | ARCH_LBR_KINDS);
	report_branch(&m, VPMU_USR, BRANCH_KIND_REL_CALL, 0x1000);
	report_branch(&m, VPMU_USR, BRANCH_KIND_IND_CALL, 0x2000);
	report_branch(&m, VPMU_USR, BRANCH_KIND_RETURN, 0x3000);
	assert_int_equal(read_msr(&m, MSR_ARCH_LBR_FROM0), 0x1000);
	assert_int_equal(read_msr(&m, MSR_ARCH_LBR_FROM0 + 1), 0);
}

/* --- Architectural, AMD's: number 0 is the newest --- */

TEST(test_architectural)
{
	/* Types of IA32_LBR_x_INFO, by kind. */
	static const uint8_t types[BRANCH_KINDS] = {0, 4, 3, 5, 1, 2, 8};
	struct vpmu_model m = branching("adl");

	assert_gp(&m, MSR_LBR_SELECT, 0);
	assert_gp(&m, MSR_IA32_LBR_DEPTH, 24);
	assert_int_equal(read_msr(&m, MSR_IA32_LBR_DEPTH), 32);
	write_msr(&m, MSR_IA32_LBR_CTL,
		  ARCH_LBR_ENABLE | ARCH_LBR_USR | ARCH_LBR_OS | ARCH_LBR_KINDS);
	for (unsigned kind = 0; kind < BRANCH_KINDS; kind++) {
		report_branch(&m, VPMU_USR, (enum branch_kind)kind, 0x1000 * (kind + 1));
		assert_int_equal(read_msr(&m, MSR_ARCH_LBR_FROM0), 0x1000 * (kind + 1));
		assert_int_equal(read_msr(&m, MSR_ARCH_LBR_TO0), 0x1000 * (kind + 1) + 0x100);
		assert_int_equal(read_msr(&m, MSR_ARCH_LBR_INFO0),
				 LBR_INFO_MISPREDICTED | LBR_INFO_TIMED | 5 |
					 (uint64_t)types[kind] << LBR_INFO_TYPE_SHIFT);
	}
	assert_int_equal(read_msr(&m, MSR_ARCH_LBR_FROM0 + 6), 0x1000);
	write_msr(&m, MSR_IA32_LBR_DEPTH, 8);
	assert_int_equal(read_msr(&m, MSR_ARCH_LBR_FROM0), 0);
	for (unsigned i = 1; i < 12; i++)
		report_branch(&m, VPMU_USR, BRANCH_KIND_JCC, 0x1000 * i);
	assert_int_equal(read_msr(&m, MSR_ARCH_LBR_FROM0 + 7), 0x4000);
	assert_int_equal(read_msr(&m, MSR_ARCH_LBR_FROM0 + 8), 0);
	assert_gp(&m, MSR_ARCH_LBR_FROM0, 1ull << 50);
}

TEST(test_amd)
{
	struct vpmu_model m = branching("zen4");

	assert_gp(&m, MSR_AMD_LBR_FROM0 + 32, 0);
	assert_gp(&m, MSR_AMD_DBG_EXTN_CFG, 1);
	write_msr(&m, MSR_AMD_DBG_EXTN_CFG, AMD_LBR_ENABLE);
	report_branch(&m, VPMU_USR, BRANCH_KIND_JCC, 0x1000);
	report_branch(&m, VPMU_USR, BRANCH_KIND_JCC, 0x2000);
	assert_int_equal(read_msr(&m, MSR_AMD_LBR_FROM0), 0x2000 | AMD_LBR_FROM_MISPREDICTED);
	assert_int_equal(read_msr(&m, MSR_AMD_LBR_FROM0 + 1), 0x2100 | AMD_LBR_TO_VALID);
	assert_int_equal(read_msr(&m, MSR_AMD_LBR_FROM0 + 2), 0x1000 | AMD_LBR_FROM_MISPREDICTED);
	assert_int_equal(read_msr(&m, MSR_AMD_LBR_FROM0 + 5), 0);
}

/* --- Until a PMI --- */

static void overflow(struct vpmu_model *m)
{
	const bool is_amd = m->uarch->vendor == VPMU_AMD;
	const uint32_t select = is_amd ? MSR_AMD_PERF_CTL0 : MSR_IA32_PERFEVTSEL0,
		       counter = is_amd ? MSR_AMD_PERF_CTR0 : MSR_IA32_A_PMC0,
		       control = is_amd ? MSR_AMD_PERF_CNTR_GLOBAL_CTL : MSR_IA32_PERF_GLOBAL_CTRL;

	write_msr(m, select, SEL(0xc0, 0) | EVTSEL_INT);
	write_msr(m, counter, MASK48 - 9);
	write_msr(m, control, 1);
	run_model(m, VPMU_USR, 10);
	assert_true(vpmu_model_branches_on(m));
	assert_true(vpmu_model_deliver(m));
}

TEST(test_freeze)
{
	struct vpmu_model m = branching("hsw");

	write_msr(&m, MSR_IA32_DEBUGCTL, DEBUGCTL_LBR | DEBUGCTL_FREEZE_LBRS);
	overflow(&m);
	assert_false(vpmu_model_branches_on(&m)); /* version 3: the switch is off */
	assert_int_equal(read_msr(&m, MSR_IA32_DEBUGCTL), DEBUGCTL_FREEZE_LBRS);

	m = branching("skx");
	write_msr(&m, MSR_IA32_DEBUGCTL, DEBUGCTL_LBR);
	overflow(&m);
	assert_true(vpmu_model_branches_on(&m)); /* it was not asked for */

	m = branching("skx");
	write_msr(&m, MSR_IA32_DEBUGCTL, DEBUGCTL_LBR | DEBUGCTL_FREEZE_LBRS);
	overflow(&m);
	assert_false(vpmu_model_branches_on(&m));
	assert_true(read_msr(&m, MSR_IA32_PERF_GLOBAL_STATUS) & GLOBAL_STATUS_LBR_FRZ);
	write_msr(&m, MSR_IA32_PERF_GLOBAL_STATUS_RESET, GLOBAL_STATUS_LBR_FRZ);
	assert_true(vpmu_model_branches_on(&m));

	m = branching("adl");
	write_msr(&m, MSR_IA32_LBR_CTL, ARCH_LBR_ENABLE | ARCH_LBR_USR | ARCH_LBR_KINDS);
	write_msr(&m, MSR_IA32_DEBUGCTL, DEBUGCTL_FREEZE_LBRS);
	overflow(&m);
	assert_false(vpmu_model_branches_on(&m));

	m = branching("zen4");
	write_msr(&m, MSR_AMD_DBG_EXTN_CFG, AMD_LBR_ENABLE);
	write_msr(&m, MSR_IA32_DEBUGCTL, DEBUGCTL_FREEZE_LBRS);
	overflow(&m);
	assert_false(vpmu_model_branches_on(&m));
	write_msr(&m, MSR_AMD_PERF_CNTR_GLOBAL_STATUS_CLR, GLOBAL_STATUS_LBR_FRZ);
	assert_true(vpmu_model_branches_on(&m));
}

/*
 * A machine that passes for a real one has the registers of its model, because software relies on
 * the model there. If no branches are reported they stay empty.
 */
TEST(test_registers_of_a_real_one)
{
	struct vpmu_model m = model_of("skx", true);

	m.machine.hides_hypervisor = true;
	write_msr(&m, MSR_LBR_FROM0 + 31, 0x1234);
	assert_int_equal(read_msr(&m, MSR_LBR_FROM0 + 31), 0x1234);
	write_msr(&m, MSR_LBR_SELECT, 1);
	write_msr(&m, MSR_IA32_DEBUGCTL, DEBUGCTL_LBR);
	assert_false(vpmu_model_branches_on(&m));
	assert_int_equal(read_msr(&m, MSR_IA32_PERF_CAPABILITIES) & 0x3f, 0);
}

/* The model needs the targets of branches while it records branches. */
TEST(test_needs)
{
	struct vpmu_model m = branching("skx");

	assert_int_equal(m.derived.needed, EVENTS_LEVEL_NONE);
	write_msr(&m, MSR_IA32_DEBUGCTL, DEBUGCTL_LBR);
	assert_int_equal(m.derived.needed, EVENTS_LEVEL_MODEL);
	write_msr(&m, MSR_IA32_DEBUGCTL, 0);
	assert_int_equal(m.derived.needed, EVENTS_LEVEL_COUNTS);
}

/* --- Branch Sampling: PPR of family 19h model 01h --- */

enum { BRS_RECORDS = 16 };

/* Sets a counter of instructions to 100 before its overflow, with or without sampling branches. */
static struct vpmu_model sampling_model(unsigned counter, uint64_t config)
{
	struct vpmu_model m = branching("zen3");

	write_msr(&m, MSR_AMD_DBG_EXTN_CFG, config);
	write_msr(&m, MSR_AMD_PERF_CTR0 + 2 * counter, -100ull & MASK48);
	write_msr(&m, MSR_AMD_PERF_CTL0 + 2 * counter, SEL(0xc0, 0x00) | EVTSEL_INT);
	report_branch(&m, VPMU_USR, BRANCH_KIND_JCC, 0x666000); /* before the overflow */
	run_model(&m, VPMU_USR, 100);
	return m;
}

static uint64_t config_of(struct vpmu_model *m)
{
	return read_msr(m, MSR_AMD_DBG_EXTN_CFG) & ~BRS_ONES;
}

TEST(test_branch_sampling)
{
	struct vpmu_model m = sampling_model(0, BRS_ENABLE | BRS_ONES);

	assert_int_equal(ask(&m, 0x80000008, 0).ebx >> 31, 1);
	assert_int_equal(ask(&m, 0x80000022, 0).eax, 0);
	assert_gp(&m, MSR_AMD_LBR_SELECT, 0);
	assert_int_equal(config_of(&m), BRS_ENABLE);
	for (unsigned i = 0; i < BRS_RECORDS; i++) {
		assert_false(vpmu_model_deliver(&m));
		assert_int_equal(vpmu_model_until(&m, VPMU_USR), 1);
		report_branch(&m, i % 2 ? VPMU_OS : VPMU_USR, (enum branch_kind)(i % BRANCH_KINDS),
			      0x1000 * (i + 1));
		run_model(&m, VPMU_USR, 1);
		if (i + 1 < BRS_RECORDS)
			assert_int_equal(config_of(&m),
					 BRS_ENABLE | BRS_VALID | (i + 1ull) << BRS_OFFSET_SHIFT);
	}
	assert_int_equal(vpmu_model_until(&m, VPMU_USR), 0);
	assert_true(vpmu_model_deliver(&m));
	assert_int_equal(config_of(&m), BRS_VALID); /* full, and off */
	report_branch(&m, VPMU_USR, BRANCH_KIND_JCC, 0x777000);
	for (unsigned i = 0; i < BRS_RECORDS; i++) {
		assert_int_equal(read_msr(&m, MSR_AMD_LBR_FROM0 + 2 * i), 0x1000 * (i + 1));
		assert_int_equal(read_msr(&m, MSR_AMD_LBR_FROM0 + 2 * i + 1),
				 0x1000 * (i + 1) + 0x100);
	}
	/* A record that software writes keeps its value. */
	write_msr(&m, MSR_AMD_LBR_FROM0 + 1, -2ull);
	assert_int_equal(read_msr(&m, MSR_AMD_LBR_FROM0 + 1), -2ull);
}

/* Switching it off delivers the pending interrupt, and shows the number of records. */
TEST(test_branch_sampling_ends)
{
	struct vpmu_model m = sampling_model(0, BRS_ENABLE);

	for (unsigned i = 0; i < 3; i++)
		report_branch(&m, VPMU_USR, BRANCH_KIND_JCC, 0x1000 * (i + 1));
	assert_false(vpmu_model_deliver(&m));
	write_msr(&m, MSR_AMD_DBG_EXTN_CFG, config_of(&m) & ~BRS_ENABLE);
	assert_true(vpmu_model_deliver(&m));
	assert_int_equal(config_of(&m), BRS_VALID | 3ull << BRS_OFFSET_SHIFT);
	assert_int_equal(read_msr(&m, MSR_AMD_LBR_FROM0 + 4), 0x3000);
	assert_gp(&m, MSR_AMD_DBG_EXTN_CFG, 1ull << 63);
}

/* Interrupts of other counters, and interrupts without branch sampling, come at once. */
TEST(test_branch_sampling_of_one_counter)
{
	struct vpmu_model m = sampling_model(1, BRS_ENABLE);

	assert_true(vpmu_model_deliver(&m));
	m = sampling_model(1, BRS_ENABLE | 1ull << BRS_PMC_SHIFT);
	assert_false(vpmu_model_deliver(&m));
	m = sampling_model(0, 0);
	assert_true(vpmu_model_deliver(&m));
	m = model_of("zen3", false); /* nothing below tells branches */
	assert_gp(&m, MSR_AMD_DBG_EXTN_CFG, 0);
	assert_int_equal(ask(&m, 0x80000008, 0).ebx >> 31, 0);
}
