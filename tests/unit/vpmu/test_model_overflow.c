// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_model_overflow.c - the contract of vpmu/model/model.h: overflow, freezing, and
 * vpmu_model_until(), which is the exact distance to the next PMI of vpmu_model_advance().
 */
#include "tests/unit/vpmu/modelled_pmu.h"

#include "tests/unit/test.h"

/* --- Overflow --- */

static void arm_fixed0(struct vpmu_model *m, uint64_t period)
{
	write_msr(m, MSR_IA32_FIXED_CTR0, -period & MASK48);
	write_msr(m, MSR_IA32_FIXED_CTR_CTRL, FIXED_CTRL_OS | FIXED_CTRL_USR | FIXED_CTRL_PMI);
	write_msr(m, MSR_IA32_PERF_GLOBAL_CTRL, 1ull << 32);
}

TEST(test_overflow)
{
	struct vpmu_model m = model_of("skx", true);

	arm_fixed0(&m, 100);
	assert_int_equal(vpmu_model_until(&m, VPMU_OS), 100);
	assert_false(vpmu_model_deliver(&m));
	run_model(&m, VPMU_OS, 99);
	assert_int_equal(read_msr(&m, MSR_IA32_PERF_GLOBAL_STATUS), 0);
	assert_int_equal(vpmu_model_until(&m, VPMU_USR), 1);
	run_model(&m, VPMU_USR, 4);
	assert_int_equal(read_msr(&m, MSR_IA32_FIXED_CTR0), 3);
	assert_int_equal(read_msr(&m, MSR_IA32_PERF_GLOBAL_STATUS), 1ull << 32);
	assert_int_equal(vpmu_model_until(&m, VPMU_OS), 0);
	assert_true(vpmu_model_deliver(&m));
	assert_false(vpmu_model_deliver(&m));
	assert_int_equal(read_msr(&m, MSR_IA32_PERF_GLOBAL_STATUS), 1ull << 32);
	write_msr(&m, MSR_IA32_PERF_GLOBAL_STATUS_RESET, 1ull << 32);
	assert_int_equal(read_msr(&m, MSR_IA32_PERF_GLOBAL_STATUS), 0);
	assert_int_equal(vpmu_model_until(&m, VPMU_OS), (1ull << 48) - 3);
}

TEST(test_overflow_without_interrupt)
{
	struct vpmu_model m = model_of("skx", true);

	write_msr(&m, MSR_IA32_PMC0, (uint64_t)-1);
	write_msr(&m, MSR_IA32_PERFEVTSEL0, SEL(0xc0, 0));
	assert_int_equal(vpmu_model_until(&m, VPMU_OS), UINT64_MAX);
	run_model(&m, VPMU_OS, 2);
	assert_int_equal(read_msr(&m, MSR_IA32_PERF_GLOBAL_STATUS), 1);
	assert_false(vpmu_model_deliver(&m));
}

TEST(test_status_set_raises_nothing)
{
	struct vpmu_model m = model_of("skx", true);

	write_msr(&m, MSR_IA32_PERF_GLOBAL_STATUS_SET, 1ull << 33);
	assert_int_equal(read_msr(&m, MSR_IA32_PERF_GLOBAL_STATUS), 1ull << 33);
	assert_false(vpmu_model_deliver(&m));
}

TEST(test_until_depends_on_ring)
{
	struct vpmu_model m = model_of("skx", true);

	write_msr(&m, MSR_IA32_PMC0, (uint64_t)-10);
	write_msr(&m, MSR_IA32_PERFEVTSEL0, (SEL(0xc4, 0) | EVTSEL_INT) & ~EVTSEL_OS);
	assert_int_equal(vpmu_model_until(&m, VPMU_OS), UINT64_MAX);
	assert_int_equal(vpmu_model_until(&m, VPMU_USR), 50);
	run_model(&m, VPMU_USR, 3);
	assert_int_equal(vpmu_model_until(&m, VPMU_USR), 47);
}

/* --- Freeze on PMI --- */

static void overflow_frozen(struct vpmu_model *m)
{
	write_msr(m, MSR_IA32_DEBUGCTL, DEBUGCTL_FREEZE_PERFMON);
	arm_fixed0(m, 10);
	run_model(m, VPMU_OS, 10);
	assert_true(vpmu_model_deliver(m));
	run_model(m, VPMU_OS, 1000);
	assert_int_equal(read_msr(m, MSR_IA32_FIXED_CTR0), 0);
}

TEST(test_freeze_legacy)
{
	struct vpmu_model m = model_of("hsw", true);

	overflow_frozen(&m);
	assert_int_equal(read_msr(&m, MSR_IA32_PERF_GLOBAL_CTRL), 0);
	write_msr(&m, MSR_IA32_PERF_GLOBAL_CTRL, 1ull << 32);
	run_model(&m, VPMU_OS, 5);
	assert_int_equal(read_msr(&m, MSR_IA32_FIXED_CTR0), 5);
}

/* Linux acknowledges with the complement of the bits that it did not handle. */
TEST(test_amd_acknowledges_by_complement)
{
	struct vpmu_model m = model_of("zen4", true);

	write_msr(&m, MSR_AMD_PERF_CNTR_GLOBAL_STATUS_SET, UINT64_MAX);
	assert_int_equal(read_msr(&m, MSR_AMD_PERF_CNTR_GLOBAL_STATUS),
			 0x3f | GLOBAL_STATUS_CTR_FRZ);
	write_msr(&m, MSR_AMD_PERF_CNTR_GLOBAL_STATUS_CLR, ~2ull);
	assert_int_equal(read_msr(&m, MSR_AMD_PERF_CNTR_GLOBAL_STATUS), 2);
}

TEST(test_freeze_streamlined)
{
	struct vpmu_model m = model_of("skx", true);

	overflow_frozen(&m);
	assert_int_equal(read_msr(&m, MSR_IA32_PERF_GLOBAL_CTRL), 1ull << 32);
	assert_int_equal(read_msr(&m, MSR_IA32_PERF_GLOBAL_STATUS),
			 GLOBAL_STATUS_CTR_FRZ | 1ull << 32);
	assert_int_equal(vpmu_model_until(&m, VPMU_OS), UINT64_MAX);
	write_msr(&m, MSR_IA32_PERF_GLOBAL_STATUS_RESET, GLOBAL_STATUS_CTR_FRZ | 1ull << 32);
	run_model(&m, VPMU_OS, 5);
	assert_int_equal(read_msr(&m, MSR_IA32_FIXED_CTR0), 5);
}

TEST(test_freeze_amd)
{
	struct vpmu_model m = model_of("zen4", true);

	write_msr(&m, MSR_IA32_DEBUGCTL, DEBUGCTL_FREEZE_PERFMON);
	write_msr(&m, MSR_AMD_PERF_CTR0, (uint64_t)-10);
	write_msr(&m, MSR_AMD_PERF_CTL0, SEL(0xc0, 0) | EVTSEL_INT);
	run_model(&m, VPMU_OS, 12);
	assert_true(vpmu_model_deliver(&m));
	run_model(&m, VPMU_OS, 1000);
	assert_int_equal(read_msr(&m, MSR_AMD_PERF_CTR0), 2);
	assert_int_equal(read_msr(&m, MSR_AMD_PERF_CNTR_GLOBAL_STATUS), GLOBAL_STATUS_CTR_FRZ | 1);
	write_msr(&m, MSR_AMD_PERF_CNTR_GLOBAL_STATUS_CLR, GLOBAL_STATUS_CTR_FRZ | 1);
	run_model(&m, VPMU_OS, 5);
	assert_int_equal(read_msr(&m, MSR_AMD_PERF_CTR0), 7);
}

TEST(test_no_freeze_by_default)
{
	struct vpmu_model m = model_of("skx", true);

	arm_fixed0(&m, 10);
	run_model(&m, VPMU_OS, 10);
	assert_true(vpmu_model_deliver(&m));
	run_model(&m, VPMU_OS, 7);
	assert_int_equal(read_msr(&m, MSR_IA32_FIXED_CTR0), 7);
}

/* --- until() against advance() --- */

static uint64_t random_state = 88172645463325252ull;

static uint64_t random64(void)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return random_state;
}

static const struct vpmu_event *random_event(const struct vpmu_model *m)
{
	const struct vpmu_event *event;

	do
		event = m->rows.row[random64() % m->rows.nrows];
	while (!event->counters);
	return event;
}

static void randomise(struct vpmu_model *m)
{
	const bool amd = m->uarch->vendor == VPMU_AMD;
	const uint64_t most = (1ull << m->uarch->width) - 1;

	for (unsigned i = 0; i < m->layout.ngp; i++) {
		const struct vpmu_event *e = random_event(m);
		uint64_t sel = (e->code & 0xff) | (uint64_t)(e->code >> 8) << 32 |
			       (uint64_t)e->umask << 8 | CMASK(random64() % 3 ? e->cmask : 1) |
			       (random64() & (OS_USR | EVTSEL_INT | EVTSEL_INV)) | EVTSEL_EN;

		write_msr(m, general_selector_msr(m, i), sel);
		m->regs.gp[i].value = -(random64() % 100000 + 1) & most;
	}
	for (unsigned i = 0; i < m->layout.nfixed; i++)
		m->regs.fixed[i].value = -(random64() % 1000000 + 1) & most;
	if (m->layout.nfixed)
		write_msr(m, MSR_IA32_FIXED_CTR_CTRL,
			  random64() & (m->uarch->fixed >> 4 ? 0xbbb0bbb : 0xbbb));
	if (has_switch(m))
		write_msr(m, amd ? MSR_AMD_PERF_CNTR_GLOBAL_CTL : MSR_IA32_PERF_GLOBAL_CTRL,
			  random64() & m->layout.counters);
	run_model(m, VPMU_OS, random64() % 50);
	m->pmi.pending = 0;
}

TEST(test_until_agrees)
{
	size_t count;
	const struct vpmu_uarch *const *list = vpmu_uarch_list(&count);
	unsigned finite = 0;

	for (unsigned k = 0; k < 4000; k++) {
		enum vpmu_ring ring = random64() % VPMU_RINGS;
		struct vpmu_model m = model_of(list[k % count]->name, k & 1), early;
		uint64_t until;

		randomise(&m);
		early = m;
		until = vpmu_model_until(&m, ring);
		if (until > 1ull << 40) {
			run_model(&m, ring, 100000);
			assert_int_equal(m.pmi.pending, 0);
			continue;
		}
		finite++;
		run_model(&early, ring, until - 1);
		assert_int_equal(early.pmi.pending, 0);
		run_model(&m, ring, until);
		assert_int_not_equal(m.pmi.pending, 0);
	}
	assert_true(finite > 1000);
}

/* --- Targets --- */

#define MISSES       SEL(0x2e, 0x41) /* of the last level */
#define BRANCHES     SEL(0xc4, 0)
#define FAR_BRANCHES SEL(0xc4, 0x40)
#define LATENT_LOADS SEL(0xcd, 1)

static struct vpmu_model stopping_model(void)
{
	struct vpmu_model m = model_of("skx", true);

	vpmu_model_counts(&m, EVENTS_LEVEL_MODEL);
	vpmu_model_stops(&m, true);
	return m;
}

static void set_event(struct vpmu_model *m, unsigned i, uint64_t sel, uint64_t period)
{
	write_msr(m, MSR_IA32_A_PMC0 + i, -period & MASK48);
	write_msr(m, MSR_IA32_PERFEVTSEL0 + i, sel | EVTSEL_INT);
}

static void start_all(struct vpmu_model *m)
{
	write_msr(m, MSR_IA32_PERF_GLOBAL_CTRL, (1ull << m->layout.ngp) - 1);
}

static void sample_event(struct vpmu_model *m, unsigned i, uint64_t sel, uint64_t period)
{
	set_event(m, i, sel, period);
	start_all(m);
}

static void count_misses(struct vpmu_model *m, enum vpmu_ring ring, uint64_t n)
{
	uint64_t counts[EVENTS_NUMBERS] = {[EVENTS_LLC_MISSES] = n};
	struct vpmu_progress p = {0};

	p.instructions[ring] = 1000;
	p.counts[ring] = counts;
	vpmu_model_advance(m, &p);
}

TEST(test_target)
{
	struct events_target targets[VPMU_TARGETS];
	struct vpmu_model m = stopping_model();

	sample_event(&m, 0, MISSES & ~EVTSEL_USR, 1000);
	assert_true(vpmu_model_until(&m, VPMU_OS) == UINT64_MAX);
	assert_int_equal(vpmu_model_targets(&m, VPMU_USR, targets), 0);
	assert_int_equal(vpmu_model_targets(&m, VPMU_OS, targets), 1);
	assert_int_equal(targets[0].left, 1000);
	assert_int_equal(targets[0].term[0], EVENTS_LLC_MISSES + 1);
	assert_int_equal(targets[0].term[1], 0);
	count_misses(&m, VPMU_OS, 999);
	assert_int_equal(vpmu_model_targets(&m, VPMU_OS, targets), 1);
	assert_int_equal(targets[0].left, 1);
	count_misses(&m, VPMU_OS, 1);
	assert_int_equal(vpmu_model_until(&m, VPMU_OS), 0);
	assert_true(vpmu_model_deliver(&m));
}

/* Without a target the distance to the overflow is the same as if nothing could stop the guest. */
TEST(test_no_target)
{
	struct events_target targets[VPMU_TARGETS];
	struct vpmu_model m = stopping_model();

	sample_event(&m, 0, MISSES, 1ull << 44);
	assert_int_equal(vpmu_model_targets(&m, VPMU_OS, targets), 0);
	assert_true(vpmu_model_until(&m, VPMU_OS) < UINT64_MAX);
	sample_event(&m, 0, MISSES, 1000);
	assert_int_equal(vpmu_model_targets(&m, VPMU_OS, targets), 1);
	vpmu_model_stops(&m, false);
	assert_int_equal(vpmu_model_targets(&m, VPMU_OS, targets), 0);
	assert_true(vpmu_model_until(&m, VPMU_OS) <= 1000);
	vpmu_model_stops(&m, true);
	sample_event(&m, 0, SEL(0xc0, 0), 1000);
	assert_int_equal(vpmu_model_targets(&m, VPMU_OS, targets), 0);
	assert_int_equal(vpmu_model_until(&m, VPMU_OS), 1000);
	write_msr(&m, MSR_IA32_PERFEVTSEL0, MISSES);
	assert_int_equal(vpmu_model_targets(&m, VPMU_OS, targets), 0);
	assert_true(vpmu_model_until(&m, VPMU_OS) == UINT64_MAX);
}

/* For a target QEMU checks each block. If nothing else needs that, the model sets no target for a
 * distant overflow. */
TEST(test_target_level)
{
	struct events_target targets[VPMU_TARGETS];
	struct vpmu_model m = stopping_model();

	sample_event(&m, 0, BRANCHES, 1 << 20);
	assert_int_equal(m.derived.needed, EVENTS_LEVEL_COUNTS);
	assert_int_equal(vpmu_model_targets(&m, VPMU_OS, targets), 0);
	assert_true(vpmu_model_until(&m, VPMU_OS) <= 1 << 20);
	sample_event(&m, 0, BRANCHES, 1000);
	assert_int_equal(m.derived.needed, EVENTS_LEVEL_BRANCHES);
	assert_int_equal(vpmu_model_targets(&m, VPMU_OS, targets), 1);
	vpmu_model_counts(&m, EVENTS_LEVEL_COUNTS);
	assert_int_equal(vpmu_model_targets(&m, VPMU_OS, targets), 0);
}

/* More targets than fit. */
TEST(test_many_targets)
{
	struct events_target targets[VPMU_TARGETS];
	struct vpmu_model m = model_of("skx", false);

	vpmu_model_counts(&m, EVENTS_LEVEL_MODEL);
	vpmu_model_stops(&m, true);
	assert_int_equal(m.layout.ngp, VPMU_TARGETS);
	for (unsigned i = 0; i < m.layout.ngp; i++)
		sample_event(&m, i, MISSES, 1000 + i);
	assert_int_equal(vpmu_model_targets(&m, VPMU_OS, targets), VPMU_TARGETS);
	for (unsigned i = 0; i < m.layout.ngp; i++)
		assert_int_equal(targets[i].left, 1000 + i);
}

/* No clock gives the time of these events. */
TEST(test_target_of_instructions)
{
	struct events_target targets[VPMU_TARGETS];
	struct vpmu_model m = stopping_model();

	vpmu_model_counts_instructions(&m, true);
	sample_event(&m, 0, SEL(0xc0, 0), 1ull << 30);
	assert_int_equal(vpmu_model_targets(&m, VPMU_OS, targets), 1);
	assert_int_equal(targets[0].left, 1ull << 30);
	assert_int_equal(targets[0].term[0], EVENTS_INSTRUCTIONS + 1);
	assert_int_equal(targets[0].term[1], 0);
	assert_int_equal(m.derived.needed, EVENTS_LEVEL_BRANCHES);
	assert_true(vpmu_model_until(&m, VPMU_OS) == UINT64_MAX);
	vpmu_model_stops(&m, false);
	assert_int_equal(vpmu_model_targets(&m, VPMU_OS, targets), 0);
	assert_int_equal(vpmu_model_until(&m, VPMU_OS), 1ull << 30);
	vpmu_model_stops(&m, true);
	vpmu_model_counts_instructions(&m, false);
	assert_int_equal(vpmu_model_targets(&m, VPMU_OS, targets), 0);
}

/* A level for a later counter makes an earlier counter's event a target, too. */
TEST(test_recorded_targets)
{
	struct events_target targets[VPMU_TARGETS];
	struct vpmu_model m = stopping_model();

	write_msr(&m, MSR_IA32_PEBS_ENABLE, 3);
	write_msr(&m, MSR_IA32_PERF_GLOBAL_CTRL, 0);
	write_msr(&m, MSR_PEBS_LD_LAT, 20);
	set_event(&m, 0, FAR_BRANCHES, 1000);
	set_event(&m, 1, LATENT_LOADS, 1000);
	start_all(&m);
	assert_int_equal(m.derived.needed, EVENTS_LEVEL_MODEL);
	assert_int_equal(vpmu_model_targets(&m, VPMU_OS, targets), 2);
	assert_int_equal(vpmu_model_until(&m, VPMU_OS), UINT64_MAX);
}
