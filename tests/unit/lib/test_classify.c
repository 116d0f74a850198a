// SPDX-License-Identifier: BSD-2-Clause
/* test_classify.c - kinds of instructions: each as the assembler encodes it, whole and cut. */
#include "lib/classify.h"
#include "lib/insn_decode.h"

#include <stdlib.h>
#include <string.h>

#include "tests/unit/test.h"

#define SAVES (1 << 0)
#define LOADS (1 << 1)
#define HOLDS (1 << 2)

static const struct row {
	const char *text;
	uint8_t code[INSN_MAX_BYTES];
	uint8_t bytes;
	enum insn_kind kind;
	unsigned flags;
	uint8_t flags_size;
} rows[] = {
	{"jne .", {0x75, 0xfe}, 2, INSN_JCC, 0, 0},
	{"jo far away", {0x0f, 0x80, 1, 2, 3, 4}, 6, INSN_JCC, 0, 0},
	{"jg, predicted", {0x3e, 0x7f, 0x10}, 3, INSN_JCC, 0, 0},
	{"bnd jle", {0xf2, 0x0f, 0x8e, 0, 0, 0, 0}, 7, INSN_JCC, 0, 0},
	{"loop", {0xe2, 0x05}, 2, INSN_JCC, 0, 0},
	{"jecxz", {0x67, 0xe3, 0x05}, 3, INSN_JCC, 0, 0},
	{"jmp short", {0xeb, 0x05}, 2, INSN_PLAIN, 0, 0},
	{"jmp", {0xe9, 0, 0, 0, 0}, 5, INSN_PLAIN, 0, 0},
	{"call", {0xe8, 0, 0, 0, 0}, 5, INSN_PLAIN, 0, 0},
	{"ret", {0xc3}, 1, INSN_INDIRECT, 0, 0},
	{"rep ret", {0xf3, 0xc3}, 2, INSN_INDIRECT, 0, 0},
	{"ret 8", {0xc2, 8, 0}, 3, INSN_INDIRECT, 0, 0},
	{"call *%rax", {0xff, 0xd0}, 2, INSN_INDIRECT, 0, 0},
	{"jmp *%r11", {0x41, 0xff, 0xe3}, 3, INSN_INDIRECT, 0, 0},
	{"notrack jmp *%rdx", {0x3e, 0xff, 0xe2}, 3, INSN_INDIRECT, 0, 0},
	{"call *8(%rax)", {0xff, 0x50, 8}, 3, INSN_INDIRECT, 0, 0},
	{"jmp *x(%rip)", {0xff, 0x25, 1, 2, 3, 4}, 6, INSN_INDIRECT, 0, 0},
	{"jmp *x(,%rax,8)", {0xff, 0x24, 0xc5, 1, 2, 3, 4}, 7, INSN_INDIRECT, 0, 0},
	{"jmp *(%rbx,%rax,8)", {0xff, 0x24, 0xc3}, 3, INSN_INDIRECT, 0, 0},
	{"call *x(%rsp)", {0xff, 0x94, 0x24, 1, 2, 3, 4}, 7, INSN_INDIRECT, 0, 0},
	{"lcall *(%rax)", {0xff, 0x18}, 2, INSN_FAR, 0, 0},
	{"ljmp *(%rax)", {0xff, 0x28}, 2, INSN_FAR, 0, 0},
	{"inc %eax", {0xff, 0xc0}, 2, INSN_PLAIN, 0, 0},
	{"push *(%rax)", {0xff, 0x30}, 2, INSN_PLAIN, 0, 0},
	{"lret", {0xcb}, 1, INSN_FAR, 0, 0},
	{"lretq 16", {0x48, 0xca, 16, 0}, 4, INSN_FAR, 0, 0},
	{"iretq", {0x48, 0xcf}, 2, INSN_FAR, LOADS, 0},
	{"syscall", {0x0f, 0x05}, 2, INSN_ENTER, 0, 0},
	{"sysenter", {0x0f, 0x34}, 2, INSN_ENTER, 0, 0},
	{"int3", {0xcc}, 1, INSN_ENTER, 0, 0},
	{"int 3, the long way", {0xcd, 3}, 2, INSN_ENTER, 0, 0},
	{"int1", {0xf1}, 1, INSN_ENTER, 0, 0},
	{"pushfq", {0x9c}, 1, INSN_PLAIN, SAVES, 8},
	{"pushfw", {0x66, 0x9c}, 2, INSN_PLAIN, SAVES, 2},
	{"popfq", {0x9d}, 1, INSN_PLAIN, LOADS, 0},
	{"mov %eax, %ss", {0x8e, 0xd0}, 2, INSN_PLAIN, HOLDS, 0},
	{"mov 8(%rsp), %ss", {0x8e, 0x54, 0x24, 8}, 4, INSN_PLAIN, HOLDS, 0},
	{"mov x(%rip), %ss", {0x8e, 0x15, 1, 2, 3, 4}, 6, INSN_PLAIN, HOLDS, 0},
	{"mov %eax, %ds", {0x8e, 0xd8}, 2, INSN_PLAIN, 0, 0},
	{"nop", {0x90}, 1, INSN_PLAIN, 0, 0},
	{"rep movsb", {0xf3, 0xa4}, 2, INSN_PLAIN, 0, 0},
	{"mov $0x75, %al: no branch in it", {0xb0, 0x75}, 2, INSN_PLAIN, 0, 0},
	{"endbr64", {0xf3, 0x0f, 0x1e, 0xfa}, 4, INSN_PLAIN, 0, 0},
};

static struct insn_flow classify(const struct row *r, size_t n)
{
	/* Copies the code to the end of its memory, so that the sanitizer sees a read beyond it. */
	uint8_t *exact = malloc(n ? n : 1);
	struct insn_flow insn;

	memcpy(exact, r->code, n);
	insn = insn_classify(exact, n);
	free(exact);
	return insn;
}

TEST(test_kinds)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct row *r = &rows[i];
		const struct insn_flow insn = classify(r, r->bytes);
		const unsigned flags = (insn.saves_flags ? SAVES : 0) |
				       (insn.loads_flags ? LOADS : 0) |
				       (insn.holds_traps ? HOLDS : 0);

		if (insn.kind != r->kind || insn.length != r->bytes || flags != r->flags ||
		    insn.flags_size != r->flags_size)
			fail_msg("%s: kind %u length %u flags %u size %u", r->text, insn.kind,
				 insn.length, flags, insn.flags_size);
	}
}

/* A cut branch might be another instruction. */
TEST(test_cut_off)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		for (size_t n = 0; n < rows[i].bytes; n++)
			if (classify(&rows[i], n).kind != INSN_PLAIN)
				fail_msg("%s: known by %zu bytes", rows[i].text, n);
}

/* More prefixes than an instruction can have. */
TEST(test_nothing_but_prefixes)
{
	uint8_t code[64];

	memset(code, 0x66, sizeof(code));
	code[INSN_MAX_BYTES] = 0xc3;
	assert_int_equal(insn_classify(code, sizeof(code)).kind, INSN_PLAIN);
	code[INSN_MAX_BYTES - 1] = 0xc3;
	assert_int_equal(insn_classify(code, sizeof(code)).kind, INSN_INDIRECT);
}
