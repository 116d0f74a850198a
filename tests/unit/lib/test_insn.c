// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_insn.c - compares the decoder of the images with Zydis, in 16-, 32- and 64-bit code: every
 * opcode with every ModRM and the relevant prefixes, random bytes, and cut instructions.
 */
#include "lib/insn_decode.h"

#include <Zydis/Zydis.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/test.h"

#define RANDOM_CODES 400000

static const struct mode {
	unsigned bits;
	ZydisMachineMode machine;
	ZydisStackWidth stack;
} modes[] = {
	{64, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64},
	{32, ZYDIS_MACHINE_MODE_LONG_COMPAT_32, ZYDIS_STACK_WIDTH_32},
	{16, ZYDIS_MACHINE_MODE_LONG_COMPAT_16, ZYDIS_STACK_WIDTH_16},
};

static ZydisDecoder decoders[3];
static unsigned compared, not_covered;

static void fail_code(const char *what, const uint8_t *code, const struct insn *insn,
		      const ZydisDecodedInstruction *z)
{
	char text[3 * INSN_MAX_BYTES + 1] = "";

	for (unsigned i = 0; i < z->length; i++)
		snprintf(text + 3 * i, 4, "%02x ", code[i]);
	fail_msg("%s of %s in %u bits (%s): length %u of %u", what, text, (unsigned)z->machine_mode,
		 ZydisMnemonicGetString(z->mnemonic), insn->length, z->length);
}

/* Encodings that the decoder does not cover, as lib/insn_decode.h says. */
static bool is_covered(const ZydisDecodedInstruction *z)
{
	if (z->encoding != ZYDIS_INSTRUCTION_ENCODING_LEGACY &&
	    z->encoding != ZYDIS_INSTRUCTION_ENCODING_3DNOW)
		return false;
	if (z->opcode_map == ZYDIS_OPCODE_MAP_0F && z->opcode == 0x78)
		return false;
	if (z->mnemonic == ZYDIS_MNEMONIC_LES || z->mnemonic == ZYDIS_MNEMONIC_LDS ||
	    z->mnemonic == ZYDIS_MNEMONIC_BOUND)
		return false;
	return z->opcode_map != ZYDIS_OPCODE_MAP_0F38 && z->opcode_map != ZYDIS_OPCODE_MAP_0F3A;
}

/* Compares the prefixes, except where a mandatory prefix has another meaning. */
static uint8_t prefixes_of(const ZydisDecodedInstruction *z)
{
	static const struct {
		uint8_t byte, prefix, excludes;
	} rows[] = {
		{0x66, INSN_OPERAND_SIZE, 0}, {0x67, INSN_ADDRESS_SIZE, 0},
		{0xf0, INSN_LOCK, 0},         {0xf2, INSN_REPNE, INSN_REP},
		{0xf3, INSN_REP, INSN_REPNE}, {0x64, INSN_FS, INSN_GS},
		{0x65, INSN_GS, INSN_FS},     {0x26, INSN_SEGMENT, 0},
		{0x2e, INSN_SEGMENT, 0},      {0x36, INSN_SEGMENT, 0},
		{0x3e, INSN_SEGMENT, 0},
	};
	uint8_t prefixes = 0;

	for (unsigned i = 0; i < z->raw.prefix_count; i++)
		for (unsigned k = 0; k < sizeof(rows) / sizeof(rows[0]); k++)
			if (z->raw.prefixes[i].value == rows[k].byte)
				prefixes =
					(uint8_t)((prefixes & ~rows[k].excludes) | rows[k].prefix);
	return prefixes;
}

static uint64_t without_sign(uint64_t value, unsigned bits)
{
	return bits < 64 ? value & ((1ull << bits) - 1) : value;
}

/* Zydis has two immediates for ENTER and far calls. 3DNow has its opcode in the immediate. */
static bool same_immediate(const struct insn *insn, const ZydisDecodedInstruction *z)
{
	const unsigned first = z->raw.imm[0].size, second = z->raw.imm[1].size;
	const uint64_t value = without_sign(z->raw.imm[0].value.u, first) |
			       (second ? without_sign(z->raw.imm[1].value.u, second) << first : 0);

	if (z->encoding == ZYDIS_INSTRUCTION_ENCODING_3DNOW)
		return insn->immediate_bytes == 1 && insn->immediate == z->opcode;
	if (first)
		return insn->immediate_bytes * 8u == first + second && insn->immediate == value;
	/* Zydis calls the address of MOV a displacement. */
	return !insn->immediate_bytes || (!insn->modrm_bytes && z->raw.disp.size);
}

static bool same_opcode(const struct insn *insn, const ZydisDecodedInstruction *z)
{
	if (z->encoding == ZYDIS_INSTRUCTION_ENCODING_3DNOW)
		return insn_is_0f(insn, 0x0f);
	return z->opcode_map == ZYDIS_OPCODE_MAP_0F ? insn_is_0f(insn, z->opcode)
						    : insn_is(insn, z->opcode);
}

static bool same_modrm(const struct insn *insn, const ZydisDecodedInstruction *z)
{
	const bool has_modrm = z->attributes & ZYDIS_ATTRIB_HAS_MODRM;

	if (!has_modrm)
		return !insn->modrm_bytes;
	return insn->modrm_bytes && insn_field(insn) == z->raw.modrm.reg &&
	       (insn->modrm & 7) == z->raw.modrm.rm;
}

static bool same_sib(const struct insn *insn, const ZydisDecodedInstruction *z)
{
	const uint8_t sib =
		(uint8_t)(z->raw.sib.scale << 6 | z->raw.sib.index << 3 | z->raw.sib.base);

	if (!(z->attributes & ZYDIS_ATTRIB_HAS_SIB))
		return insn->modrm_bytes < 2;
	return insn->modrm_bytes == 2 && insn->sib == sib;
}

static bool same_displacement(const struct insn *insn, const ZydisDecodedInstruction *z)
{
	if (!insn->modrm_bytes)
		return !insn->displacement_bytes;
	return insn->displacement_bytes * 8u == z->raw.disp.size &&
	       insn->displacement == z->raw.disp.value;
}

static uint8_t rex_of(const ZydisDecodedInstruction *z)
{
	if (!(z->attributes & ZYDIS_ATTRIB_HAS_REX))
		return 0;
	return (uint8_t)(z->raw.rex.W << 3 | z->raw.rex.R << 2 | z->raw.rex.X << 1 | z->raw.rex.B);
}

static void compare_code(unsigned mode, const uint8_t *code)
{
	ZydisDecodedInstruction z;
	struct insn insn;

	if (!ZYAN_SUCCESS(
		    ZydisDecoderDecodeInstruction(&decoders[mode], NULL, code, INSN_MAX_BYTES, &z)))
		return;
	insn_decode(&insn, code, INSN_MAX_BYTES, modes[mode].bits);
	if (!is_covered(&z)) {
		not_covered++;
		if (insn.length)
			fail_code("not covered", code, &insn, &z);
		return;
	}
	compared++;
	if (insn.length != z.length)
		fail_code("length", code, &insn, &z);
	if (insn.start != z.raw.prefix_count || insn.prefixes != prefixes_of(&z) ||
	    insn.rex != rex_of(&z))
		fail_code("prefixes", code, &insn, &z);
	if (!same_opcode(&insn, &z))
		fail_code("opcode", code, &insn, &z);
	if (!same_modrm(&insn, &z) || !same_sib(&insn, &z))
		fail_code("ModRM", code, &insn, &z);
	if (!same_displacement(&insn, &z))
		fail_code("displacement", code, &insn, &z);
	if (!same_immediate(&insn, &z))
		fail_code("immediate", code, &insn, &z);
}

/* Operands whose bytes all differ, after prefixes and the opcode. */
static void fill_code(uint8_t *code, const char *prefixes, unsigned opcode, unsigned modrm)
{
	size_t at = strlen(prefixes);

	memcpy(code, prefixes, at);
	if (opcode > 0xff)
		code[at++] = INSN_ESCAPE;
	code[at++] = (uint8_t)opcode;
	code[at++] = (uint8_t)modrm;
	for (unsigned i = 0; at < INSN_MAX_BYTES; i++)
		code[at++] = (uint8_t)(0x25 + 0x1f * i + modrm);
}

TEST(test_all_opcodes)
{
	static const char *const prefixes[] = {"", "\x66", "\x67", "\x48", "\xf3", "\xf2"};
	uint8_t code[INSN_MAX_BYTES];

	compared = not_covered = 0;
	for (unsigned mode = 0; mode < 3; mode++)
		for (unsigned p = 0; p < sizeof(prefixes) / sizeof(prefixes[0]); p++)
			for (unsigned opcode = 0; opcode < 0x200; opcode++)
				for (unsigned modrm = 0; modrm < 0x100; modrm++) {
					fill_code(code, prefixes[p], opcode, modrm);
					compare_code(mode, code);
				}
	assert_true(compared > 1000000 && not_covered > 5000);
}

TEST(test_random_codes)
{
	static const uint8_t often[] = {0x66, 0x67, 0xf2, 0xf3, 0x48, 0x0f, 0x64, 0x65, 0xf0, 0x2e};
	uint8_t code[INSN_MAX_BYTES];
	uint64_t seed = 1;

	compared = not_covered = 0;
	for (unsigned n = 0; n < RANDOM_CODES; n++) {
		for (unsigned i = 0; i < INSN_MAX_BYTES; i++) {
			seed = seed * 6364136223846793005ull + 1442695040888963407ull;
			code[i] = (uint8_t)(seed >> 56);
		}
		for (unsigned i = 0; i < (seed >> 40) % 4; i++)
			code[i] = often[(seed >> (8 + 8 * i)) % sizeof(often)];
		compare_code(n % 3, code);
	}
	assert_true(compared > RANDOM_CODES / 3 && not_covered > RANDOM_CODES / 400);
}

/* An instruction without its last byte has no length, and the decoder reads no byte beyond it. */
TEST(test_missing_bytes)
{
	static const uint8_t code[] = {0x2e, 0x48, 0xc7, 0x84, 0xc8, 1, 2, 3, 4, 5, 6, 7, 8};
	struct insn insn;

	for (size_t n = 0; n <= sizeof(code); n++) {
		uint8_t *exact = malloc(n ? n : 1);

		memcpy(exact, code, n);
		insn_decode(&insn, exact, n, 64);
		free(exact);
		assert_int_equal(insn.length, n == sizeof(code) ? n : 0);
		assert_int_equal(insn.opcode_bytes, n > 2);
		assert_int_equal(insn.modrm_bytes, n > 4 ? 2 : n > 3);
		assert_int_equal(insn.displacement_bytes, n > 8 ? 4 : 0);
		assert_int_equal(insn.immediate_bytes, n > 12 ? 4 : 0);
	}
	assert_int_equal(insn.displacement, 0x04030201);
	assert_int_equal(insn.immediate, 0x08070605);
}

/* A REX prefix is valid only directly before the opcode. */
TEST(test_idle_rex)
{
	static const uint8_t idle[] = {0x48, 0x66, 0x90}, last[] = {0x66, 0x48, 0x4f, 0x90};
	struct insn insn;

	insn_decode(&insn, idle, sizeof(idle), 64);
	assert_int_equal(insn.rex, 0);
	insn_decode(&insn, last, sizeof(last), 64);
	assert_int_equal(insn.rex, 0xf);
	insn_decode(&insn, last, sizeof(last), 32);
	assert_int_equal(insn.rex, 0);
	assert_int_equal(insn.opcode, 0x48);
}

/* Zydis computes the same addresses, for every ModRM and SIB. */
static void compare_address(const uint8_t *code)
{
	ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
	ZydisRegisterContext registers = {0};
	ZydisDecodedInstruction z;
	ZyanU64 wanted;
	struct insn insn;
	uint64_t gpr[16];

	for (unsigned i = 0; i < 16; i++)
		registers.values[ZYDIS_REGISTER_RAX + i] = gpr[i] = 0x123456789abull * (i + 1);
	insn_decode(&insn, code, INSN_MAX_BYTES, 64);
	if (!insn_has_memory(&insn))
		return;
	assert_true(ZYAN_SUCCESS(
		ZydisDecoderDecodeFull(&decoders[0], code, INSN_MAX_BYTES, &z, operands)));
	assert_true(ZYAN_SUCCESS(
		ZydisCalcAbsoluteAddressEx(&z, &operands[1], 0x401000, &registers, &wanted)));
	if (insn_address(&insn, gpr, 0x401000) != wanted)
		fail_code("address", code, &insn, &z);
	compared++;
}

TEST(test_addresses)
{
	uint8_t code[INSN_MAX_BYTES];

	compared = 0;
	for (unsigned rex = 0x40; rex < 0x50; rex++)
		for (unsigned i = 0; i < 0x200; i++) {
			const char prefixes[] = {(char)rex, 0};

			fill_code(code, prefixes, 0x8b, i < 0x100 ? i : 0x44);
			if (i >= 0x100)
				code[3] = (uint8_t)i;
			compare_address(code);
		}
	assert_true(compared > 16 * 0x180);
}

FIXTURE(set_up)
{
	for (unsigned i = 0; i < 3; i++) {
		ZydisDecoderInit(&decoders[i], modes[i].machine, modes[i].stack);
		/* Otherwise Zydis refuses code that a CPU without those extensions accepts. */
		ZydisDecoderEnableMode(&decoders[i], ZYDIS_DECODER_MODE_KNC, ZYAN_FALSE);
	}
	return 0;
}

GROUP(set_up, NULL);
