// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_smp.c - the parts of SMP that need no other CPUs: the CPUs that a MADT names, and the offset
 * between two clocks from round trips. Threads test the locks.
 */
#include "arch/x86/portable/madt.h"
#include "arch/x86/portable/tsc_offset.h"
#include "lib/lock.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/test.h"

/* --- The MADT --- */

#define HEADER 44

/* A copy of exactly the table's size, so that reading on is found out. */
static size_t ids_of(const uint8_t *entries, size_t n, uint32_t *ids, size_t room)
{
	uint8_t *madt = calloc(1, HEADER + n);
	const uint32_t length = (uint32_t)(HEADER + n);
	size_t found;

	memcpy(madt, "APIC", 4);
	memcpy(madt + 4, &length, sizeof(length));
	memcpy(madt + HEADER, entries, n);
	found = madt_apic_ids(madt, HEADER + n, ids, room);
	free(madt);
	return found;
}

TEST(test_madt_names_enabled_cpus_once)
{
	static const uint8_t entries[] = {
		0, 8,  0, 7,    1, 0, 0, 0,                         /* local APIC 7 */
		1, 12, 0, 0,    0, 0, 0, 0, 0, 0, 0, 0,             /* an I/O APIC */
		0, 8,  1, 2,    2, 0, 0, 0,                         /* online capable only */
		0, 8,  2, 0xff, 1, 0, 0, 0,                         /* 255: no CPU's id */
		9, 16, 0, 0,    7, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, /* x2APIC 7 once more */
		9, 16, 0, 0,    0, 1, 0, 0, 1, 0, 0, 0, 3, 0, 0, 0, /* x2APIC 256 */
		9, 16, 0, 0,    1, 1, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, /* disabled */
	};
	uint32_t ids[8];

	assert_int_equal(ids_of(entries, sizeof(entries), ids, 8), 2);
	assert_int_equal(ids[0], 7);
	assert_int_equal(ids[1], 256);
	ids[1] = 99;
	assert_int_equal(ids_of(entries, sizeof(entries), ids, 1), 2);
	assert_int_equal(ids[1], 99);
	assert_int_equal(ids_of(entries, sizeof(entries), NULL, 0), 2);
}

/* Makes the MADT of a machine with `n` CPUs: ids below 255 as APICs, and all ids as x2APICs. Every
 * third id is absent. Returns the bytes. */
static size_t fill_large_madt(uint8_t *entries, unsigned n)
{
	uint8_t *at = entries;

	for (unsigned i = 0; i < n; i++) {
		const uint32_t id = i + i / 2;

		if (id < 255)
			at = mempcpy(at, (uint8_t[]){0, 8, 0, (uint8_t)id, 1, 0, 0, 0}, 8);
		at = mempcpy(at,
			     (uint8_t[]){9, 16, 0, 0, (uint8_t)id, (uint8_t)(id >> 8), 0, 0, 1, 0,
					 0, 0, 0, 0, 0, 0},
			     16);
	}
	return (size_t)(at - entries);
}

TEST(test_madt_of_large_machines)
{
	static const unsigned sizes[] = {255, 256, 257, 1024, 1500};
	static uint8_t entries[1500 * 24];
	static uint32_t ids[1500];

	for (size_t s = 0; s < sizeof(sizes) / sizeof(sizes[0]); s++) {
		const unsigned n = sizes[s];
		const size_t bytes = fill_large_madt(entries, n);

		memset(ids, 0xee, sizeof(ids));
		assert_int_equal(ids_of(entries, bytes, ids, 1500), n);
		for (unsigned i = 0; i < n; i++)
			assert_int_equal(ids[i], i + i / 2);
		memset(ids, 0xee, sizeof(ids));
		assert_int_equal(ids_of(entries, bytes, ids, 1024), n);
		assert_int_equal(ids[n < 1024 ? n - 1 : 1023], (n < 1024 ? n - 1 : 1023) * 3 / 2);
		if (n > 1024)
			assert_int_equal(ids[1024], 0xeeeeeeee);
	}
}

/* Firmware may give a table of any length: the reader ends in bounded time. */
TEST(test_madt_of_any_length_ends)
{
	static uint8_t entries[(MADT_ENTRIES_MOST + 100) * 16];
	uint32_t id;

	for (id = 0; id < MADT_ENTRIES_MOST + 100; id++)
		memcpy(&entries[id * 16],
		       (uint8_t[]){9, 16, 0, 0, (uint8_t)id, (uint8_t)(id >> 8), 0, 0, 1, 0, 0, 0},
		       12);
	assert_int_equal(ids_of(entries, sizeof(entries), NULL, 0), MADT_ENTRIES_MOST);
}

TEST(test_madt_is_not_believed_beyond_its_end)
{
	static const uint8_t entries[] = {0, 8, 0, 3, 1, 0, 0, 0, 0, 8, 0, 4, 1, 0, 0, 0};
	static const uint8_t no_length[] = {0, 0, 0, 3, 1, 0, 0, 0};
	static const uint8_t too_short[] = {0, 4, 0, 3, 0, 8, 0, 5, 1, 0, 0, 0};
	uint32_t ids[8];

	for (size_t cut = 8; cut < 16; cut++)
		assert_int_equal(ids_of(entries, cut, ids, 8), 1);
	assert_int_equal(ids_of(no_length, sizeof(no_length), ids, 8), 0);
	assert_int_equal(ids_of(too_short, sizeof(too_short), ids, 8), 1);
	assert_int_equal(ids[0], 5);
	assert_int_equal(madt_apic_ids(NULL, 0, ids, 8), 0);
	assert_int_equal(madt_apic_ids(entries, sizeof(entries), ids, 8), 0);
}

/* --- TSCs --- */

/* Clocks that the test moves: the other CPU's clock is `ahead` of ours. */
static uint64_t now;

static void round_trip(struct tsc_bounds *bounds, int64_t ahead, uint64_t there, uint64_t back)
{
	const uint64_t before = now, answer = now + there + (uint64_t)ahead;

	now += there + back;
	tsc_bounds_add(bounds, before, answer, now);
}

static void assert_bounds(int64_t ahead, int64_t offset, uint64_t error)
{
	struct tsc_bounds bounds = TSC_BOUNDS_NONE;

	now = 1u << 30;
	round_trip(&bounds, ahead, 5000, 300);
	round_trip(&bounds, ahead, 120, 80);
	round_trip(&bounds, ahead, 90, 4000);
	assert_true(bounds.low <= ahead && ahead <= bounds.high);
	assert_int_equal(tsc_bounds_offset(&bounds), offset);
	assert_int_equal(tsc_bounds_error(&bounds), error);
}

/* The quickest way there took 90, the quickest way back 80: the uncertainty is 170. */
TEST(test_tsc_offset_is_bounded_by_the_quickest_ways)
{
	assert_bounds(0, 0, 90);
	assert_bounds(70, 0, 160);
	assert_bounds(1000, 1005, 86);
	assert_bounds(-1000, -995, 86);
}

TEST(test_tscs_that_do_not_tick_alike_do_not_meet)
{
	struct tsc_bounds a = TSC_BOUNDS_NONE, b = TSC_BOUNDS_NONE, c = TSC_BOUNDS_NONE;

	now = 1000;
	round_trip(&a, 5000, 50, 50);
	now += 100000;
	round_trip(&b, 5100, 50, 50);
	round_trip(&c, 5101, 50, 50);
	assert_true(tsc_bounds_meet(&a, &b));
	assert_false(tsc_bounds_meet(&a, &c));
	assert_int_equal(tsc_bounds_most(&c), 5151);
	tsc_bounds_narrow(&a, &b);
	assert_int_equal(a.low, 5050);
	assert_int_equal(a.high, 5050);
}

/* A TSC that wrapped has the same distance. */
TEST(test_tsc_offset_over_the_end)
{
	struct tsc_bounds bounds = TSC_BOUNDS_NONE;

	now = UINT64_MAX - 10;
	round_trip(&bounds, 400, 20, 20);
	assert_int_equal(bounds.low, 380);
	assert_int_equal(bounds.high, 420);
}

/* --- Locks --- */

#define THREADS 4
#define TURNS   2000

static struct lock lock;
static unsigned inside, total;

static void *lock_in_turns(void *arg)
{
	for (int i = 0; i < TURNS; i++) {
		lock_take(&lock);
		if (inside++)
			*(int *)arg = 1;
		total++;
		inside--;
		lock_release(&lock);
	}
	return NULL;
}

TEST(test_lock_lets_one_in)
{
	pthread_t threads[THREADS];
	int bad[THREADS] = {0};

	for (int i = 0; i < THREADS; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, lock_in_turns, &bad[i]), 0);
	for (int i = 0; i < THREADS; i++) {
		pthread_join(threads[i], NULL);
		assert_int_equal(bad[i], 0);
	}
	assert_int_equal(total, THREADS * TURNS);
}
