/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * madt.h - which CPUs the firmware says there are: ACPI 6.5, "Multiple APIC Description Table
 * (MADT)".
 */
#ifndef ARCH_X86_SMP_MADT_H
#define ARCH_X86_SMP_MADT_H

#include <stddef.h>
#include <stdint.h>

/*
 * madt_apic_ids() - the ids of the local APICs (and x2APICs) of the CPUs that are enabled, in the
 * table's order, each once, at most `room`. Returns how many; 0 without a table. CPUs that may be
 * plugged in later ("online capable" alone) are not there yet, and are left out. Needs acpi_init();
 * task context.
 */
size_t madt_apic_ids(uint32_t *ids, size_t room);

#endif
