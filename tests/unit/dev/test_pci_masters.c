// SPDX-License-Identifier: BSD-2-Clause
/* test_pci_masters.c - arch/x86/dev/pci.c: the devices that may write to memory, in front of a
 * configuration space that the test plays. */
#include "arch/x86/dev/pci.h"
#include "tests/shim/ports.h"

#include "tests/unit/test.h"

#define PCI_ADDRESS 0xcf8

#define CLASS_STORAGE 0x01060102u /* class, subclass, interface, revision */
#define CLASS_NETWORK 0x02000000u
#define CLASS_BRIDGE  0x06040000u
#define MASTER        4u
#define STATUS        0xf0000000u /* bits that a one would clear */
#define DEVICES       5

/* A bridge to bus 1, and devices on both; the registers are the first four and number 6. */
static struct {
	uint8_t bus, slot;
	uint32_t ids, command, class, header, buses;
} played[DEVICES] = {
	{0, 0, 0x29c08086, MASTER, 0x06000000, 0, 0},
	{0, 1, 0x34208086, MASTER, CLASS_BRIDGE, 1 << 16, 0x10100},
	{0, 31, 0x29228086, MASTER | 3 | STATUS, CLASS_STORAGE, 0, 0},
	{1, 0, 0x10d38086, MASTER | 2, CLASS_NETWORK, 0, 0},
	{1, 2, 0x10d38086, 3, CLASS_NETWORK, 0, 0},
};
static uint32_t address;

static uint32_t *selected_register(void)
{
	for (unsigned i = 0; i < DEVICES; i++) {
		uint32_t *const words[] = {&played[i].ids,
					   &played[i].command,
					   &played[i].class,
					   &played[i].header,
					   NULL,
					   NULL,
					   &played[i].buses};
		const unsigned reg = (address & 0xff) / 4;

		if ((address >> 16 & 0xff) == played[i].bus &&
		    (address >> 11 & 31) == played[i].slot && !(address >> 8 & 7))
			return reg < 7 ? words[reg] : NULL;
	}
	return NULL;
}

static uint32_t play_in(uint16_t port, unsigned bytes)
{
	(void)port;
	(void)bytes;
	return selected_register() ? *selected_register() : UINT32_MAX;
}

static void play_out(uint16_t port, unsigned bytes, uint32_t value)
{
	(void)bytes;
	if (port == PCI_ADDRESS)
		address = value;
	else
		*selected_register() = value;
}

FIXTURE(set_ports)
{
	shim_ports = (struct shim_ports){.wide_in = play_in, .wide_out = play_out};
	return 0;
}

TEST_WITH(masters, set_ports, NULL)
{
	struct pci_device list[DEVICES];

	assert_int_equal(pci_list_masters(list, 1), 1);
	assert_int_equal(pci_list_masters(list, DEVICES), 2);
	assert_int_equal(pci_ids(&list[0]), 0x10d38086);
	assert_int_equal(list[0].bus, 1);
	assert_int_equal(pci_ids(&list[1]), 0x29228086);
	pci_end_master(&list[1]);
	assert_int_equal(played[2].command, 3);
	assert_int_equal(pci_list_masters(list, DEVICES), 1);
	assert_int_equal(pci_list_class(CLASS_STORAGE >> 16, list, DEVICES), 1);
	assert_int_equal(list[0].slot, 31);
}
