// SPDX-License-Identifier: BSD-2-Clause
/*
 * form-rows CORE: the forms of a core's table, for `measured`.
 *
 *	form-rows CORE --list		"mnemonic encoding kind kind kind fourth" of each form
 *(core_key.h)
 *	form-rows CORE < pieces		of the first instruction of each line in hex: "key read
 *written latency uops", and "ports/cycles/count" of each use, as the table has them; "-": it has no
 *row
 */
#include <err.h>
#include <stdio.h>
#include <string.h>
#include "vpmu/model/cores/core_key.h"
#include "vpmu/model/cores/cores_priv.h"

static void list_forms(const struct core_table *core)
{
	for (unsigned i = 0; i < CORE_KEYS; i++) {
		const uint32_t key = core_keys[i];

		if (core_row(core, key))
			printf("%s %u %u %u %u %u\n",
			       ZydisMnemonicGetString((ZydisMnemonic)(key >> 21)), key >> 17 & 15,
			       key >> 10 & 15, key >> 6 & 15, key >> 2 & 15, key & 3);
	}
}

static bool bytes_of_line(const char *text, uint8_t *code, size_t *size)
{
	unsigned byte;

	for (*size = 0; *size < 15 && sscanf(text + 2 * *size, "%2x", &byte) == 1; ++*size)
		code[*size] = (uint8_t)byte;
	return *size;
}

static void print_row(const struct core_table *core, uint32_t key, const ZydisDecodedOperand *o)
{
	const struct core_row *row = core_row(core, key);
	struct core_use uses[CORE_USES];
	struct core_row mended;

	if (!row) {
		puts("-");
		return;
	}
	mended = *row;
	core_change_row(&mended, uses, core, key);
	printf("%u %d %d %u %u", key, !!(o->actions & ZYDIS_OPERAND_ACTION_MASK_READ),
	       !!(o->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE), mended.latency[0], mended.uops);
	for (unsigned i = 0; i < mended.nuses; i++)
		printf(" %u/%u/%u", mended.uses[i].ports, mended.uses[i].cycles,
		       mended.uses[i].count);
	putchar('\n');
}

static void print_rows(const struct core_table *core)
{
	ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
	ZydisDecodedInstruction insn;
	ZydisDecoder decoder;
	uint8_t code[16];
	char line[4096];
	size_t size;

	ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
	while (fgets(line, sizeof(line), stdin))
		if (bytes_of_line(line, code, &size) &&
		    ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder, code, size, &insn, operands)))
			print_row(core, core_key(&insn, operands), operands);
		else
			puts("-");
}

int main(int argc, char **argv)
{
	const struct core_table *core = argc > 1 ? core_table(argv[1]) : NULL;

	if (!core)
		errx(2, "usage: form-rows CORE [--list]");
	if (argc > 2 && !strcmp(argv[2], "--list"))
		list_forms(core);
	else
		print_rows(core);
	return 0;
}
