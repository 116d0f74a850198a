/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * madt.h - the CPUs that the firmware lists: ACPI 6.5, "Multiple APIC Description Table (MADT)".
 * Pure, any context.
 */
#ifndef ARCH_X86_PORTABLE_MADT_H
#define ARCH_X86_PORTABLE_MADT_H

#include <stddef.h>
#include <stdint.h>

/*
 * madt_apic_ids() - stores the APIC ids of the enabled CPUs in `ids`, in the order of the table,
 * each once, and `room` of them at most. `madt` has `bytes` bytes, header included. Returns the
 * number of enabled CPUs, which may exceed `room`. CPUs that may be plugged in later (only "online
 * capable") are left out. Entries that exceed the table's length, and CPU entries beyond
 * MADT_ENTRIES_MOST, are ignored.
 */
#define MADT_ENTRIES_MOST 16384
size_t madt_apic_ids(const void *madt, size_t bytes, uint32_t *ids, size_t room);

#endif
