// SPDX-License-Identifier: BSD-2-Clause
/* insn_decode.c - see insn_decode.h. One letter for each opcode says which bytes follow it. */
#include "lib/insn_decode.h"

#include "lib/string.h"

#define REX      0x40 /* 0x40 to 0x4f, in 64-bit code */
#define REX_MASK 0xf0

#define RM_SIB         4
#define RM_DISP32      5 /* where ModRM.mod is 0: no base */
#define RM_DISP16      6 /* the same in 16-bit addresses */
#define NO_INDEX       4
#define MODRM_REGISTER 0xc0 /* from here on ModRM.rm is a register */
#define FIELD_TEST_END 2    /* in group 3 the fields below this are TEST, with an immediate */

#define OPCODE_POP 0x8f /* with a field other than 0 it begins an XOP encoding */

/*
 * The bytes that follow each opcode, as a letter:
 *
 *   .   nothing                      -   unknown
 *   r   ModRM                        b   immediate of 1 byte
 *   m   ModRM and b                  w   immediate of 2 bytes
 *   n   ModRM and z                  z   immediate of the operand's size, at most 4 bytes
 *   e   ENTER's 3 bytes              v   immediate of the operand's size, at most 8 bytes
 *   f   far pointer                  j   distance: 4 bytes in 64-bit code, else as z
 *   g   group 3, operands of 1 byte  G   group 3, larger operands
 *   o   address                      c   ModRM that always names registers: a control or debug
 *                                        register and a general one
 */
static const char one_byte[256 + 1] = "rrrrbz..rrrrbz.-" /* 00 */
				      "rrrrbz..rrrrbz.." /* 10 */
				      "rrrrbz..rrrrbz.." /* 20 */
				      "rrrrbz..rrrrbz.." /* 30 */
				      "................" /* 40 */
				      "................" /* 50 */
				      "..-r....znbm...." /* 60 */
				      "bbbbbbbbbbbbbbbb" /* 70 */
				      "mnmmrrrrrrrrrrrr" /* 80 */
				      "..........f....." /* 90 */
				      "oooo....bz......" /* a0 */
				      "bbbbbbbbvvvvvvvv" /* b0 */
				      "mmw.--mne.w..b.." /* c0 */
				      "rrrrbb..rrrrrrrr" /* d0 */
				      "bbbbbbbbjjfb...." /* e0 */
				      "......gG......rr" /* f0 */;

static const char two_bytes[256 + 1] = "rrrr.........r.m" /* 0f 00 */
				       "rrrrrrrrrrrrrrrr" /* 0f 10 */
				       "cccc....rrrrrrrr" /* 0f 20 */
				       "........-.-....." /* 0f 30 */
				       "rrrrrrrrrrrrrrrr" /* 0f 40 */
				       "rrrrrrrrrrrrrrrr" /* 0f 50 */
				       "rrrrrrrrrrrrrrrr" /* 0f 60 */
				       "mmmmrrr.-r..rrrr" /* 0f 70 */
				       "jjjjjjjjjjjjjjjj" /* 0f 80 */
				       "rrrrrrrrrrrrrrrr" /* 0f 90 */
				       "...rmrrr...rmrrr" /* 0f a0 */
				       "rrrrrrrrrrmrrrrr" /* 0f b0 */
				       "rrmrmmmr........" /* 0f c0 */
				       "rrrrrrrrrrrrrrrr" /* 0f d0 */
				       "rrrrrrrrrrrrrrrr" /* 0f e0 */
				       "rrrrrrrrrrrrrrrr" /* 0f f0 */;

struct cursor {
	const uint8_t *code;
	size_t n, at;
	unsigned bits;
	bool unknown; /* the bytes are unknown, or some are missing */
};

/* operand_size() and address_size() are in bytes. */
static unsigned operand_size(const struct insn *insn, unsigned bits)
{
	if (insn->rex & INSN_REX_W)
		return 8;
	return (bits == 16) == !(insn->prefixes & INSN_OPERAND_SIZE) ? 2 : 4;
}

static unsigned address_size(const struct insn *insn, unsigned bits)
{
	const bool prefix = insn->prefixes & INSN_ADDRESS_SIZE;

	if (bits == 64)
		return prefix ? 4 : 8;
	return (bits == 16) == !prefix ? 2 : 4;
}

static uint64_t take_bytes(struct cursor *c, unsigned bytes)
{
	uint64_t value = 0;

	if (c->n - c->at < bytes) {
		c->at = c->n;
		c->unknown = true;
		return 0;
	}
	for (unsigned i = 0; i < bytes; i++)
		value |= (uint64_t)c->code[c->at++] << 8 * i;
	return value;
}

static uint8_t prefix_of(uint8_t byte)
{
	switch (byte) {
	case 0x66:
		return INSN_OPERAND_SIZE;
	case 0x67:
		return INSN_ADDRESS_SIZE;
	case 0xf0:
		return INSN_LOCK;
	case 0xf2:
		return INSN_REPNE;
	case 0xf3:
		return INSN_REP;
	case 0x64:
		return INSN_FS;
	case 0x65:
		return INSN_GS;
	case 0x26:
	case 0x2e:
	case 0x36:
	case 0x3e:
		return INSN_SEGMENT;
	}
	return 0;
}

static void add_prefix(struct insn *insn, uint8_t prefix)
{
	if (prefix & (INSN_REP | INSN_REPNE))
		insn->prefixes &= (uint8_t) ~(INSN_REP | INSN_REPNE);
	if (prefix & (INSN_FS | INSN_GS))
		insn->prefixes &= (uint8_t) ~(INSN_FS | INSN_GS);
	insn->prefixes |= prefix;
	insn->rex = 0;
}

static void take_prefixes(struct insn *insn, struct cursor *c)
{
	for (; c->at < c->n; c->at++) {
		const uint8_t byte = c->code[c->at], prefix = prefix_of(byte);

		if (prefix)
			add_prefix(insn, prefix);
		else if (c->bits == 64 && (byte & REX_MASK) == REX)
			insn->rex = byte & ~REX_MASK;
		else
			break;
	}
	insn->start = (uint8_t)c->at;
}

static void take_opcode(struct insn *insn, struct cursor *c)
{
	const bool escaped = c->at < c->n && c->code[c->at] == INSN_ESCAPE;

	c->at += escaped;
	insn->opcode = (uint8_t)take_bytes(c, 1);
	insn->opcode_bytes = c->unknown ? 0 : escaped ? 2 : 1;
}

static unsigned displacement_size(const struct insn *insn, unsigned address)
{
	const unsigned mod = insn->modrm >> 6, rm = insn->modrm & 7;
	const unsigned wide = address == 2 ? 2 : 4;

	if (mod == 1)
		return 1;
	if (mod == 2)
		return wide;
	if (address == 2)
		return rm == RM_DISP16 ? wide : 0;
	return rm == RM_DISP32 || (rm == RM_SIB && (insn->sib & 7) == RM_DISP32) ? wide : 0;
}

static void take_displacement(struct insn *insn, struct cursor *c, unsigned bytes)
{
	const uint64_t value = take_bytes(c, bytes);

	if (c->unknown)
		return;
	insn->displacement = bytes == 1   ? (int8_t)value
			     : bytes == 2 ? (int16_t)value
					  : (int32_t)value;
	insn->displacement_bytes = (uint8_t)bytes;
}

static void take_modrm(struct insn *insn, struct cursor *c)
{
	const unsigned address = address_size(insn, c->bits);

	insn->modrm = (uint8_t)take_bytes(c, 1);
	if (c->unknown)
		return;
	insn->modrm_bytes = 1;
	if (insn->modrm >= MODRM_REGISTER)
		return;
	if (address != 2 && (insn->modrm & 7) == RM_SIB) {
		insn->sib = (uint8_t)take_bytes(c, 1);
		insn->modrm_bytes += !c->unknown;
	}
	take_displacement(insn, c, displacement_size(insn, address));
}

static void take_control(struct insn *insn, struct cursor *c)
{
	insn->modrm = (uint8_t)take_bytes(c, 1) | MODRM_REGISTER;
	insn->modrm_bytes = !c->unknown;
}

static void take_immediate(struct insn *insn, struct cursor *c, unsigned bytes)
{
	insn->immediate = take_bytes(c, bytes);
	insn->immediate_bytes = (uint8_t)(c->unknown ? 0 : bytes);
}

static unsigned immediate_size(const struct insn *insn, char layout, unsigned bits)
{
	const unsigned operand = operand_size(insn, bits), most_4 = operand < 4 ? operand : 4;

	switch (layout) {
	case 'b':
	case 'm':
		return 1;
	case 'w':
		return 2;
	case 'e':
		return 3;
	case 'z':
	case 'n':
		return most_4;
	case 'v':
		return operand;
	case 'j':
		return bits == 64 ? 4 : most_4;
	case 'f':
		return most_4 + 2;
	case 'o':
		return address_size(insn, bits);
	case 'g':
		return insn_field(insn) < FIELD_TEST_END;
	case 'G':
		return insn_field(insn) < FIELD_TEST_END ? most_4 : 0;
	}
	return 0;
}

static bool has_modrm(char layout)
{
	return layout == 'r' || layout == 'm' || layout == 'n' || layout == 'g' || layout == 'G';
}

static void take_rest(struct insn *insn, struct cursor *c)
{
	const char layout = (insn->opcode_bytes == 1 ? one_byte : two_bytes)[insn->opcode];

	if (layout == '.')
		return;
	if (layout == 'c')
		take_control(insn, c);
	if (has_modrm(layout))
		take_modrm(insn, c);
	c->unknown |= layout == '-' || (insn_is(insn, OPCODE_POP) && insn_field(insn));
	if (layout != 'r' && !c->unknown)
		take_immediate(insn, c, immediate_size(insn, layout, c->bits));
}

void insn_decode(struct insn *insn, const uint8_t *code, size_t n, unsigned bits)
{
	struct cursor c = {
		.code = code, .n = n < INSN_MAX_BYTES ? n : INSN_MAX_BYTES, .bits = bits};

	*insn = (struct insn){0};
	take_prefixes(insn, &c);
	take_opcode(insn, &c);
	if (insn->opcode_bytes)
		take_rest(insn, &c);
	insn->length = (uint8_t)(c.unknown ? 0 : c.at);
}

static uint64_t sib_address(const struct insn *insn, const uint64_t gpr[16])
{
	const unsigned index = (insn->sib >> 3 & 7) | (insn->rex & INSN_REX_X ? 8 : 0);
	const unsigned base = insn->sib & 7;
	uint64_t address = index == NO_INDEX ? 0 : gpr[index] << (insn->sib >> 6);

	if (insn->modrm >> 6 || base != RM_DISP32)
		address += gpr[base | (insn->rex & INSN_REX_B ? 8 : 0)];
	return address;
}

uint64_t insn_address(const struct insn *insn, const uint64_t gpr[16], uint64_t rip)
{
	uint64_t address = (uint64_t)(int64_t)insn->displacement;

	if ((insn->modrm & 7) == RM_SIB)
		address += sib_address(insn, gpr);
	else if (insn->modrm >> 6 == 0 && (insn->modrm & 7) == RM_DISP32)
		address += rip + insn->length;
	else
		address += gpr[insn_rm(insn)];
	return insn->prefixes & INSN_ADDRESS_SIZE ? (uint32_t)address : address;
}
