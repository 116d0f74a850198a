// SPDX-License-Identifier: BSD-2-Clause
/* guest_insn.c - decodes the prefixes of the instruction at RIP, and finds its opcode. AMD APM vol.
 * 3, "Instruction Encoding". */
#include "vpmu/svm/vcpu/guest_insn.h"

#include "vpmu/svm/vcpu/crash_dump.h"
#include "vpmu/svm/vcpu/guest_memory.h"
#include "vpmu/svm/vcpu/vcpu.h"

#define PREFIX_REX  0x40 /* 0x40 ... 0x4f, in 64-bit code */
#define REX_MASK    0xf0
#define OPCODE_STI  0xfb
#define OPCODE_MOVS 0x8e /* MOV to a segment register */
#define OPCODE_POPS 0x17 /* POP SS, not in 64-bit code */
#define SEGMENT_SS  2
#define MOVE_BYTES  3 /* 0F 20 to 0F 23 and ModRM */

#define MODRM_MOD(b) ((b) >> 6)
#define MODRM_REG(b) ((b) >> 3 & 7)
#define MODRM_RM(b)  ((b)&7)
#define MOD_REGISTER 3
#define RM_SIB       4
#define RM_DISP32    5
#define RM_DISP16    6 /* 16-bit addresses */

static bool is_legacy_prefix(uint8_t byte)
{
	static const uint8_t prefixes[] = {VPMU_PREFIX_OPERAND,
					   VPMU_PREFIX_ADDRESS,
					   VPMU_PREFIX_REPNE,
					   VPMU_PREFIX_REP,
					   0xf0,
					   0x26,
					   0x2e,
					   0x36,
					   0x3e,
					   0x64,
					   0x65};

	for (size_t i = 0; i < sizeof(prefixes); i++)
		if (prefixes[i] == byte)
			return true;
	return false;
}

/* A REX prefix counts only right before the opcode. */
struct vpmu_insn vpmu_insn_at(uint64_t ahead)
{
	struct vpmu_insn insn = {0};
	uint8_t byte;

	insn.bytes = (uint8_t)vpmu_guest_read(vpmu_guest_linear_rip() + ahead, insn.code,
					      sizeof(insn.code));
	for (; insn.opcode < insn.bytes; insn.opcode++) {
		byte = insn.code[insn.opcode];
		if (is_legacy_prefix(byte))
			insn.rex = 0;
		else if (vpmu_guest_64bit() && (byte & REX_MASK) == PREFIX_REX)
			insn.rex = byte;
		else
			break;
	}
	return insn;
}

uint8_t vpmu_insn_byte(const struct vpmu_insn *insn, unsigned n)
{
	return insn->opcode + n < insn->bytes ? insn->code[insn->opcode + n] : 0;
}

bool vpmu_insn_has_prefix(const struct vpmu_insn *insn, uint8_t prefix)
{
	for (unsigned i = 0; i < insn->opcode; i++)
		if (insn->code[i] == prefix)
			return true;
	return false;
}

unsigned vpmu_insn_length(unsigned opcode_bytes)
{
	return vpmu_insn_at(0).opcode + opcode_bytes;
}

struct vpmu_move vpmu_decode_move(void)
{
	const struct vpmu_insn insn = vpmu_insn_at(0);
	struct vpmu_move move = {.reg = insn.rex & VPMU_REX_B ? 8 : 0};

	if (insn.opcode + MOVE_BYTES > insn.bytes)
		vpmu_die("MOV exit, but no MOV at RIP");
	move.reg += MODRM_RM(vpmu_insn_byte(&insn, MOVE_BYTES - 1));
	move.length = insn.opcode + MOVE_BYTES;
	return move;
}

/* --- Interrupt shadows --- */

static bool has_16bit_addresses(const struct vpmu_insn *insn)
{
	const bool prefix = vpmu_insn_has_prefix(insn, VPMU_PREFIX_ADDRESS);

	if (vpmu_guest_64bit())
		return false;
	return !(vpmu_vmcb.cs.attributes & SEGMENT_32) != prefix;
}

/* Bytes of the displacement that `modrm` asks for. */
static unsigned displacement_bytes(const struct vpmu_insn *insn, uint8_t modrm)
{
	const unsigned mod = MODRM_MOD(modrm), rm = MODRM_RM(modrm);
	const bool narrow = has_16bit_addresses(insn);

	if (mod == 1)
		return 1;
	if (mod == 2)
		return narrow ? 2 : 4;
	if (narrow)
		return rm == RM_DISP16 ? 2 : 0;
	if (rm == RM_SIB)
		return (vpmu_insn_byte(insn, 2) & 7) == RM_DISP32 ? 4 : 0;
	return rm == RM_DISP32 ? 4 : 0;
}

static unsigned operand_bytes(const struct vpmu_insn *insn, uint8_t modrm)
{
	const bool has_sib = MODRM_RM(modrm) == RM_SIB && !has_16bit_addresses(insn);

	if (MODRM_MOD(modrm) == MOD_REGISTER)
		return 1;
	return 1 + has_sib + displacement_bytes(insn, modrm);
}

unsigned vpmu_insn_shadow(const struct vpmu_insn *insn)
{
	const uint8_t modrm = vpmu_insn_byte(insn, 1);

	switch (vpmu_insn_byte(insn, 0)) {
	case OPCODE_STI:
		return insn->opcode + 1u;
	case OPCODE_POPS:
		return vpmu_guest_64bit() ? 0 : insn->opcode + 1u;
	case OPCODE_MOVS:
		if (MODRM_REG(modrm) == SEGMENT_SS)
			return insn->opcode + 1u + operand_bytes(insn, modrm);
	}
	return 0;
}
