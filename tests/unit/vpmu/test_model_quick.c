// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_model_quick.c - vpmu/model/model_quick.h: what it reads and writes without the way around is
 * what the model reads and writes, on each personality, whatever the counters count.
 */
#include "tests/unit/vpmu/modelled.h"
#include "vpmu/model/model_quick.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#define ROUNDS 20

static uint64_t random_u64(void)
{
	return (uint64_t)rand() << 40 ^ (uint64_t)rand() << 20 ^ (uint64_t)rand();
}

/* Those that have quick ones among them. */
static const struct {
	uint32_t first, span;
} ranges[] = {{0, 0x800}, {0xc0000300, 4}, {0xc0010000, 0x400}};
#define RANGES (sizeof(ranges) / sizeof(*ranges))

static void each_msr(struct vpmu_model *m, void (*fn)(struct vpmu_model *m, uint32_t msr))
{
	for (size_t r = 0; r < RANGES; r++)
		for (uint32_t i = 0; i < ranges[r].span; i++)
			fn(m, ranges[r].first + i);
}

static struct vpmu_progress progress_of(enum vpmu_ring ring, uint64_t n)
{
	struct vpmu_progress p = {0};

	p.instructions[ring] = n;
	p.cycles[ring] = p.ref_cycles[ring] = n * CPI;
	return p;
}

static void advance(struct vpmu_model *m, enum vpmu_ring ring, uint64_t n)
{
	const struct vpmu_progress p = progress_of(ring, n);

	vpmu_model_advance(m, &p);
}

/* Of the events that there are, on general counters and fixed ones; some near to their overflow. */
static void program_counters(struct vpmu_model *m)
{
	const struct vpmu_event_table *events = m->uarch->events;
	const uint64_t mode = (uint64_t)(rand() % 3 + 1) << 16 | (rand() % 4 ? 0 : EVTSEL_INT);

	for (unsigned i = 0; i < m->ngp; i++) {
		const struct vpmu_event *e = &events->rows[(unsigned)rand() % events->nrows];
		const uint64_t sel = (e->code & 0xffu) | (uint64_t)(e->code >> 8) << 32 |
				     (uint64_t)e->umask << 8 | (uint64_t)e->cmask << 24 | mode;

		vpmu_model_wrmsr(m, general_counter_msr(m, i), random_u64() & m->counter_mask);
		vpmu_model_wrmsr(m, general_selector_msr(m, i), sel | (rand() % 2 ? EVTSEL_EN : 0));
	}
	for (unsigned i = 0; i < m->nfixed; i++)
		vpmu_model_wrmsr(m, MSR_IA32_FIXED_CTR0 + i, random_u64() & m->counter_mask >> 1);
	vpmu_model_wrmsr(m, MSR_IA32_FIXED_CTR_CTRL, (uint64_t)(rand() % 4) | rand() % 4 << 4);
	vpmu_model_wrmsr(m, MSR_IA32_PERF_GLOBAL_CTRL, rand() % 4 ? m->counters : m->counters & 5);
}

/* What the test is about at the moment. */
static enum vpmu_ring now_ring;
static uint64_t now_n;
static unsigned reads, writes;

static uint64_t most_instructions(const struct vpmu_model *m)
{
	const uint64_t until = vpmu_model_until(m, now_ring);

	return until < VPMU_PLAIN_MOST ? until : VPMU_PLAIN_MOST;
}

static void check_read(struct vpmu_model *m, uint32_t msr)
{
	const struct vpmu_quick_place place = vpmu_model_quick_rdmsr(m, msr);
	struct vpmu_model copy = *m;
	uint64_t got;

	if (!place.kind)
		return;
	advance(&copy, now_ring, now_n);
	got = place.counter ? vpmu_counter_now(place.counter, now_ring, now_n) : *place.value;
	assert_int_equal(got, read_msr(&copy, msr));
	reads++;
}

static bool write_quickly(struct vpmu_model *m, uint32_t msr, uint64_t v)
{
	const struct vpmu_quick_place place = vpmu_model_quick_wrmsr(m, msr);

	switch (place.kind) {
	case VPMU_QUICK_COUNTER:
		return vpmu_quick_write_counter(m, place.counter, v);
	case VPMU_QUICK_COUNTER_32:
		return vpmu_quick_write_counter(m, place.counter,
						(uint64_t)(int64_t)(int32_t)v & m->counter_mask);
	case VPMU_QUICK_STATUS_RESET:
		return vpmu_quick_reset_status(m, v);
	default:
		return false;
	}
}

/* First the write and then what was executed before it: that must be the same. */
static void check_write(struct vpmu_model *m, uint32_t msr)
{
	const struct vpmu_model before = *m;
	const uint64_t v = random_u64() >> rand() % 64;
	struct vpmu_model copy = before;

	if (write_quickly(m, msr, v)) {
		advance(&copy, now_ring, now_n);
		assert_int_equal(vpmu_model_wrmsr(&copy, msr, v), VPMU_DONE);
		advance(m, now_ring, now_n);
		assert_memory_equal(m, &copy, sizeof(copy));
		writes++;
	}
	*m = before;
}

static void check_moment(struct vpmu_model *m)
{
	uint64_t most;

	now_ring = rand() % 2 ? VPMU_USR : VPMU_OS;
	most = most_instructions(m);
	now_n = most ? random_u64() % most : 0;
	if (!most || !vpmu_model_is_plain(m))
		return;
	each_msr(m, check_read);
	each_msr(m, check_write);
}

static void test_quick_is_the_same(void **state)
{
	size_t n;
	const struct vpmu_uarch *const *list = vpmu_uarch_list(&n);

	(void)state;
	for (size_t i = 0; i < n; i++) {
		struct vpmu_model m = model_of(list[i]->name, true);

		reads = writes = 0;
		srand((unsigned)i);
		for (unsigned round = 0; round < ROUNDS; round++) {
			program_counters(&m);
			advance(&m, rand() % 2, random_u64() % 100000);
			check_moment(&m);
			vpmu_model_deliver(&m);
		}
		assert_true(reads > m.ngp);
		assert_true(writes > m.ngp);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_quick_is_the_same),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
