// SPDX-License-Identifier: BSD-2-Clause
/* sys_node.c - /sys/devices/system/node: nodes of memory. id[0] is the node. */
#include "linux/proc/proc_parts.h"

#include "arch/x86/dev/nodes.h"
#include "arch/x86/mem/paging.h"
#include "arch/x86/portable/numa.h"
#include "arch/x86/smp/smp.h"

#define ULL(n) ((unsigned long long)(n))

static bool next_node(const uint64_t *id, uint64_t *at)
{
	(void)id;
	return *at < nodes()->n;
}

static struct cpumask cpus_on(uint64_t node)
{
	struct cpumask cpus = {0};

	for (unsigned cpu = 0; cpu < smp_ncpus(); cpu++)
		if (smp_online(cpu)->node == node)
			cpumask_add(&cpus, cpu);
	return cpus;
}

static int write_node_list(const uint64_t *id, struct text *text)
{
	const unsigned n = nodes()->n;

	(void)id;
	text_print(text, n > 1 ? "0-%u\n" : "%u\n", n - 1);
	return 0;
}

static int write_node_cpu_list(const uint64_t *id, struct text *text)
{
	const struct cpumask cpus = cpus_on(id[0]);

	cpu_text_list(text, &cpus);
	text_print(text, "\n");
	return 0;
}

static int write_node_cpu_map(const uint64_t *id, struct text *text)
{
	const struct cpumask cpus = cpus_on(id[0]);

	cpu_text_mask(text, &cpus, smp_ncpus());
	text_print(text, "\n");
	return 0;
}

static int write_node_distance(const uint64_t *id, struct text *text)
{
	const struct numa *numa = nodes();

	for (unsigned other = 0; other < numa->n; other++)
		text_print(text, other ? " %u" : "%u", numa->distance[id[0]][other]);
	text_print(text, "\n");
	return 0;
}

/* The only node has all memory, whether a table of the firmware says so or not. */
static int write_node_meminfo(const uint64_t *id, struct text *text)
{
	const bool only = nodes()->n == 1;
	const uint64_t total = only ? page_total_count() * PAGE_SIZE
				    : numa_memory(nodes(), (unsigned)id[0]),
		       free = (only ? page_free_count() : page_free_on((unsigned)id[0])) *
			      PAGE_SIZE;
	const struct {
		const char *name;
		uint64_t bytes;
	} rows[] = {
		{"MemTotal", total},
		{"MemFree", free},
		{"MemUsed", total > free ? total - free : 0},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		text_print(text, "Node %llu %s: %14llu kB\n", ULL(id[0]), rows[i].name,
			   ULL(rows[i].bytes / 1024));
	return 0;
}

void sys_node_init(void)
{
	synth_domains.node.next = next_node;
	synth_writers.node_list.write = write_node_list;
	synth_writers.node_cpu_list.write = write_node_cpu_list;
	synth_writers.node_cpu_map.write = write_node_cpu_map;
	synth_writers.node_distance.write = write_node_distance;
	synth_writers.node_meminfo.write = write_node_meminfo;
}
