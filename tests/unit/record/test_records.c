// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_records.c - every record and every field of a sample, byte for byte as perf_event_open(2)
 * lays them out. The bytes were written down from the manual page.
 */
#include "arch/x86/cpu/trap_frame.h"
#include "pmu/record/output.h"
#include "tests/shim/rig.h"
#include "pmu/record/sample.h"

#include <errno.h>
#include <linux/hw_breakpoint.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* What all records are about: pid 7, tid 8, CPU 3, and these. */
#define ID        0x11
#define STREAM_ID 0x22
#define NOW       0x0102030405060708ull

#define ID_BYTES     "11 00 00 00 00 00 00 00 "
#define STREAM_BYTES "22 00 00 00 00 00 00 00 "
#define TASK_BYTES   "07 00 00 00 08 00 00 00 "
#define TIME_BYTES   "08 07 06 05 04 03 02 01 "
#define CPU_BYTES    "03 00 00 00 00 00 00 00 "

static struct pmu_event event;
static struct rb *ring;

static void setup(uint64_t sample_type, bool sample_id_all)
{
	struct perf_event_attr attr = rig_attr(PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS);

	rig_boot("skx", true);
	ring = rig_ring(16);
	attr.sample_period = 1000;
	attr.sample_id_all = sample_id_all;
	attr.sample_type = PERF_SAMPLE_IP;
	if (rig_open(&event, &attr, NULL))
		fail_msg("%s", rig.why.text);
	event.attr.sample_type = sample_type; /* whatever this machine gives */
	event.id = ID;
	event.stream_id = STREAM_ID;
	pmu_output_init(&event);
	assert_int_equal(pmu_event_set_output(&event, ring), 0);
	rig.current.cpu = 3;
	shim.ns = NOW;
}

static size_t read_hex(const char *hex, uint8_t *out)
{
	size_t n = 0;
	char *end;

	while (*hex) {
		out[n++] = (uint8_t)strtoul(hex, &end, 16);
		assert_ptr_equal(end, hex + 2);
		hex = end + strspn(end, " ");
	}
	return n;
}

static void print_bytes(const char *what, const uint8_t *bytes, size_t n)
{
	print_error("%s:", what);
	for (size_t i = 0; i < n; i++)
		print_error("%s%02x", i % 8 ? " " : "\n  ", bytes[i]);
	print_error("\n");
}

/* All that is in the ring is `hex` and `more`; a size of 0 in its first header stands for all. */
static void expect(const char *name, const char *hex, const char *more)
{
	static uint8_t got[65536], wanted[65536];
	size_t n = rb_read(ring, got, sizeof(got)), size = read_hex(hex, wanted);
	uint16_t bytes;

	size += read_hex(more, wanted + size);
	bytes = (uint16_t)size;
	if (!wanted[6] && !wanted[7])
		memcpy(wanted + 6, &bytes, sizeof(bytes));
	if (n == size && !memcmp(got, wanted, n))
		return;
	print_bytes("got", got, n);
	print_bytes("wanted", wanted, size);
	fail_msg("%s, sample_type 0x%llx", name, (unsigned long long)event.attr.sample_type);
}

/* --- Records, each with every trailer --- */

static const uint8_t build_id[20] = {0xb0, 0xb1, 0xb2, 0xb3, 0xb4, 0xb5, 0xb6, 0xb7, 0xb8, 0xb9,
				     0xba, 0xbb, 0xbc, 0xbd, 0xbe, 0xbf, 0xc0, 0xc1, 0xc2, 0xc3};

static struct pmu_mmap a_map(uint32_t prot)
{
	return (struct pmu_mmap){
		.task = &rig.task,
		.prot = prot,
		.addr = 0x400000001000,
		.len = 0x3000,
		.pgoff = 0x1000,
		.build_id = build_id,
		.build_id_size = sizeof(build_id),
		.filename = "a.elf",
	};
}

static void write_map(void)
{
	const struct pmu_mmap map = a_map(PMU_PROT_READ | PMU_PROT_EXEC);

	event.attr.mmap = 1;
	pmu_output_mmap2(&map);
}

static void write_map_data(void)
{
	const struct pmu_mmap map = a_map(PMU_PROT_READ | PMU_PROT_WRITE);

	event.attr.mmap = 1;
	pmu_output_mmap2(&map);
	event.attr.mmap_data = 1;
	pmu_output_mmap2(&map);
}

static void write_map2(void)
{
	event.attr.mmap2 = 1;
	write_map();
}

static void write_map2_data(void)
{
	event.attr.mmap2 = 1;
	write_map_data();
}

static void write_map2_build_id(void)
{
	event.attr.build_id = 1;
	write_map2();
}

static void write_lost(void)
{
	rb_lose(ring, 5);
	assert_true(pmu_output_lost(&event));
}

static void write_lost_samples(void)
{
	event.books.lost = 6;
	assert_true(pmu_output_lost(&event));
	assert_true(pmu_output_lost(&event)); /* once */
}

static void write_comm(void)
{
	pmu_output_comm(&rig.task, "nobody asked", true);
	event.attr.comm = 1;
	pmu_output_comm(&rig.task, "dd", true);
}

static void write_comm_exec(void)
{
	event.attr.comm_exec = 1;
	write_comm();
}

static void write_fork(void)
{
	struct pmu_task child;

	event.attr.task = 1;
	pmu_task_init(&child, 9, 10, &rig.task);
	event.attr.task = 0;
	pmu_task_exit(&child);
}

static void write_exit(void)
{
	struct pmu_task child;

	pmu_task_init(&child, 9, 10, &rig.task);
	/* An event of a task hears of that task only. */
	event.attr.task = 1;
	pmu_task_exit(&child);
	rig.task.parent_pid = 5;
	rig.task.parent_tid = 6;
	pmu_output_exit(&rig.task);
}

static void write_throttle(void)
{
	pmu_output_throttle(&event, true);
}

static void write_unthrottle(void)
{
	pmu_output_throttle(&event, false);
}

/* 0x99 occurrences so far, of which it tells by READ. */
static void write_read(void)
{
	event.count = 0x99;
	event.attr.inherit_stat = 1;
	pmu_output_exit(&rig.task);
}

static void write_read_all(void)
{
	event.attr.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING |
				 PERF_FORMAT_ID | PERF_FORMAT_LOST;
	event.times.enabled = 0x300;
	event.times.running = 0x200;
	event.books.lost = 4;
	write_read();
}

static void write_read_group(void)
{
	event.attr.read_format =
		PERF_FORMAT_GROUP | PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_ID;
	event.times.enabled = 0x300;
	write_read();
}

static void write_aux(void)
{
	pmu_output_aux(&event, 0x1000, 0x200, PERF_AUX_FLAG_TRUNCATED | PERF_AUX_FLAG_PARTIAL);
}

static void write_itrace_start(void)
{
	pmu_output_itrace_start(&event, 9, 10);
}

static void write_switch_in(void)
{
	event.attr.context_switch = 1;
	pmu_output_switch(&rig.task, NULL, 0);
}

static void write_switch_out(void)
{
	event.attr.context_switch = 1;
	pmu_output_switch(&rig.task, NULL, PERF_RECORD_MISC_SWITCH_OUT);
}

static void write_switch_wide_in(void)
{
	event.context = pmu.cpu;
	write_switch_in();
	event.context = &rig.task.context;
}

static void write_switch_wide_out(void)
{
	event.context = pmu.cpu;
	write_switch_out();
	event.context = &rig.task.context;
}

/* The type, misc, room for the size; then what stands between header and trailer. */
#define MAP_BYTES \
	TASK_BYTES "00 10 00 00 00 40 00 00 00 30 00 00 00 00 00 00 00 10 00 00 00 00 00 00 "
#define NAME_BYTES  "61 2e 65 6c 66 00 00 00 "
#define NO_ID_BYTES "00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 "

static const struct {
	const char *name;
	void (*write)(void);
	const char *bytes;
} records[] = {
	{"MMAP", write_map, "01 00 00 00 02 00 00 00 " MAP_BYTES NAME_BYTES},
	{"MMAP, data", write_map_data, "01 00 00 00 02 20 00 00 " MAP_BYTES NAME_BYTES},
	{"LOST", write_lost, "02 00 00 00 00 00 00 00 " ID_BYTES "05 00 00 00 00 00 00 00 "},
	{"COMM", write_comm, "03 00 00 00 00 00 00 00 " TASK_BYTES "64 64 00 00 00 00 00 00 "},
	{"COMM, exec", write_comm_exec,
	 "03 00 00 00 00 20 00 00 " TASK_BYTES "64 64 00 00 00 00 00 00 "},
	{"EXIT", write_exit,
	 "04 00 00 00 00 00 00 00 07 00 00 00 05 00 00 00 08 00 00 00 06 00 00 00 " TIME_BYTES},
	{"THROTTLE", write_throttle, "05 00 00 00 00 00 00 00 " TIME_BYTES ID_BYTES STREAM_BYTES},
	{"UNTHROTTLE", write_unthrottle,
	 "06 00 00 00 00 00 00 00 " TIME_BYTES ID_BYTES STREAM_BYTES},
	{"FORK", write_fork,
	 "07 00 00 00 00 00 00 00 09 00 00 00 07 00 00 00 0a 00 00 00 08 00 00 00 " TIME_BYTES},
	{"READ", write_read, "08 00 00 00 00 00 00 00 " TASK_BYTES "99 00 00 00 00 00 00 00 "},
	{"READ, times, id and lost", write_read_all,
	 "08 00 00 00 00 00 00 00 " TASK_BYTES "99 00 00 00 00 00 00 00 00 03 00 00 00 00 00 00 "
	 "00 02 00 00 00 00 00 00 " ID_BYTES "04 00 00 00 00 00 00 00 "},
	{"READ, group", write_read_group,
	 "08 00 00 00 00 00 00 00 " TASK_BYTES "01 00 00 00 00 00 00 00 00 03 00 00 00 00 00 00 "
	 "99 00 00 00 00 00 00 00 " ID_BYTES},
	{"MMAP2", write_map2,
	 "0a 00 00 00 02 00 00 00 " MAP_BYTES NO_ID_BYTES "05 00 00 00 02 00 00 00 " NAME_BYTES},
	{"MMAP2, build-id", write_map2_build_id,
	 "0a 00 00 00 02 40 00 00 " MAP_BYTES "14 00 00 00 b0 b1 b2 b3 b4 b5 b6 b7 b8 b9 ba bb "
	 "bc bd be bf c0 c1 c2 c3 05 00 00 00 02 00 00 00 " NAME_BYTES},
	{"MMAP2, data", write_map2_data,
	 "0a 00 00 00 02 20 00 00 " MAP_BYTES NO_ID_BYTES "03 00 00 00 02 00 00 00 " NAME_BYTES},
	{"AUX", write_aux,
	 "0b 00 00 00 00 00 00 00 00 10 00 00 00 00 00 00 00 02 00 00 00 00 00 00 "
	 "05 00 00 00 00 00 00 00 "},
	{"ITRACE_START", write_itrace_start, "0c 00 00 00 00 00 00 00 09 00 00 00 0a 00 00 00 "},
	{"LOST_SAMPLES", write_lost_samples, "0d 00 00 00 00 00 00 00 06 00 00 00 00 00 00 00 "},
	{"SWITCH, in", write_switch_in, "0e 00 00 00 00 00 00 00 "},
	{"SWITCH, out", write_switch_out, "0e 00 00 00 00 20 00 00 "},
	{"SWITCH_CPU_WIDE, in", write_switch_wide_in,
	 "0f 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 "},
	{"SWITCH_CPU_WIDE, out", write_switch_wide_out,
	 "0f 00 00 00 00 20 00 00 00 00 00 00 00 00 00 00 "},
};

static const struct {
	uint64_t field;
	const char *bytes;
} trailer[] = {
	{PERF_SAMPLE_TID, TASK_BYTES}, {PERF_SAMPLE_TIME, TIME_BYTES},
	{PERF_SAMPLE_ID, ID_BYTES},    {PERF_SAMPLE_STREAM_ID, STREAM_BYTES},
	{PERF_SAMPLE_CPU, CPU_BYTES},  {PERF_SAMPLE_IDENTIFIER, ID_BYTES},
};
#define TRAILERS (1u << sizeof(trailer) / sizeof(trailer[0]))

static void test_records(void **state)
{
	(void)state;
	for (size_t r = 0; r < sizeof(records) / sizeof(records[0]); r++)
		for (unsigned set = 0; set < 2 * TRAILERS; set++) {
			char more[256] = "";
			uint64_t type = PERF_SAMPLE_IP; /* is in no trailer */

			for (unsigned i = 0; i < sizeof(trailer) / sizeof(trailer[0]); i++) {
				if (!(set >> i & 1))
					continue;
				type |= trailer[i].field;
				if (set < TRAILERS)
					strcat(more, trailer[i].bytes);
			}
			setup(type, set < TRAILERS);
			records[r].write();
			expect(records[r].name, records[r].bytes, more);
			pmu_event_close(&event);
		}
}

/* What no record is lost for: a ring without room; LOST says so first when there is some. */
static void test_lost_record_first(void **state)
{
	(void)state;
	setup(PERF_SAMPLE_IP, false);
	for (unsigned i = 0; i < 16 * RB_PAGE_SIZE / 32; i++)
		assert_true(pmu_output_aux(&event, 0, 0, 0));
	assert_false(pmu_output_aux(&event, 0, 0, 0)); /* can be told later: not lost */
	assert_false(pmu_output_throttle(&event, true));
	assert_false(pmu_output_itrace_start(&event, 9, 10));
	while (rb_used(ring)) {
		uint8_t out[4096];

		rb_read(ring, out, sizeof(out));
	}
	write_throttle();
	expect("LOST in front",
	       "02 00 00 00 00 00 18 00 " ID_BYTES "02 00 00 00 00 00 00 00 "
	       "05 00 00 00 00 00 20 00 " TIME_BYTES ID_BYTES STREAM_BYTES,
	       "");
	pmu_event_close(&event);
}

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

static void test_samples(void **state)
{
	(void)state;
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

/* Siblings are read with the leader, whoever's sample it is. */
static void test_group_read(void **state)
{
	struct perf_event_attr attr = rig_attr(PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES);
	struct pmu_event sibling;

	(void)state;
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

/* The longest chain, whatever the host would find. */
static void test_longest_chain(void **state)
{
	static const uint64_t deep[200];
	uint64_t out[256];

	(void)state;
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

/* A record is at most 64 KiB: of the stack comes what fits. */
static void test_longest_stack(void **state)
{
	static uint8_t out[65536];
	struct pmu_regs regs = at_user;
	uint64_t size, copied;
	size_t n;

	(void)state;
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

static void test_refusals(void **state)
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

	(void)state;
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

/* What the kind of an event can give is allowed, and what follows from an address. */
static void test_fields_of_breakpoints(void **state)
{
	struct perf_event_attr attr = rig_attr(PERF_TYPE_BREAKPOINT, 0);

	(void)state;
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

/* While ring 3's memory is read nothing is watched, and afterwards all is again. */
static void test_breakpoints_are_held(void **state)
{
	struct perf_event_attr attr = rig_attr(PERF_TYPE_BREAKPOINT, 0);
	struct pmu_event watch;
	uint64_t dr7;

	(void)state;
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_records),
		cmocka_unit_test(test_lost_record_first),
		cmocka_unit_test(test_samples),
		cmocka_unit_test(test_group_read),
		cmocka_unit_test(test_longest_chain),
		cmocka_unit_test(test_longest_stack),
		cmocka_unit_test(test_refusals),
		cmocka_unit_test(test_fields_of_breakpoints),
		cmocka_unit_test(test_breakpoints_are_held),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
