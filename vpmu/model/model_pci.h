/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * model_pci.h - PCI devices of a server's uncore: the number of its CHAs, and the channels of its
 * memory controllers with their counters. Pure; their state is that of platform.h.
 *
 * Sources: PCI Local Bus Specification 3.0, "Configuration Space"; Intel Xeon Processor Scalable
 * Family Datasheet vol. 2, "Registers Overview and Configuration Process"; its Uncore Performance
 * Monitoring Reference Manual, "Memory Controller (IMC) Performance Monitoring".
 */
#ifndef VPMU_MODEL_MODEL_PCI_H
#define VPMU_MODEL_MODEL_PCI_H

#include "vpmu/model/platform.h"

#define VPMU_PCI_DEVFNS      256
#define VPMU_PCI_SLOT(devfn) ((devfn) >> 3)

/* vpmu_pci_shown() - whether the personality has such devices. */
bool vpmu_pci_shown(const struct vpmu_uarch *uarch);

/* vpmu_pci_has() - whether function `devfn` of bus 0 is such a device; devfn is slot * 8 +
 * function. */
bool vpmu_pci_has(unsigned devfn);

/* vpmu_pci_read() - the 32 bits at `reg`, below 256 and a multiple of 4. vpmu_pci_write(): writes
 * the bits of `mask`. Registers that do not exist read as zero; read-only ones keep their value. */
uint32_t vpmu_pci_read(const struct vpmu_platform *p, unsigned devfn, unsigned reg);
void vpmu_pci_write(const struct vpmu_platform *p, unsigned devfn, unsigned reg, uint32_t v,
		    uint32_t mask);

#endif
