/* SPDX-License-Identifier: BSD-2-Clause */
/* nodes.h - this machine's memory nodes, from the firmware's tables. */
#ifndef ARCH_X86_DEV_NODES_H
#define ARCH_X86_DEV_NODES_H

#include "arch/x86/portable/numa.h"

/*
 * nodes_init() - reads the tables and hands the nodes to the page allocator. After acpi_init(),
 * before other CPUs start. nodes() - the result; one node where the tables have none, or are
 * invalid. nodes_problem() has a sentence for each table that is not used ("SRAT: ..."), NULL:
 * there is none. Any context from then on.
 */
void nodes_init(void);
const struct numa *nodes(void);
const char *nodes_problem(void);

/* nodes_of_apic() - the node of the CPU whose APIC has that id. */
unsigned nodes_of_apic(uint32_t id);

#endif
