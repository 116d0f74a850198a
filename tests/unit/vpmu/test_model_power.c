// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_model_power.c - vpmu's registers of frequency, power, sleep and prefetchers, compared with
 * the manuals: their machines, writable bits, and effects of faults.
 */
#include "vpmu/model/geometry.h"
#include "vpmu/model/platform.h"

#include <stdlib.h>
#include <string.h>

#include "tests/unit/test.h"

static struct vpmu_thread thread, other;
static struct vpmu_package package;
static struct vpmu_faults faults;
static struct vpmu_platform platform;

static void become(const char *name)
{
	thread = other = (struct vpmu_thread){0};
	package = (struct vpmu_package){0};
	faults = (struct vpmu_faults){0};
	platform = (struct vpmu_platform){.uarch = vpmu_uarch_find(name),
					  .thread = &thread,
					  .package = &package,
					  .faults = &faults};
	assert_non_null(platform.uarch);
}

static uint64_t read_power_msr(uint32_t msr)
{
	uint64_t v = 0;

	assert_int_equal(vpmu_platform_rdmsr(&platform, msr, &v), VPMU_DONE);
	return v;
}

static enum vpmu_access try_and_write(uint32_t msr, uint64_t v)
{
	enum vpmu_access tried = vpmu_platform_try(&platform, msr, v);

	vpmu_platform_settle(&platform);
	assert_int_equal(vpmu_platform_wrmsr(&platform, msr, v), tried);
	return tried;
}

static void pass_cycles(uint64_t cycles)
{
	platform.now.tsc += cycles;
	platform.now.cycles += cycles;
	platform.now.package_instructions += cycles;
	vpmu_platform_settle(&platform);
}

TEST(test_who_has_what)
{
	static const char *const names[] = {"hsw", "skx", "icl", "adl", "zen4"};
	static const struct {
		uint32_t msr;
		unsigned who; /* bits by the order of the names */
	} rows[] = {
		{0x8b, 0xf},        {0xce, 0xf},        {0xe2, 0xf},        {0x199, 0xf},
		{0x19c, 0xf},       {0x1a4, 0xf},       {0x1b0, 0xf},       {0x1b1, 0xf},
		{0x1fc, 0xf},       {0x620, 0xf},       {0x770, 0xe},       {0x771, 0xe},
		{0x774, 0xe},       {0xc0000108, 0x10}, {0xc0010062, 0x10}, {0xc00102b0, 0x10},
		{0xc00102b3, 0x10}, {0x1a2, 0},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		for (unsigned n = 0; n < 5; n++)
			assert_int_equal(
				vpmu_platform_names(vpmu_uarch_find(names[n]), rows[i].msr),
				rows[i].who >> n & 1);
}

TEST(test_valid_bits)
{
	static const struct {
		const char *uarch;
		uint32_t msr;
		uint64_t value;
		enum vpmu_access wanted;
	} rows[] = {
		{"skx", 0x1b0, 15, VPMU_DONE},        {"skx", 0x1b0, 16, VPMU_GP},
		{"skx", 0x1a4, 0xf, VPMU_DONE},       {"skx", 0x1a4, 0x20, VPMU_GP},
		{"adl", 0x1a4, 0x20, VPMU_DONE},      {"skx", 0x774, 1ull << 43, VPMU_GP},
		{"skx", 0x771, 0, VPMU_GP},           {"skx", 0xce, 0, VPMU_GP},
		{"skx", 0x199, 0x1ffff, VPMU_GP},     {"hsw", 0x199, 0xc00, VPMU_DONE},
		{"skx", 0xe2, 0x1e000000, VPMU_DONE}, {"zen4", 0xc0010062, 8, VPMU_GP},
		{"zen4", 0xc0000108, 0x10, VPMU_GP},  {"zen4", 0xc00102b0, 0, VPMU_GP},
		{"skx", 0x770, 1, VPMU_DONE},         {"skx", 0x770, 2, VPMU_GP},
		{"zen4", 0xc00102b1, 1, VPMU_DONE},   {"zen4", 0xc00102b1, 2, VPMU_GP},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		uint64_t before;

		become(rows[i].uarch);
		before = read_power_msr(rows[i].msr);
		assert_int_equal(try_and_write(rows[i].msr, rows[i].value), rows[i].wanted);
		assert_int_equal(read_power_msr(rows[i].msr),
				 rows[i].wanted == VPMU_DONE ? rows[i].value : before);
	}
}

/* No write clears the enable bit. Software that finds it 0 sets it. */
TEST(test_on_for_good)
{
	become("skx");
	assert_int_equal(try_and_write(0x770, 0), VPMU_DONE);
	assert_int_equal(read_power_msr(0x770), 1);
}

/* SDM vol. 4: the CFG lock remains until a reset. */
TEST(test_lock)
{
	become("icl");
	assert_int_equal(try_and_write(0xe2, 0x8001), VPMU_DONE);
	assert_int_equal(try_and_write(0xe2, 0), VPMU_GP);
	assert_int_equal(read_power_msr(0xe2), 0x8001);
	become("icl");
	faults.locked = true;
	assert_int_equal(try_and_write(0xe2, 0), VPMU_GP);
	assert_int_equal(read_power_msr(0xe2), 0x1e008007);
}

/* The bits of the register, and what they switch off. */
TEST(test_prefetchers)
{
	static const struct {
		const char *name;
		uint32_t msr;
		uint64_t v, off;
	} rows[] = {
		{"skx", 0x1a4, 0x1, GEOMETRY_L2_STREAM},
		{"skx", 0x1a4, 0x2, GEOMETRY_L2_PAIR},
		{"skx", 0x1a4, 0x4, GEOMETRY_L1_NEXT},
		{"skx", 0x1a4, 0x8, GEOMETRY_L1_STRIDE},
		{"skx", 0x1a4, 0, 0},
		{"adl", 0x1a4, 0x20, 0},
		{"zen4", 0xc0000108, 0x1, GEOMETRY_L1_STREAM},
		{"zen4", 0xc0000108, 0x2, GEOMETRY_L1_STRIDE},
		{"zen4", 0xc0000108, 0x4, 0},
		{"zen4", 0xc0000108, 0x8, GEOMETRY_L2_STREAM},
		{"zen4", 0xc0000108, 0x20, GEOMETRY_L2_UP_DOWN},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		become(rows[i].name);
		thread.prefetchers_off = ~0ull;
		assert_int_equal(try_and_write(rows[i].msr, rows[i].v), VPMU_DONE);
		assert_int_equal(thread.prefetchers_off, rows[i].off);
		assert_int_equal(read_power_msr(rows[i].msr), rows[i].v);
	}
	/* A write that faults, and another register, switch nothing. */
	become("skx");
	try_and_write(0x1a4, 0x5);
	assert_int_equal(try_and_write(0x1a4, 0x10), VPMU_GP);
	try_and_write(0x1b0, 0xf);
	assert_int_equal(thread.prefetchers_off, GEOMETRY_L2_STREAM | GEOMETRY_L1_NEXT);
}

TEST(test_scopes)
{
	become("skx");
	try_and_write(0x1fc, 1);
	try_and_write(0x1b0, 3);
	platform.thread = &other;
	assert_int_equal(read_power_msr(0x1fc), 1);
	assert_int_equal(read_power_msr(0x1b0), 6);
}

TEST(test_faults)
{
	become("skx");
	assert_int_equal(read_power_msr(0x19c) & 0xffff, 0);
	faults.thermal = true;
	assert_int_equal(read_power_msr(0x19c) & 0xffff, 0x282b);
	assert_int_equal(try_and_write(0x19c, 0), VPMU_DONE);
	assert_int_equal(read_power_msr(0x1b1) & 0xffff, 0x282b);
	faults.stuck = true;
	assert_int_equal(try_and_write(0x774, 0x0a0a0a), VPMU_DONE);
	assert_int_equal(read_power_msr(0x774), 0x80000f04);
	assert_int_equal(read_power_msr(0x34), 0);
	faults.smi = 1000;
	pass_cycles(5500);
	assert_int_equal(read_power_msr(0x34), 5);
	faults.gp[faults.ngp++] = 0x620;
	assert_true(vpmu_platform_refuses(&faults, 0x620));
	assert_false(vpmu_platform_refuses(&faults, 0x621));
}

/* Turbo alternates every 2^20 cycles between a quarter and an eighth above nominal, which MPERF
 * counts. */
TEST(test_turbo)
{
	const uint64_t turn = 1 << 20;

	become("skx");
	faults.turbo = true;
	pass_cycles(turn);
	assert_int_equal(read_power_msr(0xe7), turn);
	assert_int_equal(read_power_msr(0xe8), turn + turn / 4);
	pass_cycles(turn);
	assert_int_equal(read_power_msr(0xe8), 2 * turn + turn / 4 + turn / 8);
	try_and_write(0x774, 0x0a0a0a); /* nothing above nominal is asked for */
	pass_cycles(turn);
	assert_int_equal(read_power_msr(0xe8), 3 * turn + turn / 4 + turn / 8);
	try_and_write(0x774, 0x0a0f0a);
	platform.no_turbo = true;
	pass_cycles(turn);
	assert_int_equal(read_power_msr(0xe8), 4 * turn + turn / 4 + turn / 8);
	try_and_write(0xe8, 0);
	pass_cycles(100);
	assert_int_equal(read_power_msr(0xe8), 100);
}

TEST(test_turbo_amd)
{
	become("zen4");
	faults.turbo = true;
	pass_cycles(4000);
	assert_int_equal(read_power_msr(0xc00000e8), 5000);
	try_and_write(0xc0010015, 1ull << 25);
	pass_cycles(4000);
	assert_int_equal(read_power_msr(0xc00000e8), 9000);
}

/* Without the fault no register changes how fast a CPU is. */
TEST(test_nominal)
{
	become("hsw");
	pass_cycles(123456);
	assert_int_equal(read_power_msr(0xe7), 123456);
	assert_int_equal(read_power_msr(0xe8), 123456);
}
