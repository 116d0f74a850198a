// SPDX-License-Identifier: BSD-2-Clause
/* fwcfg.c - see fwcfg.h. Numbers in the directory are big-endian. */
#include "arch/x86/fwcfg.h"

#include "arch/x86/cpuid.h"
#include "arch/x86/insn.h"
#include "lib/string.h"

#define PORT_SELECT 0x510
#define PORT_DATA   0x511

#define KEY_SIGNATURE 0x00
#define KEY_DIRECTORY 0x19

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

static bool is_there(void)
{
	char signature[4];

	if (!cpuid_fact(CPUID_FACT(1, 0, ECX, 31, 31)))
		return false;
	outw(PORT_SELECT, KEY_SIGNATURE);
	read_on(signature, sizeof(signature));
	return !memcmp(signature, "QEMU", sizeof(signature));
}

bool fwcfg_find(const char *name, struct fwcfg_file *file)
{
	uint32_t n = 0;

	if (!is_there())
		return false;
	outw(PORT_SELECT, KEY_DIRECTORY);
	read_on(&n, sizeof(n));
	for (n = __builtin_bswap32(n); n; n--) {
		struct entry e;

		read_on(&e, sizeof(e));
		if (strncmp(e.name, name, sizeof(e.name)))
			continue;
		*file = (struct fwcfg_file){__builtin_bswap16(e.key), __builtin_bswap32(e.size)};
		return true;
	}
	return false;
}

void fwcfg_read(const struct fwcfg_file *file, void *to, size_t bytes)
{
	outw(PORT_SELECT, file->key);
	read_on(to, bytes < file->bytes ? bytes : file->bytes);
}
