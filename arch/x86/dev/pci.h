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
 * pci_list_class() - the devices of `class` (base class and subclass, as 0x0c03) on all buses that
 * bridges lead to from bus 0, up to `room` of them. Returns how many. pci_interface() - a device's
 * programming interface. pci_io_bar() - the first port of base address register `bar`, where the
 * device answers from now on; 0: that one is none of ports. pci_interrupt_line() - the input of the
 * 8259s at which the firmware has placed its interrupt; 0 or 255: none.
 */
unsigned pci_list_class(uint16_t class, struct pci_device *list, unsigned room);
uint8_t pci_interface(const struct pci_device *device);
uint16_t pci_io_bar(const struct pci_device *device, unsigned bar);
uint8_t pci_interrupt_line(const struct pci_device *device);

/*
 * pci_memory_bar() - the address at which the firmware has placed base address register `bar`, of
 * 32 or of 64 bits; the device answers there from now on. 0: that one is none of memory, or has no
 * place.
 */
uint64_t pci_memory_bar(const struct pci_device *device, unsigned bar);

/* pci_place_memory() - that register, of 64 bits, has this address now; the device answers there.
 */
void pci_place_memory(const struct pci_device *device, unsigned bar, uint64_t address);

#endif
