// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_records.c - every record, byte for byte as in perf_event_open(2). The bytes were written by
 * hand from the manual page.
 */
#include "tests/unit/record/written.h"

#include <time.h>

#include "tests/unit/test.h"

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
	/* An event of a task gets records of that task only. */
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

/* The event occurred 0x99 times. READ has that count. */
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

/* Type, misc, room for the size; then the words between header and trailer. */
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

TEST(test_records)
{
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

/* The last two records find no room, and are lost. LOST comes first when there is room again. */
TEST(test_lost_record_first)
{
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

static uint64_t program_clock(int clockid, uint64_t ns)
{
	return ns + (clockid == CLOCK_MONOTONIC_RAW ? 0x100 : 0);
}

/* With use_clockid times of records are those of the clock that programs read. */
TEST(test_clock_of_programs)
{
	setup(PERF_SAMPLE_TIME, true);
	rig.host.program_clock = program_clock;
	event.attr.use_clockid = 1;
	event.attr.clockid = CLOCK_MONOTONIC_RAW;
	pmu_output_init(&event);
	write_throttle();
	expect("THROTTLE, use_clockid",
	       "05 00 00 00 00 00 00 00 08 08 06 05 04 03 02 01 " ID_BYTES STREAM_BYTES,
	       "08 08 06 05 04 03 02 01 ");
	pmu_event_close(&event);
}
