// SPDX-License-Identifier: BSD-2-Clause
/* checksum.c - prints checksums of the parts of the image that must not change while it runs. */
#include "arch/x86/mem/image.h"
#include "lib/format/crc32c.h"
#include "rt/console/command.h"
#include "rt/print/print.h"

struct part {
	const char *name;
	const uint8_t *start, *end;
};

static const struct part parts[] = {
	{"code", __text_start, __text_end},
	{"constants", __rodata_start, __rodata_end},
	{"relocated constants", __relro_start, __relro_end},
	{"workloads' code", __user_text_start, __user_text_end},
	{"workloads' constants", __user_rodata_start, __user_rodata_end},
};

static int run_checksum(int argc, char **argv)
{
	(void)argc;
	(void)argv;
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		const struct part *p = &parts[i];
		const size_t bytes = (size_t)(p->end - p->start);

		out("%08x  %'9zu bytes  %s\n", crc32c(0, p->start, bytes), bytes, p->name);
	}
	return 0;
}

static const struct command checksum = {
	.name = "checksum",
	.usage = "",
	.summary = "CRC-32C of the image's code and constants, which never change",
	.run = run_checksum,
};
COMMAND(checksum);
