// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_op_decoder.c - vpmu/model/op_decoder.h: instructions encoded by the assembler, and the
 * expected report about each.
 */
#include "lib/insn_decode.h"
#include "vpmu/model/op_decoder.h"

#include <stdio.h>
#include <string.h>

#include "tests/unit/test.h"

/* X(name, instruction, load, store, bytes, address) - an instruction with a memory operand; bytes
 * 0: it has none. Registers hold the values of `regs` below. */
#define AT(n)     (0x1000ull * ((n) + 1))
#define FS        0x700000ull
#define RIP       0x401000ull
#define END_OF(n) ((uint64_t)(n##_end - n))
#define INSNS(X)                                                                      \
	X(mov_load, "mov (%rbx), %rax", 1, 0, 8, AT(3))                               \
	X(mov_load4, "mov 8(%rbx,%rcx,4), %eax", 1, 0, 4, AT(3) + 4 * AT(1) + 8)      \
	X(mov_load2, "mov -2(%r9), %ax", 1, 0, 2, AT(9) - 2)                          \
	X(mov_load1, "mov 0x12345(%r13), %al", 1, 0, 1, AT(13) + 0x12345)             \
	X(mov_base_r12, "mov (%r12), %eax", 1, 0, 4, AT(12))                          \
	X(mov_base_r13, "mov (%r13,%r14,2), %rax", 1, 0, 8, AT(13) + 2 * AT(14))      \
	X(mov_no_base, "mov 0x100(,%rdx,8), %rax", 1, 0, 8, 8 * AT(2) + 0x100)        \
	X(mov_absolute, "mov 0x2000, %eax", 1, 0, 4, 0x2000)                          \
	X(mov_moffs, "movabs 0x1122334455667788, %rax", 1, 0, 8, 0x1122334455667788)  \
	X(mov_fs, "mov %fs:0x28, %rax", 1, 0, 8, FS + 0x28)                           \
	X(mov_addr32, "mov 4(%edi), %eax", 1, 0, 4, AT(7) + 4)                        \
	X(mov_store, "mov %r15, (%rsp)", 0, 1, 8, AT(4))                              \
	X(mov_store_imm, "movl $5, 4(%rsp)", 0, 1, 4, AT(4) + 4)                      \
	X(mov_store_imm1, "movb $5, (%r8)", 0, 1, 1, AT(8))                           \
	X(mov_rip, "mov 0x10(%rip), %rax", 1, 0, 8, RIP + END_OF(mov_rip) + 0x10)     \
	X(movl_rip_imm, "movl $1, -8(%rip)", 0, 1, 4, RIP + END_OF(movl_rip_imm) - 8) \
	X(mov_regs, "mov %rbx, %rax", 0, 0, 0, 0)                                     \
	X(lea, "lea 8(%rbx), %rax", 0, 0, 0, 0)                                       \
	X(nop, "nopw 8(%rax)", 0, 0, 0, 0)                                            \
	X(add_to, "add %eax, (%rsi)", 1, 1, 4, AT(6))                                 \
	X(add_from, "add (%rsi), %eax", 1, 0, 4, AT(6))                               \
	X(add_imm, "addq $1, (%rsi)", 1, 1, 8, AT(6))                                 \
	X(cmp_to, "cmp %al, (%rsi)", 1, 0, 1, AT(6))                                  \
	X(cmp_imm, "cmpl $1000, (%rsi)", 1, 0, 4, AT(6))                              \
	X(cmp_imm1, "cmpb $1, (%rsi)", 1, 0, 1, AT(6))                                \
	X(test_imm, "testl $1, (%rsi)", 1, 0, 4, AT(6))                               \
	X(not_, "notq (%rsi)", 1, 1, 8, AT(6))                                        \
	X(div_, "divl (%rsi)", 1, 0, 4, AT(6))                                        \
	X(inc_, "lock incl (%rsi)", 1, 1, 4, AT(6))                                   \
	X(shl_, "shlb $3, (%rsi)", 1, 1, 1, AT(6))                                    \
	X(sar_cl, "sarq %cl, (%rsi)", 1, 1, 8, AT(6))                                 \
	X(imul3, "imul $10, (%rsi), %eax", 1, 0, 4, AT(6))                            \
	X(imul2, "imul (%rsi), %rax", 1, 0, 8, AT(6))                                 \
	X(movzx1, "movzbl (%rsi), %eax", 1, 0, 1, AT(6))                              \
	X(movsx2, "movswq (%rsi), %rax", 1, 0, 2, AT(6))                              \
	X(movsxd, "movslq (%rsi), %rax", 1, 0, 4, AT(6))                              \
	X(cmov, "cmovne (%rsi), %rax", 1, 0, 8, AT(6))                                \
	X(setcc, "sete (%rsi)", 0, 1, 1, AT(6))                                       \
	X(bt_imm, "btl $3, (%rsi)", 1, 0, 4, AT(6))                                   \
	X(bts_imm, "btsl $3, (%rsi)", 1, 1, 4, AT(6))                                 \
	X(cmpxchg, "lock cmpxchg %rbx, (%rsi)", 1, 1, 8, AT(6))                       \
	X(xadd, "lock xadd %ebx, (%rsi)", 1, 1, 4, AT(6))                             \
	X(xchg, "xchg %ebx, (%rsi)", 1, 1, 4, AT(6))                                  \
	X(push, "push %rbx", 0, 1, 8, AT(4) - 8)                                      \
	X(push_r15, "push %r15", 0, 1, 8, AT(4) - 8)                                  \
	X(push_imm, "push $100", 0, 1, 8, AT(4) - 8)                                  \
	X(push_mem, "push (%rbx)", 1, 0, 8, AT(3))                                    \
	X(pop, "pop %rbx", 1, 0, 8, AT(4))                                            \
	X(pushf_, "pushf", 0, 1, 8, AT(4) - 8)                                        \
	X(leave_, "leave", 1, 0, 8, AT(5))                                            \
	X(stosb_, "rep stosb", 0, 1, 1, AT(7))                                        \
	X(stosq_, "rep stosq", 0, 1, 8, AT(7))                                        \
	X(movsq_, "movsq", 1, 0, 8, AT(6))                                            \
	X(scasb_, "repne scasb", 1, 0, 1, AT(7))                                      \
	X(lodsl_, "lodsl", 1, 0, 4, AT(6))                                            \
	X(cpuid_, "cpuid", 0, 0, 0, 0)                                                \
	X(vector, "movups (%rsi), %xmm0", 0, 0, 0, 0)

/* Branches: B(name, instruction, load, store, returns). */
#define BRANCHES(B)                                  \
	B(jmp_short, "jmp . + 0x10", 0, 0, 0)        \
	B(jmp_near, "jmp . + 0x1000", 0, 0, 0)       \
	B(jne_short, "jne . + 0x10", 0, 0, 0)        \
	B(jne_near, "jne . + 0x1000", 0, 0, 0)       \
	B(loop_, "loop . - 0x10", 0, 0, 0)           \
	B(call, "call . + 0x1000", 0, 1, 0)          \
	B(call_reg, "call *%rax", 0, 0, 0)           \
	B(call_mem, "call *8(%rbx)", 1, 0, 0)        \
	B(jmp_reg, "jmp *%r11", 0, 0, 0)             \
	B(jmp_table, "jmp *0x100(,%rcx,8)", 1, 0, 0) \
	B(jmp_rip, "jmp *0x20(%rip)", 1, 0, 0)       \
	B(ret_, "ret", 1, 0, 1)                      \
	B(ret_imm, "ret $16", 1, 0, 1)

#define ASSEMBLE(name, text)                                                               \
	__asm__(".pushsection .rodata\n" #name ": " text "\n" #name "_end:\n.popsection"); \
	extern const uint8_t name[], name##_end[];
#define ASSEMBLE_X(name, text, load, store, bytes, address) ASSEMBLE(name, text)
#define ASSEMBLE_B(name, text, load, store, returns)        ASSEMBLE(name, text)
INSNS(ASSEMBLE_X)
BRANCHES(ASSEMBLE_B)

static const struct op_registers regs = {
	.rip = RIP,
	.gpr = {AT(0), AT(1), AT(2), AT(3), AT(4), AT(5), AT(6), AT(7), AT(8), AT(9), AT(10),
		AT(11), AT(12), AT(13), AT(14), AT(15)},
	.fs_base = FS,
};

static void check_operand(const char *text, const uint8_t *code, size_t n, bool load, bool store,
			  uint8_t bytes, uint64_t address)
{
	struct op_decoder w;

	op_decode(&w, code, n, &regs);
	op_completed(&w, RIP + n);
	if (w.op.load != load || w.op.store != store || w.op.bytes != bytes ||
	    w.op.has_linear != !!bytes || (bytes && w.op.linear != address) || w.op.branch)
		fail_msg("%s: load %d store %d, %d bytes at %#lx, wanted %d %d, %d at %#lx", text,
			 w.op.load, w.op.store, w.op.bytes, (unsigned long)w.op.linear, load, store,
			 bytes, (unsigned long)address);
	assert_int_equal(w.op.rip, RIP);
}

TEST(test_memory_operands)
{
#define CHECK_X(name, text, load, store, bytes, address) \
	check_operand(text, name, END_OF(name), load, store, bytes, address);
	INSNS(CHECK_X)
}

static void check_branch(const char *text, const uint8_t *code, size_t n, bool load, bool store,
			 bool returns)
{
	const uint64_t away = 0x402000;
	struct op_decoder w;

	op_decode(&w, code, n, &regs);
	if (!w.op.branch || w.op.load != load || w.op.store != store || w.op.returns != returns)
		fail_msg("%s: branch %d, load %d, store %d, return %d", text, w.op.branch,
			 w.op.load, w.op.store, w.op.returns);
	op_completed(&w, RIP + n);
	if (w.op.taken)
		fail_msg("%s: %zu bytes long, and taken for longer or shorter", text, n);
	op_decode(&w, code, n, &regs);
	op_completed(&w, away);
	assert_true(w.op.taken);
	assert_int_equal(w.op.target, away);
}

TEST(test_branches)
{
#define CHECK_B(name, text, load, store, returns) \
	check_branch(text, name, END_OF(name), load, store, returns);
	BRANCHES(CHECK_B)
}

/* A branch through memory relative to RIP: its operand does not depend on its target. */
TEST(test_operand_of_a_branch)
{
	struct op_decoder w;

	op_decode(&w, jmp_rip, END_OF(jmp_rip), &regs);
	op_completed(&w, 0x402000);
	assert_int_equal(w.op.linear, RIP + END_OF(jmp_rip) + 0x20);
}

/* For any number of any bytes nothing is read beyond the end. */
TEST(test_any_bytes)
{
	uint64_t seed = 1;

	for (unsigned i = 0; i < 200000; i++) {
		uint8_t code[INSN_MAX_BYTES] = {0}, *exact;
		size_t n = i % (sizeof(code) + 1);
		struct op_decoder w;

		for (size_t k = 0; k < n; k++) {
			seed = seed * 6364136223846793005ull + 1442695040888963407ull;
			code[k] = (uint8_t)(seed >> 56);
		}
		exact = test_malloc(n ? n : 1);
		memcpy(exact, code, n);
		op_decode(&w, exact, n, &regs);
		op_completed(&w, RIP + n);
		assert_true(w.op.bytes <= 8);
		test_free(exact);
	}
}
