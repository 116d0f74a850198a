// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_emit.c - the code that bench emits around measured code. Without counters the test runs it;
 * with counters capstone disassembles it.
 */
#include <string.h>
#include <sys/mman.h>

#include <capstone/capstone.h>
#include "tests/unit/test.h"

#include "bench/emit.h"

#define ROOM       (1 << 20)
#define AREA_BYTES 4096

/* As in the harness: the context, which the code writes, lies before the code. */
static struct emit_context *context;
static uint8_t *code;
static uint8_t areas[5][AREA_BYTES];

FIXTURE(begin)
{
	context = mmap(NULL, 4096 + ROOM, PROT_READ | PROT_WRITE | PROT_EXEC,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert_ptr_not_equal(context, MAP_FAILED);
	code = (uint8_t *)context + 4096;
	for (unsigned i = 0; i < 5; i++)
		context->areas[i] = (uintptr_t)areas[i] + AREA_BYTES / 2;
	memset(areas, 0, sizeof(areas));
	return 0;
}

FIXTURE(end)
{
	munmap(context, 4096 + ROOM);
	return 0;
}

#define BYTES(...)                                           \
	((struct emit_bytes){(const uint8_t[]){__VA_ARGS__}, \
			     sizeof((const uint8_t[]){__VA_ARGS__})})

/* INC QWORD PTR [R14], and [RDI] */
#define COUNT_R14 BYTES(0x49, 0xff, 0x06)
#define COUNT_RDI BYTES(0x48, 0xff, 0x07)

static uint64_t area_word(unsigned area)
{
	uint64_t word;

	memcpy(&word, areas[area] + AREA_BYTES / 2, sizeof(word));
	return word;
}

static size_t emit(const struct emit_shape *shape)
{
	const size_t n = emit_function(code, ROOM, context, shape, NULL);

	assert_true(n > 0 && n <= emit_room(shape));
	return n;
}

static void call_emitted(void)
{
	((void (*)(void))(uintptr_t)code)();
}

TEST_WITH(test_code_runs_as_often_as_it_says, begin, end)
{
	static const struct {
		uint64_t copies, turns, times;
	} cases[] = {{0, 0, 0}, {1, 0, 1}, {1000, 0, 1000}, {7, 1, 7}, {3, 50, 150}, {0, 9, 0}};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct emit_shape shape = {.code = COUNT_R14,
						 .init = COUNT_RDI,
						 .copies = cases[i].copies,
						 .turns = cases[i].turns};

		memset(areas, 0, sizeof(areas));
		emit(&shape);
		call_emitted();
		call_emitted();
		assert_int_equal(area_word(0), 2 * cases[i].times);
		assert_int_equal(area_word(1), 2); /* init: once in each run */
	}
}

/* Calls `code` with RBX, RBP, R12 to R15 from `words`, adds their values after the call to `words`,
 * and returns RFLAGS. */
uint64_t call_with_registers(uint64_t code, uint64_t words[6]);
__asm__(".text\n"
	"call_with_registers:\n\t"
	"push %rbx\n\tpush %rbp\n\tpush %r12\n\tpush %r13\n\tpush %r14\n\tpush %r15\n\tpush %rsi\n\t"
	"mov (%rsi), %rbx\n\tmov 8(%rsi), %rbp\n\tmov 16(%rsi), %r12\n\t"
	"mov 24(%rsi), %r13\n\tmov 32(%rsi), %r14\n\tmov 40(%rsi), %r15\n\t"
	"call *%rdi\n\t"
	"pushfq\n\tpop %rax\n\tcld\n\tpop %rsi\n\t"
	"add %rbx, (%rsi)\n\tadd %rbp, 8(%rsi)\n\tadd %r12, 16(%rsi)\n\t"
	"add %r13, 24(%rsi)\n\tadd %r14, 32(%rsi)\n\tadd %r15, 40(%rsi)\n\t"
	"pop %r15\n\tpop %r14\n\tpop %r13\n\tpop %r12\n\tpop %rbp\n\tpop %rbx\n\tret\n");

/* The function restores all registers that calls preserve, and DF, after any code. */
TEST_WITH(test_registers_come_back, begin, end)
{
	const struct emit_shape shape = {
		/* XOR of EBX, EBP, R12 to R15; STD; MOV RSP, 0 */
		.code = BYTES(0x31, 0xdb, 0x31, 0xed, 0x4d, 0x31, 0xe4, 0x4d, 0x31, 0xed, 0x4d,
			      0x31, 0xf6, 0x4d, 0x31, 0xff, 0xfd, 0x48, 0xc7, 0xc4, 0, 0, 0, 0),
		.copies = 2};
	uint64_t kept[6] = {1, 2, 3, 4, 5, 6}, flags;

	emit(&shape);
	flags = call_with_registers((uintptr_t)code, kept);
	for (unsigned i = 0; i < 6; i++)
		assert_int_equal(kept[i], 2 * (i + 1));
	assert_int_equal(flags & 1 << 10, 0); /* DF */
}

TEST_WITH(test_code_is_aligned, begin, end)
{
	for (unsigned offset = 0; offset < 130; offset++) {
		/* CALL to the next instruction; POP of the address behind it to [R14]. */
		const struct emit_shape shape = {.code = BYTES(0xe8, 0, 0, 0, 0, 0x41, 0x8f, 0x06),
						 .copies = 1,
						 .offset = offset};

		emit(&shape);
		call_emitted();
		assert_int_equal((area_word(0) - 5) % 64, offset % 64);
	}
}

TEST_WITH(test_no_room, begin, end)
{
	struct emit_shape shape = {.code = COUNT_R14, .copies = 100};
	const size_t n = emit(&shape);

	for (size_t room = 0; room < n; room++)
		assert_int_equal(emit_function(code, room, context, &shape, NULL), 0);
	assert_int_equal(emit_function(code, n, context, &shape, NULL), n);
	shape.no_mem = true;
	shape.ncounters = EMIT_REGISTERS + 1;
	assert_int_equal(emit_function(code, ROOM, context, &shape, NULL), 0);
}

/* --- With counters --- */

struct seen {
	unsigned rdpmc, lfence, nops, accesses;
	uint64_t target[256]; /* of what is accessed relative to RIP */
	uint32_t counter[64];
};

static void note_insn(const cs_insn *insn, struct seen *seen)
{
	const cs_x86 *x86 = &insn->detail->x86;

	if (!strcmp(insn->mnemonic, "lfence"))
		seen->lfence++;
	if (!strcmp(insn->mnemonic, "nop") && insn->size == 15)
		seen->nops++;
	if (!strcmp(insn->mnemonic, "rdpmc"))
		seen->rdpmc++;
	if (insn->id == X86_INS_MOV && x86->operands[0].type == X86_OP_REG &&
	    x86->operands[0].reg == X86_REG_ECX && x86->operands[1].type == X86_OP_IMM)
		seen->counter[seen->rdpmc] = (uint32_t)x86->operands[1].imm;
	for (unsigned i = 0; i < x86->op_count; i++)
		if (x86->operands[i].type == X86_OP_MEM && x86->operands[i].mem.base == X86_REG_RIP)
			seen->target[seen->accesses++] =
				insn->address + insn->size + (uint64_t)x86->operands[i].mem.disp;
}

/* Disassembles the function. Every byte belongs to an instruction. */
static struct seen take_apart(size_t n)
{
	struct seen seen = {0};
	cs_insn *insn;
	size_t count, bytes = 0;
	csh handle;

	assert_int_equal(cs_open(CS_ARCH_X86, CS_MODE_64, &handle), CS_ERR_OK);
	cs_option(handle, CS_OPT_DETAIL, CS_OPT_ON);
	count = cs_disasm(handle, code, n, (uintptr_t)code, 0, &insn);
	for (size_t i = 0; i < count; i++) {
		note_insn(&insn[i], &seen);
		bytes += insn[i].size;
	}
	assert_int_equal(bytes, n);
	assert_string_equal(insn[count - 1].mnemonic, "ret");
	cs_free(insn, count);
	cs_close(&handle);
	return seen;
}

TEST_WITH(test_counters_are_read_into_memory, begin, end)
{
	const struct emit_shape shape = {.code = COUNT_R14,
					 .copies = 3,
					 .drains = true,
					 .ncounters = 3,
					 .counter = {0, 0x40000001, 7}};
	const struct seen seen = take_apart(emit(&shape));

	assert_int_equal(seen.rdpmc, 6);
	assert_int_equal(seen.lfence, 4);
	assert_int_equal(seen.nops, 128);
	for (unsigned i = 0; i < 6; i++)
		assert_int_equal(seen.counter[i], shape.counter[i % 3]);
	for (unsigned i = 0; i < seen.accesses; i++)
		assert_true(seen.target[i] >= (uintptr_t)context &&
			    seen.target[i] < (uintptr_t)(context + 1));
	/* RSP, five areas; then twice: three registers saved, six halves stored, three restored */
	assert_int_equal(seen.accesses, 6 + 2 * (3 + 6 + 3) + 1);
	for (unsigned i = 0; i < 3; i++) {
		assert_int_equal(seen.target[9 + 2 * i], (uintptr_t)&context->before[i]);
		assert_int_equal(seen.target[10 + 2 * i], (uintptr_t)&context->before[i] + 4);
		assert_int_equal(seen.target[21 + 2 * i], (uintptr_t)&context->after[i]);
	}
}

TEST_WITH(test_counters_are_kept_in_registers, begin, end)
{
	const struct emit_shape shape = {.code = BYTES(0x90, 0x04, 0x3f, 0x81, 0xc2, 0xb1, 0x13,
						       0xb5, 0xf0, /* NOP; stop */
						       0x90, 0x04, 0x3f, 0x81, 0xc2, 0xb1, 0x13,
						       0xb5, 0xe0, /* NOP; restart */
						       0x90),
					 .copies = 2,
					 .no_mem = true,
					 .ncounters = 2,
					 .counter = {1, 2}};
	const struct seen seen = take_apart(emit(&shape));

	/* Counters are read at the start, twice in each copy, and at the end. */
	assert_int_equal(seen.rdpmc, 2 * (1 + 2 * 2 + 1));
	/* RSP and five areas; no access until the end; then two results and RSP. */
	assert_int_equal(seen.accesses, 6 + 2 + 1);
	assert_int_equal(seen.target[6], (uintptr_t)&context->after[0]);
	assert_int_equal(seen.target[7], (uintptr_t)&context->after[1]);
}

/* --- Traces --- */

/* A trace of ring 3 begins and ends with UD2. Only the late init and the code lie between. */
TEST_WITH(test_trace_of_ring_3, begin, end)
{
	static const unsigned offsets[] = {0, 1, 63};

	for (unsigned i = 0; i < 3; i++) {
		const struct emit_shape shape = {.code = COUNT_R14,
						 .late_init = COUNT_RDI,
						 .copies = 3,
						 .offset = offsets[i],
						 .traces = true};
		struct emit_places places;
		const size_t n = emit_function(code, ROOM, context, &shape, &places);

		assert_true(n > 0 && n <= emit_room(&shape));
		assert_int_equal(((uintptr_t)places.copies - offsets[i]) % 64, 0);
		assert_memory_equal(places.start, "\x0f\x0b", 2);
		assert_memory_equal(places.start + 2, shape.late_init.bytes, 3);
		assert_ptr_equal(places.start + 5, places.copies);
		assert_ptr_equal(places.copies + 9, places.stop);
		assert_memory_equal(places.stop, "\x0f\x0b", 2);
	}
}

/* A trace of ring 0 begins and ends with WRMSR: its operands, and the size of the code between. */
TEST_WITH(test_trace_of_ring_0, begin, end)
{
	struct emit_shape shape = {.code = COUNT_R14,
				   .copies = 2,
				   .turns = 7,
				   .traces = true,
				   .master = 0x38f,
				   .master_on = 0x700000003ull};
	struct emit_places once, twice, bare;

	assert_true(emit_function(code, ROOM, context, &shape, &once) > 0);
	assert_memory_equal(once.start - 15, "\xb9\x8f\x03\0\0\xb8\x03\0\0\0\xba\x07\0\0\0\x0f\x30",
			    17);
	assert_memory_equal(once.stop - 15, "\xb9\x8f\x03\0\0\xb8\0\0\0\0\xba\0\0\0\0\x0f\x30", 17);
	/* Three registers are restored, and R15 is set to the number of turns. */
	assert_int_equal(once.copies - once.start, 2 + 3 * 7 + 6);
	assert_int_equal((uintptr_t)once.copies % 64, 0);
	shape.restores_twice = true;
	assert_true(emit_function(code, ROOM, context, &shape, &twice) > 0);
	assert_int_equal(twice.copies - twice.start, 2 + 2 * 3 * 7 + 6);
	shape.no_mem = true;
	assert_true(emit_function(code, ROOM, context, &shape, &bare) > 0);
	assert_int_equal(bare.copies - bare.start, 2 + 6);
}

TEST(test_bytes_that_switch)
{
	const struct emit_bytes stops = BYTES(0x90, 0x04, 0x3f, 0x81, 0xc2, 0xb1, 0x13, 0xb5, 0xf0),
				restarts = BYTES(0x04, 0x3f, 0x81, 0xc2, 0xb1, 0x13, 0xb5, 0xe0),
				almost = BYTES(0x04, 0x3f, 0x81, 0xc2, 0xb1, 0x13, 0xb5);

	assert_true(emit_switches(&stops) && emit_switches(&restarts));
	assert_false(emit_switches(&almost));
}
