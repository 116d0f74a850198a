// SPDX-License-Identifier: BSD-2-Clause
/* nodes.c - see nodes.h. */
#include "arch/x86/dev/nodes.h"

#include "arch/x86/dev/acpi.h"
#include "arch/x86/mem/paging.h"
#include "lib/printf.h"

static struct numa numa;
static struct numa_table srat;
static char problem[REASON_MAX + 8];

static struct numa_table find_table(const char *signature)
{
	const struct acpi_header *table = acpi_find(signature, 0);

	return (struct numa_table){table, table ? table->length : 0};
}

void nodes_init(void)
{
	const struct numa_table slit = find_table("SLIT");
	struct reason why;

	srat = find_table("SRAT");
	if (numa_parse(&numa, &srat, &why))
		fmt_print(problem, sizeof(problem), "SRAT: %s", why.text);
	else if (numa_parse_distances(&numa, &slit, &why))
		fmt_print(problem, sizeof(problem), "SLIT: %s", why.text);
	page_set_nodes(&numa);
}

const struct numa *nodes(void)
{
	return &numa;
}

const char *nodes_problem(void)
{
	return *problem ? problem : NULL;
}

unsigned nodes_of_apic(uint32_t id)
{
	return numa_node_of_cpu(&numa, &srat, id);
}
