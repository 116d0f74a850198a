// SPDX-License-Identifier: BSD-2-Clause
/* numa.c - see numa.h. */
#include "arch/x86/portable/numa.h"

#include "lib/math.h"
#include "lib/string.h"

#include <linux/errno.h>
#include <stdbool.h>

#define HEADER      36 /* bytes of every table's header */
#define REVISION    8  /* its offset in a table */
#define SRAT_HEADER 48
#define SLIT_HEADER 44 /* includes the number of localities */

#define LOW_ID_BITS  8 /* of a proximity domain, in revision 1 */
#define SRAT_ENABLED 1u

enum { SRAT_APIC = 0, SRAT_MEMORY = 1, SRAT_X2APIC = 2 };

struct srat_entry {
	uint8_t type, length;
};

struct srat_apic {
	struct srat_entry entry;
	uint8_t domain_low, apic_id;
	uint32_t flags;
	uint8_t sapic_eid, domain_high[3];
	uint32_t clock_domain;
} __attribute__((packed));
_Static_assert(sizeof(struct srat_apic) == 16, "SRAT: local APIC affinity");

struct srat_memory {
	struct srat_entry entry;
	uint32_t domain;
	uint16_t reserved;
	uint64_t base, bytes;
	uint32_t reserved2, flags;
	uint64_t reserved3;
} __attribute__((packed));
_Static_assert(sizeof(struct srat_memory) == 40, "SRAT: memory affinity");

struct srat_x2apic {
	struct srat_entry entry;
	uint16_t reserved;
	uint32_t domain, apic_id, flags, clock_domain, reserved2;
} __attribute__((packed));
_Static_assert(sizeof(struct srat_x2apic) == 24, "SRAT: local x2APIC affinity");

/* The rest of the table that has not been read. */
struct cursor {
	const uint8_t *at;
	size_t left;
	bool is_old; /* revision 1 */
};

static struct cursor srat_begin(const struct numa_table *srat)
{
	const uint8_t *data = srat->data;

	if (!data || srat->bytes < SRAT_HEADER)
		return (struct cursor){NULL, 0, false};
	return (struct cursor){data + SRAT_HEADER, srat->bytes - SRAT_HEADER, data[REVISION] < 2};
}

/* Returns the next entry; NULL at the end. */
static const uint8_t *next_entry(struct cursor *c, struct srat_entry *entry)
{
	const uint8_t *at = c->at;

	if (c->left < sizeof(*entry))
		return NULL;
	memcpy(entry, at, sizeof(*entry));
	if (entry->length < sizeof(*entry) || entry->length > c->left)
		return NULL;
	c->at += entry->length;
	c->left -= entry->length;
	return at;
}

static uint32_t domain_of(const struct cursor *c, uint32_t domain)
{
	return c->is_old ? domain & ((1u << LOW_ID_BITS) - 1) : domain;
}

/* Finds the next enabled CPU. False: no more CPUs. */
static bool next_cpu(struct cursor *c, uint32_t *apic_id, uint32_t *domain)
{
	struct srat_x2apic x2apic;
	struct srat_entry entry;
	struct srat_apic apic;
	const uint8_t *at;

	while ((at = next_entry(c, &entry))) {
		if (entry.type == SRAT_APIC && entry.length >= sizeof(apic)) {
			memcpy(&apic, at, sizeof(apic));
			*apic_id = apic.apic_id;
			*domain = domain_of(c, (uint32_t)apic.domain_high[2] << 24 |
						       (uint32_t)apic.domain_high[1] << 16 |
						       (uint32_t)apic.domain_high[0] << 8 |
						       apic.domain_low);
			if (apic.flags & SRAT_ENABLED)
				return true;
		} else if (entry.type == SRAT_X2APIC && entry.length >= sizeof(x2apic)) {
			memcpy(&x2apic, at, sizeof(x2apic));
			*apic_id = x2apic.apic_id;
			*domain = x2apic.domain;
			if (x2apic.flags & SRAT_ENABLED)
				return true;
		}
	}
	return false;
}

/* Finds the next enabled range of memory. False: no more ranges. */
static bool next_memory(struct cursor *c, struct srat_memory *memory)
{
	struct srat_entry entry;
	const uint8_t *at;

	while ((at = next_entry(c, &entry))) {
		if (entry.type != SRAT_MEMORY || entry.length < sizeof(*memory))
			continue;
		memcpy(memory, at, sizeof(*memory));
		memory->domain = domain_of(c, memory->domain);
		if (memory->flags & SRAT_ENABLED && memory->bytes)
			return true;
	}
	return false;
}

/* Returns the node of a proximity domain; numa->n: the domain has no node yet. */
static unsigned node_of_domain(const struct numa *numa, uint32_t domain)
{
	unsigned node = 0;

	while (node < numa->n && numa->domain[node] != domain)
		node++;
	return node;
}

/* Finds the node of a proximity domain, or adds one. False: there are too many nodes. */
static bool make_node(struct numa *numa, uint32_t domain, unsigned *node)
{
	*node = node_of_domain(numa, domain);
	if (*node < numa->n)
		return true;
	if (numa->n == NUMA_NODES_MOST)
		return false;
	numa->domain[numa->n++] = domain;
	return true;
}

static int too_many(struct reason *why)
{
	return refuse(why, EINVAL, "it has more than %d proximity domains", NUMA_NODES_MOST);
}

static int parse_cpus(struct numa *numa, const struct numa_table *srat, struct reason *why)
{
	struct cursor c = srat_begin(srat);
	uint32_t id, domain;
	unsigned node;

	while (next_cpu(&c, &id, &domain))
		if (!make_node(numa, domain, &node))
			return too_many(why);
	return 0;
}

/* Inserts a range in the order of addresses. */
static void insert_range(struct numa *numa, struct numa_range range)
{
	unsigned i = numa->nranges++;

	for (; i && numa->range[i - 1].base > range.base; i--)
		numa->range[i] = numa->range[i - 1];
	numa->range[i] = range;
}

static int parse_memory(struct numa *numa, const struct numa_table *srat, struct reason *why)
{
	struct cursor c = srat_begin(srat);
	struct srat_memory memory;
	unsigned node;

	while (next_memory(&c, &memory)) {
		if (memory.base + memory.bytes < memory.base)
			return refuse(why, EINVAL, "memory at 0x%llx goes beyond the last address",
				      (unsigned long long)memory.base);
		if (numa->nranges == NUMA_RANGES_MOST)
			return refuse(why, EINVAL, "it has more than %d ranges of memory",
				      NUMA_RANGES_MOST);
		if (!make_node(numa, memory.domain, &node))
			return too_many(why);
		insert_range(numa,
			     (struct numa_range){memory.base, memory.base + memory.bytes, node});
	}
	return 0;
}

/* Ranges of one node that touch or meet become one. */
static int merge_ranges(struct numa *numa, struct reason *why)
{
	unsigned n = 0;

	for (unsigned i = 0; i < numa->nranges; i++) {
		const struct numa_range *range = &numa->range[i];
		struct numa_range *last = n ? &numa->range[n - 1] : NULL;

		if (last && last->end > range->base && last->node != range->node)
			return refuse(why, EINVAL, "memory at 0x%llx belongs to two nodes",
				      (unsigned long long)range->base);
		if (last && last->end >= range->base && last->node == range->node)
			last->end = most_of(last->end, range->end);
		else
			numa->range[n++] = *range;
	}
	numa->nranges = n;
	return 0;
}

/* Equally distant nodes are sorted by number. */
static void sort_nodes(struct numa *numa)
{
	for (unsigned from = 0; from < numa->n; from++) {
		uint8_t *order = numa->order[from];

		for (unsigned node = 0; node < numa->n; node++) {
			unsigned i = node;

			for (; i && numa->distance[from][order[i - 1]] > numa->distance[from][node];
			     i--)
				order[i] = order[i - 1];
			order[i] = (uint8_t)node;
		}
	}
}

static void assume_distances(struct numa *numa)
{
	for (unsigned from = 0; from < numa->n; from++)
		for (unsigned to = 0; to < numa->n; to++)
			numa->distance[from][to] = from == to ? NUMA_LOCAL : NUMA_REMOTE;
	sort_nodes(numa);
}

static void become_one_node(struct numa *numa)
{
	*numa = (struct numa){.n = 1};
	assume_distances(numa);
}

int numa_parse(struct numa *numa, const struct numa_table *srat, struct reason *why)
{
	int err;

	*numa = (struct numa){.n = 0};
	err = parse_cpus(numa, srat, why);
	if (!err)
		err = parse_memory(numa, srat, why);
	if (!err)
		err = merge_ranges(numa, why);
	if (err || !numa->nranges)
		become_one_node(numa);
	assume_distances(numa);
	return err;
}

/* The firmware's distance of domain `from` to domain `to`. */
static unsigned told_distance(const uint8_t *matrix, uint64_t n, uint32_t from, uint32_t to)
{
	return matrix[from * n + to];
}

/* ACPI requires: each domain's distance to itself is the local one, and every other distance is
 * larger. */
static int check_distances(const struct numa *numa, const uint8_t *matrix, uint64_t n,
			   struct reason *why)
{
	for (unsigned i = 0; i < numa->n; i++)
		if (numa->domain[i] >= n)
			return refuse(why, EINVAL, "it has %llu localities, and none of number %u",
				      (unsigned long long)n, numa->domain[i]);
	for (unsigned i = 0; i < numa->n * numa->n; i++) {
		const uint32_t from = numa->domain[i / numa->n], to = numa->domain[i % numa->n];
		const unsigned distance = told_distance(matrix, n, from, to);

		if (from == to ? distance != NUMA_LOCAL : distance <= NUMA_LOCAL)
			return refuse(why, EINVAL, "the distance from %u to %u is %u", from, to,
				      distance);
	}
	return 0;
}

int numa_parse_distances(struct numa *numa, const struct numa_table *slit, struct reason *why)
{
	const uint8_t *data = slit->data;
	uint64_t n;
	int err;

	assume_distances(numa);
	if (!data)
		return 0;
	if (slit->bytes < SLIT_HEADER)
		return refuse(why, EINVAL, "it is cut");
	memcpy(&n, data + HEADER, sizeof(n));
	if (n > UINT16_MAX || n * n > slit->bytes - SLIT_HEADER)
		return refuse(why, EINVAL, "%llu localities do not fit into its %zu bytes",
			      (unsigned long long)n, slit->bytes);
	err = check_distances(numa, data + SLIT_HEADER, n, why);
	if (err)
		return err;
	for (unsigned from = 0; from < numa->n; from++)
		for (unsigned to = 0; to < numa->n; to++)
			numa->distance[from][to] = (uint8_t)told_distance(
				data + SLIT_HEADER, n, numa->domain[from], numa->domain[to]);
	sort_nodes(numa);
	return 0;
}

unsigned numa_node_of_cpu(const struct numa *numa, const struct numa_table *srat, uint32_t apic_id)
{
	struct cursor c = srat_begin(srat);
	uint32_t id, domain;
	unsigned node;

	while (next_cpu(&c, &id, &domain)) {
		if (id != apic_id)
			continue;
		node = node_of_domain(numa, domain);
		return node < numa->n ? node : 0;
	}
	return 0;
}

unsigned numa_node_of(const struct numa *numa, uint64_t address, uint64_t *end)
{
	for (unsigned i = 0; i < numa->nranges; i++) {
		const struct numa_range *range = &numa->range[i];

		if (address >= range->end)
			continue;
		*end = address < range->base ? range->base : range->end;
		return address < range->base ? 0 : range->node;
	}
	*end = UINT64_MAX;
	return 0;
}

uint64_t numa_memory(const struct numa *numa, unsigned node)
{
	uint64_t bytes = 0;

	for (unsigned i = 0; i < numa->nranges; i++)
		if (numa->range[i].node == node)
			bytes += numa->range[i].end - numa->range[i].base;
	return bytes;
}
