// SPDX-License-Identifier: BSD-2-Clause
/* test_streams.c - instructions with kinds of operands: their parser, the chains and streams that
 * are made of them, and the operands' values. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/test.h"

#include "tools/bench/streams.h"

TEST(test_forms)
{
	static const struct {
		const char *text, *name, *template;
	} cases[] = {
		{"imul r64, r64", "IMUL (R64, R64)", "imul rbx, rdi"},
		{"IMUL (R64, R64)", "IMUL (R64, R64)", "IMUL rbx, rdi"},
		{"  add\tm32,r32 ", "ADD (M32, R32)", "add dword ptr [r14], ebx"},
		{"shl r16, 3", "SHL (R16, 3)", "shl bx, 3"},
		{"movzx r32, r8l", "MOVZX (R32, R8L)", "movzx ebx, dil"},
		{"vaddps ymm, ymm, ymm", "VADDPS (YMM, YMM, YMM)", "vaddps ymm1, ymm2, ymm3"},
		{"lock xadd m64, r64", "LOCK XADD (M64, R64)", "lock xadd qword ptr [r14], rbx"},
		{"lea r64, m", "LEA (R64, M)", "lea rbx, [r14]"},
		{"add r64, i32", "ADD (R64, I32)", "add rbx, 0x10000002"},
		{"mov r64, [r14 + 8, r]", NULL, NULL},
		{"cpuid", "CPUID", "cpuid"},
	};
	struct reason why;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]) && cases[i].name; i++) {
		struct form form;
		struct buf text = {0};

		assert_int_equal(
			form_read(&form, cases[i].text, strlen(cases[i].text), NULL, 1, &why), 0);
		assert_string_equal(form.name, cases[i].name);
		streams_template(&text, &form);
		assert_string_equal(buf_text(&text), cases[i].template);
		buf_free(&text);
		form_free(&form);
	}
}

TEST(test_mistakes)
{
	static const struct {
		const char *text, *place, *why;
	} cases[] = {
		{"", NULL, "'': column 1: an instruction is missing"},
		{"add r64,", NULL, "'add r64,': column 9: an operand is missing"},
		{"add r64,,r64", NULL, "'add r64,,r64': column 9: an operand is missing"},
		{"add (r64", NULL, "'add (r64': column 5: its ) is missing"},
		{"a; b", NULL, "'a; b': column 2: one instruction at a time"},
		{" nop;", "list:7", "list:7:5: one instruction at a time"},
		{"add r1,r2,r3,r4,r5", NULL, "'add r1,r2,r3,r4,r5': column 5: 'r1' is neither a "},
		{"lock", NULL, NULL},
	};
	struct reason why;

	for (size_t i = 0; cases[i].why; i++) {
		struct form form;

		assert_int_equal(form_read(&form, cases[i].text, strlen(cases[i].text),
					   cases[i].place, 1, &why),
				 -EINVAL);
		assert_memory_equal(why.text, cases[i].why, strlen(cases[i].why));
		form_free(&form);
	}
}

/* --- Pieces --- */

struct wanted {
	enum bench_role role;
	unsigned each;
	const char *detail, *code; /* `code` NULL: any */
};

static void check_pieces(const char *text, const void *code, size_t bytes,
			 const struct wanted *wanted, size_t nwanted)
{
	struct piece *pieces;
	struct shape shape;
	struct form form;
	struct reason why;
	size_t n = 0;

	assert_int_equal(form_read(&form, text, strlen(text), NULL, 1, &why), 0);
	assert_int_equal(shape_decode(&shape, &form, code, bytes), 0);
	pieces = streams_make(NULL, &n, &form, &shape);
	for (size_t i = 0; i < n; i++) {
		assert_true(i < nwanted);
		assert_int_equal(pieces[i].role, wanted[i].role);
		assert_int_equal(pieces[i].each, wanted[i].each);
		assert_string_equal(buf_text(&pieces[i].detail), wanted[i].detail);
		if (wanted[i].code)
			assert_string_equal(buf_text(&pieces[i].code), wanted[i].code);
		piece_free(&pieces[i]);
	}
	assert_int_equal(n, nwanted);
	free(pieces);
	form_free(&form);
}

#define CHECK(text, code, ...)                                                           \
	check_pieces(text, code, sizeof(code) - 1, (const struct wanted[]){__VA_ARGS__}, \
		     sizeof((const struct wanted[]){__VA_ARGS__}) / sizeof(struct wanted))

TEST(test_chains)
{
	CHECK("imul r64, r64", "\x48\x0f\xaf\xdf", {BENCH_CHAIN, 1, "1;1", "imul rbx, r15\n"},
	      {BENCH_CHAIN, 2, "2;1", "imul rbx, rdi\nimul rdi, rbx\n"},
	      {BENCH_STREAM, 11, "", NULL});
	CHECK("mov r64, m64", "\x48\x8b\x1f",
	      {BENCH_CHAIN, 1, "2a;1", "mov rbx, qword ptr [rbx]\n"}, {BENCH_STREAM, 11, "", NULL});
	CHECK("popcnt r64, m64", "\xf3\x48\x0f\xb8\x1f",
	      {BENCH_CHAIN_WITH, 1, "2a;1",
	       "popcnt rbx, qword ptr [r14+rsi]\nmov esi, ebx\nand esi, 0\n"},
	      {BENCH_STREAM, 11, "", NULL});
	CHECK("adc r64, r64", "\x48\x11\xfb",
	      {BENCH_CHAIN, 1, "1;1", "adc rbx, r15\ntest r12, r12\n"},
	      {BENCH_CHAIN, 2, "2;1", "adc rbx, rdi\ntest r12, r12\nadc rdi, rbx\ntest r12, r12\n"},
	      {BENCH_CHAIN, 11, "flags;flags", NULL}, {BENCH_STREAM, 11, "", NULL},
	      {BENCH_STREAM_WITH, 4, "", NULL});
	CHECK("vaddps ymm, ymm, ymm", "\xc5\xec\x58\xcb",
	      {BENCH_CHAIN, 2, "2;1", "vaddps ymm1, ymm2, ymm14\nvaddps ymm2, ymm1, ymm14\n"},
	      {BENCH_CHAIN, 2, "3;1", "vaddps ymm1, ymm15, ymm2\nvaddps ymm2, ymm15, ymm1\n"},
	      {BENCH_STREAM, 12, "", NULL});
	CHECK("div r64", "\x48\xf7\xf3", {BENCH_CHAIN, 1, "RAX,RDX", "div r15\n"},
	      {BENCH_STREAM, 12, "", NULL},
	      {BENCH_STREAM_WITH, 4, "",
	       "mov rax, r11\nmov rdx, r10\ndiv r15\nmov rax, r11\nmov rdx, r10\ndiv r15\n"
	       "mov rax, r11\nmov rdx, r10\ndiv r15\nmov rax, r11\nmov rdx, r10\ndiv r15\n"});
	CHECK("add m64, r64", "\x48\x01\x1f", {BENCH_CHAIN, 1, "1;1", "add qword ptr [r14], r15\n"},
	      {BENCH_CHAIN_WITH, 1, "2;1", "add qword ptr [r14], rbx\nmov rbx, [r14]\n"},
	      {BENCH_STREAM, 12, "", NULL});
	CHECK("movq r64, xmm", "\x66\x48\x0f\x7e\xcb",
	      {BENCH_CHAIN_WITH, 1, "2;1", "movq rbx, xmm1\nmovq xmm1, rbx\n"},
	      {BENCH_STREAM, 11, "", NULL});
	CHECK("xchg r64, r64", "\x48\x87\xdf", {BENCH_CHAIN, 1, "1;1", NULL},
	      {BENCH_CHAIN, 2, "2;1", NULL}, {BENCH_CHAIN, 2, "1;2", NULL},
	      {BENCH_CHAIN, 1, "2;2", NULL}, {BENCH_STREAM, 5, "", NULL});
}

/* --- Values --- */

static uint64_t immediate_of(const char *init, const char *mov)
{
	const char *at = NULL, *next = init;

	while ((next = strstr(next, mov)))
		at = next += strlen(mov);
	assert_non_null(at);
	return strtoull(at, NULL, 16);
}

/* The quotient and the remainder form the dividend again, so that divisions can repeat. */
TEST(test_divisions)
{
	static const struct {
		const char *text, *code;
		unsigned bits;
	} cases[] = {{"div r64", "\x48\xf7\xf3", 64},
		     {"idiv r32", "\xf7\xfb", 32},
		     {"div r16", "\x66\xf7\xf3", 16},
		     {"idiv r8", "\xf6\xfb", 8}};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const unsigned bits = cases[i].bits;
		unsigned __int128 dividend;
		uint64_t high, low, divisor;
		struct buf init = {0};
		struct shape shape;
		struct form form;
		struct reason why;

		assert_int_equal(
			form_read(&form, cases[i].text, strlen(cases[i].text), NULL, 1, &why), 0);
		assert_int_equal(shape_decode(&shape, &form, (const uint8_t *)cases[i].code, 3), 0);
		streams_init(&init, &form, &shape);
		high = immediate_of(buf_text(&init), "movabs rdx, ");
		low = immediate_of(buf_text(&init), "movabs rax, ");
		divisor = immediate_of(buf_text(&init), "movabs r15, ");
		if (bits == 8) {
			high = low >> 8;
			low &= 0xff;
		}
		dividend = ((unsigned __int128)high << bits) + low;
		assert_true(high < divisor && low >> (bits - 1) == 0 && divisor >> (bits - 1) == 0);
		assert_true(dividend / divisor == low && dividend % divisor == high);
		buf_free(&init);
		form_free(&form);
	}
}
