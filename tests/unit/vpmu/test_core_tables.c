// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_core_tables.c - the tables of execution units: facts of Intel's and AMD's optimisation
 * manuals for some forms, what holds for each row, and the keys of forms that differ only a little.
 */
#include "tests/unit/test.h"

#include <stdio.h>
#include <string.h>

#include "vpmu/model/cores/core_key.h"
#include "vpmu/model/cores/cores_priv.h"

#define BYTES_MOST 15

static uint32_t key_of(const char *bytes, size_t length)
{
	ZydisDecoder decoder;
	ZydisDecodedInstruction insn;
	ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];

	ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
	assert_true(ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder, bytes, length, &insn, operands)));
	return core_key(&insn, operands);
}

#define KEY_OF(bytes) key_of(bytes, sizeof(bytes) - 1)

struct known_form {
	const char *text;
	const char *bytes;
	unsigned length;
	const char *core;
	unsigned uops, latency, advance;
	const char *uses; /* "p01 p23": units of the core */
};

#define FORM(text, bytes, ...)                              \
	{                                                   \
		text, bytes, sizeof(bytes) - 1, __VA_ARGS__ \
	}

static const struct known_form known_forms[] = {
	FORM("imul rax, rbx", "\x48\x0f\xaf\xc3", "snb", 1, 3, 0, "p1"),
	FORM("imul rax, rbx", "\x48\x0f\xaf\xc3", "hsw", 1, 3, 0, "p1"),
	FORM("imul rax, rbx", "\x48\x0f\xaf\xc3", "skx", 1, 3, 0, "p1"),
	FORM("imul rax, rbx", "\x48\x0f\xaf\xc3", "icl", 1, 3, 0, "p1"),
	FORM("imul rax, rbx", "\x48\x0f\xaf\xc3", "adl", 1, 3, 0, "p1"),
	FORM("imul rax, rbx", "\x48\x0f\xaf\xc3", "zen4", 1, 3, 0, "ALU1"),
	FORM("add eax, ebx", "\x01\xd8", "skx", 1, 1, 0, "p0156"),
	FORM("add eax, ebx", "\x01\xd8", "zen3", 1, 1, 0, "ALU0123"),
	FORM("add eax, [rbx]", "\x03\x03", "skx", 2, 6, 5, "p23 p0156"),
	FORM("addps xmm0, xmm1", "\x0f\x58\xc1", "skx", 1, 4, 0, "p01"),
	FORM("addps xmm0, xmm1", "\x0f\x58\xc1", "hsw", 1, 3, 0, "p1"),
	FORM("addps xmm0, xmm1", "\x0f\x58\xc1", "zen3", 1, 3, 0, "FP23"),
	FORM("pshufd xmm0, xmm1, 0", "\x66\x0f\x70\xc1\x00", "skx", 1, 1, 0, "p5"),
	FORM("mov rax, [rbx]", "\x48\x8b\x03", "skx", 1, 5, 0, "p23"),
	FORM("mov [rbx], rax", "\x48\x89\x03", "skx", 1, 1, 0, "p4 p237"),
	FORM("lea rax, [rbx+rcx]", "\x48\x8d\x04\x0b", "skx", 1, 1, 0, "p15"),
	FORM("lea rax, [rbx+rcx+64]", "\x48\x8d\x44\x0b\x40", "skx", 1, 3, 0, "p1"),
	FORM("vaddps zmm0, zmm1, zmm2", "\x62\xf1\x74\x48\x58\xc2", "skx", 1, 4, 0, "p05"),
	FORM("vaddps zmm0{k1}, zmm1, [rbx]{1to16}", "\x62\xf1\x74\x59\x58\x03", "skx", 2, 11, 7,
	     "p23 p05"),
	FORM("divps xmm0, xmm1", "\x0f\x5e\xc1", "skx", 1, 11, 0, "p0 FPDIV"),
	FORM("divps xmm0, xmm1", "\x0f\x5e\xc1", "adl", 1, 11, 0, "p0 FPDIV"),
	FORM("div ecx", "\xf7\xf1", "icl", 4, 12, 0, "p1*3 p0156 DIV"),
	FORM("div qword [rbx]", "\x48\xf7\x33", "icl", 4, 23, 5, "p1*3 p23"),
	FORM("haddps xmm0, xmm1", "\xf2\x0f\x7c\xc1", "skx", 3, 6, 0, "p01 p5*2"),
};

/* Prints a mask as the name of its first unit and the numbers of the others: "p0156". */
static void print_units(char *text, const struct core_table *core, const struct core_use *use)
{
	const char *sep = *text ? " " : "";
	bool first = true;

	for (unsigned u = 0; u < CORE_UNITS; u++) {
		if (!(use->ports >> u & 1))
			continue;
		sprintf(text + strlen(text), "%s%s", first ? sep : "",
			core->units[u] + (first ? 0 : strcspn(core->units[u], "0123456789")));
		first = false;
	}
	if (use->count > 1)
		sprintf(text + strlen(text), "*%u", use->count);
}

static void print_uses(char *text, const struct core_table *core, const struct core_row *row)
{
	*text = 0;
	for (unsigned i = 0; i < row->nuses; i++)
		print_units(text, core, &row->uses[i]);
}

TEST(test_known_forms)
{
	for (size_t i = 0; i < sizeof(known_forms) / sizeof(known_forms[0]); i++) {
		const struct known_form *f = &known_forms[i];
		const struct core_table *core = core_table(f->core);
		char is[300], wanted[300], uses[200];

		assert_non_null(core);
		const struct core_row *row = core_row(core, key_of(f->bytes, f->length));

		assert_non_null(row);
		print_uses(uses, core, row);
		sprintf(is, "%s on %s: %u uops, latency %u, advance %u, %s", f->text, f->core,
			row->uops, row->latency[0], row->advance, uses);
		sprintf(wanted, "%s on %s: %u uops, latency %u, advance %u, %s", f->text, f->core,
			f->uops, f->latency, f->advance, f->uses);
		assert_string_equal(is, wanted);
	}
}

static uint32_t units_of(const struct core_table *core)
{
	uint32_t units = 0;

	for (unsigned u = 0; u < CORE_UNITS; u++)
		units |= (uint32_t) !!core->units[u] << u;
	return units;
}

static void check_core_row(const struct core_table *core, const struct core_row *row)
{
	assert_in_range(row->nuses, 0, CORE_USES);
	assert_in_range(row->nwrites, 1, CORE_WRITES);
	assert_true(row->advance <= 20);
	for (unsigned i = 0; i < row->nuses; i++) {
		assert_int_not_equal(row->uses[i].ports, 0);
		assert_int_equal(row->uses[i].ports & ~units_of(core), 0);
		assert_int_not_equal(row->uses[i].cycles, 0);
		assert_int_not_equal(row->uses[i].count, 0);
		/* A use is of ports, or of a divider. */
		assert_true(!(row->uses[i].ports & core->dividers) ||
			    !(row->uses[i].ports & ~core->dividers));
	}
}

TEST(test_each_row)
{
	for (unsigned c = 0; core_tables[c]; c++) {
		const struct core_table *core = core_tables[c];
		const uint32_t units = units_of(core);

		assert_ptr_equal(core_table(core->name), core);
		assert_int_equal(units & (units + 1), 0); /* no gap */
		assert_int_equal((core->loads | core->store_addresses | core->store_data |
				  core->branches | core->dividers) &
					 ~units,
				 0);
		assert_true(core->loads && core->store_addresses && core->store_data &&
			    core->branches);
		for (unsigned r = 0; r < core->nrows; r++)
			check_core_row(core, &core->rows[r]);
		for (unsigned f = 0; f < CORE_FORMS; f++)
			assert_true(core->row_of[f] < core->nrows ||
				    core->row_of[f] == CORE_NO_ROW);
	}
	assert_null(core_table("6502"));
}

TEST(test_keys_are_sorted)
{
	for (unsigned k = 0; k < CORE_KEYS; k++) {
		assert_true(!k || core_keys[k - 1] < core_keys[k]);
		assert_int_equal(core_key_number(core_keys[k]), core_form_of[k]);
		assert_true(core_form_of[k] < CORE_FORMS);
	}
	assert_int_equal(core_key_number(0), -1);
	assert_int_equal(core_key_number(UINT32_MAX), -1);
	assert_null(core_row(core_table("skx"), UINT32_MAX));
}

/* Memory operands occupy the units that a core names for them. */
TEST(test_units_of_memory_and_branches)
{
	for (unsigned c = 0; core_tables[c]; c++) {
		const struct core_table *core = core_tables[c];
		const struct core_row *load = core_row(core, KEY_OF("\x48\x8b\x03"));
		const struct core_row *store = core_row(core, KEY_OF("\x48\x89\x03"));
		const struct core_row *branch = core_row(core, KEY_OF("\x74\x00"));
		uint32_t loads = 0, stores = 0, branches = 0;

		for (unsigned i = 0; i < load->nuses; i++)
			loads |= load->uses[i].ports == core->loads;
		for (unsigned i = 0; i < store->nuses; i++)
			stores |= (store->uses[i].ports == core->store_addresses) |
				  (store->uses[i].ports == core->store_data) << 1;
		for (unsigned i = 0; i < branch->nuses; i++)
			branches |= branch->uses[i].ports == core->branches;
		if (!loads || stores != 3 || !branches)
			printf("%s\n", core->name);
		assert_true(loads);
		assert_int_equal(stores, 3);
		assert_true(branches);
	}
}

static void assert_keys_differ(const uint32_t *keys, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		for (unsigned j = 0; j < i; j++)
			assert_int_not_equal(keys[i], keys[j]);
}

TEST(test_keys_tell_forms_apart)
{
	const uint32_t adds[] = {
		KEY_OF("\x00\xd8"),         /* add al, bl */
		KEY_OF("\x00\xfc"),         /* add ah, bh */
		KEY_OF("\x66\x01\xd8"),     /* add ax, bx */
		KEY_OF("\x01\xd8"),         /* add eax, ebx */
		KEY_OF("\x48\x01\xd8"),     /* add rax, rbx */
		KEY_OF("\x03\x03"),         /* add eax, [rbx] */
		KEY_OF("\x01\x03"),         /* add [rbx], eax */
		KEY_OF("\xf0\x01\x03"),     /* lock add [rbx], eax */
		KEY_OF("\x83\xc0\x01"),     /* add eax, 1 */
		KEY_OF("\x83\x03\x01"),     /* add dword [rbx], 1 */
		KEY_OF("\x66\x83\x03\x01"), /* add word [rbx], 1 */
	};
	const uint32_t vectors[] = {
		KEY_OF("\x62\xf1\x74\x48\x58\xc2"), /* vaddps zmm0, zmm1, zmm2 */
		KEY_OF("\x62\xf1\x74\x49\x58\xc2"), /* vaddps zmm0{k1}, zmm1, zmm2 */
		KEY_OF("\x62\xf1\x74\xc9\x58\xc2"), /* vaddps zmm0{k1}{z}, zmm1, zmm2 */
		KEY_OF("\x62\xf1\x74\x48\x58\x03"), /* vaddps zmm0, zmm1, [rbx] */
		KEY_OF("\x62\xf1\x74\x58\x58\x03"), /* vaddps zmm0, zmm1, [rbx]{1to16} */
		KEY_OF("\x62\xf1\x74\x08\x58\xc2"), /* vaddps xmm0, xmm1, xmm2 (EVEX) */
		KEY_OF("\xc5\xf0\x58\xc2"),         /* vaddps xmm0, xmm1, xmm2 (VEX) */
		KEY_OF("\xc5\xf4\x58\xc2"),         /* vaddps ymm0, ymm1, ymm2 */
	};
	const uint32_t shifts[] = {
		KEY_OF("\xd1\xe0"),     /* shl eax, 1 */
		KEY_OF("\xc1\xe0\x05"), /* shl eax, 5 */
		KEY_OF("\xd3\xe0"),     /* shl eax, cl */
		KEY_OF("\xa4"),         /* movsb */
		KEY_OF("\xf3\xa4"),     /* rep movsb */
		KEY_OF("\x83\xd0\x00"), /* adc eax, 0 */
		KEY_OF("\x83\xd0\x05"), /* adc eax, 5 */
	};
	const uint32_t leas[] = {
		KEY_OF("\x48\x8d\x03"),             /* lea rax, [rbx] */
		KEY_OF("\x48\x8d\x04\x0b"),         /* lea rax, [rbx+rcx] */
		KEY_OF("\x48\x8d\x04\xcb"),         /* lea rax, [rbx+rcx*8] */
		KEY_OF("\x48\x8d\x44\x0b\x40"),     /* lea rax, [rbx+rcx+64] */
		KEY_OF("\x48\x8d\x05\0\0\0\0"),     /* lea rax, [rip] */
		KEY_OF("\x48\x8d\x04\xcd\0\0\0\0"), /* lea rax, [rcx*8] */
	};

	assert_keys_differ(adds, sizeof(adds) / sizeof(adds[0]));
	assert_keys_differ(vectors, sizeof(vectors) / sizeof(vectors[0]));
	assert_keys_differ(shifts, sizeof(shifts) / sizeof(shifts[0]));
	assert_keys_differ(leas, sizeof(leas) / sizeof(leas[0]));
}
