// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_model_bts.c - Branch Trace Store of the modelled PMUs: its presence, the stored records, and
 * its interrupts.
 */
#include "tests/unit/vpmu/modelled_pmu.h"

#include "vpmu/model/model_trace.h"

#define DS      0x10000ull /* the guest's memory: the DS area, and behind it the buffer */
#define BUFFER  (DS + 0x100)
#define RECORDS 8
#define BYTES   24

static struct {
	uint64_t base, index, maximum, threshold;
	uint8_t rest[0x100 - 32];
	uint64_t record[RECORDS + 1][3];
} ds;
static uint64_t mapped_end;

static bool reach(uint64_t va, size_t n)
{
	return va >= DS && va + n <= mapped_end;
}

static bool read_linear(uint64_t va, void *buf, size_t n)
{
	if (!reach(va, n))
		return false;
	memcpy(buf, (const uint8_t *)&ds + (va - DS), n);
	return true;
}

static bool write_linear(uint64_t va, const void *buf, size_t n)
{
	if (!reach(va, n))
		return false;
	memcpy((uint8_t *)&ds + (va - DS), buf, n);
	return true;
}

static const struct vpmu_memory linear = {read_linear, write_linear};
static const struct vpmu_memories memories = {.linear = &linear, .physical = &linear};

static struct vpmu_model storing(const char *name, uint64_t more)
{
	struct vpmu_model m = model_of(name, false);

	vpmu_model_counts(&m, EVENTS_LEVEL_MODEL);
	vpmu_model_stops(&m, true);
	memset(&ds, 0, sizeof(ds));
	mapped_end = DS + sizeof(ds);
	ds.base = ds.index = BUFFER;
	ds.maximum = BUFFER + RECORDS * BYTES;
	ds.threshold = BUFFER + (RECORDS - 2) * BYTES;
	write_msr(&m, MSR_IA32_DS_AREA, DS);
	write_msr(&m, MSR_IA32_DEBUGCTL, DEBUGCTL_TR | DEBUGCTL_BTS | more);
	return m;
}

static void store(struct vpmu_model *m, enum vpmu_ring ring, uint64_t from, uint64_t flags)
{
	const struct branch_logged b = {
		.from = (from & ((1ull << LOGGED_KIND_SHIFT) - 1)) | flags,
		.to = from + 0x100,
	};
	const struct vpmu_at at = {.ring = ring, .mode = VPMU_CODE64, .ip = b.to};

	vpmu_model_trace(m, &b, false, &at, &memories);
}

static uint32_t features(const struct vpmu_model *m)
{
	struct cpuid_regs r = {0};

	vpmu_model_cpuid(m, 1, 0, &r);
	return r.ecx;
}

/* CPUID announces BTS, and its bits exist, if branches are reported and the guest can be stopped in
 * time. */
TEST(test_presence)
{
	static const char *const names[] = {"hsw", "skx", "icl", "adl"};
	const uint32_t ds_cpl = 1u << 4;

	for (unsigned i = 0; i < 4; i++) {
		struct vpmu_model m = model_of(names[i], false);

		for (unsigned stops = 0; stops < 2; stops++) {
			vpmu_model_counts(&m, EVENTS_LEVEL_MODEL);
			vpmu_model_stops(&m, stops);
			assert_int_equal(!!(features(&m) & ds_cpl), stops);
			assert_int_equal(
				!(read_msr(&m, MSR_IA32_MISC_ENABLE) & MISC_ENABLE_BTS_UNAVAILABLE),
				stops);
			assert_int_equal(vpmu_model_wrmsr(&m, MSR_IA32_DEBUGCTL,
							  DEBUGCTL_TR | DEBUGCTL_BTS |
								  DEBUGCTL_BTINT |
								  DEBUGCTL_BTS_OFF_OS),
					 stops ? VPMU_DONE : VPMU_GP);
		}
		assert_true(vpmu_model_traces(&m));
		/* Counting may fail later, but the features that the guest saw remain. */
		vpmu_model_counts(&m, EVENTS_LEVEL_NONE);
		assert_true(features(&m) & ds_cpl);
	}
}

/* A level without branches has no BTS. */
TEST(test_ratios)
{
	struct vpmu_model m = model_of("skx", false);

	vpmu_model_counts(&m, EVENTS_LEVEL_BRANCHES);
	vpmu_model_stops(&m, true);
	assert_int_equal(vpmu_model_wrmsr(&m, MSR_IA32_DEBUGCTL, DEBUGCTL_BTS), VPMU_GP);
}

TEST(test_records)
{
	struct vpmu_model m = storing("skx", 0);
	const uint64_t high = 0xffffffff81000000;

	assert_int_equal(m.derived.needed, EVENTS_LEVEL_MODEL);
	store(&m, VPMU_USR, 0x401000, LOGGED_TAKEN);
	store(&m, VPMU_USR, 0x402000, 0); /* not taken */
	store(&m, VPMU_OS, high, LOGGED_TAKEN | LOGGED_MISPREDICTED);
	assert_int_equal(ds.index, BUFFER + 2 * BYTES);
	assert_int_equal(ds.record[0][0], 0x401000);
	assert_int_equal(ds.record[0][1], 0x401100);
	assert_int_equal(ds.record[0][2], 1 << 4);
	assert_int_equal(ds.record[1][0], high);
	assert_int_equal(ds.record[1][1], high + 0x100);
	assert_int_equal(ds.record[1][2], 0);
	/* With one of the two bits alone nothing is stored. */
	write_msr(&m, MSR_IA32_DEBUGCTL, DEBUGCTL_BTS);
	assert_false(vpmu_model_traces(&m));
	write_msr(&m, MSR_IA32_DEBUGCTL, DEBUGCTL_TR);
	store(&m, VPMU_USR, 0x401000, LOGGED_TAKEN);
	assert_int_equal(ds.index, BUFFER + 2 * BYTES);
}

TEST(test_rings)
{
	struct vpmu_model m = storing("icl", DEBUGCTL_BTS_OFF_OS);

	store(&m, VPMU_OS, 0x401000, LOGGED_TAKEN);
	assert_int_equal(ds.index, BUFFER);
	store(&m, VPMU_USR, 0x401000, LOGGED_TAKEN);
	assert_int_equal(ds.index, BUFFER + BYTES);
	m = storing("icl", DEBUGCTL_BTS_OFF_USR);
	store(&m, VPMU_USR, 0x401000, LOGGED_TAKEN);
	assert_int_equal(ds.index, BUFFER);
	store(&m, VPMU_OS, 0x401000, LOGGED_TAKEN);
	assert_int_equal(ds.index, BUFFER + BYTES);
}

/* Without an interrupt new records overwrite the oldest. */
TEST(test_ring_buffer)
{
	struct vpmu_model m = storing("hsw", 0);

	for (unsigned i = 0; i < RECORDS + 3; i++)
		store(&m, VPMU_USR, 0x1000 * (i + 1), LOGGED_TAKEN);
	assert_int_equal(ds.index, BUFFER + 3 * BYTES);
	assert_int_equal(ds.record[0][0], 0x1000 * (RECORDS + 1));
	assert_int_equal(ds.record[3][0], 0x4000);
	assert_int_equal(ds.record[RECORDS][0], 0);
	assert_int_equal(m.pmi.pending, 0);
	assert_int_equal(vpmu_model_trace_room(&m, &memories), BRANCH_LOGGED - BRANCH_LOG_SPARE);
}

/* With an interrupt a PMI follows the record at the threshold. At the maximum storing ends. */
TEST(test_interrupt)
{
	struct vpmu_model m = storing("adl", DEBUGCTL_BTINT);

	for (unsigned i = 0; i < RECORDS - 2; i++) {
		assert_int_equal(vpmu_model_trace_room(&m, &memories), RECORDS - 2 - i);
		assert_int_equal(m.pmi.pending, 0);
		store(&m, VPMU_USR, 0x1000 * (i + 1), LOGGED_TAKEN);
	}
	assert_true(vpmu_model_deliver(&m));
	assert_int_equal(read_msr(&m, MSR_IA32_PERF_GLOBAL_STATUS), 0);
	for (unsigned i = 0; i < 4; i++)
		store(&m, VPMU_USR, 0x100000, LOGGED_TAKEN);
	assert_false(vpmu_model_deliver(&m));
	assert_int_equal(ds.index, ds.maximum);
	assert_int_equal(ds.record[RECORDS][0], 0);
	assert_int_equal(vpmu_model_trace_room(&m, &memories), BRANCH_LOGGED - BRANCH_LOG_SPARE);
}

TEST(test_unmapped)
{
	struct vpmu_model m = storing("skx", DEBUGCTL_BTINT);

	mapped_end = BUFFER + BYTES;
	store(&m, VPMU_USR, 0x1000, LOGGED_TAKEN);
	store(&m, VPMU_USR, 0x2000, LOGGED_TAKEN);
	assert_int_equal(ds.index, BUFFER + BYTES);
	assert_int_equal(ds.record[1][0], 0);
	mapped_end = DS;
	store(&m, VPMU_USR, 0x3000, LOGGED_TAKEN);
	assert_int_equal(vpmu_model_trace_room(&m, &memories), BRANCH_LOGGED - BRANCH_LOG_SPARE);
}
