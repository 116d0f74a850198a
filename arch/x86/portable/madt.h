/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * madt.h - which CPUs the firmware says there are: ACPI 6.5, "Multiple APIC Description Table
 * (MADT)". Pure, any context.
 */
#ifndef ARCH_X86_PORTABLE_MADT_H
#define ARCH_X86_PORTABLE_MADT_H

#include <stddef.h>
#include <stdint.h>

/*
 * madt_apic_ids() - the ids of the local APICs (and x2APICs) of the CPUs that are enabled, in the
 * order of the table `madt` of `bytes` bytes, its header included, each once, the first `room` of
 * them into `ids`. Returns how many there are, also beyond `room`. CPUs that may be plugged in
 * later
 * ("online capable" alone) are not there yet, and are left out. What does not fit into the table's
 * length is not believed, and entries of CPUs beyond MADT_ENTRIES_MOST are not looked at.
 */
#define MADT_ENTRIES_MOST 16384
size_t madt_apic_ids(const void *madt, size_t bytes, uint32_t *ids, size_t room);

#endif
