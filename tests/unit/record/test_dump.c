// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_dump.c - stock perf reads every record that the event core writes, and every field of a
 * sample: `perf script -D` names each one, with its values.
 */
#include "arch/x86/cpu/trap_frame.h"
#include "pmu/record/output.h"
#include "tests/shim/rig.h"
#include "tests/unit/tools/synth_stream.h"
#include "tools/util/outfile.h"
#include "tools/out/perfdata.h"
#include "pmu/record/record_sample.h"

#include <stdio.h>
#include <unistd.h>

#include "tests/unit/test.h"

#define NAMES                                                                           \
	(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | \
	 PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD)
#define EVERYTHING                                                                              \
	(NAMES | PERF_SAMPLE_ADDR | PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_READ | \
	 PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_RAW | PERF_SAMPLE_BRANCH_STACK |                   \
	 PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER | PERF_SAMPLE_WEIGHT_STRUCT |           \
	 PERF_SAMPLE_DATA_SRC | PERF_SAMPLE_TRANSACTION | PERF_SAMPLE_REGS_INTR |               \
	 PERF_SAMPLE_PHYS_ADDR | PERF_SAMPLE_DATA_PAGE_SIZE | PERF_SAMPLE_CODE_PAGE_SIZE)
#define BASE 0x400000003000 /* of the code that is sampled */

static char folder[] = "/tmp/perf0-dump-XXXXXX";
static struct pmu_event event;
static struct rb *ring;

/* Makes an event whose samples have the fields of `type`, even fields that the machine lacks. */
static void setup(uint64_t type)
{
	struct perf_event_attr attr = rig_attr(PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS);

	rig_boot("skx", true);
	ring = rig_ring(8);
	attr.sample_period = 1000;
	attr.sample_type = NAMES;
	attr.sample_id_all = 1;
	attr.mmap = attr.comm = attr.comm_exec = attr.task = 1;
	attr.context_switch = attr.inherit_stat = attr.mmap_data = 1;
	attr.read_format =
		PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING | PERF_FORMAT_ID;
	assert_int_equal(rig_open(&event, &attr, NULL), 0);
	event.attr.sample_type = type;
	pmu_output_init(&event);
	assert_int_equal(pmu_event_set_output(&event, ring), 0);
	shim.ns = 1000000;
	pmu.task = &rig.task;
}

static void write_mappings(void)
{
	static const uint8_t build_id[20] = {0xab, 0xcd};
	struct pmu_mmap map = {
		.task = &rig.task,
		.prot = PMU_PROT_READ | PMU_PROT_EXEC,
		.addr = BASE,
		.len = 0x2000,
		.pgoff = 0x3000,
		.filename = "code",
	};

	pmu_output_mmap2(&map);
	map.prot = PMU_PROT_READ | PMU_PROT_WRITE;
	map.filename = "[heap]";
	pmu_output_mmap2(&map);
	event.attr.mmap2 = event.attr.build_id = 1;
	map.prot = PMU_PROT_READ | PMU_PROT_EXEC;
	map.filename = "other";
	map.build_id = build_id;
	map.build_id_size = sizeof(build_id);
	pmu_output_mmap2(&map);
}

static void write_records(void)
{
	struct pmu_task child;

	write_mappings();
	pmu_output_comm(&rig.task, "worker", true);
	pmu_task_init(&child, RIG_PID, RIG_TID + 1, &rig.task);
	pmu_output_itrace_start(&event, RIG_PID, RIG_TID);
	pmu_output_switch(&rig.task, NULL, 0);
	event.context = pmu.cpu;
	pmu_output_switch(&rig.task, NULL, 0);
	pmu_output_switch(&rig.task, NULL, PERF_RECORD_MISC_SWITCH_OUT);
	event.context = &rig.task.context;
	pmu_output_throttle(&event, true);
	pmu_output_throttle(&event, false);
	pmu_output_aux(&event, 0x1000, 0x230, PERF_AUX_FLAG_TRUNCATED);
	rb_lose(ring, 5);
	event.books.lost = 6;
	assert_true(pmu_output_lost(&event));
	pmu_output_switch(&rig.task, NULL, PERF_RECORD_MISC_SWITCH_OUT);
	event.count = 4711;
	pmu_output_exit(&rig.task);
}

static const struct trap_frame frame = {
	.rax = 0xa1,
	.rbp = 0xb2,
	.rsp = RIG_PAGE + 16,
	.rip = BASE + 0x10,
	.r15 = 0x15,
	.cs = 0x33,
};

static void write_sample(void)
{
	static const uint64_t callers[] = {BASE + 0x20, BASE + 0x30};
	static const struct perf_branch_entry branch = {
		.from = BASE + 0x40, .to = BASE + 0x50, .predicted = 1, .cycles = 7};
	static const struct pmu_branches branches = {1, UINT64_MAX, &branch};
	static const struct pmu_raw raw = {"raw!", 4};
	static const struct pmu_sample_data data = {
		.fields = EVERYTHING & ~(uint64_t)PERF_SAMPLE_TIME,
		.addr = RIG_PAGE + 0x123,
		.phys_addr = 0x777000,
		.weight = {.var1_dw = 42, .var2_w = 13},
		.data_src = {.mem_op = PERF_MEM_OP_LOAD,
			     .mem_lvl = PERF_MEM_LVL_HIT | PERF_MEM_LVL_L1},
		.transaction = PERF_TXN_ELISION | PERF_TXN_SYNC,
		.raw = &raw,
		.branches = &branches,
	};
	const struct pmu_regs regs = {.ip = frame.rip, .user = true, .frame = &frame};

	write_mappings();
	event.attr.sample_regs_user = event.attr.sample_regs_intr = 0x00ff0fff;
	event.attr.sample_stack_user = 32;
	event.attr.branch_sample_type = PERF_SAMPLE_BRANCH_ANY | PERF_SAMPLE_BRANCH_USER;
	event.count = 4711;
	event.times.enabled = event.times.running = 300;
	event.last_period = 1001;
	rig.user_chain = callers;
	rig.user_depth = 2;
	rig.current.cpu = 0;
	assert_int_equal(pmu_output_sample(&event, &regs, &data), PMU_WRITTEN);
}

/* Writes the host tool's output for the ring to a file. */
static void save_host_file(const char *path)
{
	static uint8_t records[32768];
	const struct wire_hello hello = {.version = WIRE_VERSION, .ncpus = 1};
	struct perf_event_attr attr = event.attr;
	struct wire_books books = {0};
	struct buf file = {0};
	struct synth s = {.seq = {0}};
	struct stream stream;
	struct reason why = {""};

	books.sent = rb_read(ring, records, sizeof(records));
	synth_hello(&s, &hello);
	synth_begin(&s, 0, "record -- worker");
	attr.mmap2 = 1;
	synth_event(&s, 0, &attr, "instructions", event.id);
	synth_frame(&s, WIRE_DATA, 0, records, books.sent);
	synth_result(&s, 0, 0, &books);
	synth_bye(&s, 0, 1, &books);
	synth_read(&s.out, &stream);
	if (perfdata_build(&file, &stream, &stream.commands[0], NULL, &why) ||
	    outfile_replace(path, &file, false, &why))
		fail_msg("%s", why.text);
	buf_free(&file);
	buf_free(&s.out);
	stream_free(&stream);
	pmu.task = NULL;
	pmu_event_close(&event);
}

static int run_shell(const char *format, ...) __attribute__((format(printf, 1, 2)));

static int run_shell(const char *format, ...)
{
	char command[1024];
	va_list args;

	va_start(args, format);
	vsnprintf(command, sizeof(command), format, args);
	va_end(args);
	return system(command);
}

/* Checks that each row is in a line of the dump. */
static void expect_dump(const char *const *rows, size_t n)
{
	char path[64];

	if (run_shell("perf version >%s/version 2>&1", folder)) {
		print_message("perf is not installed: its opinion is not heard\n");
		skip();
	}
	snprintf(path, sizeof(path), "%s/perf.data", folder);
	save_host_file(path);
	assert_int_equal(run_shell("HOME=%s perf script -D -i %s >%s/dump 2>%s/err </dev/null",
				   folder, path, folder, folder),
			 0);
	for (size_t i = 0; i < n; i++)
		if (run_shell("grep -Eq '%s' %s/dump", rows[i], folder)) {
			run_shell("grep -vE '^\\. ' %s/dump; cat %s/err", folder, folder);
			fail_msg("perf shows no: %s", rows[i]);
		}
}

TEST(test_records)
{
	static const char *const rows[] = {
		"PERF_RECORD_MMAP 7/8: \\[0x400000003000\\(0x2000\\) @ 0x3000\\]: x code",
		"PERF_RECORD_MMAP 7/8: \\[0x400000003000\\(0x2000\\) @ 0x3000\\]: r \\[heap\\]",
		"PERF_RECORD_MMAP2 7/8: \\[0x400000003000\\(0x2000\\) @ 0x3000 <abcd0{36}>\\]: "
		"r-xp "
		"other",
		"PERF_RECORD_COMM exec: worker:7/8",
		"PERF_RECORD_FORK\\(7:9\\):\\(7:8\\)",
		"PERF_RECORD_ITRACE_START pid: 7 tid: 8",
		"PERF_RECORD_SWITCH IN",
		"PERF_RECORD_SWITCH OUT",
		"PERF_RECORD_SWITCH_CPU_WIDE IN +prev pid/tid: +0/0",
		"PERF_RECORD_SWITCH_CPU_WIDE OUT +next pid/tid: +0/0",
		"PERF_RECORD_THROTTLE",
		"PERF_RECORD_UNTHROTTLE",
		"PERF_RECORD_AUX offset: 0x1000 size: 0x230 flags: 0x1 \\[T\\]",
		"PERF_RECORD_LOST: id:1: lost:5",
		"PERF_RECORD_LOST_SAMPLES: id:1: lost samples :6",
		"PERF_RECORD_READ: 7 8 instructions 4711",
		"PERF_RECORD_EXIT\\(7:8\\):\\(0:0\\)",
	};

	setup(NAMES);
	write_records();
	expect_dump(rows, sizeof(rows) / sizeof(rows[0]));
}

TEST(test_samples)
{
	static const char *const rows[] = {
		"PERF_RECORD_SAMPLE\\(IP, 0x2\\): 7/8: 0x400000003010 period: 1001 addr: "
		"0x400000003123",
		"FP chain: nr:4",
		"  0: f{13}e00",
		"  1: 0000400000003010",
		"  2: 0000400000003020",
		"  3: 0000400000003030",
		"branch stack: nr:1",
		"  0: 0000400000003040 -> 0000400000003050 7 cycles  P   0",
		"user regs: mask 0xff0fff ABI 64-bit",
		"intr regs: mask 0xff0fff ABI 64-bit",
		"AX    0x00000000000000a1",
		"BP    0x00000000000000b2",
		"SP    0x0000400000003010",
		"R15   0x0000000000000015",
		"ustack: size 32",
		"weight: 42,0xd,0x0",
		"data_src: 0x142",
		"phys_addr: 0x777000",
		"data page size: 4K",
		"code page size: 4K",
		"transaction: 5",
		"time enabled 000000000000012c",
		"time running 000000000000012c",
		"id 0000000000000001, value 0000000000001267",
	};

	setup(EVERYTHING);
	write_sample();
	expect_dump(rows, sizeof(rows) / sizeof(rows[0]));
}

FIXTURE(make_folder)
{
	return mkdtemp(folder) ? 0 : -1;
}

FIXTURE(remove_folder)
{
	return run_shell("rm -rf %s", folder);
}

GROUP(make_folder, remove_folder);
