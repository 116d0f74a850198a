// SPDX-License-Identifier: BSD-2-Clause
/*
 * config_cycles.c - PCI devices that the personality has and the machine has not (model_pci.h), as
 * the ports of configuration cycles show them. PCI Local Bus Specification 3.0, "Software
 * Generation of Configuration Transactions"; APM vol. 2, "IOIO Intercepts". A slot of the machine's
 * own stays as it is. The window of PCI Express into the same registers does not show them.
 */
#include "arch/x86/insn.h"
#include "vpmu/model/model_pci.h"
#include "vpmu/svm/vpmu.h"

#define PORT_ADDRESS   0xcf8u
#define PORT_DATA      0xcfcu
#define DATA_PORTS     4u
#define ADDRESS_ENABLE (1u << 31)
#define SLOTS          32u
#define NO_DEVICE      0xffffu

/* exit_info1; exit_info2 is where the next instruction lies. */
#define IO_IN(info)    ((info)&1)
#define IO_STRING      (1u << 2)
#define IO_BYTES(info) ((unsigned)((info) >> 4 & 7))
#define IO_PORT(info)  ((uint16_t)((info) >> 16))

/* A bit for each port, and some behind the last. */
static uint8_t iopm[0x3000] __attribute__((aligned(4096)));

static bool is_shown;
static uint32_t occupied; /* slots in which the machine has a device */

static uint32_t address_of(unsigned devfn)
{
	return ADDRESS_ENABLE | devfn << 8;
}

static void find_occupied(void)
{
	for (unsigned slot = 0; slot < SLOTS; slot++) {
		outl(PORT_ADDRESS, address_of(slot << 3));
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
	for (unsigned i = 0; i < DATA_PORTS; i++)
		iopm[(PORT_DATA + i) / 8] |= (uint8_t)(1u << (PORT_DATA + i) % 8);
}

uint64_t vpmu_iopm_base(void)
{
	return (uint64_t)iopm;
}

uint32_t vpmu_config_cycles_intercept(const struct vpmu_cpu *cpu)
{
	return is_shown && !cpu->string_io ? INTERCEPT_IOIO : 0;
}

/* The guest's accesses to the address register do not exit: what it holds is the machine's. */
static bool is_emulated(uint32_t address)
{
	const unsigned bus = address >> 16 & 0xff, devfn = address >> 8 & 0xff;

	return address & ADDRESS_ENABLE && !bus && vpmu_pci_has(devfn) &&
	       !(occupied >> VPMU_PCI_SLOT(devfn) & 1);
}

static uint32_t bits_of(unsigned bytes)
{
	return bytes == 4 ? UINT32_MAX : (1u << 8 * bytes) - 1;
}

static uint32_t read_port(uint16_t port, unsigned bytes)
{
	return bytes == 1 ? inb(port) : bytes == 2 ? inw(port) : inl(port);
}

static void write_port(uint16_t port, unsigned bytes, uint32_t v)
{
	if (bytes == 1)
		outb(port, (uint8_t)v);
	else if (bytes == 2)
		outw(port, (uint16_t)v);
	else
		outl(port, v);
}

/* At the byte of the double word at `address` that the port names. */
static uint32_t access_device(struct vpmu_cpu *cpu, uint32_t address, uint64_t info, uint32_t v)
{
	const unsigned devfn = address >> 8 & 0xff, reg = address & 0xfc;
	const unsigned shift = 8 * (IO_PORT(info) & 3);
	struct vpmu_platform platform;

	vpmu_shared_lock(cpu, &platform);
	if (IO_IN(info))
		v = vpmu_pci_read(&platform, devfn, reg) >> shift;
	else
		vpmu_pci_write(&platform, devfn, reg, v << shift, bits_of(IO_BYTES(info)) << shift);
	vpmu_shared_unlock(cpu);
	return v;
}

static uint32_t access_port(struct vpmu_cpu *cpu, uint64_t info, uint32_t v)
{
	const uint32_t address = inl(PORT_ADDRESS);

	if (is_emulated(address))
		return access_device(cpu, address, info, v);
	if (IO_IN(info))
		return read_port(IO_PORT(info), IO_BYTES(info));
	write_port(IO_PORT(info), IO_BYTES(info), v);
	return v;
}

/* Of 32 bits clears the upper half of the register, of fewer keeps what is above them. */
static void set_rax(unsigned bytes, uint32_t v)
{
	const uint64_t bits = bits_of(bytes);

	vpmu_vmcb.rax = (bytes == 4 ? 0 : vpmu_vmcb.rax & ~bits) | (v & bits);
}

/* Strings of configuration data go to the machine, which has none of the devices. */
void vpmu_emulate_io(struct vpmu_cpu *cpu)
{
	const uint64_t info = vpmu_vmcb.exit_info1;
	const unsigned bytes = IO_BYTES(info);
	uint32_t v;

	if (info & IO_STRING) {
		cpu->string_io = cpu->step.once = true;
		return;
	}
	v = access_port(cpu, info, (uint32_t)vpmu_vmcb.rax & bits_of(bytes));
	if (IO_IN(info))
		set_rax(bytes, v);
	vpmu_retire(cpu, (unsigned)(vpmu_vmcb.exit_info2 - vpmu_vmcb.rip));
}
