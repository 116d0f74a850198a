// SPDX-License-Identifier: BSD-2-Clause
/* mca.c - see mca.h. */
#include "arch/x86/portable/mca.h"

#include "arch/x86/insn.h"
#include "arch/x86/msr.h"
#include "arch/x86/portable/cpuid.h"
#include "lib/printf.h"
#include "lib/string.h"

#define COUNT_MASK 0xff /* the number of banks in MCG_CAP */

unsigned mca_banks(void)
{
	uint64_t cap;

	if (!cpuid_fact(CPUID_FACT(1, 0, EDX, 14, 14)) || !rdmsr_safe(MSR_IA32_MCG_CAP, &cap))
		return 0;
	return (cap & COUNT_MASK) < MCA_BANKS_MOST ? cap & COUNT_MASK : MCA_BANKS_MOST;
}

bool mca_read(unsigned bank, struct mca_bank *b)
{
	*b = (struct mca_bank){0};
	if (!rdmsr_safe(MSR_IA32_MC_STATUS(bank), &b->status) || !(b->status & MCA_VALID))
		return false;
	if (b->status & MCA_ADDRESS)
		rdmsr_safe(MSR_IA32_MC_ADDR(bank), &b->address);
	if (b->status & MCA_MISC)
		rdmsr_safe(MSR_IA32_MC_MISC(bank), &b->misc);
	return true;
}

/* Codes that are a single value. None of them has bit 12, which marks filtered corrected errors. */
static const struct {
	uint16_t code;
	const char *text;
} simple[] = {
	{0x0000, "no error"},
	{0x0001, "not classified"},
	{0x0002, "parity of the microcode ROM"},
	{0x0003, "external"},
	{0x0004, "redundancy check"},
	{0x0005, "internal parity"},
	{0x0006, "code of SMM outside of its memory"},
	{0x0400, "internal timer"},
	{0x0e0b, "I/O"},
};

/* Codes with fields. */
enum field { NONE, LEVEL, KIND, REQUEST, CHANNEL, MEMORY, PARTY };

static const struct {
	uint16_t mask, code;
	const char *text;
	struct {
		uint8_t field, shift, bits;
	} parts[3];
} compound[] = {
	{0xeffc, 0x000c, "cache", {{LEVEL, 0, 2}}},
	{0xeff0, 0x0010, "TLB", {{KIND, 2, 2}, {LEVEL, 0, 2}}},
	{0xef80, 0x0080, "memory controller", {{MEMORY, 4, 3}, {CHANNEL, 0, 4}}},
	{0xef00, 0x0100, "cache", {{REQUEST, 4, 4}, {KIND, 2, 2}, {LEVEL, 0, 2}}},
	{0xef80, 0x0280, "memory as a cache", {{MEMORY, 4, 3}, {CHANNEL, 0, 4}}},
	{0xe800, 0x0800, "bus or interconnect", {{REQUEST, 4, 4}, {PARTY, 9, 2}, {LEVEL, 0, 2}}},
};

static const char *const words[][16] = {
	[LEVEL] = {"level 0", "level 1", "level 2", "any level"},
	[KIND] = {"instructions", "data", "instructions or data", "?"},
	[REQUEST] = {"any access", "read", "write", "data read", "data write", "fetch", "prefetch",
		     "eviction", "snoop"},
	[MEMORY] = {"any access", "read", "write", "address or command", "scrubbing"},
	[PARTY] = {"asked by this CPU", "answered by this CPU", "seen by this CPU", "by any"},
};

static size_t add_listed_word(char *text, size_t size, size_t n, const char *word)
{
	if (n < size)
		fmt_print(text + n, size - n, "%s%s", n ? ", " : "", word);
	return strlen(text);
}

static void add_field_words(char *text, size_t size, unsigned field, unsigned value)
{
	const size_t n = strlen(text);

	if (field == CHANNEL && value == 15)
		add_listed_word(text, size, n, "channel not told");
	else if (field == CHANNEL)
		fmt_print(text + n, size - n, ", channel %u", value);
	else
		add_listed_word(text, size, n, words[field][value] ? words[field][value] : "?");
}

static void describe_code(uint16_t code, char *text, size_t size)
{
	for (size_t i = 0; i < sizeof(simple) / sizeof(simple[0]); i++)
		if (simple[i].code == code) {
			fmt_print(text, size, "%s", simple[i].text);
			return;
		}
	for (size_t i = 0; i < sizeof(compound) / sizeof(compound[0]); i++) {
		if ((code & compound[i].mask) != compound[i].code)
			continue;
		fmt_print(text, size, "%s", compound[i].text);
		for (size_t p = 0; p < 3 && compound[i].parts[p].field; p++)
			add_field_words(text, size, compound[i].parts[p].field,
					code >> compound[i].parts[p].shift &
						((1u << compound[i].parts[p].bits) - 1));
		return;
	}
	fmt_print(text, size, "code %#x", code);
}

char *mca_text(uint64_t status, char *text, size_t size)
{
	static const struct {
		uint64_t bit;
		const char *set, *clear;
	} bits[] = {
		{MCA_UNCORRECTED, "uncorrected", "corrected"},
		{MCA_CORRUPT, "context corrupt", NULL},
		{MCA_OVERFLOW, "not the first", NULL},
	};
	char code[MCA_TEXT_MAX / 2 + 16];
	size_t n = 0;

	text[0] = '\0';
	for (size_t i = 0; i < sizeof(bits) / sizeof(bits[0]); i++) {
		const char *word = status & bits[i].bit ? bits[i].set : bits[i].clear;

		if (word)
			n = add_listed_word(text, size, n, word);
	}
	describe_code((uint16_t)status, code, sizeof(code));
	fmt_print(text + n, size - n, ": %s", code);
	return text;
}
