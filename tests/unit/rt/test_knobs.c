// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_knobs.c - registers that make a CPU quiet, on vpmu's machine: the registers of each CPU, by
 * the manuals' numbers, their quiet values, and restoring every bit. Messages tell of registers
 * that fault, are locked, or ignore writes.
 */
#include "rt/portable/knobs.h"

#include "arch/x86/insn.h"
#include "tests/shim/shim_machine.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/test.h"

static struct pmu_caps caps;
static struct knob_value values[KNOBS_MOST];

static void boot_knobs(const char *uarch, const struct vpmu_faults *faults)
{
	shim_boot(uarch, true);
	shim.has_platform = true;
	if (faults)
		shim.platform_faults = *faults;
	memset(&caps, 0, sizeof(caps));
	pmu_caps_detect(&caps);
}

static void quieten(const char *prefetchers)
{
	struct knob_choice choice = {0};

	if (prefetchers)
		assert_int_equal(knob_choose(prefetchers, &choice, NULL), 0);
	knobs_read(&caps, values);
	knobs_set(&choice, values);
}

/* Returns the CPU's knob with this key. */
static const struct knob_value *present_value(const char *key)
{
	const struct knob *knob;

	for (size_t i = 0; (knob = knob_row(i)); i++)
		if (!strcmp(knob->key, key) && values[i].state != KNOB_ABSENT)
			return &values[i];
	return NULL;
}

static int state_by_key(const char *key)
{
	const struct knob_value *v = present_value(key);

	return v ? v->state : KNOB_ABSENT;
}

static uint64_t read_knob(uint32_t msr)
{
	return rdmsr(msr);
}

/* Registers by number, as in the manuals. */
TEST(test_what_is_set)
{
	static const struct {
		const char *uarch;
		uint32_t msr;
		uint64_t before, quiet;
	} rows[] = {
		{"hsw", 0x199, 0xf00, 0xa00}, /* no HWP: IA32_PERF_CTL */
		{"hsw", 0x1b0, 6, 0},
		{"hsw", 0x1fc, 3, 1},
		{"hsw", 0xe2, 0x1e000007, 0x1e000000},
		{"hsw", 0x620, 0x0818, 0x1818},
		{"hsw", 0x1d9, 0, 0x4000},
		{"hsw", 0x1a4, 0, 0},
		{"skx", 0x774, 0x80000f04, 0x000a0a0a},
		{"skx", 0x199, 0xf00, 0xf00}, /* means nothing with HWP */
		{"icl", 0x774, 0x80000f04, 0x000a0a0a},
		{"adl", 0x774, 0x80000f04, 0x000a0a0a},
		{"zen4", 0xc00102b3, 0x800014c8, 0x008c8c8c},
		{"zen4", 0xc0010062, 1, 1}, /* means nothing with CPPC */
		{"zen4", 0xc0010015, 0, 1ull << 25},
		{"zen4", 0xc0010292, 1ull << 32, 0},
		{"zen4", 0xc0010296, 0x404040, 0},
		{"zen4", 0xc0000108, 0, 0},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		boot_knobs(rows[i].uarch, NULL);
		assert_int_equal(read_knob(rows[i].msr), rows[i].before);
		quieten(NULL);
		assert_int_equal(read_knob(rows[i].msr), rows[i].quiet);
		assert_int_equal(knobs_restore(values), 0);
		assert_int_equal(read_knob(rows[i].msr), rows[i].before);
	}
}

TEST(test_turbo)
{
	static const char *const intel[] = {"hsw", "skx", "icl", "adl"};

	for (size_t i = 0; i < 4; i++) {
		boot_knobs(intel[i], NULL);
		assert_false(read_knob(0x1a0) >> 38 & 1);
		quieten(NULL);
		assert_true(read_knob(0x1a0) >> 38 & 1);
		assert_int_equal(knobs_restore(values), 0);
		assert_false(read_knob(0x1a0) >> 38 & 1);
	}
}

/* A register that already has its quiet value is not written. */
TEST(test_already)
{
	uint64_t writes;

	boot_knobs("skx", NULL);
	quieten(NULL);
	writes = shim.wrmsrs;
	quieten(NULL);
	assert_int_equal(shim.wrmsrs, writes);
	assert_int_equal(state_by_key("hwp"), KNOB_ALREADY);
	assert_int_equal(state_by_key("turbo"), KNOB_ALREADY);
	assert_int_equal(knobs_restore(values), 0);
	assert_int_equal(shim.wrmsrs, writes);
}

/* A bit that an event sets meanwhile stays. */
TEST(test_other_bits_stay)
{
	const uint64_t irperf = 1ull << 30;

	boot_knobs("zen4", NULL);
	quieten(NULL);
	wrmsr(0xc0010015, read_knob(0xc0010015) | irperf);
	assert_int_equal(knobs_restore(values), 0);
	assert_int_equal(read_knob(0xc0010015), irperf);
}

TEST(test_refusals)
{
	const struct vpmu_faults faults = {.ngp = 2, .gp = {0x774, 0x1fc}, .locked = true};

	boot_knobs("skx", &faults);
	quieten(NULL);
	assert_int_equal(state_by_key("hwp"), KNOB_REFUSED);
	assert_int_equal(state_by_key("c1e"), KNOB_REFUSED);
	assert_int_equal(state_by_key("cstates"), KNOB_LOCKED);
	assert_int_equal(state_by_key("epb"), KNOB_SET);
	assert_int_equal(read_knob(0xe2), 0x1e008007);
	assert_int_equal(knobs_restore(values), 0);
	assert_int_equal(read_knob(0x1b0), 6);
}

/* AMD's CPUs without CPPC have the P-state; without P-states they have no such knob. */
TEST(test_amd_falls_back)
{
	const struct vpmu_faults faults = {.ngp = 1, .gp = {0xc00102b1}};

	boot_knobs("zen4", &faults);
	quieten(NULL);
	assert_int_equal(state_by_key("pstate"), KNOB_SET);
	assert_int_equal(state_by_key("cppc"), KNOB_LEFT);
	assert_int_equal(read_knob(0xc0010062), 0);
	assert_int_equal(knobs_restore(values), 0);
	assert_int_equal(read_knob(0xc0010062), 1);
}

TEST(test_dropped)
{
	const struct vpmu_faults faults = {.stuck = true};

	boot_knobs("icl", &faults);
	quieten(NULL);
	assert_int_equal(state_by_key("hwp"), KNOB_DROPPED);
	assert_false(knob_is_held(present_value("hwp")));
	assert_int_equal(knobs_restore(values), 0);
}

TEST(test_nothing_works)
{
	boot_knobs("skx", NULL);
	shim.pmu = SHIM_PMU_FAULTS;
	quieten("off");
	for (size_t i = 0; knob_row(i); i++)
		assert_true(values[i].state == KNOB_ABSENT || values[i].state == KNOB_REFUSED);
	assert_int_equal(knobs_restore(values), 0);
}

/* On an unknown model, registers of particular models are left alone. */
TEST(test_unknown_model)
{
	boot_knobs("skx", NULL);
	caps.model = 0xfe;
	quieten(NULL);
	assert_int_equal(state_by_key("turbo"), KNOB_ABSENT);
	assert_int_equal(state_by_key("c1e"), KNOB_ABSENT);
	assert_int_equal(state_by_key("uncore"), KNOB_ABSENT);
	assert_int_equal(state_by_key("hwp"), KNOB_SET);
	assert_int_equal(state_by_key("epb"), KNOB_SET);
	assert_int_equal(knobs_restore(values), 0);
}

TEST(test_prefetchers)
{
	static const struct {
		const char *uarch;
		uint32_t msr;
		uint64_t all;
	} rows[] = {{"hsw", 0x1a4, 0xf},
		    {"skx", 0x1a4, 0xf},
		    {"icl", 0x1a4, 0xf},
		    {"adl", 0x1a4, 0x2f},
		    {"zen4", 0xc0000108, 0x2f}};
	struct knob_choice choice;
	struct reason why;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		boot_knobs(rows[i].uarch, NULL);
		assert_int_equal(knob_prefetchers(&caps), rows[i].all);
		quieten("off");
		assert_int_equal(read_knob(rows[i].msr), rows[i].all);
		assert_int_equal(knobs_restore(values), 0);
		assert_int_equal(read_knob(rows[i].msr), 0);
		quieten("0x3");
		assert_int_equal(read_knob(rows[i].msr), 3);
		quieten("on");
		assert_int_equal(read_knob(rows[i].msr), 0);
		assert_int_equal(knobs_restore(values), 0);
		assert_int_equal(read_knob(rows[i].msr), 3);
	}
	assert_int_equal(knob_choose("maybe", &choice, &why), -EINVAL);
	assert_string_equal(why.text, "'maybe' is neither on, off nor a mask");
}

/* A guest of KVM has no register that changes the CPU, though some keep what is written. */
TEST(test_kvm_has_none)
{
	static const char *const guests[] = {"kvm_intel", "kvm_amd"};

	for (size_t i = 0; i < sizeof(guests) / sizeof(guests[0]); i++) {
		boot_knobs(guests[i], NULL);
		quieten(NULL);
		for (size_t k = 0; knob_row(k); k++)
			assert_int_equal(values[k].state, KNOB_ABSENT);
	}
}
