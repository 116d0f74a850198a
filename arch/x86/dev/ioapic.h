/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * ioapic.h - I/O APICs, found in the MADT (ACPI, "Multiple APIC Description Table (MADT)"). Task
 * context.
 */
#ifndef ARCH_X86_DEV_IOAPIC_H
#define ARCH_X86_DEV_IOAPIC_H

/* ioapic_init() - finds all I/O APICs and masks every input. Needs acpi_init() and paging_init().
 * -ENODEV: there is no I/O APIC. */
int ioapic_init(void);

/* ioapic_route_isa() - routes ISA interrupt `irq` (0..15) to this CPU as `vector`, with the
 * polarity and trigger mode of the MADT's overrides. -ENODEV: no I/O APIC has the input. */
int ioapic_route_isa(unsigned irq, unsigned vector);

/*
 * ioapic_route_global() - the same for a global system interrupt. The inputs of the ISA bus are
 * edge-triggered; inputs above them are active low and level-triggered. ioapic_unroute_isa(),
 * ioapic_unroute_global() - mask the input again.
 */
int ioapic_route_global(unsigned gsi, unsigned vector);
void ioapic_unroute_isa(unsigned irq);
void ioapic_unroute_global(unsigned gsi);

#endif
