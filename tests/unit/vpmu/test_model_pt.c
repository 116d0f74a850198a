// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_model_pt.c - Intel Processor Trace of the modelled PMUs: its registers, the packets of a
 * trace, and its output regions.
 */
#include "tests/unit/vpmu/modelled_pmu.h"

#include "vpmu/model/model_trace.h"

#define BASE   0x100000ull /* the machine's memory: two tables, and what is behind them */
#define TABLE2 (BASE + 0x1000)
#define OUTPUT (BASE + 0x2000)
#define BYTES  0x20000

#define ENTRY_END       (1ull << 0)
#define ENTRY_INT       (1ull << 2)
#define ENTRY_STOP      (1ull << 4)
#define ENTRY_SIZE(log) ((uint64_t)(log) << 6)

#define CTL_USER (RTIT_TRACE_EN | RTIT_USER | RTIT_BRANCH_EN)

#define CODE 0x401000ull

static uint8_t memory[BYTES];

static bool reach(uint64_t pa, size_t n)
{
	return pa >= BASE && pa + n <= BASE + BYTES;
}

static bool read_physical(uint64_t pa, void *buf, size_t n)
{
	if (!reach(pa, n))
		return false;
	memcpy(buf, memory + (pa - BASE), n);
	return true;
}

static bool write_physical(uint64_t pa, const void *buf, size_t n)
{
	if (!reach(pa, n))
		return false;
	memcpy(memory + (pa - BASE), buf, n);
	return true;
}

static bool read_nothing(uint64_t va, void *buf, size_t n)
{
	(void)va;
	(void)buf;
	(void)n;
	return false;
}

static bool write_nothing(uint64_t va, const void *buf, size_t n)
{
	(void)va;
	(void)buf;
	(void)n;
	return false;
}

static const struct vpmu_memory physical = {read_physical, write_physical};
static const struct vpmu_memory linear = {read_nothing, write_nothing};
static const struct vpmu_memories memories = {&linear, &physical};

static struct vpmu_model tracing_on(const char *name)
{
	struct vpmu_model m = model_of(name, false);

	vpmu_model_counts(&m, EVENTS_LEVEL_MODEL);
	vpmu_model_stops(&m, true);
	memset(memory, 0, sizeof(memory));
	return m;
}

static void set_entry(uint64_t table, unsigned i, uint64_t entry)
{
	memcpy(memory + (table - BASE) + i * 8, &entry, sizeof(entry));
}

static struct vpmu_at code_at(enum vpmu_ring ring, uint64_t ip)
{
	return (struct vpmu_at){.ring = ring, .mode = VPMU_CODE64, .ip = ip, .cr3 = 0x5000};
}

static void control(struct vpmu_model *m, uint64_t ctl, enum vpmu_ring ring, uint64_t ip)
{
	const struct vpmu_at here = code_at(ring, ip);

	write_msr(m, MSR_IA32_RTIT_CTL, ctl);
	if (vpmu_model_trace_is_changed(m))
		vpmu_model_trace_control(m, &here, &memories);
}

static void begin(struct vpmu_model *m, enum vpmu_ring ring, uint64_t ip)
{
	const struct vpmu_at here = code_at(ring, ip);

	vpmu_model_trace_begin(m, &here, &memories);
}

static void branch(struct vpmu_model *m, enum branch_kind kind, uint64_t flags, uint64_t from,
		   uint64_t to, enum vpmu_ring ring)
{
	const struct branch_logged b = {
		.from = (from & ((1ull << LOGGED_KIND_SHIFT) - 1)) |
			(uint64_t)kind << LOGGED_KIND_SHIFT | flags | 5ull << LOGGED_LENGTH_SHIFT,
		.to = to,
	};
	const struct vpmu_at there = code_at(ring, to);

	vpmu_model_trace(m, &b, flags & LOGGED_DELIVERED, &there, &memories);
}

/* A ring of 64 KiB. */
static struct vpmu_model tracing_into_range(uint64_t ctl)
{
	struct vpmu_model m = tracing_on("icl");

	write_msr(&m, MSR_IA32_RTIT_OUTPUT_BASE, BASE + 0x10000);
	write_msr(&m, MSR_IA32_RTIT_OUTPUT_MASK_PTRS, 0xffff);
	control(&m, ctl, VPMU_OS, 0xffffffff81000000);
	return m;
}

static uint64_t bytes_out(struct vpmu_model *m)
{
	return read_msr(m, MSR_IA32_RTIT_OUTPUT_MASK_PTRS) >> 32;
}

/* Expects these bytes in the trace after `from`. Returns their end. */
static uint64_t expect_bytes(struct vpmu_model *m, uint64_t from, const uint8_t *bytes, size_t n)
{
	assert_int_equal(bytes_out(m), from + n);
	assert_memory_equal(memory + 0x10000 + from, bytes, n);
	return from + n;
}

#define EXPECT(m, from, ...)                                      \
	expect_bytes((m), (from), (const uint8_t[]){__VA_ARGS__}, \
		     sizeof((const uint8_t[]){__VA_ARGS__}))
#define PSB                                                                                       \
	0x02, 0x82, 0x02, 0x82, 0x02, 0x82, 0x02, 0x82, 0x02, 0x82, 0x02, 0x82, 0x02, 0x82, 0x02, \
		0x82
#define CBR    0x02, 0x03, VPMU_NOMINAL_RATIO, 0x00
#define PSBEND 0x02, 0x23

/* --- Announced features --- */

static struct cpuid_regs trace_leaf(const struct vpmu_model *m, uint32_t leaf, uint32_t subleaf)
{
	struct cpuid_regs r = {0};

	vpmu_model_cpuid(m, leaf, subleaf, &r);
	return r;
}

TEST(test_presence)
{
	static const char *const names[] = {"hsw", "skx", "icl", "adl"};
	const uint32_t pt = 1u << 25;
	uint64_t ignored;
	uint32_t highest;

	for (unsigned i = 0; i < 4; i++) {
		struct vpmu_model m = model_of(names[i], false);

		vpmu_model_counts(&m, EVENTS_LEVEL_MODEL);
		assert_int_equal(trace_leaf(&m, 7, 0).ebx & pt, 0);
		highest = trace_leaf(&m, 0, 0).eax;
		assert_int_equal(vpmu_model_rdmsr(&m, MSR_IA32_RTIT_CTL, &ignored), VPMU_GP);
		vpmu_model_stops(&m, true);
		assert_int_equal(!!(trace_leaf(&m, 7, 0).ebx & pt), i > 0);
		for (uint32_t msr = MSR_IA32_RTIT_CTL; msr <= MSR_IA32_RTIT_CR3_MATCH; msr++)
			assert_int_equal(vpmu_model_rdmsr(&m, msr, &ignored),
					 i ? VPMU_DONE : VPMU_GP);
		assert_int_equal(vpmu_model_wrmsr(&m, MSR_IA32_RTIT_OUTPUT_BASE, 0x1000),
				 i ? VPMU_DONE : VPMU_GP);
		assert_int_equal(trace_leaf(&m, 0x14, 0).ecx, i ? 7 : 0);
		assert_int_equal(trace_leaf(&m, 0x14, 1).ecx, 0);
		assert_true(!i || highest >= 0x14);
		assert_int_equal(trace_leaf(&m, 0, 0).eax, highest);
		assert_int_equal(vpmu_model_wrmsr(&m, MSR_IA32_PERF_GLOBAL_STATUS_RESET,
						  GLOBAL_STATUS_TOPA_PMI),
				 i ? VPMU_DONE : VPMU_GP);
	}
}

static void assert_gp(struct vpmu_model *m, uint32_t msr, uint64_t v)
{
	assert_int_equal(vpmu_model_wrmsr(m, msr, v), VPMU_GP);
}

TEST(test_registers)
{
	struct vpmu_model m = tracing_on("skx");

	assert_int_equal(read_msr(&m, MSR_IA32_RTIT_OUTPUT_MASK_PTRS), 0x7f);
	assert_gp(&m, MSR_IA32_RTIT_OUTPUT_BASE, 0x1040);
	assert_gp(&m, MSR_IA32_RTIT_OUTPUT_BASE, 1ull << 52);
	assert_gp(&m, MSR_IA32_RTIT_CTL, 1 << 9);  /* MTC */
	assert_gp(&m, MSR_IA32_RTIT_CTL, 1 << 24); /* frequency of PSB */
	assert_gp(&m, MSR_IA32_RTIT_STATUS, 1ull << 32);
	assert_gp(&m, MSR_IA32_RTIT_CR3_MATCH, 0x5001);
	write_msr(&m, MSR_IA32_RTIT_STATUS, 7);
	assert_int_equal(read_msr(&m, MSR_IA32_RTIT_STATUS), 0);
	m = tracing_into_range(CTL_USER);
	assert_int_equal(read_msr(&m, MSR_IA32_RTIT_STATUS), RTIT_STATUS_TRIGGER_EN);
	begin(&m, VPMU_USR, CODE);
	assert_int_equal(read_msr(&m, MSR_IA32_RTIT_STATUS),
			 RTIT_STATUS_TRIGGER_EN | RTIT_STATUS_CONTEXT_EN);
	/* While tracing is on, only the same value may be written, or a value that ends tracing. */
	assert_gp(&m, MSR_IA32_RTIT_CTL, CTL_USER | RTIT_OS);
	assert_gp(&m, MSR_IA32_RTIT_STATUS, 0);
	assert_gp(&m, MSR_IA32_RTIT_OUTPUT_BASE, 0);
	assert_gp(&m, MSR_IA32_RTIT_CR3_MATCH, 0);
	write_msr(&m, MSR_IA32_RTIT_CTL, CTL_USER);
	write_msr(&m, MSR_IA32_RTIT_CTL, RTIT_OS);
}

/* --- Packets --- */

TEST(test_packets)
{
	struct vpmu_model m = tracing_into_range(CTL_USER);
	uint64_t n = EXPECT(&m, 0, PSB, CBR, PSBEND);

	assert_int_equal(m.derived.needed, EVENTS_LEVEL_MODEL);
	/* Ring 0 gives no packets until it enters ring 3. */
	branch(&m, BRANCH_KIND_FAR, LOGGED_TAKEN, 0xffffffff81000000, 0xffffffff82000000, VPMU_OS);
	branch(&m, BRANCH_KIND_FAR, LOGGED_TAKEN, 0xffffffff81000000, CODE, VPMU_USR);
	n = EXPECT(&m, n, 0x99, 0x01, 0x51, 0x00, 0x10, 0x40, 0x00);
	begin(&m, VPMU_USR, CODE);
	/* Six outcomes form a packet. Direct branches give no packet. */
	branch(&m, BRANCH_KIND_REL_JUMP, LOGGED_TAKEN, CODE, CODE + 16, VPMU_USR);
	for (unsigned i = 0; i < 5; i++)
		branch(&m, BRANCH_KIND_JCC, i % 2 ? LOGGED_TAKEN : 0, CODE, CODE, VPMU_USR);
	assert_int_equal(bytes_out(&m), n);
	branch(&m, BRANCH_KIND_JCC, LOGGED_TAKEN, CODE, CODE, VPMU_USR);
	n = EXPECT(&m, n, 0xaa);
	/* TNT bits come before later packets. A TIP has only the bytes that differ. */
	branch(&m, BRANCH_KIND_JCC, LOGGED_TAKEN, CODE, CODE, VPMU_USR);
	branch(&m, BRANCH_KIND_IND_JUMP, LOGGED_TAKEN, CODE, CODE + 0x234, VPMU_USR);
	n = EXPECT(&m, n, 0x06, 0x2d, 0x34, 0x12);
	branch(&m, BRANCH_KIND_IND_CALL, LOGGED_TAKEN, CODE, 0x7f0012345678, VPMU_USR);
	n = EXPECT(&m, n, 0x6d, 0x78, 0x56, 0x34, 0x12, 0x00, 0x7f);
	/* A system call, and an interrupt. */
	branch(&m, BRANCH_KIND_FAR, LOGGED_TAKEN, CODE, 0xffffffff82000000, VPMU_OS);
	n = EXPECT(&m, n, 0x01);
	begin(&m, VPMU_USR, CODE);
	n = EXPECT(&m, n, 0x71, 0x00, 0x10, 0x40, 0x00, 0x00, 0x00);
	branch(&m, BRANCH_KIND_FAR, LOGGED_TAKEN | LOGGED_DELIVERED, CODE + 2, 0xffffffff82000000,
	       VPMU_OS);
	n = EXPECT(&m, n, 0x3d, 0x02, 0x10, 0x01);
	control(&m, 0, VPMU_OS, 0xffffffff81000000);
	assert_int_equal(bytes_out(&m), n);
}

/* Both rings: a switch between them has a target. Tracing ends between two instructions. */
TEST(test_rings)
{
	struct vpmu_model m = tracing_into_range(CTL_USER | RTIT_OS | RTIT_TSC_EN);
	struct vpmu_at here = code_at(VPMU_OS, 0xffffffff81000000);
	uint64_t n = bytes_out(&m);

	here.tsc = 0x123456789abcde;
	vpmu_model_trace_begin(&m, &here, &memories);
	n = EXPECT(&m, n, 0x19, 0xde, 0xbc, 0x9a, 0x78, 0x56, 0x34, 0x12, 0x02, 0x43, 0x00, 0x05,
		   0x00, 0x00, 0x00, 0x00, 0x99, 0x01, 0x71, 0x00, 0x00, 0x00, 0x81, 0xff, 0xff);
	branch(&m, BRANCH_KIND_FAR, LOGGED_TAKEN, 0xffffffff81000000, CODE, VPMU_USR);
	n = EXPECT(&m, n, 0x6d, 0x00, 0x10, 0x40, 0x00, 0x00, 0x00);
	branch(&m, BRANCH_KIND_FAR, LOGGED_TAKEN | LOGGED_DELIVERED, CODE, 0xffffffff81000002,
	       VPMU_OS);
	n = EXPECT(&m, n, 0x3d, 0x00, 0x10, 0x6d, 0x02, 0x00, 0x00, 0x81, 0xff, 0xff);
	branch(&m, BRANCH_KIND_JCC, 0, CODE, CODE, VPMU_OS);
	control(&m, 0, VPMU_OS, 0xffffffff81000020);
	n = EXPECT(&m, n, 0x04, 0x3d, 0x20, 0x00, 0x01);
}

/* A decoder knows the target of a return if it has seen the call. */
TEST(test_returns)
{
	struct vpmu_model m = tracing_into_range(CTL_USER);
	uint64_t n;

	begin(&m, VPMU_USR, CODE);
	n = bytes_out(&m);
	branch(&m, BRANCH_KIND_REL_CALL, LOGGED_TAKEN, CODE, CODE + 0x100, VPMU_USR);
	branch(&m, BRANCH_KIND_RETURN, LOGGED_TAKEN, CODE + 0x100, CODE + 5, VPMU_USR);
	branch(&m, BRANCH_KIND_JCC, 0, CODE, CODE, VPMU_USR);
	assert_int_equal(bytes_out(&m), n);
	branch(&m, BRANCH_KIND_RETURN, LOGGED_TAKEN, CODE + 0x100, CODE + 0x30, VPMU_USR);
	n = EXPECT(&m, n, 0x0c, 0x2d, 0x30, 0x10);
	/* A return to another address; a call to the next instruction does not count as a call. */
	branch(&m, BRANCH_KIND_REL_CALL, LOGGED_TAKEN, CODE, CODE + 0x100, VPMU_USR);
	branch(&m, BRANCH_KIND_RETURN, LOGGED_TAKEN, CODE + 0x100, CODE + 6, VPMU_USR);
	n = EXPECT(&m, n, 0x2d, 0x06, 0x10);
	branch(&m, BRANCH_KIND_REL_CALL, LOGGED_TAKEN, CODE, CODE + 5, VPMU_USR);
	branch(&m, BRANCH_KIND_RETURN, LOGGED_TAKEN, CODE + 0x100, CODE + 5, VPMU_USR);
	n = EXPECT(&m, n, 0x2d, 0x05, 0x10);
	/* The oldest of 65 calls is forgotten. */
	for (unsigned i = 0; i < PT_CALLS + 1; i++)
		branch(&m, BRANCH_KIND_REL_CALL, LOGGED_TAKEN, CODE + i * 0x10, CODE, VPMU_USR);
	for (unsigned i = PT_CALLS; i > 0; i--)
		branch(&m, BRANCH_KIND_RETURN, LOGGED_TAKEN, CODE, CODE + i * 0x10 + 5, VPMU_USR);
	n = EXPECT(&m, n, 0xfe, 0xfe, 0xfe, 0xfe, 0xfe, 0xfe, 0xfe, 0xfe, 0xfe, 0xfe);
	branch(&m, BRANCH_KIND_RETURN, LOGGED_TAKEN, CODE, CODE + 5, VPMU_USR);
	EXPECT(&m, n, 0x3e, 0x2d, 0x05, 0x10);
	/* With RTIT_DIS_RETC no return is compressed. */
	m = tracing_into_range(CTL_USER | RTIT_DIS_RETC);
	begin(&m, VPMU_USR, CODE);
	n = bytes_out(&m);
	branch(&m, BRANCH_KIND_REL_CALL, LOGGED_TAKEN, CODE, CODE + 0x100, VPMU_USR);
	branch(&m, BRANCH_KIND_RETURN, LOGGED_TAKEN, CODE + 0x100, CODE + 5, VPMU_USR);
	EXPECT(&m, n, 0x2d, 0x05, 0x10);
}

/* Packets after a PSB can be decoded without earlier ones. */
TEST(test_psb)
{
	static const uint8_t plus[] = {PSB, CBR, 0x99, 0x01, 0x5d, 0x00, 0x10, 0x40, 0x00, PSBEND};
	struct vpmu_model m = tracing_into_range(CTL_USER);
	uint64_t n, before;

	begin(&m, VPMU_USR, CODE);
	branch(&m, BRANCH_KIND_REL_CALL, LOGGED_TAKEN, CODE, CODE, VPMU_USR);
	branch(&m, BRANCH_KIND_JCC, 0, CODE, CODE, VPMU_USR);
	do {
		before = bytes_out(&m);
		branch(&m, BRANCH_KIND_IND_JUMP, LOGGED_TAKEN, CODE, CODE, VPMU_USR);
		n = bytes_out(&m);
	} while (n - before < 16 && n < 4096);
	assert_in_range(n, 2048, 2048 + 64);
	assert_memory_equal(memory + 0x10000 + n - sizeof(plus), plus, sizeof(plus));
	branch(&m, BRANCH_KIND_RETURN, LOGGED_TAKEN, CODE, CODE + 5, VPMU_USR);
	EXPECT(&m, n, 0x2d, 0x05, 0x10);
}

TEST(test_filters)
{
	struct vpmu_model m = tracing_on("adl");
	uint64_t n;

	write_msr(&m, MSR_IA32_RTIT_OUTPUT_BASE, BASE + 0x10000);
	write_msr(&m, MSR_IA32_RTIT_OUTPUT_MASK_PTRS, 0xffff);
	write_msr(&m, MSR_IA32_RTIT_CR3_MATCH, 0x6000);
	control(&m, CTL_USER | RTIT_CR3_FILTER, VPMU_OS, 0);
	n = bytes_out(&m);
	begin(&m, VPMU_USR, CODE);
	branch(&m, BRANCH_KIND_FAR, LOGGED_TAKEN, CODE, CODE, VPMU_USR);
	assert_int_equal(bytes_out(&m), n);
	control(&m, 0, VPMU_OS, 0);
	write_msr(&m, MSR_IA32_RTIT_CR3_MATCH, 0x5000);
	control(&m, CTL_USER | RTIT_CR3_FILTER, VPMU_OS, 0);
	n = bytes_out(&m);
	begin(&m, VPMU_USR, CODE);
	n = EXPECT(&m, n, 0x99, 0x01, 0x51, 0x00, 0x10, 0x40, 0x00);
	/* With BranchEn clear there are no packets of branches. */
	control(&m, 0, VPMU_OS, CODE);
	control(&m, RTIT_TRACE_EN | RTIT_USER, VPMU_OS, CODE);
	n = bytes_out(&m);
	begin(&m, VPMU_USR, CODE);
	branch(&m, BRANCH_KIND_IND_JUMP, LOGGED_TAKEN, CODE, CODE, VPMU_USR);
	assert_int_equal(bytes_out(&m), n);
}

/* MOV to CR3 gives a packet in ring 0, and may begin or end a trace. */
TEST(test_cr3)
{
	struct vpmu_model m = tracing_into_range(CTL_USER | RTIT_OS);
	struct vpmu_at here = code_at(VPMU_OS, 0xffffffff81000000);
	uint64_t n;

	assert_true(vpmu_model_traces_cr3(&m));
	begin(&m, VPMU_OS, here.ip);
	branch(&m, BRANCH_KIND_JCC, LOGGED_TAKEN, here.ip, here.ip, VPMU_OS);
	n = bytes_out(&m);
	here.cr3 = 0x123456789000;
	vpmu_model_trace_cr3(&m, &here, &memories);
	EXPECT(&m, n, 0x06, 0x02, 0x43, 0x00, 0x89, 0x67, 0x45, 0x23, 0x01);
	control(&m, 0, VPMU_OS, here.ip);
	write_msr(&m, MSR_IA32_RTIT_CR3_MATCH, 0x7000);
	control(&m, CTL_USER | RTIT_OS | RTIT_CR3_FILTER, VPMU_OS, here.ip);
	n = bytes_out(&m);
	vpmu_model_trace_cr3(&m, &here, &memories);
	assert_int_equal(bytes_out(&m), n);
	here.cr3 = 0x7000;
	vpmu_model_trace_cr3(&m, &here, &memories);
	n = EXPECT(&m, n, 0x02, 0x43, 0x00, 0x07, 0x00, 0x00, 0x00, 0x00, 0x99, 0x01, 0x71, 0x00,
		   0x00, 0x00, 0x81, 0xff, 0xff);
	here.cr3 = 0x6000;
	vpmu_model_trace_cr3(&m, &here, &memories);
	EXPECT(&m, n, 0x01);
	m = tracing_into_range(CTL_USER);
	assert_false(vpmu_model_traces_cr3(&m));
}

TEST(test_lost)
{
	struct vpmu_model m = tracing_into_range(CTL_USER);
	const struct vpmu_at here = code_at(VPMU_USR, CODE + 0x20);
	uint64_t n;

	begin(&m, VPMU_USR, CODE);
	n = bytes_out(&m);
	branch(&m, BRANCH_KIND_JCC, 0, CODE, CODE, VPMU_USR);
	vpmu_model_trace_lost(&m, &here, &memories);
	EXPECT(&m, n, 0x02, 0xf3, 0x3d, 0x20, 0x10);
}

/* --- Output regions --- */

static struct vpmu_model tracing_by_table(void)
{
	struct vpmu_model m = tracing_on("skx");

	write_msr(&m, MSR_IA32_RTIT_OUTPUT_BASE, BASE);
	write_msr(&m, MSR_IA32_RTIT_OUTPUT_MASK_PTRS, 0);
	return m;
}

/* Writes `n` bytes of trace by branches. */
static void fill_trace(struct vpmu_model *m, unsigned n)
{
	begin(m, VPMU_USR, CODE);
	for (unsigned i = 0; i < n; i += 3)
		branch(m, BRANCH_KIND_IND_JUMP, LOGGED_TAKEN, CODE, CODE + i, VPMU_USR);
}

static unsigned table_entry(struct vpmu_model *m)
{
	return read_msr(m, MSR_IA32_RTIT_OUTPUT_MASK_PTRS) >> 7 & 0x1ffffff;
}

TEST(test_tables)
{
	struct vpmu_model m = tracing_by_table();

	set_entry(BASE, 0, OUTPUT);
	set_entry(BASE, 1, (OUTPUT + 0x4000) | ENTRY_INT | ENTRY_SIZE(1));
	set_entry(BASE, 2, TABLE2 | ENTRY_END);
	set_entry(TABLE2, 0, OUTPUT + 0x2000);
	set_entry(TABLE2, 1, BASE | ENTRY_END);
	control(&m, CTL_USER | RTIT_TOPA, VPMU_OS, 0);
	assert_int_equal(memory[OUTPUT - BASE], 0x02);
	assert_int_equal(vpmu_model_trace_room(&m, &memories), BRANCH_LOGGED - BRANCH_LOG_SPARE);
	fill_trace(&m, 4096);
	assert_int_equal(table_entry(&m), 1);
	assert_int_not_equal(memory[OUTPUT - BASE + 4095], 0);
	assert_int_not_equal(memory[OUTPUT - BASE + 0x4000], 0);
	fill_trace(&m, 4096);
	assert_true(vpmu_model_trace_room(&m, &memories) < BRANCH_LOGGED - BRANCH_LOG_SPARE);
	assert_int_equal(m.pmi.pending, 0);
	fill_trace(&m, 4096);
	/* Two pages are full: a PMI, and the next table. */
	assert_int_equal(read_msr(&m, MSR_IA32_RTIT_OUTPUT_BASE), TABLE2);
	assert_int_equal(table_entry(&m), 0);
	assert_int_equal(read_msr(&m, MSR_IA32_PERF_GLOBAL_STATUS), GLOBAL_STATUS_TOPA_PMI);
	assert_true(vpmu_model_deliver(&m));
	write_msr(&m, MSR_IA32_PERF_GLOBAL_STATUS_RESET, GLOBAL_STATUS_TOPA_PMI);
	assert_int_equal(read_msr(&m, MSR_IA32_PERF_GLOBAL_STATUS), 0);
	fill_trace(&m, 4096);
	assert_int_equal(read_msr(&m, MSR_IA32_RTIT_OUTPUT_BASE), BASE);
	assert_int_equal(read_msr(&m, MSR_IA32_RTIT_STATUS) & RTIT_STATUS_ERROR, 0);
}

TEST(test_stop)
{
	struct vpmu_model m = tracing_by_table();

	set_entry(BASE, 0, OUTPUT | ENTRY_STOP);
	control(&m, CTL_USER | RTIT_TOPA, VPMU_OS, 0);
	fill_trace(&m, 5000);
	assert_int_equal(read_msr(&m, MSR_IA32_RTIT_STATUS) & ~RTIT_STATUS_CONTEXT_EN,
			 RTIT_STATUS_STOPPED);
	assert_int_equal(table_entry(&m), 0);
	assert_int_equal(bytes_out(&m), 4096);
	assert_int_equal(memory[OUTPUT - BASE + 4096], 0);
}

static void expect_error(uint64_t entry, uint64_t pointers)
{
	struct vpmu_model m = tracing_by_table();

	set_entry(BASE, 0, entry);
	write_msr(&m, MSR_IA32_RTIT_OUTPUT_MASK_PTRS, pointers);
	control(&m, CTL_USER | RTIT_TOPA, VPMU_OS, 0);
	assert_int_equal(read_msr(&m, MSR_IA32_RTIT_STATUS), RTIT_STATUS_ERROR);
	assert_int_equal(bytes_out(&m), pointers >> 32);
}

TEST(test_errors)
{
	expect_error(OUTPUT | 1 << 1, 0);                   /* reserved */
	expect_error(OUTPUT | 1 << 10, 0);                  /* reserved */
	expect_error((OUTPUT + 0x1000) | ENTRY_SIZE(1), 0); /* not aligned */
	expect_error(BASE | ENTRY_END | ENTRY_INT, 0);
	expect_error(TABLE2 | ENTRY_END | ENTRY_STOP, 0);
	expect_error(BASE | ENTRY_END, 0);      /* leads to itself */
	expect_error(OUTPUT, 0x1001ull << 32);  /* behind the region's end */
	expect_error(BASE + BYTES + 0x1000, 0); /* no memory */
}

TEST(test_range)
{
	struct vpmu_model m = tracing_on("icl");

	write_msr(&m, MSR_IA32_RTIT_OUTPUT_BASE, OUTPUT);
	write_msr(&m, MSR_IA32_RTIT_OUTPUT_MASK_PTRS, 0x7f);
	control(&m, CTL_USER, VPMU_OS, 0);
	fill_trace(&m, 300);
	assert_in_range(bytes_out(&m), 0, 0x7f);
	assert_int_equal(memory[OUTPUT - BASE + 0x80], 0);
	assert_int_equal(m.pmi.pending, 0);
	assert_int_equal(read_msr(&m, MSR_IA32_RTIT_STATUS) & RTIT_STATUS_ERROR, 0);
}
