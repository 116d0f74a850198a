// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_overflow_records.c - sampling on the modelled PMUs: the bytes of every record, and samples
 * and losses that add up to the overflows.
 */
#include "tests/unit/core/sampled_events.h"

#include "tests/unit/test.h"

#define FULL_SAMPLE                                                                     \
	(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | \
	 PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD)

/* --- Records, byte for byte --- */

TEST(test_sample_record)
{
	struct perf_event_attr attr = sampling(1000);
	struct rb *rb = rig_ring(4);
	struct pmu_event e;
	uint64_t ip, now;

	rig_boot("skx", true);
	attr.sample_type = FULL_SAMPLE;
	open_into(&e, attr, rb);
	ip = shim.ip[VPMU_USR];
	now = shim.ns;
	rig_task(1500);
	assert_int_equal(drain_records(rb, PERF_RECORD_SAMPLE), 1);
	{
		const uint64_t want[] = {
			PERF_RECORD_SAMPLE | (uint64_t)PERF_RECORD_MISC_USER << 32 | 72ull << 48,
			e.id,
			ip + 1000,
			RIG_PID | (uint64_t)RIG_TID << 32,
			now + 1000,
			e.id,
			e.id,
			0,
			1000,
		};

		assert_memory_equal(last, want, sizeof(want));
	}
	pmu_event_close(&e);
}

TEST(test_skid_moves_ip)
{
	struct rb *rb = rig_ring(4);
	struct pmu_event e;
	uint64_t ip;

	rig_boot("icl", true);
	shim.nmi_delay = 2;
	open_into(&e, sampling(1000), rb);
	ip = shim.ip[VPMU_USR];
	rig_task(1500);
	assert_int_equal(drain_records(rb, PERF_RECORD_SAMPLE), 1);
	assert_int_equal(last[2], ip + 1002);
	pmu_event_close(&e);
}

/* If an overflow of ring 3 is noticed in ring 0, the sample is at ring 3's address, if that is
 * known. */
TEST(test_skid_into_ring_0)
{
	struct rb *rb = rig_ring(4);
	struct pmu_event e;

	rig_boot("hsw", true);
	shim.nmi_delay = 3;
	rig.user_ip = 0x1234;
	open_into(&e, sampling(1000), rb);
	rig_task(1000);
	assert_int_equal(drain_records(rb, PERF_RECORD_SAMPLE), 1);
	assert_int_equal(last[0] >> 32 & PERF_RECORD_MISC_CPUMODE_MASK, PERF_RECORD_MISC_USER);
	assert_int_equal(last[2], 0x1234);
	rig.user_ip = 0;
	rig_task(1000);
	assert_int_equal(drain_records(rb, PERF_RECORD_SAMPLE), 1);
	assert_int_equal(last[0] >> 32 & PERF_RECORD_MISC_CPUMODE_MASK, PERF_RECORD_MISC_KERNEL);
	pmu_event_close(&e);
}

TEST(test_comm_record)
{
	struct perf_event_attr attr = sampling(1000);
	struct rb *rb = rig_ring(4);
	struct pmu_event e, silent;

	rig_boot("hsw", true);
	open_into(&silent, attr, rb);
	attr.comm = 1;
	attr.comm_exec = 1;
	open_into(&e, attr, rb);
	pmu_output_comm(&rig.task, "a-name-that-is-too-long", true);
	assert_int_equal(drain_records(rb, PERF_RECORD_COMM), 1);
	assert_int_equal(last[0] & 0xffffffff, PERF_RECORD_COMM);
	assert_int_equal(last[0] >> 32 & 0xffff, PERF_RECORD_MISC_COMM_EXEC);
	assert_int_equal(last[0] >> 48, 64);
	assert_int_equal(last[1], RIG_PID | (uint64_t)RIG_TID << 32);
	assert_memory_equal(&last[2], "a-name-that-is-", 16);
	assert_int_equal(last[4], RIG_PID | (uint64_t)RIG_TID << 32);
	assert_int_equal(last[5], shim.ns);
	assert_int_equal(last[6], 0);
	assert_int_equal(last[7], e.id);
	pmu_event_close(&e);
	pmu_event_close(&silent);
}

TEST(test_mmap2_record)
{
	static const uint8_t build_id[20] = {1,  2,  3,  4,  5,  6,  7,  8,  9,  10,
					     11, 12, 13, 14, 15, 16, 17, 18, 19, 20};
	const struct pmu_mmap map = {
		.task = &rig.task,
		.prot = PMU_PROT_READ | PMU_PROT_EXEC,
		.addr = 0x400000,
		.len = 0x2000,
		.pgoff = 0x1000,
		.build_id = build_id,
		.build_id_size = sizeof(build_id),
		.filename = "perf0.elf",
	};
	struct perf_event_attr attr = sampling(1000);
	struct rb *rb = rig_ring(4);
	struct pmu_event e;

	rig_boot("hsw", true);
	attr.mmap = attr.mmap2 = attr.build_id = 1;
	open_into(&e, attr, rb);
	pmu_output_mmap2(&map);
	assert_int_equal(drain_records(rb, PERF_RECORD_MMAP2), 1);
	assert_int_equal(last[0] & 0xffffffff, PERF_RECORD_MMAP2);
	assert_int_equal(last[0] >> 32 & 0xffff,
			 PERF_RECORD_MISC_USER | PERF_RECORD_MISC_MMAP_BUILD_ID);
	assert_int_equal(last[0] >> 48, 120);
	assert_int_equal(last[1], RIG_PID | (uint64_t)RIG_TID << 32);
	assert_int_equal(last[2], 0x400000);
	assert_int_equal(last[3], 0x2000);
	assert_int_equal(last[4], 0x1000);
	assert_int_equal(last[5] & 0xffffffff, 20);
	assert_memory_equal((uint8_t *)last + 44, build_id, 20);
	assert_int_equal(last[8], 5 | 2ull << 32);
	assert_string_equal((char *)&last[9], "perf0.elf");
	assert_int_equal(last[14], e.id);
	pmu_event_close(&e);

	/* Without a build-id, and in the older form. */
	attr.build_id = 0;
	open_into(&e, attr, rb);
	pmu_output_mmap2(&map);
	assert_int_equal(drain_records(rb, PERF_RECORD_MMAP2), 1);
	assert_int_equal(last[0] >> 32 & 0xffff, PERF_RECORD_MISC_USER);
	assert_int_equal(last[5] | last[6] | last[7], 0);
	pmu_event_close(&e);
	attr.mmap2 = 0;
	open_into(&e, attr, rb);
	pmu_output_mmap2(&map);
	assert_int_equal(drain_records(rb, PERF_RECORD_MMAP), 1);
	assert_int_equal(last[0] >> 48, 88);
	assert_string_equal((char *)&last[5], "perf0.elf");
	pmu_event_close(&e);
}

/* --- Loss --- */

TEST(test_lost)
{
	for_each_uarch(u)
	{
		const unsigned fit = RB_PAGE_SIZE / 56;
		struct rb *rb = rig_ring(1);
		struct pmu_event e;
		struct pmu_value v;

		rig_boot(*u, true);
		open_into(&e, sampling(100), rb);
		assert_int_equal(e.out.sample_size, 56);
		rig_task(100 * (fit + 10));
		assert_int_equal(e.books.overflows, fit + 10);
		assert_int_equal(e.books.written, fit);
		assert_int_equal(e.books.lost, 10);
		pmu_event_read(&e, &v);
		assert_int_equal(v.lost, 10);
		check_books(&e);

		/* A LOST record with the number comes before the next sample. */
		assert_int_equal(drain_records(rb, PERF_RECORD_SAMPLE), fit);
		rig_task(100);
		assert_int_equal(e.books.written, fit + 1);
		assert_int_equal(drain_records(rb, PERF_RECORD_LOST), 1);
		assert_int_equal(last[0] >> 48, 56);
		assert_int_equal(last[1], e.id);
		assert_int_equal(last[2], 10);
		assert_int_equal(last[3], RIG_PID | (uint64_t)RIG_TID << 32);
		assert_int_equal(last[6], e.id);
		assert_int_equal(rb->lost, 0);
		pmu_event_close(&e);
	}
}

/* At the end there is no next sample. */
TEST(test_lost_at_the_end)
{
	const unsigned fit = RB_PAGE_SIZE / 56;
	struct rb *rb = rig_ring(1);
	struct pmu_event e;

	rig_boot("skx", true);
	open_into(&e, sampling(100), rb);
	rig_task(100 * (fit + 7));
	assert_false(pmu_output_lost(&e));
	assert_int_equal(drain_records(rb, PERF_RECORD_SAMPLE), fit);
	assert_true(pmu_output_lost(&e));
	assert_int_equal(rb_used(rb), 56 + 48);
	assert_int_equal(drain_records(rb, PERF_RECORD_LOST_SAMPLES), 1);
	assert_int_equal(last[0] >> 48, 48);
	assert_int_equal(last[1], 7);
	assert_int_equal(last[5], e.id);
	assert_true(pmu_output_lost(&e));
	assert_int_equal(rb_used(rb), 0);
	pmu_event_close(&e);
}

TEST(test_no_ring)
{
	struct pmu_event e;

	rig_boot("zen4", true);
	open_into(&e, sampling(100), NULL);
	rig_task(1000);
	assert_int_equal(e.books.overflows, 10);
	assert_int_equal(e.books.refused, 10);
	assert_true(pmu_output_lost(&e));
	check_books(&e);
	pmu_event_close(&e);
}
