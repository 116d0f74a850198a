// SPDX-License-Identifier: BSD-2-Clause
/* disassembly.c - see disassembly.h. */
#include "tools/forms/disassembly.h"

#include <Zydis/Zydis.h>
#include <stdio.h>
#include <string.h>

#include "tools/symbols/elf_file.h"

struct disassembly {
	const struct code_object *object;
	ZydisDecoder decoder;
	ZydisFormatter formatter;
};

/* Appends " <name>" of the function that a branch goes to. */
static void add_branch_target(const struct disassembly *d, const ZydisDecodedInstruction *insn,
			      const ZydisDecodedOperand *operand, uint64_t address, char *text)
{
	const size_t n = strlen(text);
	ZyanU64 target;
	size_t i;

	if (!insn->operand_count_visible || operand->type != ZYDIS_OPERAND_TYPE_IMMEDIATE ||
	    !operand->imm.is_relative ||
	    !ZYAN_SUCCESS(ZydisCalcAbsoluteAddress(insn, operand, address, &target)))
		return;
	i = code_object_find(d->object, target);
	if (i != SIZE_MAX && code_object_symbol(d->object, i)->start == target)
		snprintf(text + n, DISASSEMBLY_TEXT - n, " <%s>",
			 code_symbol_name(d->object, code_object_symbol(d->object, i)));
}

/* Writes the text of the instruction, and returns its length. */
static uint64_t format_insn(const struct disassembly *d, const uint8_t *code, uint64_t n,
			    uint64_t address, char text[DISASSEMBLY_TEXT])
{
	ZydisDecodedInstruction insn;
	ZydisDecodedOperand operand[ZYDIS_MAX_OPERAND_COUNT];

	if (!ZYAN_SUCCESS(ZydisDecoderDecodeFull(&d->decoder, code, n, &insn, operand)) ||
	    !ZYAN_SUCCESS(ZydisFormatterFormatInstruction(&d->formatter, &insn, operand,
							  insn.operand_count_visible, text,
							  DISASSEMBLY_TEXT, address, NULL))) {
		strcpy(text, "(bad)");
		return 1;
	}
	add_branch_target(d, &insn, operand, address, text);
	return insn.length;
}

void disassemble(const struct code_object *object, uint64_t start, uint64_t end,
		 void (*fn)(void *ctx, uint64_t address, const char *text), void *ctx)
{
	struct disassembly d = {.object = object};
	char text[DISASSEMBLY_TEXT];
	struct elf_file file;
	struct reason ignored;
	const uint8_t *code;
	uint64_t n = 0;

	ZydisDecoderInit(&d.decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
	ZydisFormatterInit(&d.formatter, ZYDIS_FORMATTER_STYLE_INTEL);
	ZydisFormatterSetProperty(&d.formatter, ZYDIS_FORMATTER_PROP_HEX_UPPERCASE, ZYAN_FALSE);
	ZydisFormatterSetProperty(&d.formatter, ZYDIS_FORMATTER_PROP_ADDR_PADDING_ABSOLUTE,
				  ZYDIS_PADDING_DISABLED);
	ZydisFormatterSetProperty(&d.formatter, ZYDIS_FORMATTER_PROP_IMM_PADDING,
				  ZYDIS_PADDING_DISABLED);
	if (elf_file_open(&file, object->host, &ignored))
		return;
	code = elf_file_code(&file, start, &n);
	if (code && n > end - start)
		n = end - start;
	for (uint64_t at = 0; code && at < n;) {
		const uint64_t length = format_insn(&d, code + at, n - at, start + at, text);

		fn(ctx, start + at, text);
		at += length;
	}
	elf_file_close(&file);
}
