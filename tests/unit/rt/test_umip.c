// SPDX-License-Identifier: BSD-2-Clause
/* test_umip.c - the instructions that UMIP forbids: their forms, lengths and values. */
#include "linux/portable/umip.h"

#include <string.h>

#include "tests/unit/test.h"

static struct trap_frame regs = {
	.rax = 0x1000,
	.rcx = 0x20,
	.rbx = 0x3000,
	.rsp = 0x7000,
	.rbp = 0x8000,
	.r12 = 0xc000,
	.r13 = 0xd000,
	.r9 = 0x9,
	.rip = 0x400000,
};

static const struct row {
	uint8_t code[12];
	uint8_t n, length, bytes;
	uint64_t address;
	uint64_t value;  /* memory operand: the bytes after the limit */
	unsigned reg_at; /* offset in the frame, when it goes into a register */
} rows[] = {
	{{0x0f, 0x01, 0x00}, 3, 3, 10, 0x1000, 0xfffffffffffe0000, 0},
	{{0x0f, 0x01, 0x08}, 3, 3, 10, 0x1000, 0xffffffffffff0000, 0},
	{{0x0f, 0x01, 0x4b, 0xf0}, 4, 4, 10, 0x2ff0, 0xffffffffffff0000, 0},
	{{0x0f, 0x01, 0x04, 0x24}, 4, 4, 10, 0x7000, 0xfffffffffffe0000, 0},
	{{0x0f, 0x01, 0x84, 0x88, 0, 1, 0, 0}, 8, 8, 10, 0x1180, 0xfffffffffffe0000, 0},
	{{0x0f, 0x01, 0x0d, 0x10, 0, 0, 0}, 7, 7, 10, 0x400017, 0xffffffffffff0000, 0},
	{{0x0f, 0x01, 0x04, 0x25, 0x78, 0x56, 0x34, 0x12},
	 8,
	 8,
	 10,
	 0x12345678,
	 0xfffffffffffe0000,
	 0},
	{{0x43, 0x0f, 0x01, 0x44, 0x4c, 4}, 6, 6, 10, 0xc016, 0xfffffffffffe0000, 0},
	{{0x41, 0x0f, 0x01, 0x45, 0}, 5, 5, 10, 0xd000, 0xfffffffffffe0000, 0},
	{{0x0f, 0x01, 0xe0}, 3, 3, 4, 0, 0x33, offsetof(struct trap_frame, rax)},
	{{0x48, 0x0f, 0x01, 0xe1}, 4, 4, 8, 0, 0x33, offsetof(struct trap_frame, rcx)},
	{{0x66, 0x0f, 0x01, 0xe3}, 4, 4, 2, 0, 0x33, offsetof(struct trap_frame, rbx)},
	{{0x41, 0x0f, 0x00, 0xc5}, 4, 4, 4, 0, 0, offsetof(struct trap_frame, r13)},
	{{0x0f, 0x00, 0xc8}, 3, 3, 4, 0, 0, offsetof(struct trap_frame, rax)},
};

static void check_row(const struct row *row)
{
	struct umip_store s;
	uint64_t value;

	assert_true(umip_decode(row->code, row->n, &regs, &s));
	assert_int_equal(s.length, row->length);
	assert_int_equal(s.bytes, row->bytes);
	if (row->bytes < 10) {
		assert_ptr_equal(s.reg, (uint8_t *)&regs + row->reg_at);
		memcpy(&value, s.value, sizeof(value));
	} else {
		assert_null(s.reg);
		assert_int_equal(s.address, row->address);
		memcpy(&value, s.value + 2, sizeof(value));
	}
	assert_int_equal(value, row->value);
}

TEST(test_forms)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		check_row(&rows[i]);
}

TEST(test_cut_code_is_refused)
{
	struct umip_store s;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		for (uint8_t n = 0; n < rows[i].n; n++)
			assert_false(umip_decode(rows[i].code, n, &regs, &s));
}

/* LGDT, INVLPG, VMCALL, LLDT, HLT, MOV: UMIP does not concern them. */
TEST(test_others_are_refused)
{
	static const uint8_t others[][4] = {{0x0f, 0x01, 0x10},
					    {0x0f, 0x01, 0x38},
					    {0x0f, 0x01, 0xc1},
					    {0x0f, 0x00, 0xd0},
					    {0xf4},
					    {0x8b, 0x01}};
	struct umip_store s;

	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		assert_false(umip_decode(others[i], sizeof(others[i]), &regs, &s));
}
