/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * numa.h - which memory is near to which CPUs: ACPI 6.5, "System Resource Affinity Table (SRAT)"
 * and "System Locality Information Table (SLIT)". Pure, any context.
 *
 * Proximity domains are numbers of the firmware's choice. Nodes have numbers from 0 on, as Linux
 * gives them: in the order in which the SRAT names their CPUs, and then their memory.
 */
#ifndef ARCH_X86_PORTABLE_NUMA_H
#define ARCH_X86_PORTABLE_NUMA_H

#include "lib/reason.h"

#include <stddef.h>
#include <stdint.h>

#define NUMA_NODES_MOST  64
#define NUMA_RANGES_MOST 128
#define NUMA_LOCAL       10 /* the distance of a node from itself */
#define NUMA_REMOTE      20 /* from others, where that is not told */

struct numa_range {
	uint64_t base, end; /* physical addresses: the end is behind it */
	unsigned node;
};

struct numa {
	unsigned n; /* nodes, from 1 */
	unsigned nranges;
	struct numa_range range[NUMA_RANGES_MOST]; /* upwards, and none meets another */
	uint32_t domain[NUMA_NODES_MOST];          /* by node */
	uint8_t distance[NUMA_NODES_MOST][NUMA_NODES_MOST];
	uint8_t order[NUMA_NODES_MOST][NUMA_NODES_MOST]; /* of each, the nearest first: itself */
};

/* An ACPI table with its header; NULL: there is none. */
struct numa_table {
	const void *data;
	size_t bytes;
};

/*
 * numa_parse() - 0; or -EINVAL with a sentence: then there is one node, with nothing in it, as
 * there is without an SRAT. Memory that is not enabled, and what does not fit into the table's
 * length, is left out.
 */
int numa_parse(struct numa *numa, const struct numa_table *srat, struct reason *why);

/* numa_parse_distances() - behind that. -EINVAL with a sentence: all other nodes are equally far.
 */
int numa_parse_distances(struct numa *numa, const struct numa_table *slit, struct reason *why);

/* numa_node_of_cpu() - of the CPU whose APIC has that id; node 0 where the SRAT does not say. */
unsigned numa_node_of_cpu(const struct numa *numa, const struct numa_table *srat, uint32_t apic_id);

/* numa_node_of() - of a physical address; node 0 where the SRAT does not say. `*end`: up to where
 * that goes for all addresses from this one on. */
unsigned numa_node_of(const struct numa *numa, uint64_t address, uint64_t *end);

/* numa_memory() - bytes that the SRAT gives to a node. */
uint64_t numa_memory(const struct numa *numa, unsigned node);

#endif
