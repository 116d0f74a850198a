// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_decode.c - the counts of an instruction (vpmu/plugin/insn_counts.h): an instruction of each
 * class, encoded by the assembler; and random encodings, compared with capstone and with the
 * project's lib/classify.h and vpmu/model/op_decoder.h.
 */
#include "lib/classify.h"
#include "lib/insn_decode.h"
#include "tests/unit/micro/core.h"
#include "vpmu/model/op_decoder.h"
#include "vpmu/plugin/insn_counts.h"

#include <Zydis/Zydis.h>
#include <capstone/capstone.h>
#include <stdio.h>

#include "tests/unit/test.h"

#define LD                      \
	{                       \
		EVENTS_LOADS, 1 \
	}
#define ST                       \
	{                        \
		EVENTS_STORES, 1 \
	}
#define LOCK                     \
	{                        \
		EVENTS_LOCKED, 1 \
	}
#define BR                         \
	{                          \
		EVENTS_BRANCHES, 1 \
	}
#define N(e)                  \
	{                     \
		EVENTS_##e, 1 \
	}
#define M(e, n)               \
	{                     \
		EVENTS_##e, n \
	}

/* X(name, instruction, branch, retires, counts that are not 0...) */
#define INSNS(X)                                                                                  \
	X(mov, "mov %rax, %rbx", NONE, SURELY, {0})                                               \
	X(mov_load, "mov (%rbx), %rax", NONE, BY_ACCESS, LD)                                      \
	X(mov_store, "mov %rax, (%rbx)", NONE, BY_ACCESS, ST)                                     \
	X(movs_load, "movsbl (%rbx), %eax", NONE, BY_ACCESS, LD)                                  \
	X(mov_fs, "mov %fs:0x28, %rax", NONE, BY_ACCESS, LD)                                      \
	X(mov_seg, "mov %eax, %ds", NONE, NEXT, {0})                                              \
	X(lea, "lea 8(%rbx), %rax", NONE, SURELY, {0})                                            \
	X(nopw, "nopw 8(%rbx)", NONE, SURELY, {0})                                                \
	X(add_to, "add %eax, (%rbx)", NONE, FIRST_WRITE, LD, ST)                                  \
	X(cmp_to, "cmp %eax, (%rbx)", NONE, BY_ACCESS, LD)                                        \
	X(setcc, "sete (%rbx)", NONE, BY_ACCESS, ST)                                              \
	X(push, "push %rax", NONE, BY_ACCESS, ST)                                                 \
	X(pop, "pop %rax", NONE, BY_ACCESS, LD)                                                   \
	X(push_mem, "push (%rax)", NONE, FIRST_WRITE, LD, ST)                                     \
	X(leave_, "leave", NONE, BY_ACCESS, LD)                                                   \
	X(lock_inc, "lock incl (%rbx)", NONE, FIRST_WRITE, LD, ST, LOCK)                          \
	X(xchg_mem, "xchg %eax, (%rbx)", NONE, FIRST_WRITE, LD, ST, LOCK)                         \
	X(xchg_reg, "xchg %ecx, %ebx", NONE, SURELY, {0})                                         \
	X(cmpxchg, "lock cmpxchg %rcx, (%rbx)", NONE, FIRST_WRITE, LD, ST, LOCK)                  \
	X(cmpxchg16, "lock cmpxchg16b (%rbx)", NONE, FIRST_WRITE, LD, ST, LOCK)                   \
	X(div32, "div %ecx", NONE, NEXT, N(DIVIDES))                                              \
	X(div64, "idivq (%rbx)", NONE, BY_ACCESS, N(DIVIDES), LD)                                 \
	X(mul, "imul %rcx, %rdx", NONE, SURELY, {0})                                              \
	X(movsb, "movsb", NONE, FIRST_WRITE, LD, ST)                                              \
	X(rep_movsq, "rep movsq", NONE, FIRST_WRITE, LD, ST, N(REP_ITERATIONS))                   \
	X(rep_stosb, "rep stosb", NONE, BY_ACCESS, ST, N(REP_ITERATIONS))                         \
	X(repne_scasb, "repne scasb", NONE, BY_ACCESS, LD, N(REP_ITERATIONS))                     \
	X(je, "je .+100", CONDITIONAL, SURELY, BR, N(CONDITIONAL))                                \
	X(jne_far, "jne .+100000", CONDITIONAL, SURELY, BR, N(CONDITIONAL))                       \
	X(loop, "loop .+10", CONDITIONAL, SURELY, BR, N(CONDITIONAL))                             \
	X(jrcxz, "jrcxz .+10", CONDITIONAL, SURELY, BR, N(CONDITIONAL))                           \
	X(jmp, "jmp .+100", JUMP, SURELY, BR)                                                     \
	X(jmp_reg, "jmp *%rax", INDIRECT_JUMP, SURELY, BR, N(INDIRECT_JUMPS))                     \
	X(jmp_mem, "jmp *(%rax)", INDIRECT_JUMP, BY_ACCESS, BR, N(INDIRECT_JUMPS), LD)            \
	X(call, "call .+100", CALL, BY_ACCESS, BR, N(CALLS), ST)                                  \
	X(call_reg, "call *%rax", INDIRECT_CALL, BY_ACCESS, BR, N(CALLS), N(INDIRECT_CALLS), ST)  \
	X(call_mem, "call *(%rax)", INDIRECT_CALL, FIRST_WRITE, BR, N(CALLS), N(INDIRECT_CALLS),  \
	  LD, ST)                                                                                 \
	X(ret, "ret", RETURN, BY_ACCESS, BR, N(RETURNS), LD)                                      \
	X(ret_n, "ret $8", RETURN, BY_ACCESS, BR, N(RETURNS), LD)                                 \
	X(lret, "lretl", FAR, NEXT, BR, N(FAR_BRANCHES))                                          \
	X(iretq, "iretq", FAR, NEXT, BR, N(FAR_BRANCHES))                                         \
	X(int3, "int3", FAR, NEXT, BR, N(FAR_BRANCHES))                                           \
	X(int_n, "int $0x80", FAR, NEXT, BR, N(FAR_BRANCHES))                                     \
	X(syscall, "syscall", FAR, NEXT, BR, N(FAR_BRANCHES), N(SYSCALLS))                        \
	X(sysret, "sysretq", FAR, NEXT, BR, N(FAR_BRANCHES))                                      \
	X(cpuid, "cpuid", NONE, NEXT, {0})                                                        \
	X(ud2, "ud2", NONE, NEXT, {0})                                                            \
	X(hlt, "hlt", NONE, NEXT, {0})                                                            \
	X(rdmsr, "rdmsr", NONE, NEXT, {0})                                                        \
	X(mov_cr3, "mov %rax, %cr3", NONE, NEXT, {0})                                             \
	X(invlpg, "invlpg (%rax)", NONE, NEXT, {0})                                               \
	X(clflush, "clflush (%rax)", NONE, NEXT, {0})                                             \
	X(prefetch, "prefetcht0 (%rax)", NONE, NEXT, {0})                                         \
	X(fadd, "fadd %st(1), %st", NONE, NEXT, N(X87))                                           \
	X(fadd_mem, "faddl (%rax)", NONE, BY_ACCESS, N(X87), LD)                                  \
	X(fsin, "fsin", NONE, NEXT, N(X87))                                                       \
	X(fld, "fldl (%rax)", NONE, BY_ACCESS, LD)                                                \
	X(fstpt, "fstpt (%rax)", NONE, FIRST_WRITE, ST)                                           \
	X(addss, "addss %xmm1, %xmm2", NONE, NEXT, N(FP_SCALAR_SINGLE), N(FLOPS_ADD_SUB))         \
	X(mulsd_mem, "mulsd (%rax), %xmm2", NONE, BY_ACCESS, LD, N(FP_SCALAR_DOUBLE),             \
	  N(FLOPS_MULTIPLY))                                                                      \
	X(divsd, "divsd %xmm1, %xmm2", NONE, NEXT, N(FP_SCALAR_DOUBLE), N(FLOPS_DIVIDE))          \
	X(addps, "addps %xmm1, %xmm2", NONE, NEXT, N(FP_128_SINGLE), M(FLOPS_ADD_SUB, 4))         \
	X(subpd, "subpd %xmm1, %xmm2", NONE, NEXT, N(FP_128_DOUBLE), M(FLOPS_ADD_SUB, 2))         \
	X(haddpd, "haddpd %xmm1, %xmm2", NONE, NEXT, N(FP_128_DOUBLE), M(FLOPS_ADD_SUB, 2))       \
	X(dpps, "dpps $255, %xmm1, %xmm2", NONE, NEXT, M(FP_128_SINGLE, 2), M(FLOPS_ADD_SUB, 4),  \
	  M(FLOPS_MULTIPLY, 4))                                                                   \
	X(maxps, "maxps %xmm1, %xmm2", NONE, NEXT, N(FP_128_SINGLE))                              \
	X(vaddps256, "vaddps %ymm1, %ymm2, %ymm3", NONE, NEXT, N(FP_256_SINGLE),                  \
	  M(FLOPS_ADD_SUB, 8))                                                                    \
	X(vmulpd_mem, "vmulpd (%rax), %ymm2, %ymm3", NONE, FIRST_READ, LD, N(FP_256_DOUBLE),      \
	  M(FLOPS_MULTIPLY, 4))                                                                   \
	X(vfma128, "vfmadd231pd %xmm1, %xmm2, %xmm3", NONE, NEXT, M(FP_128_DOUBLE, 2),            \
	  M(FLOPS_FMA, 4))                                                                        \
	X(vfma256, "vfnmsub132ps %ymm1, %ymm2, %ymm3", NONE, NEXT, M(FP_256_SINGLE, 2),           \
	  M(FLOPS_FMA, 16))                                                                       \
	X(vfmass, "vfmadd213ss %xmm1, %xmm2, %xmm3", NONE, NEXT, M(FP_SCALAR_SINGLE, 2),          \
	  M(FLOPS_FMA, 2))                                                                        \
	X(vaddpd512, "vaddpd %zmm1, %zmm2, %zmm3", NONE, NEXT, N(FP_512_DOUBLE),                  \
	  M(FLOPS_ADD_SUB, 8))                                                                    \
	X(vmulps512, "vmulps %zmm1, %zmm2, %zmm3{%k1}", NONE, NEXT, N(FP_512_SINGLE),             \
	  M(FLOPS_MULTIPLY, 16))                                                                  \
	X(vfma512, "vfmadd213pd (%rax), %zmm2, %zmm3", NONE, FIRST_READ, LD, M(FP_512_DOUBLE, 2), \
	  M(FLOPS_FMA, 16))                                                                       \
	X(vdivpd512, "vdivpd %zmm1, %zmm2, %zmm3", NONE, NEXT, N(FP_512_DOUBLE),                  \
	  M(FLOPS_DIVIDE, 8))                                                                     \
	X(vrcp14, "vrcp14ps %zmm1, %zmm2", NONE, NEXT, N(FP_512_SINGLE))                          \
	X(movups, "movups (%rax), %xmm1", NONE, FIRST_READ, LD)                                   \
	X(movaps_st, "movaps %xmm1, (%rax)", NONE, FIRST_WRITE, ST)                               \
	X(movsd_ld, "movsd (%rax), %xmm1", NONE, BY_ACCESS, LD)                                   \
	X(cmppd, "cmpltpd %xmm1, %xmm2", NONE, NEXT, {0})                                         \
	X(paddd, "paddd %xmm1, %xmm2", NONE, NEXT, {0})                                           \
	X(gather, "vgatherdps %ymm1, (%rax,%ymm2,4), %ymm3", NONE, FIRST_READ, LD)

#define CODE(name, text, ...) __asm__(#name "_code: " text "\n" #name "_end:");
__asm__(".pushsection .rodata");
INSNS(CODE)
__asm__(".popsection");
#define PLACES(name, ...) extern const uint8_t name##_code[], name##_end[];
INSNS(PLACES)

static const struct row {
	const char *text;
	const uint8_t *code, *end;
	enum plugin_branch branch;
	enum plugin_retires retires;
	uint8_t counts[6][2];
} rows[] = {
#define ROW(name, text, kind, when, ...) \
	{text, name##_code, name##_end, BRANCH_##kind, RETIRES_##when, {__VA_ARGS__}},
	INSNS(ROW)};

static void compare_tally(const struct row *row, const struct tally *tally)
{
	struct tally wanted = {.n[EVENTS_INSTRUCTIONS] = 1};

	for (unsigned i = 0; i < 6 && row->counts[i][1]; i++)
		wanted.n[row->counts[i][0]] = row->counts[i][1];
	for (unsigned i = 0; i < TALLY_COUNTS; i++)
		if (wanted.n[i] != tally->n[i])
			fail_msg("%s: count %u is %u, not %u", row->text, i, tally->n[i],
				 wanted.n[i]);
}

TEST(test_rows)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		const struct row *row = &rows[i];
		struct decoded d;

		decode(&d, row->code, (size_t)(row->end - row->code), 0x401000);
		if (d.branch != row->branch || d.retires != row->retires)
			fail_msg("%s: branch %d, retires %d instead of %d, %d", row->text, d.branch,
				 d.retires, row->branch, row->retires);
		compare_tally(row, &d.tally);
	}
}

TEST(test_targets)
{
	struct decoded d;

	decode(&d, je_code, (size_t)(je_end - je_code), 0x401000);
	assert_int_equal(d.target, 0x401000 + 100);
	decode(&d, call_code, (size_t)(call_end - call_code), 0xffff800000401000);
	assert_int_equal(d.target, 0xffff800000401000 + 100);
	decode(&d, ret_code, 1, 0x401000);
	assert_int_equal(d.target, 0);
	decode(&d, mov_cr3_code, (size_t)(mov_cr3_end - mov_cr3_code), 0x401000);
	assert_true(d.flushes);
	decode(&d, rep_movsq_code, (size_t)(rep_movsq_end - rep_movsq_code), 0x401000);
	assert_true(d.repeats);
}

/* Invalid bytes count as one instruction, and as nothing else: QEMU raises the fault. */
TEST(test_unknown)
{
	static const uint8_t code[] = {0x06};
	struct decoded d;

	decode(&d, code, sizeof(code), 0x401000);
	assert_int_equal(d.tally.n[EVENTS_INSTRUCTIONS], 1);
	assert_int_equal(d.branch, BRANCH_NONE);
	assert_int_equal(d.retires, RETIRES_NEXT);
}

/* --- Other decoders, on random encodings --- */

#define ENCODINGS 400000

static struct played_core *core;

/* Draws prefixes, opcodes and the rest at random, the relevant ones more often. */
static size_t random_code(uint8_t *code)
{
	static const uint8_t often[] = {0x66, 0xf2, 0xf3, 0x48, 0x0f, 0xff, 0xe8, 0xe9, 0xc3, 0xf0};

	for (unsigned i = 0; i < INSN_MAX_BYTES; i++)
		code[i] = (uint8_t)core_random(core);
	for (unsigned i = 0; i < core_random(core) % 3; i++)
		code[i] = often[core_random(core) % sizeof(often)];
	return INSN_MAX_BYTES;
}

/* Zydis decodes an instruction of that length there. */
static bool zydis_decodes(const uint8_t *code, size_t size)
{
	ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
	ZydisDecodedInstruction insn;
	ZydisDecoder decoder;

	ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
	return ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder, code, size, &insn, operands)) &&
	       insn.length == size;
}

static bool is_in_group(csh engine, const cs_insn *insn, x86_insn_group group)
{
	return cs_insn_group(engine, insn, group);
}

static bool is_far(const cs_insn *insn)
{
	return insn->id == X86_INS_LJMP || insn->id == X86_INS_LCALL || insn->id == X86_INS_RETF ||
	       insn->id == X86_INS_RETFQ || insn->id == X86_INS_SYSCALL ||
	       insn->id == X86_INS_SYSRET || insn->id == X86_INS_SYSENTER ||
	       insn->id == X86_INS_SYSEXIT || insn->id == X86_INS_INT || insn->id == X86_INS_INT1 ||
	       insn->id == X86_INS_INT3 || insn->id == X86_INS_RSM;
}

/* The kind by capstone's groups. */
static enum plugin_branch branch_by_capstone(csh engine, const cs_insn *insn)
{
	const bool direct =
		insn->detail->x86.op_count && insn->detail->x86.operands[0].type == X86_OP_IMM;

	if (insn->id == X86_INS_XBEGIN || insn->id == X86_INS_XABORT)
		return BRANCH_NONE;
	if (is_far(insn) || is_in_group(engine, insn, X86_GRP_IRET))
		return BRANCH_FAR;
	if (is_in_group(engine, insn, X86_GRP_CALL))
		return direct ? BRANCH_CALL : BRANCH_INDIRECT_CALL;
	if (is_in_group(engine, insn, X86_GRP_RET))
		return BRANCH_RETURN;
	if (insn->id == X86_INS_JMP)
		return direct ? BRANCH_JUMP : BRANCH_INDIRECT_JUMP;
	return is_in_group(engine, insn, X86_GRP_JUMP) || insn->id == X86_INS_LOOP ||
			       insn->id == X86_INS_LOOPE || insn->id == X86_INS_LOOPNE
		       ? BRANCH_CONDITIONAL
		       : BRANCH_NONE;
}

TEST(test_capstone)
{
	unsigned branches = 0, others = 0;
	cs_insn *insn;
	csh engine;

	assert_int_equal(cs_open(CS_ARCH_X86, CS_MODE_64, &engine), CS_ERR_OK);
	cs_option(engine, CS_OPT_DETAIL, CS_OPT_ON);
	insn = cs_malloc(engine);
	for (unsigned i = 0; i < ENCODINGS; i++) {
		uint8_t code[INSN_MAX_BYTES];
		size_t n = random_code(code);
		uint64_t at = 0x401000;
		const uint8_t *from = code;
		enum plugin_branch branch;
		struct decoded d;

		if (!cs_disasm_iter(engine, &from, &n, &at, insn))
			continue;
		/* Capstone accepts prefixes that no CPU accepts. */
		if (!zydis_decodes(code, insn->size))
			continue;
		decode(&d, code, insn->size, 0x401000);
		branch = branch_by_capstone(engine, insn);
		if (d.branch != branch)
			fail_msg("%s %s (%02x %02x %02x %02x, %u bytes): %d, not %d",
				 insn->mnemonic, insn->op_str, code[0], code[1], code[2], code[3],
				 insn->size, d.branch, branch);
		branches += branch != BRANCH_NONE;
		others += branch == BRANCH_NONE;
	}
	assert_true(branches > ENCODINGS / 50 && others > ENCODINGS / 4);
	cs_free(insn, 1);
	cs_close(&engine);
}

/* --- The project's decoders in images --- */

static bool is_kind(enum insn_kind kind, const struct decoded *d)
{
	switch (kind) {
	case INSN_JCC:
		return d->branch == BRANCH_CONDITIONAL;
	case INSN_INDIRECT:
		return d->branch == BRANCH_INDIRECT_JUMP || d->branch == BRANCH_INDIRECT_CALL ||
		       d->branch == BRANCH_RETURN;
	case INSN_FAR:
	case INSN_ENTER:
		return d->branch == BRANCH_FAR;
	case INSN_PLAIN:
		break;
	}
	return d->branch == BRANCH_NONE || d->branch == BRANCH_JUMP || d->branch == BRANCH_CALL;
}

/* step_trace does not follow returns of a kernel and of SMM. */
static bool is_beyond(const uint8_t *code, size_t size)
{
	for (size_t i = 0; i + 1 < size; i++)
		if (code[i] == 0x0f &&
		    (code[i + 1] == 0x07 || code[i + 1] == 0x35 || code[i + 1] == 0xaa))
			return true;
	return false;
}

static size_t length_of(const uint8_t *code)
{
	for (size_t n = 1; n <= INSN_MAX_BYTES; n++)
		if (zydis_decodes(code, n))
			return n;
	return 0;
}

TEST(test_classify)
{
	unsigned kinds[INSN_ENTER + 1] = {0};

	for (unsigned i = 0; i < ENCODINGS; i++) {
		uint8_t code[INSN_MAX_BYTES];
		struct decoded d;
		struct insn_flow insn;
		size_t size;

		random_code(code);
		size = length_of(code);
		if (!size || is_beyond(code, size))
			continue;
		decode(&d, code, size, 0x401000);
		insn = insn_classify(code, size);
		kinds[insn.kind]++;
		if (!is_kind((enum insn_kind)insn.kind, &d) || (insn.length && insn.length != size))
			fail_msg("%02x %02x %02x %02x, %u bytes: kind %u of %u, branch %u", code[0],
				 code[1], code[2], code[3], (unsigned)size, insn.kind, insn.length,
				 d.branch);
	}
	for (unsigned i = 0; i <= INSN_ENTER; i++)
		assert_true(kinds[i] > 100);
}

/* The branches among the general-purpose instructions, and those that load and store. */
TEST(test_op_decoder)
{
	static const struct op_registers regs = {.rip = 0x401000};
	unsigned accesses = 0;

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		const size_t size = (size_t)(rows[i].end - rows[i].code);
		struct op_decoder w;
		struct decoded d;

		op_decode(&w, rows[i].code, size, &regs);
		decode(&d, rows[i].code, size, regs.rip);
		if (!w.op.load && !w.op.store)
			continue;
		accesses++;
		/* op_decode() gives one access alone of PUSH and CALL with an operand in
		 * memory. */
		if (w.op.load > d.tally.n[EVENTS_LOADS] || w.op.store > d.tally.n[EVENTS_STORES] ||
		    (!w.op.load && d.tally.n[EVENTS_LOADS]))
			fail_msg("%s: loads %d, stores %d", rows[i].text, w.op.load, w.op.store);
	}
	assert_true(accesses > 10);
}

FIXTURE(set_up)
{
	decode_init();
	core = core_named("skx", 0);
	return 0;
}

FIXTURE(tear_down)
{
	core_free(core, true);
	return 0;
}

GROUP(set_up, tear_down);
