/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * ioapic.h - I/O APICs, found in the MADT (ACPI, "Multiple APIC Description Table (MADT)"). Task
 * context.
 */
#ifndef ARCH_X86_DEV_IOAPIC_H
#define ARCH_X86_DEV_IOAPIC_H

/* ioapic_init() - finds all, masks every input. Needs acpi_init() and paging_init(). -ENODEV: none.
 */
int ioapic_init(void);

/*
 * ioapic_route_isa() - ISA interrupt `irq` (0..15) to this CPU as `vector`, with the polarity and
 * trigger mode that the MADT's overrides give it. -ENODEV: no I/O APIC has that input.
 */
int ioapic_route_isa(unsigned irq, unsigned vector);

#endif
