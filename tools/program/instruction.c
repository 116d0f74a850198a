// SPDX-License-Identifier: BSD-2-Clause
/* instruction.c - see instruction.h. Zydis knows the extensions. */
#include "tools/program/instruction.h"

#include <Zydis/Zydis.h>

#define TEXT_MOST 128

#define NO_CPU  "which no CPU that QEMU emulates has"
#define EPYC    "which --cpu EPYC, the default, has"
#define NEHALEM "which --cpu Nehalem, and the default EPYC, have"

/* Rows by extension, and by instruction set if an extension has several. */
static const struct {
	ZydisISAExt extension;
	ZydisISASet set; /* ZYDIS_ISA_SET_INVALID: any */
	const char *name, *where;
} extensions[] = {
	{ZYDIS_ISA_EXT_AVX512EVEX, 0, "AVX-512", NO_CPU},
	{ZYDIS_ISA_EXT_AVX512VEX, 0, "AVX-512", NO_CPU},
	{ZYDIS_ISA_EXT_XOP, 0, "XOP", NO_CPU},
	{ZYDIS_ISA_EXT_FMA4, 0, "FMA4", NO_CPU},
	{ZYDIS_ISA_EXT_TBM, 0, "TBM", NO_CPU},
	{ZYDIS_ISA_EXT_RTM, 0, "TSX", NO_CPU},
	{ZYDIS_ISA_EXT_SHA, 0, "SHA", NO_CPU},
	{ZYDIS_ISA_EXT_AVX2, 0, "AVX2", EPYC},
	{ZYDIS_ISA_EXT_AVX2GATHER, 0, "AVX2", EPYC},
	{ZYDIS_ISA_EXT_FMA, 0, "FMA", EPYC},
	{ZYDIS_ISA_EXT_F16C, 0, "F16C", EPYC},
	{ZYDIS_ISA_EXT_BMI2, 0, "BMI2", EPYC},
	{ZYDIS_ISA_EXT_BMI1, 0, "BMI1", EPYC},
	{ZYDIS_ISA_EXT_AVX, 0, "AVX", EPYC},
	{ZYDIS_ISA_EXT_AVXAES, 0, "AVX", EPYC},
	{ZYDIS_ISA_EXT_AES, 0, "AES", EPYC},
	{ZYDIS_ISA_EXT_PCLMULQDQ, 0, "PCLMULQDQ", EPYC},
	{ZYDIS_ISA_EXT_SSE4A, 0, "SSE4a", EPYC},
	{ZYDIS_ISA_EXT_SSE4, ZYDIS_ISA_SET_SSE42, "SSE4.2", NEHALEM},
	{ZYDIS_ISA_EXT_SSE4, 0, "SSE4.1", NEHALEM},
	{ZYDIS_ISA_EXT_SSSE3, 0, "SSSE3", NEHALEM},
};

static void add_extension(struct buf *text, const ZydisDecodedInstruction *insn)
{
	for (size_t i = 0; i < sizeof(extensions) / sizeof(extensions[0]); i++)
		if (insn->meta.isa_ext == extensions[i].extension &&
		    (!extensions[i].set || insn->meta.isa_set == extensions[i].set)) {
			buf_printf(text, ": %s, %s", extensions[i].name, extensions[i].where);
			return;
		}
	if (insn->mnemonic == ZYDIS_MNEMONIC_UD2)
		buf_printf(text, ": no CPU has it, compilers put it where a program must not come");
}

void instruction_describe(struct buf *text, const uint8_t *code, size_t n, uint64_t address)
{
	ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
	ZydisDecodedInstruction insn;
	ZydisFormatter formatter;
	ZydisDecoder decoder;
	char line[TEXT_MOST];

	ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
	ZydisFormatterInit(&formatter, ZYDIS_FORMATTER_STYLE_INTEL);
	if (!ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder, code, n, &insn, operands)) ||
	    !ZYAN_SUCCESS(ZydisFormatterFormatInstruction(&formatter, &insn, operands,
							  insn.operand_count_visible, line,
							  sizeof(line), address, NULL)))
		return;
	buf_printf(text, "%s", line);
	add_extension(text, &insn);
}
