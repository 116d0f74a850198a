/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pci.h - finds devices on PCI buses by the configuration ports 0xcf8 and 0xcfc (PCI Local Bus
 * Specification 3.0, "Software Generation of Configuration Transactions"). All CPUs share the
 * ports, and no lock protects them: only the boot CPU uses them, in task context.
 */
#ifndef ARCH_X86_DEV_PCI_H
#define ARCH_X86_DEV_PCI_H

#include <stdbool.h>
#include <stdint.h>

struct pci_device {
	uint8_t slot, function, bus;
};

/* pci_find() - the first device of bus 0 with these ids. pci_find_nth() - number `nth` of them,
 * from 0. False: there is no such device. */
bool pci_find(uint16_t vendor, uint16_t device, struct pci_device *found);
bool pci_find_nth(uint16_t vendor, uint16_t device, unsigned nth, struct pci_device *found);

/*
 * pci_list_class() - stores up to `room` devices of `class` (base class and subclass, as 0x0c03) on
 * all buses: bus 0 and those behind its bridges, then the buses of other roots. Returns the number
 * stored. pci_interface() - a device's programming interface. pci_io_bar() - the first port of base
 * address register `bar`, and enables the device's ports; 0: the register describes no ports.
 * pci_interrupt_line() - the input of the 8259s to which the firmware has routed the interrupt; 0
 * or 255: none.
 */
unsigned pci_list_class(uint16_t class, struct pci_device *list, unsigned room);
uint8_t pci_interface(const struct pci_device *device);
uint16_t pci_io_bar(const struct pci_device *device, unsigned bar);
uint8_t pci_interrupt_line(const struct pci_device *device);

/*
 * pci_list_masters() - the same for devices that may write to memory by themselves (bus masters),
 * bridges left out. pci_end_master() - takes that right from a device.
 */
unsigned pci_list_masters(struct pci_device *list, unsigned room);
void pci_end_master(const struct pci_device *device);

/*
 * pci_memory_bar() - the address in base address register `bar`, of 32 or 64 bits, as the firmware
 * has set it; enables the device's memory there. 0: the register describes no memory, or has no
 * address.
 */
uint64_t pci_memory_bar(const struct pci_device *device, unsigned bar);

/* pci_place_memory() - sets the 64-bit base address register `bar` to `address`, and enables the
 * device's memory there. */
void pci_place_memory(const struct pci_device *device, unsigned bar, uint64_t address);

/*
 * pci_read() and pci_write() - a register of 32 bits of the configuration space; `reg` is a
 * multiple of 4. All bits set: there is no such function. pci_ids() - the device's id, and below it
 * the vendor's; pci_revision() - its revision.
 */
uint32_t pci_read(const struct pci_device *device, unsigned reg);
void pci_write(const struct pci_device *device, unsigned reg, uint32_t value);
uint32_t pci_ids(const struct pci_device *device);
uint8_t pci_revision(const struct pci_device *device);

#endif
