/* SPDX-License-Identifier: BSD-2-Clause */
/* nodes.h - the nodes of memory of this machine, as its firmware tells. */
#ifndef ARCH_X86_DEV_NODES_H
#define ARCH_X86_DEV_NODES_H

#include "arch/x86/portable/numa.h"

/*
 * nodes_init() - reads the tables and tells the pages' allocator. After acpi_init(), before other
 * CPUs start. nodes() - what came of it; one node where the firmware tells of none, or nonsense:
 * nodes_problem() then has a sentence for each table that is not used ("SRAT: ..."), NULL: it is
 * fine. Any context from then on.
 */
void nodes_init(void);
const struct numa *nodes(void);
const char *nodes_problem(void);

/* nodes_of_apic() - the node of the CPU whose APIC has that id. */
unsigned nodes_of_apic(uint32_t id);

#endif
