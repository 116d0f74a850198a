// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_model_platform.c - vpmu's platform, compared with the manuals: the registers of each
 * personality, faults, and counters, which are the stated shares of the progress, for any number of
 * reads.
 */
#include "vpmu/model/model_pci.h"

#include <stdlib.h>
#include <string.h>

#include "tests/unit/test.h"

/* By number, as the manuals have them. */
enum {
	TSC = 0x10,
	MPERF = 0xe7,
	APERF = 0xe8,
	SMI_COUNT = 0x34,
	POWER_UNIT = 0x606,
	PKG_ENERGY = 0x611,
	DRAM_ENERGY = 0x619,
	CORES_ENERGY = 0x639,
	GPU_ENERGY = 0x641,
	PSYS_ENERGY = 0x64d,
	U_GLOBAL = 0x700,
	U_CLOCK_CTL = 0x703,
	U_CLOCK = 0x704,
	CHA0 = 0xe00,
	CHA1 = 0xe10,
};
#define AMD_MPERF   0xc00000e7u
#define AMD_APERF   0xc00000e8u
#define IRPERF      0xc00000e9u
#define HWCR        0xc0010015u
#define L3_CTL      0xc0010230u
#define DF_CTL      0xc0010240u
#define AMD_UNIT    0xc0010299u
#define AMD_CORE    0xc001029au
#define AMD_PACKAGE 0xc001029bu

#define ENABLE (1ull << 22)

static struct vpmu_thread thread;
static struct vpmu_package package;
static struct vpmu_platform platform;

static void become(const char *name)
{
	thread = (struct vpmu_thread){0};
	package = (struct vpmu_package){0};
	platform = (struct vpmu_platform){
		.uarch = vpmu_uarch_find(name), .thread = &thread, .package = &package};
	assert_non_null(platform.uarch);
}

/* The CPU is one of two that execute the same; each instruction takes 16 ticks. */
static void pass(uint64_t instructions)
{
	platform.now.tsc += instructions * 16;
	platform.now.cycles += instructions * 16;
	platform.now.instructions += instructions;
	platform.now.core_instructions += instructions;
	platform.now.package_instructions += 2 * instructions;
}

static uint64_t read_platform_msr(uint32_t msr)
{
	uint64_t v = 0;

	assert_int_equal(vpmu_platform_rdmsr(&platform, msr, &v), VPMU_DONE);
	return v;
}

static void write_accepted(uint32_t msr, uint64_t v)
{
	assert_int_equal(vpmu_platform_try(&platform, msr, v), VPMU_DONE);
	assert_int_equal(vpmu_platform_wrmsr(&platform, msr, v), VPMU_DONE);
}

static void refuses(uint32_t msr, uint64_t v)
{
	const struct vpmu_package before = package;

	assert_int_equal(vpmu_platform_try(&platform, msr, v), VPMU_GP);
	assert_int_equal(vpmu_platform_wrmsr(&platform, msr, v), VPMU_GP);
	assert_memory_equal(&before, &package, sizeof(before));
}

/* --- Registers of all machines --- */

#define HSW       1
#define SKX       2
#define ICL       4
#define ZEN4      8
#define ADL       16
#define ZEN2      32
#define FAM15H    64
#define FAM10H    128
#define ANY_AMD   (ZEN4 | ZEN2 | FAM15H | FAM10H)
#define ANY_INTEL (HSW | SKX | ICL | ADL)

TEST(test_who_has_what)
{
	static const struct {
		uint32_t msr;
		unsigned who;
	} rows[] = {
		{TSC, ANY_INTEL | ANY_AMD},
		{MPERF, ANY_INTEL | ANY_AMD},
		{APERF, ANY_INTEL | ANY_AMD},
		{SMI_COUNT, ANY_INTEL},
		{POWER_UNIT, ANY_INTEL},
		{PKG_ENERGY, ANY_INTEL},
		{DRAM_ENERGY, ANY_INTEL},
		{CORES_ENERGY, ANY_INTEL},
		{GPU_ENERGY, HSW | ICL | ADL},
		{PSYS_ENERGY, ICL | ADL},
		{U_CLOCK, SKX},
		{CHA0, SKX},
		{CHA0 + 0x40, 0},
		{AMD_MPERF, ZEN4 | ZEN2},
		{AMD_APERF, ZEN4 | ZEN2},
		{IRPERF, ZEN4 | ZEN2},
		{L3_CTL, ZEN4 | ZEN2},
		{L3_CTL + 11, ZEN4 | ZEN2},
		{L3_CTL + 12, 0},
		{DF_CTL, ZEN4 | ZEN2 | FAM15H},
		{DF_CTL + 7, ZEN4 | ZEN2 | FAM15H},
		{DF_CTL + 8, ZEN4},
		{DF_CTL + 31, ZEN4},
		{AMD_UNIT, ZEN4 | ZEN2},
		{AMD_CORE, ZEN4 | ZEN2},
		{AMD_PACKAGE, ZEN4 | ZEN2},
	};
	static const char *const names[] = {"hsw", "skx",  "icl",    "zen4",
					    "adl", "zen2", "fam15h", "fam10h"};

	for (unsigned k = 0; k < sizeof(names) / sizeof(*names); k++) {
		become(names[k]);
		for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
			assert_int_equal(vpmu_platform_names(platform.uarch, rows[i].msr),
					 rows[i].who >> k & 1);
	}
}

TEST(test_read_only)
{
	static const uint32_t intel[] = {SMI_COUNT, POWER_UNIT, PKG_ENERGY, DRAM_ENERGY,
					 CORES_ENERGY};
	static const uint32_t amd[] = {AMD_MPERF, AMD_APERF, AMD_UNIT, AMD_CORE, AMD_PACKAGE};

	become("skx");
	for (size_t i = 0; i < sizeof(intel) / sizeof(*intel); i++)
		refuses(intel[i], 0);
	become("zen4");
	for (size_t i = 0; i < sizeof(amd) / sizeof(*amd); i++)
		refuses(amd[i], 0);
}

/* --- Clocks --- */

TEST(test_clocks)
{
	become("icl");
	pass(1000);
	assert_int_equal(read_platform_msr(TSC), 16000);
	assert_int_equal(read_platform_msr(MPERF), 16000);
	write_accepted(TSC, 5);
	write_accepted(MPERF, 0);
	assert_int_equal(read_platform_msr(TSC), 5);
	pass(10);
	assert_int_equal(read_platform_msr(TSC), 165);
	assert_int_equal(read_platform_msr(MPERF), 160);
	assert_int_equal(read_platform_msr(APERF), 16160);
	assert_int_equal(thread.tsc_offset, 5ull - 16000);
}

TEST(test_retired_count_wants_its_bit)
{
	become("zen4");
	pass(1000);
	assert_int_equal(read_platform_msr(IRPERF), 0);
	write_accepted(HWCR, 1ull << 30);
	assert_int_equal(read_platform_msr(IRPERF), 0);
	pass(70);
	assert_int_equal(read_platform_msr(IRPERF), 70);
	write_accepted(HWCR, 0);
	pass(7);
	assert_int_equal(read_platform_msr(IRPERF), 70);
	write_accepted(IRPERF, 1);
	write_accepted(HWCR, 1ull << 30);
	pass(2);
	assert_int_equal(read_platform_msr(IRPERF), 3);
}

/* --- Energy --- */

TEST(test_energy)
{
	become("skx");
	assert_int_equal(read_platform_msr(POWER_UNIT) >> 8 & 0x1f, 14);
	pass(100000000);
	/* 1.6 G ticks of 10 nJ, 0.2 G instructions of 64 nJ, in 2^-14 J. */
	assert_int_equal(read_platform_msr(PKG_ENERGY),
			 (16000000000 + 12800000000) / 1000000000.0 * 16384);
	/* The memory's unit is 2^-16 J on servers; cores have no energy of their own. */
	assert_int_equal(read_platform_msr(DRAM_ENERGY), (uint64_t)((3.2 + 3.2) * 65536));
	assert_int_equal(read_platform_msr(CORES_ENERGY), 0);
	become("zen4");
	assert_int_equal(read_platform_msr(AMD_UNIT) >> 8 & 0x1f, 16);
	/* A core has half of the instructions. */
	pass(100000000);
	assert_int_equal(read_platform_msr(AMD_CORE), (uint64_t)((1.6 + 6.4) * 65536));
}

TEST(test_energy_wraps_at_32_bits)
{
	become("hsw");
	platform.now =
		(struct vpmu_elapsed){.tsc = (1ull << 32) * 1000000000 / 16384 / 10 + 1000000};
	assert_in_range(read_platform_msr(PKG_ENERGY), 160, 170);
	platform.now = (struct vpmu_elapsed){0};
}

/* --- Uncore --- */

TEST(test_uncore_clock)
{
	become("skx");
	pass(1000);
	assert_int_equal(read_platform_msr(U_CLOCK), 0);
	write_accepted(U_CLOCK_CTL, ENABLE);
	for (unsigned i = 0; i < 1001; i++) {
		pass(1);
		read_platform_msr(U_CLOCK);
	}
	assert_int_equal(read_platform_msr(U_CLOCK), 1001 * 12);
	write_accepted(U_CLOCK_CTL, 0);
	pass(1000);
	assert_int_equal(read_platform_msr(U_CLOCK), 1001 * 12);
	refuses(U_CLOCK_CTL, 1);
	refuses(U_CLOCK, 1ull << 48);
	write_accepted(U_CLOCK, (1ull << 48) - 1);
	write_accepted(U_CLOCK_CTL, ENABLE);
	pass(1);
	assert_int_equal(read_platform_msr(U_CLOCK), 11);
}

TEST(test_boxes_share_evenly)
{
	const uint64_t lookups = 0x1134 | ENABLE;

	become("skx");
	write_accepted(CHA0 + 1, lookups);
	write_accepted(CHA1 + 4, lookups);
	write_accepted(CHA0 + 2, 0xff77 | ENABLE); /* nothing */
	pass(400000);
	/* 800000 instructions of the package, one in 400 misses level 2, four boxes. */
	assert_int_equal(read_platform_msr(CHA0 + 8), 500);
	assert_int_equal(read_platform_msr(CHA1 + 11), 500);
	assert_int_equal(read_platform_msr(CHA0 + 9), 0);
	write_accepted(CHA0, 1ull << 8);
	pass(400000);
	assert_int_equal(read_platform_msr(CHA0 + 8), 500);
	assert_int_equal(read_platform_msr(CHA1 + 11), 1000);
	write_accepted(CHA0, 1 << 1);
	assert_int_equal(read_platform_msr(CHA0 + 8), 0);
	assert_int_equal(read_platform_msr(CHA0 + 1), lookups);
	write_accepted(CHA0, 1 << 0);
	assert_int_equal(read_platform_msr(CHA0 + 1), 0);
}

TEST(test_all_freeze)
{
	become("skx");
	write_accepted(U_CLOCK_CTL, ENABLE);
	write_accepted(CHA0 + 1, 0x1134 | ENABLE);
	write_accepted(U_GLOBAL, 1ull << 63);
	pass(400000);
	assert_int_equal(read_platform_msr(U_CLOCK), 0);
	assert_int_equal(read_platform_msr(CHA0 + 8), 0);
	write_accepted(U_GLOBAL, 1ull << 61);
	pass(400000);
	assert_int_equal(read_platform_msr(U_CLOCK), 400000 * 12);
	assert_int_equal(read_platform_msr(CHA0 + 8), 500);
}

TEST(test_reserved_bits)
{
	become("skx");
	refuses(CHA0 + 1, 1ull << 32);
	refuses(CHA0 + 1, 1 << 16);
	refuses(CHA0 + 5, 1ull << 32);
	refuses(CHA0 + 12, 0);
	refuses(0x707, 0);
	write_accepted(CHA0 + 7, 0xf);
	assert_int_equal(read_platform_msr(CHA0 + 7), 0);
	/* A selector's reset bit clears its counter, and reads as zero. */
	write_accepted(CHA0 + 8, 77);
	write_accepted(CHA0 + 1, 0x34 | 1 << 17);
	assert_int_equal(read_platform_msr(CHA0 + 8), 0);
	assert_int_equal(read_platform_msr(CHA0 + 1), 0x34);
}

TEST(test_l3_shares)
{
	const uint64_t all = 0xff04 | ENABLE | 1ull << 46 | 1ull << 47 | 3ull << 56;

	become("zen4");
	write_accepted(L3_CTL, all);
	write_accepted(L3_CTL + 2, all & ~(1ull << 57));
	write_accepted(L3_CTL + 4, all & ~(1ull << 47));
	write_accepted(L3_CTL + 6, all & ~(3ull << 56));
	write_accepted(L3_CTL + 8, all | 1ull << 63); /* reserved: dropped */
	pass(1600000);
	assert_int_equal(read_platform_msr(L3_CTL + 1), 8000);
	assert_int_equal(read_platform_msr(L3_CTL + 3), 4000);
	assert_int_equal(read_platform_msr(L3_CTL + 5), 1000);
	assert_int_equal(read_platform_msr(L3_CTL + 7), 0);
	assert_int_equal(read_platform_msr(L3_CTL + 8), all);
}

/* PPR of family 17h: a mask of eight threads, and one of four slices. */
TEST(test_l3_masks)
{
	const uint64_t all = 0xff04 | ENABLE | 0xffull << 56 | 0xfull << 48;

	become("zen2");
	write_accepted(L3_CTL, all);
	write_accepted(L3_CTL + 2, all & ~(3ull << 62));               /* six threads */
	write_accepted(L3_CTL + 4, all & ~(7ull << 49));               /* a slice */
	write_accepted(L3_CTL + 6, all & ~(0xffull << 56));            /* no thread */
	write_accepted(L3_CTL + 8, (all & ~0xffffull) | 0x0106);       /* misses */
	write_accepted(L3_CTL + 10, all | 1ull << 46 | 0xffull << 24); /* reserved: dropped */
	pass(1600000);
	assert_int_equal(read_platform_msr(L3_CTL + 1), 8000);
	assert_int_equal(read_platform_msr(L3_CTL + 3), 6000);
	assert_int_equal(read_platform_msr(L3_CTL + 5), 2000);
	assert_int_equal(read_platform_msr(L3_CTL + 7), 0);
	assert_int_equal(read_platform_msr(L3_CTL + 9), 1600);
	assert_int_equal(read_platform_msr(L3_CTL + 10), all);
	become("zen3"); /* as on Zen 4 */
	write_accepted(L3_CTL, 0x0104 | ENABLE | 1ull << 46 | 1ull << 47 | 3ull << 56);
	pass(1600000);
	assert_int_equal(read_platform_msr(L3_CTL + 1), 1600);
}

/* PPRs of families 17h and 19h models 0xh: bits 11:8 of an event at 35:32, 13:12 at 60:59. */
TEST(test_data_fabric_before_v2)
{
	static const char *const names[] = {"zen1", "zen2", "zen3"};

	for (unsigned i = 0; i < 3; i++) {
		become(names[i]);
		write_accepted(DF_CTL, 0x3807 | ENABLE);
		write_accepted(DF_CTL + 2, 0x3847 | ENABLE);
		write_accepted(DF_CTL + 4, 0x3847 | 1ull << 59 | ENABLE);
		write_accepted(DF_CTL + 6, UINT64_MAX);
		pass(400000);
		assert_int_equal(read_platform_msr(DF_CTL + 1), 300);
		assert_int_equal(read_platform_msr(DF_CTL + 3), 300);
		assert_int_equal(read_platform_msr(DF_CTL + 5), 0);
		assert_int_equal(read_platform_msr(DF_CTL + 6), 0x1800000f0040ffff);
	}
}

/* BKDGs of families 15h and 16h, "Northbridge Performance Event Select": it counts for all cores.
 */
TEST(test_northbridge)
{
	static const struct {
		const char *name;
		uint64_t dram;
	} rows[] = {
		{"fam15h", 0x3fe0},
		{"fam16h", 0x07ec | 3ull << 32},
	};

	for (unsigned i = 0; i < 2; i++) {
		become(rows[i].name);
		write_accepted(DF_CTL, rows[i].dram | ENABLE);
		write_accepted(DF_CTL + 2, 0xa8e9 | ENABLE);
		write_accepted(DF_CTL + 4, 0x3fe0 | 1ull << 32 | ENABLE);
		write_accepted(DF_CTL + 6, UINT64_MAX);
		pass(400000);
		assert_int_equal(read_platform_msr(DF_CTL + 1), 600);
		assert_int_equal(read_platform_msr(DF_CTL + 3), 600);
		assert_int_equal(read_platform_msr(DF_CTL + 5), 0);
		assert_int_equal(read_platform_msr(DF_CTL + 6), 0x000001ff0050ffff);
		write_accepted(DF_CTL + 4, 0x01f0 | 1ull << 32 | ENABLE);
		write_accepted(DF_CTL + 6, 0x02f0 | 1ull << 32 | ENABLE);
		write_accepted(DF_CTL + 7, 0);
		pass(400000);
		assert_int_equal(read_platform_msr(DF_CTL + 5), 200);
		assert_int_equal(read_platform_msr(DF_CTL + 7), 400);
	}
}

/* BKDG of family 16h, "L2I Performance Event Select": cores and banks are masked out. */
TEST(test_shared_l2)
{
	const uint64_t misses = 0x037e | ENABLE;

	become("fam16h");
	write_accepted(L3_CTL, misses);
	write_accepted(L3_CTL + 2, misses | 1ull << 56);
	write_accepted(L3_CTL + 4, misses | 7ull << 48);
	write_accepted(L3_CTL + 6, misses | 1ull << 24); /* a counter mask */
	pass(1600000);
	assert_int_equal(read_platform_msr(L3_CTL + 1), 1600);
	assert_int_equal(read_platform_msr(L3_CTL + 3), 1200);
	assert_int_equal(read_platform_msr(L3_CTL + 5), 400);
	assert_int_equal(read_platform_msr(L3_CTL + 7), 0);
	write_accepted(L3_CTL, 0x027d | ENABLE);
	write_accepted(L3_CTL + 2, 0x017d | ENABLE);
	write_accepted(L3_CTL + 4, 0x037d | ENABLE);
	for (unsigned i = 1; i <= 5; i += 2)
		write_accepted(L3_CTL + i, 0);
	pass(20000);
	assert_int_equal(read_platform_msr(L3_CTL + 1), 500);
	assert_int_equal(read_platform_msr(L3_CTL + 3), 80);
	assert_int_equal(read_platform_msr(L3_CTL + 5), 580);
	write_accepted(L3_CTL, UINT64_MAX);
	assert_int_equal(read_platform_msr(L3_CTL), 0x0f0f000fffd0ffff);
}

/* Events of 14 bits and unit masks of 12. */
TEST(test_data_fabric)
{
	become("zen4");
	write_accepted(DF_CTL + 30, 0xfe1f | 7 << 24 | ENABLE);
	write_accepted(DF_CTL, 0xff5f | 7 << 24 | ENABLE);
	write_accepted(DF_CTL + 2, 0xff5f | 7 << 24 | 1ull << 32 | ENABLE);
	pass(100000);
	assert_int_equal(read_platform_msr(DF_CTL + 31), 100);
	assert_int_equal(read_platform_msr(DF_CTL + 1), 50);
	assert_int_equal(read_platform_msr(DF_CTL + 3), 0);
}

/* APM vol. 3, "RDPMC": behind the six of a core four of the data fabric, those of L3, and the other
 * ones of the data fabric. */
TEST(test_rdpmc_of_what_cores_share)
{
	static const struct {
		uint32_t ecx, msr;
	} rows[] = {
		{6, DF_CTL + 1},   {9, DF_CTL + 7},  {10, L3_CTL + 1},
		{15, L3_CTL + 11}, {16, DF_CTL + 9}, {27, DF_CTL + 31},
	};
	static const uint32_t none[] = {5, 28, 0x40000000, UINT32_MAX};
	uint64_t v = 0;

	become("zen4");
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		write_accepted(rows[i].msr, 1000 + i);
		assert_int_equal(vpmu_platform_rdpmc(&platform, rows[i].ecx, &v), VPMU_DONE);
		assert_int_equal(v, 1000 + i);
	}
	write_accepted(DF_CTL, 0xfe1f | 7 << 24 | ENABLE);
	write_accepted(DF_CTL + 1, 0);
	pass(100000);
	assert_int_equal(vpmu_platform_rdpmc(&platform, 6, &v), VPMU_DONE);
	assert_int_equal(v, 100);
	for (size_t i = 0; i < sizeof(none) / sizeof(*none); i++) {
		assert_false(vpmu_platform_counts(platform.uarch, none[i]));
		assert_int_equal(vpmu_platform_rdpmc(&platform, none[i], &v), VPMU_GP);
	}
	become("skx");
	assert_false(vpmu_platform_counts(platform.uarch, 6));
	assert_int_equal(vpmu_platform_rdpmc(&platform, 6, &v), VPMU_GP);
}

/* Returns the values of ECX from 0 to 31 that read such a counter. */
TEST(test_rdpmc_of_older_ones)
{
	static const struct {
		const char *name;
		uint32_t counters;
	} rows[] = {
		{"zen1", 0xffc0},   {"zen3", 0xffc0}, {"fam15h", 0x3c0},
		{"fam16h", 0x3fc0}, {"fam10h", 0},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		become(rows[i].name);
		for (unsigned ecx = 0; ecx < 32; ecx++)
			assert_int_equal(vpmu_platform_counts(platform.uarch, ecx),
					 rows[i].counters >> ecx & 1);
	}
}

/* --- PCI devices --- */

#define DEVFN(slot, function) ((slot) << 3 | (function))
#define CHANNEL_0             DEVFN(10, 2)
#define CHANNEL_5             DEVFN(13, 2)
#define WHOLE                 UINT32_MAX

enum {
	IMC_COUNTER = 0xa0,
	IMC_CLOCK = 0xd0,
	IMC_SELECT = 0xd8,
	IMC_CLOCK_SELECT = 0xf0,
	IMC_BOX = 0xf4
};

/* PCI Local Bus Specification 3.0: a slot without function 0 is empty; function 0 has a bit that
 * announces others. */
TEST(test_devices_are_found)
{
	unsigned channels = 0;

	become("skx");
	assert_true(vpmu_pci_shown(platform.uarch));
	for (unsigned devfn = 0; devfn < VPMU_PCI_DEVFNS; devfn++) {
		const uint32_t identity = vpmu_pci_read(&platform, devfn, 0);

		assert_int_equal(identity != UINT32_MAX, vpmu_pci_has(devfn));
		if (identity == UINT32_MAX)
			continue;
		assert_int_equal(identity & 0xffff, 0x8086);
		assert_true(vpmu_pci_has(devfn & ~7u));
		assert_true(vpmu_pci_read(&platform, devfn & ~7u, 0x0c) >> 16 & 0x80);
		vpmu_pci_write(&platform, devfn, 0x10, WHOLE, WHOLE);
		assert_int_equal(vpmu_pci_read(&platform, devfn, 0x10), 0);
		channels += identity >> 16 == 0x2042 || identity >> 16 == 0x2046 ||
			    identity >> 16 == 0x204a;
	}
	assert_int_equal(channels, VPMU_CHANNELS);
	assert_int_equal(vpmu_pci_read(&platform, DEVFN(30, 3), 0x9c), (1 << VPMU_CHAS) - 1);
	become("icl");
	assert_false(vpmu_pci_shown(platform.uarch));
}

static uint64_t imc_counter(unsigned devfn, unsigned reg)
{
	return vpmu_pci_read(&platform, devfn, reg) |
	       (uint64_t)vpmu_pci_read(&platform, devfn, reg + 4) << 32;
}

TEST(test_channels_count)
{
	become("skx");
	vpmu_pci_write(&platform, CHANNEL_0, IMC_SELECT, 0x0304 | ENABLE, WHOLE);
	vpmu_pci_write(&platform, CHANNEL_5, IMC_SELECT + 12, 0x0c04 | ENABLE, WHOLE);
	vpmu_pci_write(&platform, CHANNEL_5, IMC_CLOCK_SELECT, WHOLE, WHOLE);
	pass(6000000);
	assert_int_equal(imc_counter(CHANNEL_0, IMC_COUNTER), 1000);
	assert_int_equal(imc_counter(CHANNEL_5, IMC_COUNTER + 24), 500);
	assert_int_equal(imc_counter(CHANNEL_5, IMC_CLOCK), 60000000);
	assert_int_equal(vpmu_pci_read(&platform, CHANNEL_5, IMC_CLOCK_SELECT), ENABLE);
	vpmu_pci_write(&platform, CHANNEL_5, IMC_BOX, 1 << 8, WHOLE);
	pass(6000000);
	assert_int_equal(imc_counter(CHANNEL_0, IMC_COUNTER), 2000);
	assert_int_equal(imc_counter(CHANNEL_5, IMC_COUNTER + 24), 500);
	assert_int_equal(vpmu_pci_read(&platform, CHANNEL_5, IMC_BOX), 1 << 8);
	vpmu_pci_write(&platform, CHANNEL_5, IMC_BOX, 2, WHOLE);
	assert_int_equal(imc_counter(CHANNEL_5, IMC_COUNTER + 24), 0);
	assert_int_equal(imc_counter(CHANNEL_5, IMC_CLOCK), 0);
	vpmu_pci_write(&platform, CHANNEL_5, IMC_BOX, 1, WHOLE);
	assert_int_equal(vpmu_pci_read(&platform, CHANNEL_5, IMC_SELECT + 12), 0);
}

/* A counter has 48 bits in two double words, which software may write separately. */
TEST(test_channels_are_written_by_parts)
{
	become("skx");
	vpmu_pci_write(&platform, CHANNEL_0, IMC_COUNTER, 0x89abcdef, WHOLE);
	vpmu_pci_write(&platform, CHANNEL_0, IMC_COUNTER + 4, WHOLE, WHOLE);
	vpmu_pci_write(&platform, CHANNEL_0, IMC_COUNTER, 0x00770000, 0x00ff0000);
	assert_int_equal(imc_counter(CHANNEL_0, IMC_COUNTER), 0xffff8977cdef);
}
