// SPDX-License-Identifier: BSD-2-Clause
/* test_pt.c - packets of Intel PT, byte by byte as in the manual. */
#include "pmu/soft/pt.h"

#include <stdlib.h>
#include <string.h>

#include "tests/unit/test.h"

static struct pt pt;

FIXTURE(setup)
{
	pt = (struct pt){.n = 0};
	return 0;
}

static void wrote(const uint8_t *bytes, size_t n)
{
	assert_int_equal(pt.n, n);
	assert_memory_equal(pt.out, bytes, n);
	pt.n = 0;
}

#define WROTE(...)                            \
	wrote((const uint8_t[]){__VA_ARGS__}, \
	      sizeof((const uint8_t[]){__VA_ARGS__}) / sizeof(uint8_t))

static void trace_branches(const char *taken)
{
	for (; *taken; taken++)
		pt_branch(&pt, *taken == 'T');
}

TEST_WITH(test_branches, setup, NULL)
{
	trace_branches("T");
	assert_int_equal(pt.n, 0);
	pt_flush(&pt);
	WROTE(0x06);
	pt_flush(&pt);
	assert_int_equal(pt.n, 0);
	trace_branches("NTTTT");
	pt_flush(&pt);
	WROTE(0x5e);
	trace_branches("TNTNNT");
	WROTE(0xd2); /* six come out by themselves */
	trace_branches("NNNNNNT");
	pt_flush(&pt);
	WROTE(0x80, 0x06);
}

TEST_WITH(test_addresses, setup, NULL)
{
	pt_pge(&pt, 0x40000002f2c0);
	WROTE(0x71, 0xc0, 0xf2, 0x02, 0x00, 0x00, 0x40);
	pt_tip(&pt, 0x40000002f2c8);
	WROTE(0x2d, 0xc8, 0xf2);
	pt_tip(&pt, 0x40000003f2c8);
	WROTE(0x4d, 0xc8, 0xf2, 0x03, 0x00);
	pt_tip(&pt, 0x400100000000);
	WROTE(0x6d, 0x00, 0x00, 0x00, 0x00, 0x01, 0x40);
	pt_fup(&pt, 0xffffffff81000000);
	WROTE(0x7d, 0x00, 0x00, 0x00, 0x81, 0xff, 0xff);
	pt_pgd(&pt);
	WROTE(0x01);
	pt_fup(&pt, 0xffffffff81001234); /* the last address is still known */
	WROTE(0x3d, 0x34, 0x12);
}

TEST_WITH(test_branches_come_first, setup, NULL)
{
	pt.last_ip = 0x1000;
	trace_branches("T");
	pt_tip(&pt, 0x1004);
	WROTE(0x06, 0x2d, 0x04, 0x10);
	trace_branches("N");
	pt_pgd(&pt);
	WROTE(0x04, 0x01);
	trace_branches("N");
	pt_tsc(&pt, 0x1122334455667788);
	WROTE(0x04, 0x19, 0x88, 0x77, 0x66, 0x55, 0x44, 0x33, 0x22);
}

#define PSB 2, 0x82, 2, 0x82, 2, 0x82, 2, 0x82, 2, 0x82, 2, 0x82, 2, 0x82, 2, 0x82

TEST_WITH(test_sync, setup, NULL)
{
	trace_branches("TT");
	pt.last_ip = 0x400000001000;
	pt_sync(&pt, true, 0x123456789a, true, 0x400000001000);
	WROTE(0x0e, PSB, 0x19, 0x9a, 0x78, 0x56, 0x34, 0x12, 0, 0, 0x99, 0x01, 0x7d, 0x00, 0x10,
	      0x00, 0x00, 0x00, 0x40, 0x02, 0x23);
	pt_sync(&pt, false, 1, false, 0);
	WROTE(PSB, 0x99, 0x01, 0x02, 0x23);
	assert_true(pt.last_ip == 0);
}

/* Every encoding of an address decodes to the address. */
static uint64_t read_ip(uint64_t last, unsigned packet)
{
	unsigned how = pt.out[0] >> 5;
	uint64_t ip = 0;

	assert_int_equal(pt.out[0] & 0x1f, packet);
	memcpy(&ip, pt.out + 1, pt.n - 1);
	switch (how) {
	case 1:
		assert_int_equal(pt.n, 3);
		return (last & ~0xffffull) | ip;
	case 2:
		assert_int_equal(pt.n, 5);
		return (last & ~0xffffffffull) | ip;
	case 3:
		assert_int_equal(pt.n, 7);
		return (uint64_t)((int64_t)(ip << 16) >> 16);
	}
	fail_msg("address in form %u", how);
	return 0;
}

TEST_WITH(test_any_address_survives, setup, NULL)
{
	uint64_t last = 0, seed = 1;

	for (int i = 0; i < 100000; i++) {
		uint64_t ip;

		seed = seed * 6364136223846793005 + 1442695040888963407;
		ip = last ^ (seed >> 16 & ((1ull << (seed >> 58)) - 1));
		ip = (uint64_t)((int64_t)(ip << 16) >> 16);
		pt_tip(&pt, ip);
		assert_true(read_ip(last, 0x0d) == ip);
		pt.n = 0;
		last = ip;
	}
}
