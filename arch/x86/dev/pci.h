/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pci.h - devices of PCI buses, by the configuration mechanism of ports 0xcf8 and 0xcfc (PCI Local
 * Bus Specification 3.0, "Software Generation of Configuration Transactions"). All CPUs share the
 * ports, and no lock protects them: only the boot CPU uses them, while it starts.
 */
#ifndef ARCH_X86_DEV_PCI_H
#define ARCH_X86_DEV_PCI_H

#include <stdbool.h>
#include <stdint.h>

struct pci_device {
	uint8_t slot, function, bus;
};

/* pci_find() - the first device of bus 0 with these numbers, or number `nth` of them, from 0. */
bool pci_find(uint16_t vendor, uint16_t device, struct pci_device *found);
bool pci_find_nth(uint16_t vendor, uint16_t device, unsigned nth, struct pci_device *found);

/*
 * pci_list_class() - lists up to `room` devices of `class` (base class and subclass, as 0x0c03) on
 * bus 0 and on all buses that bridges connect to it. Returns how many. pci_interface() - a device's
 * programming interface. pci_io_bar() - enables the ports of base address register `bar`, and
 * returns the first one; 0: the register has no ports. pci_interrupt_line() - the input of the
 * 8259s to which the firmware has routed the device's interrupt; 0 or 255: none.
 */
unsigned pci_list_class(uint16_t class, struct pci_device *list, unsigned room);
uint8_t pci_interface(const struct pci_device *device);
uint16_t pci_io_bar(const struct pci_device *device, unsigned bar);
uint8_t pci_interrupt_line(const struct pci_device *device);

/*
 * pci_memory_bar() - enables the memory of base address register `bar`, of 32 or 64 bits, and
 * returns the address that the firmware has assigned. 0: the register has ports, or no address.
 */
uint64_t pci_memory_bar(const struct pci_device *device, unsigned bar);

/* pci_place_memory() - assigns an address to a base address register of 64 bits, and enables the
 * device's memory. */
void pci_place_memory(const struct pci_device *device, unsigned bar, uint64_t address);

#endif
