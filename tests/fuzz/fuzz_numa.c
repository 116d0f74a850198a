// SPDX-License-Identifier: BSD-2-Clause
/*
 * fuzz_numa.c - any bytes as MADT, SRAT and SLIT: reading ends, and its results are consistent. The
 * first two bytes are the length of the SRAT; the SLIT is the rest.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "arch/x86/portable/madt.h"
#include "arch/x86/portable/numa.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_nodes(const struct numa *numa)
{
	if (!numa->n || numa->n > NUMA_NODES_MOST || numa->nranges > NUMA_RANGES_MOST)
		abort();
	for (unsigned i = 0; i < numa->nranges; i++) {
		const struct numa_range *range = &numa->range[i];

		if (range->base >= range->end || range->node >= numa->n ||
		    (i && numa->range[i - 1].end > range->base))
			abort();
	}
	for (unsigned from = 0; from < numa->n; from++) {
		if (numa->order[from][0] != from)
			abort();
		for (unsigned i = 1; i < numa->n; i++)
			if (numa->distance[from][numa->order[from][i]] <= NUMA_LOCAL)
				abort();
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct numa numa;
	uint32_t ids[4];
	struct reason why;
	size_t first;

	madt_apic_ids(data, size, ids, 4);
	if (size < 2)
		return 0;
	first = data[0] | (size_t)data[1] << 8;
	data += 2;
	size -= 2;
	if (first > size)
		first = size;
	numa_parse(&numa, &(struct numa_table){data, first}, &why);
	check_nodes(&numa);
	numa_parse_distances(&numa, &(struct numa_table){data + first, size - first}, &why);
	check_nodes(&numa);
	if (numa_node_of_cpu(&numa, &(struct numa_table){data, first}, ids[0]) >= numa.n)
		abort();
	return 0;
}
