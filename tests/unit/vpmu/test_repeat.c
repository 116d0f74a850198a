// SPDX-License-Identifier: BSD-2-Clause
/* test_repeat - loops that the core in time repeats by their period leave the same counts, and the
 * same core, as if each iteration was stepped. */
#include "vpmu/core/timed_core.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/test.h"

#define CODE   0x401540ull
#define BEHIND 0x500000ull
#define LINE   64
#define INSNS  32

static const char *const forms[] = {
	"480fafc1",             /* imul rax, rcx */
	"4801c8",               /* add rax, rcx */
	"4889ca",               /* mov rdx, rcx */
	"48c1ea03",             /* shr rdx, 3 */
	"4885f8",               /* test rax, rdi */
	"480f45d0",             /* cmovne rdx, rax */
	"31c0",                 /* xor eax, eax */
	"8d0417",               /* lea eax, [rdi+rdx] */
	"488d44d108",           /* lea rax, [rcx+rdx*8+8] */
	"d3e0",                 /* shl eax, cl */
	"660fefc0",             /* pxor xmm0, xmm0 */
	"0f58c1",               /* addps xmm0, xmm1 */
	"0f59ca",               /* mulps xmm1, xmm2 */
	"0f5ec1",               /* divps xmm0, xmm1 */
	"660f6ec0",             /* movd xmm0, eax */
	"660f7ec1",             /* movd ecx, xmm0 */
	"90",                   /* nop */
	"0f1f8000000000",       /* nop of seven bytes */
	"66b83412",             /* mov ax, imm16: its prefix changes its length */
	"86c4",                 /* xchg ah, al */
	"f30fb8c1",             /* popcnt eax, ecx */
	"4811d8",               /* adc rax, rbx */
	"48d1d0",               /* rcl rax, 1 */
	"f7e1",                 /* mul ecx */
	"48f7f1",               /* div rcx */
	"c5f458c2",             /* vaddps ymm0, ymm1, ymm2 */
	"9c",                   /* pushfq */
	"48b88877665544332211", /* mov rax, imm64 */
};
#define FORMS (sizeof(forms) / sizeof(*forms))

static uint32_t random_of(uint64_t *random, uint32_t below)
{
	*random ^= *random << 13;
	*random ^= *random >> 7;
	*random ^= *random << 17;
	return (uint32_t)(*random >> 33) % below;
}

/* Instructions one after the other. */
struct code {
	unsigned n;
	uint64_t bytes;
	struct core_insn described[INSNS];
	const struct core_insn *insns[INSNS];
};

static void add_insn(struct code *code, const struct core_model *model, const char *hex)
{
	struct core_insn *insn = &code->described[code->n];
	uint8_t bytes[16];
	size_t n = 0;
	unsigned byte;

	for (; hex[2 * n] && sscanf(hex + 2 * n, "%2x", &byte) == 1; n++)
		bytes[n] = (uint8_t)byte;
	assert_true(code->n < INSNS);
	assert_int_equal(core_describe(insn, model, bytes, n), n);
	code->insns[code->n++] = insn;
	code->bytes += n;
}

/* Up to `most` bytes, with a jump at the end. */
static void make_code(struct code *code, const struct core_model *model, uint64_t *random,
		      unsigned insns, uint64_t most)
{
	static const char *const counters[] = {"49ffcf", "4883ee01"}; /* dec r15; sub rsi, 1 */

	*code = (struct code){0};
	for (unsigned i = 0; i < insns && code->bytes + 16 < most; i++)
		add_insn(code, model, forms[random_of(random, FORMS)]);
	if (random_of(random, 2))
		add_insn(code, model, counters[random_of(random, 2)]);
	add_insn(code, model, "7580");
}

/* Straight-line code and jumps, with lines that come late and mispredictions. */
static void run_others(struct core *core, const struct code *code, uint64_t random)
{
	uint64_t va = BEHIND;

	for (unsigned round = 0; round < 40; round++) {
		const bool taken = random_of(&random, 2);
		uint64_t at = va;

		if (!random_of(&random, 4))
			core_fetch_line(core, CORE_IN_L2, 11);
		if (!random_of(&random, 8))
			core_fetch_line(core, CORE_IN_MEMORY, 200);
		for (unsigned i = 0; i < code->n; at += code->insns[i++]->bytes)
			core_step(core, code->insns[i], at, NULL, taken && i + 1 == code->n,
				  i + 1 == code->n && !random_of(&random, 16));
		va = taken ? va + LINE * random_of(&random, 9) : at;
	}
}

struct outcome {
	struct core_counts counts;
	uint64_t cycles, time, ahead, retiring;
};

/* Three times a loop of `n` iterations, with other code before and behind it. */
static struct outcome looped_thrice(const struct core_model *model, const struct code *loop,
				    uint64_t va, const struct code *others, uint64_t n,
				    bool stepped)
{
	struct core *core = calloc(1, core_bytes());
	struct outcome outcome = {0};

	assert_non_null(core);
	core_init(core, model);
	for (unsigned round = 0; round < 3; round++) {
		run_others(core, others, n + round);
		for (uint64_t i = 0; i < (stepped ? n : 1); i++)
			core_repeat(core, loop->insns, loop->n, va, stepped ? 1 : n);
	}
	outcome.cycles = core_cycles(core);
	outcome.ahead = core_ahead(core);
	run_others(core, others, n);
	core_read(core, &outcome.counts);
	outcome.time = core_time(core);
	outcome.retiring = core_retiring(core);
	free(core);
	return outcome;
}

/* The loop begins anywhere in its line, or in the line before, so that it notes both. */
static uint64_t random_place(uint64_t *random)
{
	return random_of(random, 6) ? CODE + random_of(random, LINE / 2) : CODE - 1;
}

TEST(test_random_loops)
{
	uint64_t random = 88172645463325252ull;

	for (unsigned c = 0; core_tables[c]; c++)
		for (unsigned round = 0; round < 40; round++) {
			struct core_model model;
			struct code loop, others;
			struct outcome stepped, repeated;
			const uint64_t va = random_place(&random);
			uint64_t n = 65 + random_of(&random, 700);

			if (!random_of(&random, 8))
				n += random_of(&random, 8000);
			assert_true(core_model_find(&model, core_tables[c]->name));
			make_code(&loop, &model, &random, 1 + random_of(&random, 8),
				  LINE - va % LINE);
			make_code(&others, &model, &random, 1 + random_of(&random, 6), LINE);
			stepped = looped_thrice(&model, &loop, va, &others, n, true);
			repeated = looped_thrice(&model, &loop, va, &others, n, false);
			assert_memory_equal(&stepped, &repeated, sizeof(stepped));
		}
}

/* A random bit decides a conditional move, and two chains compete for units: the loop has a period
 * from some iteration beyond 200,000 on. Stepping 2^40 of them would take days. */
TEST(test_late_period)
{
	static const char *const hex[] = {"490fafc1", "4889ca", "48c1ea03", "4c01c0", "4885f8",
					  "480f45d0", "4801d1", "83ee01",   "75e3"};
	const uint64_t n = 1ull << 40;
	struct core_model model;
	struct code loop = {0};
	struct core *core = calloc(1, core_bytes());

	assert_non_null(core);
	assert_true(core_model_find(&model, "icl"));
	core_init(core, &model);
	for (size_t i = 0; i < sizeof(hex) / sizeof(*hex); i++)
		add_insn(&loop, &model, hex[i]);
	/* It is found in spite of searches that were in vain. */
	for (unsigned i = 0; i < 100; i++)
		core_repeat(core, loop.insns, loop.n, CODE, 500);
	core_repeat(core, loop.insns, loop.n, CODE, n);
	assert_in_range(core_cycles(core), 4 * n, 5 * n);
	free(core);
}
