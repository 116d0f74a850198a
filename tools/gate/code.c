// SPDX-License-Identifier: BSD-2-Clause
/* code.c - see code.h. */
#include "tools/gate/code.h"

#include <stdbool.h>
#include <string.h>

#include <Zydis/Zydis.h>
#include <xxhash.h>

#define FIELD_BITS_LEAST 32      /* size of the smallest field for an address or a far distance */
#define ADDRESS_LEAST    0x10000 /* no program is linked below this address */

/* Returns whether the linker may have set the field. */
static bool is_of_linker(unsigned bits, bool is_relative, uint64_t value)
{
	return bits >= FIELD_BITS_LEAST && (is_relative || value >= ADDRESS_LEAST);
}

static void clear_field(uint8_t *bytes, unsigned offset, unsigned bits)
{
	memset(bytes + offset, 0, bits / 8);
}

static bool is_rip_relative(const ZydisDecodedInstruction *i)
{
	return i->attributes & ZYDIS_ATTRIB_IS_RELATIVE;
}

static void clear_places(uint8_t *bytes, const ZydisDecodedInstruction *i)
{
	if (is_of_linker(i->raw.disp.size, is_rip_relative(i), (uint64_t)i->raw.disp.value))
		clear_field(bytes, i->raw.disp.offset, i->raw.disp.size);
	for (int k = 0; k < 2; k++)
		if (is_of_linker(i->raw.imm[k].size, i->raw.imm[k].is_relative,
				 i->raw.imm[k].value.u))
			clear_field(bytes, i->raw.imm[k].offset, i->raw.imm[k].size);
}

uint32_t code_hash(const uint8_t *code, size_t n)
{
	ZydisDecoder decoder;
	uint64_t hash = 0;

	ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
	while (n) {
		ZydisDecodedInstruction instruction;
		uint8_t bytes[ZYDIS_MAX_INSTRUCTION_LENGTH];
		size_t length = 1;

		if (ZYAN_SUCCESS(
			    ZydisDecoderDecodeInstruction(&decoder, NULL, code, n, &instruction))) {
			length = instruction.length;
			memcpy(bytes, code, length);
			clear_places(bytes, &instruction);
		} else {
			*bytes = *code;
		}
		hash = XXH3_64bits_withSeed(bytes, length, hash);
		code += length;
		n -= length;
	}
	return (uint32_t)hash ? (uint32_t)hash : 1;
}
