// SPDX-License-Identifier: BSD-2-Clause
/*
 * guest_pci.c - sizes the BARs of PCI devices, as systems do at start; meanwhile the device has no
 * address. One of them is QEMU's shared memory with the plugin's counts.
 */
#include "tests/guests/guests.h"

#include "arch/x86/insn.h"

#define CONFIG_ADDRESS 0xcf8
#define CONFIG_DATA    0xcfc
#define CONFIG_ENABLE  0x80000000u
#define DEVICES        32
#define BARS           6

#define REGISTER_ID      0x00
#define REGISTER_COMMAND 0x04
#define REGISTER_BAR(n)  (0x10 + 4 * (n))
#define COMMAND_MEMORY   2u
#define NO_DEVICE        0xffffffffu

static uint32_t read_config(unsigned device, unsigned offset)
{
	outl(CONFIG_ADDRESS, CONFIG_ENABLE | device << 11 | offset);
	return inl(CONFIG_DATA);
}

static void write_config(unsigned device, unsigned offset, uint32_t value)
{
	outl(CONFIG_ADDRESS, CONFIG_ENABLE | device << 11 | offset);
	outl(CONFIG_DATA, value);
}

static void size_bars(unsigned device)
{
	const uint32_t command = read_config(device, REGISTER_COMMAND);
	uint32_t bars[BARS];

	if (!(command & COMMAND_MEMORY))
		return;
	write_config(device, REGISTER_COMMAND, command & 0xffff & ~COMMAND_MEMORY);
	for (unsigned i = 0; i < BARS; i++) {
		bars[i] = read_config(device, REGISTER_BAR(i));
		write_config(device, REGISTER_BAR(i), ~0u);
		insn_cpuid(0, 0);
		write_config(device, REGISTER_BAR(i), bars[i]);
	}
	write_config(device, REGISTER_COMMAND, command & 0xffff);
}

void guest_pci(void)
{
	guest_print("PMU: branches %u", guest_count_branches(1000));
	for (unsigned device = 0; device < DEVICES; device++)
		if (read_config(device, REGISTER_ID) != NO_DEVICE)
			size_bars(device);
	guest_print("PMU: then %u", guest_count_branches(1000));
}
