// SPDX-License-Identifier: BSD-2-Clause
/*
 * model_pci.c - PCI devices of Skylake-SP's uncore. Slots, functions and identities are the
 * original ones, but on bus 0: software that searches for identities finds them there, too. The
 * first function of each slot exists because the others cannot without it.
 */
#include "vpmu/model/model_pci.h"

#include "vpmu/model/platform_priv.h"

#define DEVFN(slot, function) ((slot) << 3 | (function))
#define INTEL                 0x8086u
#define CLASS                 0x08800000u /* system peripheral, other */
#define MULTIFUNCTION         0x00800000u

/* Offsets of the header's double words. */
#define REG_IDENTITY  0x00
#define REG_CLASS     0x08
#define REG_HEADER    0x0c
#define REG_SUBSYSTEM 0x2c

#define REG_CAPID6 0x9c /* a bit for each CHA */

static const struct device {
	uint8_t devfn;
	uint16_t identity;
} devices[] = {
	{DEVFN(8, 0), 0x2014}, /* UBOX: the number of this node, and of the others: 0 */
	{DEVFN(10, 0), 0x2040}, {DEVFN(10, 2), 0x2042}, /* channels of the first controller */
	{DEVFN(10, 6), 0x2046}, {DEVFN(11, 0), 0x2048}, {DEVFN(11, 2), 0x204a},
	{DEVFN(12, 0), 0x2040}, {DEVFN(12, 2), 0x2042}, /* and of the second */
	{DEVFN(12, 6), 0x2046}, {DEVFN(13, 0), 0x2048}, {DEVFN(13, 2), 0x204a},
	{DEVFN(30, 0), 0x2080}, {DEVFN(30, 3), 0x2083}, /* PCU: the CPU's capabilities */
};

static const uint8_t channels[VPMU_CHANNELS] = {
	DEVFN(10, 2), DEVFN(10, 6), DEVFN(11, 2), DEVFN(12, 2), DEVFN(12, 6), DEVFN(13, 2),
};

static const struct device *find_device(unsigned devfn)
{
	for (size_t i = 0; i < sizeof(devices) / sizeof(*devices); i++)
		if (devices[i].devfn == devfn)
			return &devices[i];
	return NULL;
}

static int channel_of(unsigned devfn)
{
	for (int i = 0; i < VPMU_CHANNELS; i++)
		if (channels[i] == devfn)
			return i;
	return -1;
}

bool vpmu_pci_shown(const struct vpmu_uarch *uarch)
{
	return uarch->has & VPMU_UNCORE_SKX;
}

bool vpmu_pci_has(unsigned devfn)
{
	return find_device(devfn);
}

static uint32_t header_of(const struct device *device, unsigned reg)
{
	switch (reg) {
	case REG_IDENTITY:
	case REG_SUBSYSTEM:
		return (uint32_t)device->identity << 16 | INTEL;
	case REG_CLASS:
		return CLASS;
	case REG_HEADER:
		return device->devfn & 7 ? 0 : MULTIFUNCTION;
	}
	return 0;
}

uint32_t vpmu_pci_read(const struct vpmu_platform *p, unsigned devfn, unsigned reg)
{
	const struct device *device = find_device(devfn);
	const int channel = channel_of(devfn);

	if (!device)
		return UINT32_MAX;
	if (channel >= 0 && reg >= VPMU_IMC_FROM)
		return vpmu_uncore_imc_read(p, (unsigned)channel, reg);
	if (device->identity == 0x2083 && reg == REG_CAPID6)
		return (1u << VPMU_CHAS) - 1;
	return header_of(device, reg);
}

void vpmu_pci_write(const struct vpmu_platform *p, unsigned devfn, unsigned reg, uint32_t v,
		    uint32_t mask)
{
	const int channel = channel_of(devfn);

	if (channel >= 0 && reg >= VPMU_IMC_FROM)
		vpmu_uncore_imc_write(p, (unsigned)channel, reg, v, mask);
}
