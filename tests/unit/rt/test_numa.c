// SPDX-License-Identifier: BSD-2-Clause
/* test_numa.c - SRAT and SLIT, correct and wrong. */
#include "arch/x86/portable/numa.h"

#include <linux/errno.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/test.h"

#define SRAT_HEADER 48
#define SLIT_HEADER 44
#define GIB         (1ull << 30)

static uint8_t srat[16384], slit[8192];
static size_t srat_bytes, slit_bytes;
static struct numa numa;
static struct reason why;

static void clear_tables(unsigned revision)
{
	memset(srat, 0, sizeof(srat));
	srat[8] = (uint8_t)revision;
	srat_bytes = SRAT_HEADER;
	slit_bytes = 0;
}

static void add_srat_entry(const void *entry, size_t n)
{
	memcpy(srat + srat_bytes, entry, n);
	srat_bytes += n;
}

static void add_cpu_affinity(uint8_t id, uint32_t domain, uint8_t flags)
{
	add_srat_entry((uint8_t[16]){0, 16, (uint8_t)domain, id,
				     flags, [9] = (uint8_t)(domain >> 8), (uint8_t)(domain >> 16),
				     (uint8_t)(domain >> 24)},
		       16);
}

static void x2apic(uint32_t id, uint32_t domain, uint32_t flags)
{
	uint8_t entry[24] = {2, 24};

	memcpy(entry + 4, &domain, 4);
	memcpy(entry + 8, &id, 4);
	memcpy(entry + 12, &flags, 4);
	add_srat_entry(entry, sizeof(entry));
}

static void memory(uint32_t domain, uint64_t base, uint64_t bytes, uint32_t flags)
{
	uint8_t entry[40] = {1, 40};

	memcpy(entry + 2, &domain, 4);
	memcpy(entry + 8, &base, 8);
	memcpy(entry + 16, &bytes, 8);
	memcpy(entry + 28, &flags, 4);
	add_srat_entry(entry, sizeof(entry));
}

static void distances(uint64_t n, const uint8_t *matrix)
{
	memset(slit, 0, sizeof(slit));
	memcpy(slit + 36, &n, sizeof(n));
	memcpy(slit + SLIT_HEADER, matrix, n * n);
	slit_bytes = SLIT_HEADER + n * n;
}

/* Copies of the tables' exact sizes, so that a sanitizer sees reads beyond them. */
static int parse_srat(void)
{
	uint8_t *exact = malloc(srat_bytes);
	const struct numa_table table = {exact, srat_bytes};
	int err;

	memcpy(exact, srat, srat_bytes);
	err = numa_parse(&numa, &table, &why);
	free(exact);
	return err;
}

static int parse_slit(void)
{
	uint8_t *exact = malloc(slit_bytes ? slit_bytes : 1);
	const struct numa_table table = {slit_bytes ? exact : NULL, slit_bytes};
	int err;

	memcpy(exact, slit, slit_bytes);
	err = numa_parse_distances(&numa, &table, &why);
	free(exact);
	return err;
}

static unsigned node_of_cpu(uint32_t id)
{
	return numa_node_of_cpu(&numa, &(struct numa_table){srat, srat_bytes}, id);
}

static void assert_refused(int err, const char *text)
{
	assert_int_equal(err, -EINVAL);
	if (!strstr(why.text, text))
		fail_msg("'%s' is not in '%s'", text, why.text);
}

static void assert_one_node(void)
{
	uint64_t end;

	assert_int_equal(numa.n, 1);
	assert_int_equal(numa.nranges, 0);
	assert_int_equal(numa_node_of(&numa, 5 * GIB, &end), 0);
	assert_true(end == UINT64_MAX);
	assert_int_equal(numa.distance[0][0], 10);
}

/* Domains 7 and 3 of a machine with two sockets. The memory of the first is in two pieces. */
static void two_sockets(void)
{
	clear_tables(3);
	add_cpu_affinity(0, 7, 1);
	add_cpu_affinity(1, 3, 1);
	add_cpu_affinity(2, 9, 0); /* disabled: no node */
	x2apic(484, 3, 1);
	memory(7, 0, 640 << 10, 1);
	memory(7, 1 << 20, 2 * GIB - (1 << 20), 1);
	memory(3, 4 * GIB, 4 * GIB, 1);
	memory(7, 2 * GIB, 0, 1);        /* nothing */
	memory(5, 64 * GIB, 8 * GIB, 2); /* may be plugged in */
}

TEST(test_two_sockets)
{
	uint64_t end;

	two_sockets();
	assert_int_equal(parse_srat(), 0);
	assert_int_equal(numa.n, 2);
	assert_int_equal(numa.domain[0], 7);
	assert_int_equal(numa.domain[1], 3);
	assert_int_equal(node_of_cpu(0), 0);
	assert_int_equal(node_of_cpu(1), 1);
	assert_int_equal(node_of_cpu(484), 1);
	assert_int_equal(node_of_cpu(2), 0); /* not told */
	assert_int_equal(node_of_cpu(4000), 0);
	assert_int_equal(numa_node_of(&numa, 0x1000, &end), 0);
	assert_int_equal(end, 640 << 10);
	assert_int_equal(numa_node_of(&numa, 0xa0000, &end), 0); /* the hole */
	assert_int_equal(end, 1 << 20);
	assert_int_equal(numa_node_of(&numa, 2 * GIB - 1, &end), 0);
	assert_int_equal(numa_node_of(&numa, 4 * GIB, &end), 1);
	assert_int_equal(end, 8 * GIB);
	assert_int_equal(numa_node_of(&numa, 8 * GIB, &end), 0);
	assert_int_equal(numa_memory(&numa, 0), 2 * GIB - (1 << 20) + (640 << 10));
	assert_int_equal(numa_memory(&numa, 1), 4 * GIB);
}

TEST(test_distances)
{
	static const uint8_t matrix[8 * 8] = {
		[3 * 8 + 3] = 10, [3 * 8 + 7] = 32, [7 * 8 + 3] = 21, [7 * 8 + 7] = 10};

	two_sockets();
	assert_int_equal(parse_srat(), 0);
	assert_int_equal(parse_slit(), 0);
	assert_int_equal(numa.distance[0][1], NUMA_REMOTE);
	distances(8, matrix);
	assert_int_equal(parse_slit(), 0);
	assert_int_equal(numa.distance[0][1], 21);
	assert_int_equal(numa.distance[1][0], 32);
	assert_int_equal(numa.order[1][0], 1);
	assert_int_equal(numa.order[1][1], 0);
}

TEST(test_nearest_first)
{
	static const uint8_t matrix[] = {10, 30, 20, 40, 30, 10, 40, 20,
					 20, 40, 10, 30, 40, 20, 30, 10};
	static const uint8_t orders[4][4] = {
		{0, 2, 1, 3}, {1, 3, 0, 2}, {2, 0, 3, 1}, {3, 1, 2, 0}};

	clear_tables(3);
	for (unsigned i = 0; i < 4; i++)
		memory(i, i * GIB, GIB, 1);
	assert_int_equal(parse_srat(), 0);
	assert_int_equal(numa.n, 4);
	distances(4, matrix);
	assert_int_equal(parse_slit(), 0);
	for (unsigned i = 0; i < 4; i++)
		assert_memory_equal(numa.order[i], orders[i], 4);
}

/* In revision 1 a domain has 8 bits; the bytes after them have no meaning. */
TEST(test_old_revision)
{
	clear_tables(1);
	add_cpu_affinity(4, 0xabcd01, 1);
	memory(0xffff01, 0, GIB, 1);
	memory(0x000002, GIB, GIB, 1);
	assert_int_equal(parse_srat(), 0);
	assert_int_equal(numa.n, 2);
	assert_int_equal(numa.domain[0], 1);
	assert_int_equal(node_of_cpu(4), 0);
}

TEST(test_ranges_that_meet)
{
	clear_tables(3);
	memory(1, 2 * GIB, GIB, 1);
	memory(0, 0, GIB, 1);
	memory(0, GIB / 2, 3 * GIB / 2, 1); /* of the same node: one */
	assert_int_equal(parse_srat(), 0);
	assert_int_equal(numa.nranges, 2);
	assert_int_equal(numa.range[0].end, 2 * GIB);
	memory(1, GIB, GIB / 2, 1); /* in the middle of another's */
	assert_refused(parse_srat(), "belongs to two nodes");
	assert_one_node();
}

TEST(test_nonsense)
{
	static const uint8_t two[] = {10, 20, 20, 10}, near[] = {10, 9, 20, 10},
			     far_from_itself[] = {20, 20, 20, 10};

	clear_tables(3);
	assert_int_equal(parse_srat(), 0);
	assert_one_node();
	assert_int_equal(numa_parse(&numa, &(struct numa_table){NULL, 0}, &why), 0);
	assert_one_node();
	memory(0, UINT64_MAX - 4095, 8192, 1);
	assert_refused(parse_srat(), "beyond the last address");
	assert_one_node();
	clear_tables(3);
	for (unsigned i = 0; i < 65; i++)
		add_cpu_affinity((uint8_t)i, 1000 + i, 1);
	assert_refused(parse_srat(), "more than 64 proximity domains");
	clear_tables(3);
	for (unsigned i = 0; i < NUMA_RANGES_MOST + 1; i++)
		memory(i % 2, 2 * i * GIB, GIB, 1);
	assert_refused(parse_srat(), "more than 128 ranges");
	assert_one_node();
	clear_tables(3);
	memory(0, 0, GIB, 1);
	memory(1, GIB, GIB, 1);
	assert_int_equal(parse_srat(), 0);
	distances(2, two);
	slit_bytes--;
	assert_refused(parse_slit(), "do not fit");
	slit_bytes = 40;
	assert_refused(parse_slit(), "cut");
	distances(1, two);
	assert_refused(parse_slit(), "none of number 1");
	distances(2, near);
	assert_refused(parse_slit(), "from 0 to 1 is 9");
	distances(2, far_from_itself);
	assert_refused(parse_slit(), "from 0 to 0 is 20");
	assert_int_equal(numa.distance[0][1], NUMA_REMOTE);
	memset(slit + 36, 0xff, 8);
	assert_refused(parse_slit(), "do not fit");
}

/* Reading a table that is cut at any byte, or has any byte changed, ends with consistent results.
 */
TEST(test_damaged)
{
	size_t bytes;

	two_sockets();
	bytes = srat_bytes;
	for (srat_bytes = 0; srat_bytes < bytes; srat_bytes++)
		parse_srat();
	for (size_t i = 0; i < bytes; i++)
		for (unsigned flip = 1; flip < 256; flip <<= 1) {
			srat[i] ^= (uint8_t)flip;
			parse_srat();
			assert_in_range(numa.n, 1, NUMA_NODES_MOST);
			assert_true(numa.nranges <= NUMA_RANGES_MOST);
			for (unsigned r = 1; r < numa.nranges; r++)
				assert_true(numa.range[r - 1].end <= numa.range[r].base);
			srat[i] ^= (uint8_t)flip;
		}
}
