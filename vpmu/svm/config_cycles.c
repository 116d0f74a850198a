// SPDX-License-Identifier: BSD-2-Clause
/*
 * config_cycles.c - shows PCI devices of the personality (model_pci.h) behind the ports of
 * configuration cycles. PCI Local Bus Specification 3.0, "Software Generation of Configuration
 * Transactions". A slot that the machine itself uses stays as it is. The memory window of PCI
 * Express does not show these devices.
 */
#include "vpmu/svm/config_cycles.h"

#include "arch/x86/insn.h"
#include "vpmu/model/model_pci.h"
#include "vpmu/svm/count/cpu_shared.h"
#include "vpmu/svm/port_io.h"
#include "vpmu/svm/vcpu/vcpu.h"

#define PORT_ADDRESS   0xcf8u
#define PORT_DATA      0xcfcu
#define DATA_PORTS     4u
#define ADDRESS_ENABLE (1u << 31)
#define SLOTS          32u
#define NO_DEVICE      0xffffu

static bool is_shown;
static uint32_t occupied; /* slots in which the machine has a device */

static uint32_t config_address(unsigned devfn)
{
	return ADDRESS_ENABLE | devfn << 8;
}

static void find_occupied(void)
{
	for (unsigned slot = 0; slot < SLOTS; slot++) {
		outl(PORT_ADDRESS, config_address(slot << 3));
		if ((inl(PORT_DATA) & 0xffff) != NO_DEVICE)
			occupied |= 1u << slot;
	}
}

void vpmu_config_cycles_init(const struct vpmu_uarch *uarch)
{
	is_shown = vpmu_pci_shown(uarch);
	if (!is_shown)
		return;
	find_occupied();
	vpmu_io_watch(PORT_DATA, DATA_PORTS);
}

/* Accesses to the address register do not exit, so the machine holds its value. */
static bool is_emulated(uint32_t address)
{
	const unsigned bus = address >> 16 & 0xff, devfn = address >> 8 & 0xff;

	return address & ADDRESS_ENABLE && !bus && vpmu_pci_has(devfn) &&
	       !(occupied >> VPMU_PCI_SLOT(devfn) & 1);
}

bool vpmu_config_cycles_emulate(struct vpmu_cpu *cpu, struct vpmu_io *io)
{
	const uint32_t address =
		is_shown && io->port - PORT_DATA < DATA_PORTS ? inl(PORT_ADDRESS) : 0;
	const unsigned devfn = address >> 8 & 0xff, reg = address & 0xfc;
	const unsigned shift = 8 * (io->port & 3); /* position of the port's byte */
	struct vpmu_platform platform;

	if (!is_emulated(address))
		return false;
	vpmu_shared_lock(cpu, &platform);
	if (io->is_in)
		io->value = vpmu_pci_read(&platform, devfn, reg) >> shift;
	else
		vpmu_pci_write(&platform, devfn, reg, io->value << shift, io->mask << shift);
	vpmu_shared_unlock(cpu);
	return true;
}
