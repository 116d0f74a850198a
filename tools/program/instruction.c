// SPDX-License-Identifier: BSD-2-Clause
/* instruction.c - see instruction.h. By capstone, whose groups are the extensions. */
#include "tools/program/instruction.h"

#include <capstone/capstone.h>
#include <string.h>

#define NO_CPU  "which no CPU that QEMU emulates has"
#define EPYC    "which --cpu EPYC, the default, has"
#define NEHALEM "which --cpu Nehalem, and the default EPYC, have"

/* An instruction may be in several: the first row that fits holds. */
static const struct {
	x86_insn_group group;
	const char *name, *where;
} extensions[] = {
	{X86_GRP_AVX512, "AVX-512", NO_CPU}, {X86_GRP_DQI, "AVX-512 DQ", NO_CPU},
	{X86_GRP_BWI, "AVX-512 BW", NO_CPU}, {X86_GRP_CDI, "AVX-512 CD", NO_CPU},
	{X86_GRP_ERI, "AVX-512 ER", NO_CPU}, {X86_GRP_PFI, "AVX-512 PF", NO_CPU},
	{X86_GRP_VLX, "AVX-512 VL", NO_CPU}, {X86_GRP_XOP, "XOP", NO_CPU},
	{X86_GRP_FMA4, "FMA4", NO_CPU},      {X86_GRP_TBM, "TBM", NO_CPU},
	{X86_GRP_RTM, "TSX", NO_CPU},        {X86_GRP_HLE, "TSX", NO_CPU},
	{X86_GRP_SHA, "SHA", NO_CPU},        {X86_GRP_AVX2, "AVX2", EPYC},
	{X86_GRP_FMA, "FMA", EPYC},          {X86_GRP_F16C, "F16C", EPYC},
	{X86_GRP_BMI2, "BMI2", EPYC},        {X86_GRP_BMI, "BMI1", EPYC},
	{X86_GRP_AVX, "AVX", EPYC},          {X86_GRP_AES, "AES", EPYC},
	{X86_GRP_PCLMUL, "PCLMULQDQ", EPYC}, {X86_GRP_SSE4A, "SSE4a", EPYC},
	{X86_GRP_SSE42, "SSE4.2", NEHALEM},  {X86_GRP_SSE41, "SSE4.1", NEHALEM},
	{X86_GRP_SSSE3, "SSSE3", NEHALEM},
};

static void add_extension(struct buf *text, csh engine, const cs_insn *insn)
{
	for (size_t i = 0; i < sizeof(extensions) / sizeof(extensions[0]); i++)
		if (cs_insn_group(engine, insn, extensions[i].group)) {
			buf_printf(text, ": %s, %s", extensions[i].name, extensions[i].where);
			return;
		}
	if (insn->id == X86_INS_UD2)
		buf_printf(text, ": no CPU has it, compilers put it where a program must not come");
}

void instruction_describe(struct buf *text, const uint8_t *code, size_t n, uint64_t address)
{
	cs_insn *insn = NULL;
	csh engine;

	if (cs_open(CS_ARCH_X86, CS_MODE_64, &engine) != CS_ERR_OK)
		return;
	cs_option(engine, CS_OPT_DETAIL, CS_OPT_ON);
	if (cs_disasm(engine, code, n, address, 1, &insn)) {
		buf_printf(text, "%s%s%s", insn->mnemonic, *insn->op_str ? " " : "", insn->op_str);
		add_extension(text, engine, insn);
		cs_free(insn, 1);
	}
	cs_close(&engine);
}
