// SPDX-License-Identifier: BSD-2-Clause
/* nodes_text.c - see nodes_text.h. */
#include "apps/measure/nodes_text.h"

#include "arch/x86/dev/nodes.h"
#include "arch/x86/mem/paging.h"
#include "arch/x86/smp/smp.h"
#include "lib/printf.h"
#include "lib/string.h"
#include "rt/print/print.h"

#define CPUS_TEXT 64 /* bytes; longer lists are cut, with an ellipsis */

/* The CPUs of a node, as 0-2,4. */
static void print_cpus_of(unsigned node, char text[CPUS_TEXT])
{
	size_t n = 0;

	text[0] = '\0';
	for (unsigned cpu = 0, end; cpu < smp_ncpus(); cpu = end) {
		char range[24];

		for (end = cpu; end < smp_ncpus() && smp_online(end)->node == node; end++)
			;
		if (end == cpu) {
			end++;
			continue;
		}
		if (end - cpu > 1)
			fmt_print(range, sizeof(range), "%s%u-%u", n ? "," : "", cpu, end - 1);
		else
			fmt_print(range, sizeof(range), "%s%u", n ? "," : "", cpu);
		if (n + strlen(range) + 5 > CPUS_TEXT) {
			memcpy(text + n, ",...", 5);
			return;
		}
		memcpy(text + n, range, strlen(range) + 1);
		n += strlen(range);
	}
}

static unsigned long long mib_of(unsigned node)
{
	return (unsigned long long)(numa_memory(nodes(), node) >> 20);
}

static unsigned long long free_mib_of(unsigned node)
{
	return (unsigned long long)(page_free_on(node) * PAGE_SIZE >> 20);
}

static void print_distances(unsigned node)
{
	for (unsigned to = 0; to < nodes()->n; to++)
		out(" %3u", nodes()->distance[node][to]);
}

void nodes_print(void)
{
	char cpus[CPUS_TEXT];

	if (nodes()->n < 2)
		return;
	out("  %-6s %12s %12s  %-16s %s\n", "node", "memory, MiB", "free, MiB", "CPUs",
	    "distance from each node");
	for (unsigned node = 0; node < nodes()->n; node++) {
		print_cpus_of(node, cpus);
		out("  %-6u %12llu %12llu  %-16s", node, mib_of(node), free_mib_of(node),
		    *cpus ? cpus : "-");
		print_distances(node);
		out("\n");
	}
}

static void print_node_json(unsigned node)
{
	const char *before = "";

	out("{\"node\": %u, \"memory_mib\": %llu, \"free_mib\": %llu, \"cpus\": [", node,
	    mib_of(node), free_mib_of(node));
	for (unsigned cpu = 0; cpu < smp_ncpus(); cpu++) {
		if (smp_online(cpu)->node != node)
			continue;
		out("%s%u", before, cpu);
		before = ", ";
	}
	out("], \"distances\": [");
	for (unsigned to = 0; to < nodes()->n; to++)
		out("%s%u", to ? ", " : "", nodes()->distance[node][to]);
	out("]}");
}

void nodes_print_json(void)
{
	out("  \"nodes\": [");
	for (unsigned node = 0; node < nodes()->n; node++) {
		out("%s\n    ", node ? "," : "");
		print_node_json(node);
	}
	out("\n  ]");
}
