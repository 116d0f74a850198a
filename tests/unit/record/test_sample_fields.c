// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_sample_fields.c - every field of a sample, byte for byte as in perf_event_open(2), and
 * refused fields. The bytes were written by hand from the manual page.
 */
#include "tests/unit/record/written.h"

#include "tests/unit/test.h"

/* --- Samples --- */

static const struct trap_frame frame = {
	.r15 = 0x15,
	.r14 = 0x14,
	.r13 = 0x13,
	.r12 = 0x12,
	.rbx = 0xb1,
	.rbp = 0xb2,
	.r11 = 0x11,
	.r10 = 0x10,
	.r9 = 0x09,
	.r8 = 0x08,
	.rax = 0xa1,
	.rcx = 0xc1,
	.rdx = 0xd1,
	.rsi = 0x51,
	.rdi = 0xd2,
	.rip = 0x1f,
	.cs = 0x33,
	.rflags = 0x246,
	.ss = 0x2b,
	.rsp = RIG_PAGE + RIG_PAGE_BYTES - 24,
};
static const struct pmu_regs at_user = {.ip = 0x400000003010, .user = true, .frame = &frame};
static const struct pmu_regs at_kernel = {.ip = 0x7010, .frame = &frame};

static const uint64_t user_chain[] = {0x400000003020, 0x400000003030};
static const uint64_t kernel_chain[] = {0x7020};

static const struct perf_branch_entry branches[] = {
	{.from = 0x1111, .to = 0x2222, .mispred = 1, .cycles = 7, .type = PERF_BR_CALL},
	{.from = 0x3333, .to = 0x4444, .predicted = 1, .in_tx = 1},
};
static const struct pmu_branches two_branches = {2, 0x1d, branches};

static const struct pmu_raw raw5 = {"\x01\x02\x03\x04\x05", 5}, raw3 = {"\x01\x02\x03", 3},
			    raw12 = {"\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c", 12},
			    raw0 = {"", 0};

static const struct pmu_sample_data full = {
	.fields = PERF_SAMPLE_ADDR | PERF_SAMPLE_PHYS_ADDR | PERF_SAMPLE_TIME |
		  PERF_SAMPLE_WEIGHT_TYPE | PERF_SAMPLE_DATA_SRC | PERF_SAMPLE_TRANSACTION |
		  PERF_SAMPLE_RAW | PERF_SAMPLE_BRANCH_STACK,
	.exact_ip = true,
	.addr = RIG_PAGE + 0x123,
	.phys_addr = 0x777,
	.time = 0xfedcba9876543210,
	.weight = {.var1_dw = 0x12345678, .var2_w = 0x9abc, .var3_w = 0xdef0},
	.data_src = {.val = 0x1122334455667788},
	.transaction = 0x0000004200000031,
	.raw = &raw5,
	.branches = &two_branches,
};

static const struct pmu_sample_data address = {.fields = PERF_SAMPLE_ADDR,
					       .addr = RIG_PAGE + 0x123};
static const struct pmu_sample_data elsewhere = {.fields = PERF_SAMPLE_ADDR, .addr = 0x10};
static const struct pmu_sample_data with_raw3 = {.fields = PERF_SAMPLE_RAW, .raw = &raw3};
static const struct pmu_sample_data with_raw12 = {.fields = PERF_SAMPLE_RAW, .raw = &raw12};
static const struct pmu_sample_data with_raw0 = {.fields = PERF_SAMPLE_RAW, .raw = &raw0};

#define ALL_GPRS   0x00ff0fffull /* AX to SS, R8 to R15 */
#define USER       "09 00 00 00 02 00 00 00 "
#define KERNEL     "09 00 00 00 01 00 00 00 "
#define EXACT      "09 00 00 00 02 40 00 00 "
#define IP_BYTES   "10 30 00 00 00 40 00 00 "
#define KIP_BYTES  "10 70 00 00 00 00 00 00 "
#define ZERO       "00 00 00 00 00 00 00 00 "
#define ADDR_BYTES "23 31 00 00 00 40 00 00 "
#define USER_MARK  "00 fe ff ff ff ff ff ff "
#define KERN_MARK  "80 ff ff ff ff ff ff ff "
#define CALLERS    "20 30 00 00 00 40 00 00 30 30 00 00 00 40 00 00 "

#define GPR_BYTES                                                                  \
	"a1 00 00 00 00 00 00 00 b1 00 00 00 00 00 00 00 c1 00 00 00 00 00 00 00 " \
	"d1 00 00 00 00 00 00 00 51 00 00 00 00 00 00 00 d2 00 00 00 00 00 00 00 " \
	"b2 00 00 00 00 00 00 00 e8 3f 00 00 00 40 00 00 1f 00 00 00 00 00 00 00 " \
	"46 02 00 00 00 00 00 00 33 00 00 00 00 00 00 00 2b 00 00 00 00 00 00 00 " \
	"08 00 00 00 00 00 00 00 09 00 00 00 00 00 00 00 10 00 00 00 00 00 00 00 " \
	"11 00 00 00 00 00 00 00 12 00 00 00 00 00 00 00 13 00 00 00 00 00 00 00 " \
	"14 00 00 00 00 00 00 00 15 00 00 00 00 00 00 00 "

#define BRANCH_BYTES                                                               \
	"11 11 00 00 00 00 00 00 22 22 00 00 00 00 00 00 71 00 40 00 00 00 00 00 " \
	"33 33 00 00 00 00 00 00 44 44 00 00 00 00 00 00 06 00 00 00 00 00 00 00 "

static void with_hw_index(void)
{
	event.attr.branch_sample_type = PERF_SAMPLE_BRANCH_ANY | PERF_SAMPLE_BRANCH_HW_INDEX;
}

static void with_group_read(void)
{
	event.attr.read_format = PERF_FORMAT_GROUP | PERF_FORMAT_TOTAL_TIME_RUNNING;
}

static void with_short_chain(void)
{
	event.attr.sample_max_stack = 2;
}

static void with_chain_of_3(void)
{
	event.attr.sample_max_stack = 3;
}

static void with_chain_of_1(void)
{
	event.attr.sample_max_stack = 1;
}

static void without_user_chain(void)
{
	event.attr.exclude_callchain_user = 1;
}

static void without_kernel_chain(void)
{
	event.attr.exclude_callchain_kernel = 1;
}

static void with_excluded_kernel(void)
{
	event.attr.exclude_kernel = 1;
}

static void with_three_registers(void)
{
	event.attr.sample_regs_user = event.attr.sample_regs_intr = 0x1c0; /* BP, SP, IP */
}

static void with_long_stack(void)
{
	event.attr.sample_stack_user = 40;
}

static void with_empty_stack(void)
{
	event.attr.sample_stack_user = 0;
}

static const struct {
	const char *name;
	uint64_t type;
	const struct pmu_regs *regs;
	const struct pmu_sample_data *data; /* NULL: none */
	void (*change)(void);               /* of the attr; NULL: none */
	const char *bytes;
} samples[] = {
	{"nothing", 0, &at_user, NULL, NULL, USER},
	{"IDENTIFIER", PERF_SAMPLE_IDENTIFIER, &at_user, NULL, NULL, USER ID_BYTES},
	{"IP", PERF_SAMPLE_IP, &at_user, NULL, NULL, USER IP_BYTES},
	{"IP, exact", PERF_SAMPLE_IP, &at_user, &full, NULL, EXACT IP_BYTES},
	{"IP, ring 0", PERF_SAMPLE_IP, &at_kernel, NULL, NULL, KERNEL KIP_BYTES},
	{"TID", PERF_SAMPLE_TID, &at_user, NULL, NULL, USER TASK_BYTES},
	{"TIME", PERF_SAMPLE_TIME, &at_user, NULL, NULL, USER TIME_BYTES},
	{"TIME, given", PERF_SAMPLE_TIME, &at_user, &full, NULL, EXACT "10 32 54 76 98 ba dc fe "},
	{"ADDR", PERF_SAMPLE_ADDR, &at_user, &address, NULL, USER ADDR_BYTES},
	{"ADDR, none", PERF_SAMPLE_ADDR, &at_user, NULL, NULL, USER ZERO},
	{"ID", PERF_SAMPLE_ID, &at_user, NULL, NULL, USER ID_BYTES},
	{"STREAM_ID", PERF_SAMPLE_STREAM_ID, &at_user, NULL, NULL, USER STREAM_BYTES},
	{"CPU", PERF_SAMPLE_CPU, &at_user, NULL, NULL, USER CPU_BYTES},
	{"PERIOD", PERF_SAMPLE_PERIOD, &at_user, NULL, NULL, USER "e9 03 00 00 00 00 00 00 "},
	{"READ", PERF_SAMPLE_READ, &at_user, NULL, NULL, USER "99 00 00 00 00 00 00 00 "},
	{"READ, group", PERF_SAMPLE_READ, &at_user, NULL, with_group_read,
	 USER "01 00 00 00 00 00 00 00 00 02 00 00 00 00 00 00 99 00 00 00 00 00 00 00 "},
	{"CALLCHAIN, ring 3", PERF_SAMPLE_CALLCHAIN, &at_user, NULL, NULL,
	 USER "04 00 00 00 00 00 00 00 " USER_MARK IP_BYTES CALLERS},
	{"CALLCHAIN, ring 0", PERF_SAMPLE_CALLCHAIN, &at_kernel, NULL, NULL,
	 KERNEL "07 00 00 00 00 00 00 00 " KERN_MARK KIP_BYTES "20 70 00 00 00 00 00 00 " USER_MARK
		"40 30 00 00 00 40 00 00 " CALLERS},
	{"CALLCHAIN, ring 0 alone", PERF_SAMPLE_CALLCHAIN, &at_kernel, NULL, without_user_chain,
	 KERNEL "03 00 00 00 00 00 00 00 " KERN_MARK KIP_BYTES "20 70 00 00 00 00 00 00 "},
	{"CALLCHAIN, ring 3 alone", PERF_SAMPLE_CALLCHAIN, &at_kernel, NULL, without_kernel_chain,
	 KERNEL "04 00 00 00 00 00 00 00 " USER_MARK "40 30 00 00 00 40 00 00 " CALLERS},
	{"CALLCHAIN, none of ring 3", PERF_SAMPLE_CALLCHAIN, &at_user, NULL, without_user_chain,
	 USER ZERO},
	{"CALLCHAIN, attributed", PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_IP, &at_kernel, NULL,
	 with_excluded_kernel,
	 USER "40 30 00 00 00 40 00 00 04 00 00 00 00 00 00 00 " USER_MARK
	      "40 30 00 00 00 40 00 00 " CALLERS},
	{"CALLCHAIN, two frames", PERF_SAMPLE_CALLCHAIN, &at_user, NULL, with_short_chain,
	 USER "03 00 00 00 00 00 00 00 " USER_MARK IP_BYTES "20 30 00 00 00 40 00 00 "},
	{"CALLCHAIN, one frame", PERF_SAMPLE_CALLCHAIN, &at_kernel, NULL, with_chain_of_1,
	 KERNEL "02 00 00 00 00 00 00 00 " KERN_MARK KIP_BYTES},
	{"CALLCHAIN, three frames of two rings", PERF_SAMPLE_CALLCHAIN, &at_kernel, NULL,
	 with_chain_of_3,
	 KERNEL "05 00 00 00 00 00 00 00 " KERN_MARK KIP_BYTES "20 70 00 00 00 00 00 00 " USER_MARK
		"40 30 00 00 00 40 00 00 "},
	{"RAW", PERF_SAMPLE_RAW, &at_user, &full, NULL,
	 EXACT "0c 00 00 00 01 02 03 04 05 00 00 00 00 00 00 00 "},
	{"RAW, 3 bytes", PERF_SAMPLE_RAW, &at_user, &with_raw3, NULL,
	 USER "04 00 00 00 01 02 03 00 "},
	{"RAW, 12 bytes", PERF_SAMPLE_RAW, &at_user, &with_raw12, NULL,
	 USER "0c 00 00 00 01 02 03 04 05 06 07 08 09 0a 0b 0c "},
	{"RAW, empty", PERF_SAMPLE_RAW, &at_user, &with_raw0, NULL,
	 USER "04 00 00 00 00 00 00 00 "},
	{"RAW, none", PERF_SAMPLE_RAW, &at_user, NULL, NULL, USER "04 00 00 00 00 00 00 00 "},
	{"BRANCH_STACK", PERF_SAMPLE_BRANCH_STACK, &at_user, &full, NULL,
	 EXACT "02 00 00 00 00 00 00 00 " BRANCH_BYTES},
	{"BRANCH_STACK, hw_idx", PERF_SAMPLE_BRANCH_STACK, &at_user, &full, with_hw_index,
	 EXACT "02 00 00 00 00 00 00 00 1d 00 00 00 00 00 00 00 " BRANCH_BYTES},
	{"BRANCH_STACK, none", PERF_SAMPLE_BRANCH_STACK, &at_user, NULL, with_hw_index,
	 USER ZERO "ff ff ff ff ff ff ff ff "},
	{"REGS_USER", PERF_SAMPLE_REGS_USER, &at_user, NULL, NULL,
	 USER "02 00 00 00 00 00 00 00 " GPR_BYTES},
	{"REGS_USER, three", PERF_SAMPLE_REGS_USER, &at_user, NULL, with_three_registers,
	 USER "02 00 00 00 00 00 00 00 b2 00 00 00 00 00 00 00 e8 3f 00 00 00 40 00 00 "
	      "1f 00 00 00 00 00 00 00 "},
	{"REGS_USER, of ring 0", PERF_SAMPLE_REGS_USER, &at_kernel, NULL, NULL, KERNEL ZERO},
	{"STACK_USER", PERF_SAMPLE_STACK_USER, &at_user, NULL, NULL,
	 USER "10 00 00 00 00 00 00 00 e8 e9 ea eb ec ed ee ef f0 f1 f2 f3 f4 f5 f6 f7 "
	      "10 00 00 00 00 00 00 00 "},
	{"STACK_USER, more than there is", PERF_SAMPLE_STACK_USER, &at_user, NULL, with_long_stack,
	 USER "28 00 00 00 00 00 00 00 e8 e9 ea eb ec ed ee ef f0 f1 f2 f3 f4 f5 f6 f7 "
	      "f8 f9 fa fb fc fd fe ff " ZERO ZERO "18 00 00 00 00 00 00 00 "},
	{"STACK_USER, 0 bytes", PERF_SAMPLE_STACK_USER, &at_user, NULL, with_empty_stack,
	 USER ZERO},
	{"STACK_USER, of ring 0", PERF_SAMPLE_STACK_USER, &at_kernel, NULL, NULL, KERNEL ZERO},
	{"WEIGHT", PERF_SAMPLE_WEIGHT, &at_user, &full, NULL, EXACT "78 56 34 12 bc 9a f0 de "},
	{"WEIGHT_STRUCT", PERF_SAMPLE_WEIGHT_STRUCT, &at_user, &full, NULL,
	 EXACT "78 56 34 12 bc 9a f0 de "},
	{"DATA_SRC", PERF_SAMPLE_DATA_SRC, &at_user, &full, NULL, EXACT "88 77 66 55 44 33 22 11 "},
	{"TRANSACTION", PERF_SAMPLE_TRANSACTION, &at_user, &full, NULL,
	 EXACT "31 00 00 00 42 00 00 00 "},
	{"REGS_INTR", PERF_SAMPLE_REGS_INTR, &at_kernel, NULL, NULL,
	 KERNEL "02 00 00 00 00 00 00 00 " GPR_BYTES},
	{"PHYS_ADDR", PERF_SAMPLE_PHYS_ADDR, &at_user, &address, NULL,
	 USER "23 51 34 12 00 00 00 00 "},
	{"PHYS_ADDR, given", PERF_SAMPLE_PHYS_ADDR, &at_user, &full, NULL,
	 EXACT "77 07 00 00 00 00 00 00 "},
	{"PHYS_ADDR, not mapped", PERF_SAMPLE_PHYS_ADDR, &at_user, &elsewhere, NULL, USER ZERO},
	{"DATA_PAGE_SIZE", PERF_SAMPLE_DATA_PAGE_SIZE, &at_user, &address, NULL,
	 USER "00 10 00 00 00 00 00 00 "},
	{"DATA_PAGE_SIZE, not mapped", PERF_SAMPLE_DATA_PAGE_SIZE, &at_user, &elsewhere, NULL,
	 USER ZERO},
	{"CODE_PAGE_SIZE", PERF_SAMPLE_CODE_PAGE_SIZE, &at_user, NULL, NULL,
	 USER "00 10 00 00 00 00 00 00 "},
	{"everything",
	 (PERF_SAMPLE_MAX - 1) &
		 ~(uint64_t)(PERF_SAMPLE_AUX | PERF_SAMPLE_CGROUP | PERF_SAMPLE_WEIGHT_STRUCT),
	 &at_user, &full, NULL,
	 EXACT ID_BYTES IP_BYTES TASK_BYTES
	 "10 32 54 76 98 ba dc fe " ADDR_BYTES ID_BYTES STREAM_BYTES CPU_BYTES
	 "e9 03 00 00 00 00 00 00 "                            /* PERIOD */
	 "99 00 00 00 00 00 00 00 "                            /* READ */
	 "04 00 00 00 00 00 00 00 " USER_MARK IP_BYTES CALLERS /* CALLCHAIN */
	 "0c 00 00 00 01 02 03 04 05 00 00 00 00 00 00 00 "    /* RAW */
	 "02 00 00 00 00 00 00 00 " BRANCH_BYTES               /* BRANCH_STACK */
	 "02 00 00 00 00 00 00 00 " GPR_BYTES                  /* REGS_USER */
	 "10 00 00 00 00 00 00 00 e8 e9 ea eb ec ed ee ef f0 f1 f2 f3 f4 f5 f6 f7 "
	 "10 00 00 00 00 00 00 00 " /* STACK_USER */
	 "78 56 34 12 bc 9a f0 de 88 77 66 55 44 33 22 11 31 00 00 00 42 00 00 00 "
	 "02 00 00 00 00 00 00 00 " GPR_BYTES /* REGS_INTR */
	 "77 07 00 00 00 00 00 00 00 10 00 00 00 00 00 00 00 10 00 00 00 00 00 00 "},
};

TEST(test_samples)
{
	for (size_t i = 0; i < sizeof(samples) / sizeof(samples[0]); i++) {
		setup(samples[i].type, true);
		event.attr.sample_regs_user = event.attr.sample_regs_intr = ALL_GPRS;
		event.attr.sample_stack_user = 16;
		event.attr.branch_sample_type = PERF_SAMPLE_BRANCH_ANY;
		event.count = 0x99;
		event.times.running = 0x200;
		event.last_period = 1001;
		if (samples[i].change)
			samples[i].change();
		rig.user_chain = user_chain;
		rig.user_depth = 2;
		rig.kernel_chain = kernel_chain;
		rig.kernel_depth = 1;
		rig.user_ip = 0x400000003040;
		rig.left_fp = 0xf0;
		for (unsigned k = 0; k < RIG_PAGE_BYTES; k++)
			rig.memory[k] = (uint8_t)k;
		pmu.task = &rig.task;
		assert_int_equal(pmu_output_sample(&event, samples[i].regs, samples[i].data),
				 PMU_WRITTEN);
		expect(samples[i].name, samples[i].bytes, "");
		if (samples[i].type & PERF_SAMPLE_CALLCHAIN && rig.user_fp)
			assert_int_equal(rig.user_fp,
					 samples[i].regs->user ? frame.rbp : rig.left_fp);
		pmu.task = NULL;
		pmu_event_close(&event);
	}
}

/* A sample of any event of a group has the values of the leader and its siblings. */
TEST(test_group_read)
{
	struct perf_event_attr attr = rig_attr(PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES);
	struct pmu_event sibling;

	setup(PERF_SAMPLE_READ, false);
	event.attr.read_format = PERF_FORMAT_GROUP | PERF_FORMAT_ID | PERF_FORMAT_LOST |
				 PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
	assert_int_equal(rig_open(&sibling, &attr, &event), 0);
	event.count = 0x99;
	event.times.enabled = 0x300;
	event.times.running = 0x200;
	event.books.lost = 1;
	sibling.count = 0x88;
	sibling.id = 0x44;
	sibling.books.lost = 2;
	assert_int_equal(pmu_output_sample(&event, &at_user, NULL), PMU_WRITTEN);
	expect("READ of a group",
	       USER "02 00 00 00 00 00 00 00 00 03 00 00 00 00 00 00 00 02 00 00 00 00 00 00 "
		    "99 00 00 00 00 00 00 00 " ID_BYTES "01 00 00 00 00 00 00 00 "
		    "88 00 00 00 00 00 00 00 44 00 00 00 00 00 00 00 02 00 00 00 00 00 00 00 ",
	       "");
	pmu_event_close(&sibling);
	pmu_event_close(&event);
}

/* A sample has at most the longest allowed chain, even if the host's chain is longer. */
TEST(test_longest_chain)
{
	static const uint64_t deep[200];
	uint64_t out[256];

	setup(PERF_SAMPLE_CALLCHAIN, false);
	pmu.task = &rig.task;
	rig.user_ip = 0x400000003040;
	rig.user_chain = rig.kernel_chain = deep;
	for (rig.kernel_depth = 0; rig.kernel_depth <= 200; rig.kernel_depth += 40)
		for (rig.user_depth = 0; rig.user_depth <= 200; rig.user_depth += 40) {
			const unsigned user = 1 + rig.user_depth, kernel = 1 + rig.kernel_depth;
			unsigned frames = user + kernel, markers = 1 + (kernel < 127);

			pmu_output_sample(&event, &at_kernel, NULL);
			rb_read(ring, out, sizeof(out));
			assert_int_equal(out[1], (frames < 127 ? frames : 127) + markers);
			assert_int_equal(out[0] >> 48, 16 + 8 * out[1]);
		}
	pmu.task = NULL;
	pmu_event_close(&event);
}

/* A record is at most 64 KiB: the sample has as much of the stack as fits. */
TEST(test_longest_stack)
{
	static uint8_t out[65536];
	struct pmu_regs regs = at_user;
	uint64_t size, copied;
	size_t n;

	setup(PERF_SAMPLE_IP | PERF_SAMPLE_STACK_USER | PERF_SAMPLE_PHYS_ADDR, false);
	ring = rig_ring(32);
	assert_int_equal(pmu_event_set_output(&event, ring), 0);
	event.attr.sample_stack_user = 65528;
	assert_int_equal(pmu_output_sample(&event, &regs, NULL), PMU_WRITTEN);
	n = rb_read(ring, out, sizeof(out));
	assert_int_equal(n, RB_MAX_RECORD);
	memcpy(&size, out + 16, sizeof(size));
	assert_int_equal(size, RB_MAX_RECORD - 8 - 8 - 8 - 8 - 8);
	memcpy(&copied, out + 24 + size, sizeof(copied));
	assert_int_equal(copied, 24);
	pmu_event_close(&event);
}

/* --- At opening --- */

TEST(test_refusals)
{
	static const struct {
		uint64_t type;
		uint64_t regs;
		uint32_t stack;
		uint16_t max_stack;
		int error;
		const char *sentence;
	} rows[] = {
		{PERF_SAMPLE_REGS_USER, 0, 0, 0, -EINVAL,
		 "sample_regs_user: no register is asked for"},
		{PERF_SAMPLE_REGS_INTR, 0, 0, 0, -EINVAL,
		 "sample_regs_intr: no register is asked for"},
		{PERF_SAMPLE_REGS_INTR, 1ull << 32, 0, 0, -EOPNOTSUPP,
		 "vector registers are not sampled"},
		{PERF_SAMPLE_REGS_USER, 1 << 12, 0, 0, -EINVAL,
		 "sample_regs_user: mask 0x1000 has registers that 64-bit mode does not save"},
		{PERF_SAMPLE_REGS_USER, 1 << 24, 0, 0, -EINVAL,
		 "sample_regs_user: mask 0x1000000 has registers that 64-bit mode does not save"},
		{PERF_SAMPLE_REGS_USER, ALL_GPRS, 0, 0, 0, NULL},
		{PERF_SAMPLE_STACK_USER, 0, 12, 0, -EINVAL,
		 "sample_stack_user 12 is not a multiple of 8 below 65535"},
		{PERF_SAMPLE_STACK_USER, 0, 65536, 0, -EINVAL,
		 "sample_stack_user 65536 is not a multiple of 8 below 65535"},
		{PERF_SAMPLE_STACK_USER, 0, 65528, 0, 0, NULL},
		{PERF_SAMPLE_CALLCHAIN, 0, 0, 128, -EOVERFLOW, "sample_max_stack 128 is above 127"},
		{PERF_SAMPLE_CALLCHAIN, 0, 0, 127, 0, NULL},
		{PERF_SAMPLE_MAX, 0, 0, 0, -EINVAL, "reserved bits of sample_type are set"},
	};

	rig_boot("hsw", true);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct perf_event_attr attr =
			rig_attr(PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS);
		int got;

		attr.sample_period = 1000;
		attr.sample_type = rows[i].type;
		attr.sample_regs_user = attr.sample_regs_intr = rows[i].regs;
		attr.sample_stack_user = rows[i].stack;
		attr.sample_max_stack = rows[i].max_stack;
		got = rig_open(&event, &attr, NULL);
		assert_int_equal(got, rows[i].error);
		if (got)
			assert_string_equal(rig.why.text, rows[i].sentence);
		else
			pmu_event_close(&event);
	}
}

/* A breakpoint allows the fields that it has values for, and the fields that follow from an
 * address. */
TEST(test_fields_of_breakpoints)
{
	struct perf_event_attr attr = rig_attr(PERF_TYPE_BREAKPOINT, 0);

	rig_boot("icl", true);
	attr.bp_type = HW_BREAKPOINT_W;
	attr.bp_addr = RIG_PAGE;
	attr.bp_len = 8;
	attr.sample_period = 1;
	attr.sample_type = PERF_SAMPLE_ADDR | PERF_SAMPLE_PHYS_ADDR | PERF_SAMPLE_DATA_PAGE_SIZE |
			   PERF_SAMPLE_CODE_PAGE_SIZE;
	assert_int_equal(rig_open(&event, &attr, NULL), 0);
	pmu_event_close(&event);
	attr.sample_type |= PERF_SAMPLE_DATA_SRC;
	assert_int_equal(rig_open(&event, &attr, NULL), 0);
	assert_true(pmu_event_missing(&event) == PERF_SAMPLE_DATA_SRC);
	pmu_event_close(&event);
}

/* Breakpoints are off while the core reads ring 3's memory, and on again afterwards. */
TEST(test_breakpoints_are_held)
{
	struct perf_event_attr attr = rig_attr(PERF_TYPE_BREAKPOINT, 0);
	struct pmu_event watch;
	uint64_t dr7;

	setup(PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_STACK_USER, false);
	event.attr.sample_stack_user = 1024;
	attr.bp_type = HW_BREAKPOINT_RW;
	attr.bp_addr = RIG_PAGE;
	attr.bp_len = 8;
	assert_int_equal(rig_open(&watch, &attr, NULL), 0);
	pmu_task_sched_in(&rig.task);
	dr7 = shim.dr[7];
	assert_true(dr7 & 3);
	assert_int_equal(pmu_output_sample(&event, &at_user, NULL), PMU_WRITTEN);
	assert_int_equal(rig.reads_watched, 0);
	assert_int_equal(shim.dr[7], dr7);
	pmu_task_sched_out();
	assert_int_equal(shim.dr[7] & 0xff, 0);
	assert_int_equal(pmu.soft.watching, 0);
	pmu_event_close(&watch);
	pmu_event_close(&event);
}
