// SPDX-License-Identifier: BSD-2-Clause
/* fwcfg.c - see fwcfg.h. Numbers in the directory, and of DMA, are big-endian. */
#include "arch/x86/dev/fwcfg.h"

#include "arch/x86/mem/direct.h"
#include "arch/x86/portable/cpuid.h"
#include "arch/x86/insn.h"
#include "lib/string.h"

#define PORT_SELECT 0x510
#define PORT_DATA   0x511
#define PORT_DMA                                                                        \
	0x514 /* the upper half of an address; behind it the lower one, which starts it \
	       */

#define KEY_SIGNATURE 0x00
#define KEY_FEATURES  0x01
#define KEY_DIRECTORY 0x19

#define FEATURE_DMA (1u << 1)

#define DMA_ERROR  (1u << 0)
#define DMA_READ   (1u << 1)
#define DMA_SKIP   (1u << 2)
#define DMA_SELECT (1u << 3) /* the key is in bits 16 to 31 */

struct dma {
	uint32_t control, length;
	uint64_t address;
} __attribute__((aligned(16)));

struct entry {
	uint32_t size;
	uint16_t key, reserved;
	char name[FWCFG_NAME_MAX];
};
_Static_assert(sizeof(struct entry) == 64, "FWCfgFile");

static void read_on(void *to, size_t bytes)
{
	uint8_t *at = to;

	while (bytes--)
		*at++ = inb(PORT_DATA);
}

/* Reads the ports only of an emulated machine: a real one may have another device there. */
static bool is_there(void)
{
	char signature[4];

	if (!cpuid_is_emulated())
		return false;
	outw(PORT_SELECT, KEY_SIGNATURE);
	read_on(signature, sizeof(signature));
	return !memcmp(signature, "QEMU", sizeof(signature));
}

/* Finds number `n` of the entries whose names begin with these bytes. */
static bool find_fwcfg_entry(const char *begin, size_t bytes, unsigned n, struct entry *e)
{
	uint32_t left = 0;

	if (bytes > sizeof(e->name) || !is_there())
		return false;
	outw(PORT_SELECT, KEY_DIRECTORY);
	read_on(&left, sizeof(left));
	for (left = __builtin_bswap32(left); left; left--) {
		read_on(e, sizeof(*e));
		if (!strncmp(e->name, begin, bytes) && !n--)
			return true;
	}
	return false;
}

static struct fwcfg_file swapped_file(const struct entry *e)
{
	return (struct fwcfg_file){__builtin_bswap16(e->key), __builtin_bswap32(e->size)};
}

bool fwcfg_find(const char *name, struct fwcfg_file *file)
{
	struct entry e;

	if (!find_fwcfg_entry(name, strlen(name) + 1, 0, &e))
		return false;
	*file = swapped_file(&e);
	return true;
}

bool fwcfg_list(const char *folder, unsigned n, char name[FWCFG_NAME_MAX], struct fwcfg_file *file)
{
	const size_t bytes = strlen(folder);
	struct entry e;

	if (!find_fwcfg_entry(folder, bytes, n, &e))
		return false;
	memcpy(name, e.name + bytes, FWCFG_NAME_MAX - bytes);
	name[FWCFG_NAME_MAX - bytes - 1] = '\0';
	*file = swapped_file(&e);
	return true;
}

static bool has_dma(void)
{
	uint32_t features;

	outw(PORT_SELECT, KEY_FEATURES);
	read_on(&features, sizeof(features));
	return features & FEATURE_DMA;
}

/* Ring 0 has memory in the upper half; the firmware, and the images that it starts, have it at its
 * physical address. */
static uint64_t bus_address(const volatile void *memory)
{
	const uint64_t at = (uintptr_t)memory;

	return at >= DIRECT_MAP ? at - DIRECT_MAP : at;
}

static bool do_dma(uint32_t control, const void *to, uint32_t bytes)
{
	volatile struct dma dma = {
		.control = __builtin_bswap32(control),
		.length = __builtin_bswap32(bytes),
		.address = __builtin_bswap64(bus_address(to)),
	};
	const uint64_t at = bus_address(&dma);
	uint32_t left;

	outl(PORT_DMA, __builtin_bswap32((uint32_t)(at >> 32)));
	outl(PORT_DMA + 4, __builtin_bswap32((uint32_t)at));
	while ((left = __builtin_bswap32(dma.control)) & ~DMA_ERROR)
		cpu_pause();
	return !left;
}

static bool read_by_dma(uint16_t key, uint32_t offset, void *to, uint32_t bytes)
{
	return do_dma((uint32_t)key << 16 | DMA_SELECT | DMA_SKIP, to, offset) &&
	       do_dma(DMA_READ, to, bytes);
}

bool fwcfg_read(const struct fwcfg_file *file, uint32_t offset, void *to, size_t bytes)
{
	if (offset > file->bytes || bytes > file->bytes - offset)
		return false;
	if (has_dma() && read_by_dma(file->key, offset, to, (uint32_t)bytes))
		return true;
	outw(PORT_SELECT, file->key);
	while (offset--)
		inb(PORT_DATA);
	read_on(to, bytes);
	return true;
}
