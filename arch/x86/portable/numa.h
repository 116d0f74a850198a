/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * numa.h - the nodes of memory and CPUs, and their distances: ACPI 6.5, "System Resource Affinity
 * Table (SRAT)" and "System Locality Information Table (SLIT)". Pure, any context.
 *
 * Proximity domains are numbers of the firmware's choice. Nodes have numbers from 0 on, in the
 * order of Linux: as the SRAT first names their CPUs, then their memory.
 */
#ifndef ARCH_X86_PORTABLE_NUMA_H
#define ARCH_X86_PORTABLE_NUMA_H

#include "lib/reason.h"

#include <stddef.h>
#include <stdint.h>

#define NUMA_NODES_MOST  64
#define NUMA_RANGES_MOST 128
#define NUMA_LOCAL       10 /* the distance of a node from itself */
#define NUMA_REMOTE      20 /* the distance of other nodes, if the firmware reports none */

struct numa_range {
	uint64_t base, end; /* physical addresses; `end` is exclusive */
	unsigned node;
};

struct numa {
	unsigned n; /* number of nodes, at least 1 */
	unsigned nranges;
	struct numa_range range[NUMA_RANGES_MOST]; /* ascending, without overlap */
	uint32_t domain[NUMA_NODES_MOST];          /* by node */
	uint8_t distance[NUMA_NODES_MOST][NUMA_NODES_MOST];
	uint8_t order[NUMA_NODES_MOST]
		     [NUMA_NODES_MOST]; /* for each node, all nodes, the nearest first */
};

/* An ACPI table with its header; data is NULL if the table is missing. */
struct numa_table {
	const void *data;
	size_t bytes;
};

/*
 * numa_parse() - reads the SRAT. Returns 0, or -EINVAL with a sentence: then there is one node
 * without ranges, as without an SRAT. Disabled memory, and entries that exceed the table's length,
 * are left out.
 */
int numa_parse(struct numa *numa, const struct numa_table *srat, struct reason *why);

/* numa_parse_distances() - reads the SLIT; after numa_parse(). -EINVAL with a sentence: all other
 * nodes have the distance NUMA_REMOTE. */
int numa_parse_distances(struct numa *numa, const struct numa_table *slit, struct reason *why);

/* numa_node_of_cpu() - the node of the CPU with this APIC id; 0 if the SRAT does not list it. */
unsigned numa_node_of_cpu(const struct numa *numa, const struct numa_table *srat, uint32_t apic_id);

/* numa_node_of() - the node of a physical address; 0 if the SRAT does not list it. All addresses
 * from this one up to `*end` have the same node. */
unsigned numa_node_of(const struct numa *numa, uint64_t address, uint64_t *end);

/* numa_memory() - bytes of memory of a node, by the SRAT. */
uint64_t numa_memory(const struct numa *numa, unsigned node);

#endif
