// SPDX-License-Identifier: BSD-2-Clause
/* test_core - a core in time: chains, units and front ends whose cycles the manuals give. */
#include "vpmu/core/core_steady.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/test.h"
#include "tests/unit/vpmu/described_piece.h"

#define CODE 0x100000000ull

/* Hundredths of a cycle an iteration. */
static uint64_t steady(const char *core, const char *hex, bool loop, unsigned ideal)
{
	struct core_piece *piece = piece_of(core, hex);
	struct core_steady result;

	assert_true(core_steady_run(&result, piece, CODE, loop, ideal));
	free(piece);
	return 100 * result.cycles / result.rounds;
}

/* --- Chains --- */

TEST(test_chains)
{
	static const struct {
		const char *core, *hex;
		uint64_t cycles;
	} rows[] = {
		{"skx", "480fafc0", 3}, /* imul rax, rax */
		{"skx", "4801c0", 1},   /* add rax, rax */
		{"skx", "0f58c0", 4},   /* addps xmm0, xmm0 */
		{"hsw", "0f58c0", 3},           {"zen4", "0f58c0", 3},
		{"skx", "488b00", 4}, /* mov rax, [rax] */
		{"icl", "488b00", 5},           {"zen2", "488b00", 4},
		{"zen3", "488b00", 4},          {"zen4", "488b00", 4},
		{"skx", "490106", 6},           /* add [r14], rax: forwarding and an addition */
		{"skx", "66b83412480fafc0", 4}, /* mov ax, imm16 merges; imul */
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		assert_int_equal(
			steady(rows[i].core, rows[i].hex, false, CORE_PARTS & ~CORE_PART_LATENCY),
			100 * rows[i].cycles);
}

TEST(test_idioms_wait_for_nothing)
{
	/* imul rax, rax; xor eax, eax: the chain is cut. */
	assert_true(steady("skx", "480fafc031c0", false, CORE_PARTS & ~CORE_PART_LATENCY) < 100);
	/* imul rax, rcx; mov rcx, rax: the move takes no time, but on Ice Lake. */
	assert_int_equal(steady("skx", "480fafc14889c1", false, CORE_PARTS & ~CORE_PART_LATENCY),
			 300);
	assert_int_equal(steady("icl", "480fafc14889c1", false, CORE_PARTS & ~CORE_PART_LATENCY),
			 400);
	/* popcnt rax, rcx waits for rax on Haswell, and not on Ice Lake. */
	assert_int_equal(steady("hsw", "f3480fb8c1", false, CORE_PARTS & ~CORE_PART_LATENCY), 300);
	assert_true(steady("icl", "f3480fb8c1", false, CORE_PARTS & ~CORE_PART_LATENCY) < 100);
}

/* --- Units and front end --- */

/* PUSH and POP of a register: the load waits for the store, and adds nothing to that. */
TEST(test_push_and_pop)
{
	assert_int_equal(steady("skx", "5058", false, 0), 400);
	assert_int_equal(steady("icl", "5058", false, 0), 500);
}

/* As measured on a Zen 4 (tests/accuracy), in hundredths of a cycle; `most` has what the search for
 * units adds. */
TEST(test_zen4)
{
	static const struct {
		const char *hex;
		bool loop;
		uint64_t least, most;
	} rows[] = {
		{"480106", false, 100, 101},               /* add [rsi], rax: memory is renamed */
		{"830601", false, 100, 101},               /* add dword [rsi], 1 */
		{"800601", false, 600, 700},               /* add byte [rsi], 1: it is not */
		{"488906488b06", false, 100, 101},         /* mov [rsi], rax; mov rax, [rsi] */
		{"4889060fb606", false, 600, 601},         /* movzx eax, byte [rsi] behind it */
		{"488946088b460c", false, 600, 601},       /* mov [rsi+8], rax; mov eax, [rsi+12] */
		{"488906488b06480fafc0", false, 299, 301}, /* imul behind it: nothing is added */
		{"0fb6141683e208", false, 500, 501},       /* movzx edx, [rsi+rdx]; and edx, 8 */
		{"0fb614d683e208", false, 600, 601},       /* [rsi+rdx*8] */
		{"f0830601", false, 699, 701},             /* lock add dword [rsi], 1 */
		{"83f8014519ed4183e5fe4183c52d", false, 100, 110}, /* sbb r13d, r13d: no chain */
		{"f30f1efa4883c301", false, 99, 101},              /* endbr64; add rbx, 1 */
		{"410f12c4", false, 99, 101},        /* movhlps xmm0, xmm12 keeps the rest */
		{"0f11060f1006", false, 900, 901},   /* movups [rsi], xmm0; movups xmm0, [rsi] */
		{"31c031db31c931d2", false, 66, 68}, /* six a cycle from the op cache */
		{"62b24e2026c6", false, 49, 51},     /* vptestnmb k0, ymm22, ymm22: k0 is no mask */
		{"66480f6ecb66480f7ecb", false, 700, 701},     /* movq xmm1, rbx; movq rbx, xmm1 */
		{"c5fdd7d166480f7ecb", false, 199, 201},       /* vpmovmskb, movq rbx: one pipe */
		{"c5fdd7d1488d1c07488d0c07", false, 149, 151}, /* vpmovmskb beside two LEAs */
		{"62f17c481006", false, 99, 101}, /* vmovups zmm0, [rsi]: two accesses */
		{"488d0c07488d1407488d1c074c8d040749ffcf75eb", true, 124,
		 126},                                          /* dec; jnz: an ALU */
		{"498d4c2d05488d1407488d1c07", false, 99, 101}, /* LEA of three parts, two plain */
		/* movups [r14], xmm0; movups [r14+16], xmm0; movups xmm0, [r14+8]: of two stores */
		{"410f1106410f114610410f104608", false, 2100, 2101},
		{"498906498b4604", false, 1900, 1901},       /* mov [r14], rax; mov rax, [r14+4] */
		{"41890641894604498b06", false, 1900, 1901}, /* two halves of eight bytes */
		{"410f1106410f104604", false, 2100, 2101},   /* movups [r14]; movups [r14+4] */
		/* movups [r14], xmm0; mov rax, [r14+8]; movq xmm0, rax: the second half */
		{"410f1106498b460866480f6ec0", false, 900, 901},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		assert_in_range(steady("zen4", rows[i].hex, rows[i].loop, 0), rows[i].least,
				rows[i].most);
}

/* As measured on a Zen 4: rename takes four operations of ALUs and four accesses a cycle, beside
 * others. `first` instructions, then zero idioms; hundredths of a cycle. */
static uint64_t renamed_with(const char *first, unsigned n, unsigned idioms)
{
	char hex[1024];
	int at = 0;

	for (unsigned i = 0; i < n; i++)
		at += snprintf(hex + at, sizeof(hex) - (size_t)at, "%s", first);
	for (unsigned i = 0; i < idioms; i++)
		at += snprintf(hex + at, sizeof(hex) - (size_t)at, "31c0");
	return steady("zen4", hex, false, 0);
}

TEST(test_zen4_renames_four_of_a_kind)
{
	assert_in_range(renamed_with("8d0c17", 24, 12), 745, 755); /* lea ecx, [rdi+rdx] */
	assert_in_range(renamed_with("8b0e", 12, 24), 645, 655);   /* mov ecx, [rsi] */
	assert_in_range(renamed_with("31c9", 24, 12), 599, 601);
}

/* A loop of `first` and so many times `move`, in hundredths of a cycle. */
static uint64_t looped_moves(const char *core, const char *first, const char *move, unsigned moves)
{
	char hex[2048];
	int at = snprintf(hex, sizeof(hex), "%s", first);

	for (unsigned i = 0; i < moves; i++)
		at += snprintf(hex + at, sizeof(hex) - (size_t)at, "%s", move);
	snprintf(hex + at, sizeof(hex) - (size_t)at, "49ffcf75%02x",
		 (unsigned)(-(at / 2 + 5)) & 255);
	return steady(core, hex, true, 0);
}

#define MOVE      "4889d8"                       /* mov rax, rbx */
#define LONG      "2e2e2e2e2e2e2e2e2e2e2e4889d8" /* the same in 14 bytes */
#define FAR_LOAD  "498b8e00010000"               /* mov rcx, [r14 + 0x100] */
#define NEAR_LOAD "498b4e10"                     /* mov rcx, [r14 + 0x10] */

/* As measured on a Zen 4: a loop takes a cycle for each window of 64 bytes, a fused jump in a
 * window of its own included. */
TEST(test_zen4_predicts_a_window_each_cycle)
{
	assert_in_range(looped_moves("zen4", "", MOVE, 8), 149, 151);
	assert_in_range(looped_moves("zen4", "", LONG, 4), 99, 101);   /* 61 bytes */
	assert_in_range(looped_moves("zen4", "", LONG, 5), 199, 201);  /* 75 */
	assert_in_range(looped_moves("zen4", "", LONG, 9), 299, 301);  /* 131: the jump's third */
	assert_in_range(looped_moves("zen4", "", LONG, 18), 499, 501); /* 257: its last byte's */
	assert_in_range(looped_moves("zen4", "", MOVE, 22), 380, 384); /* of three entries */
}

/* As measured on a Zen 4: nine operations are one entry of the op cache, and ten are two. With many
 * immediates and displacements, fewer are. */
TEST(test_zen4_fills_entries)
{
	assert_in_range(looped_moves("zen4", "", MOVE, 9), 199, 201);
	assert_in_range(looped_moves("zen4", FAR_LOAD FAR_LOAD FAR_LOAD, MOVE, 5), 149, 151);
	assert_in_range(looped_moves("zen4", FAR_LOAD FAR_LOAD FAR_LOAD FAR_LOAD, MOVE, 4), 199,
			201);
	assert_in_range(looped_moves("zen4", NEAR_LOAD NEAR_LOAD NEAR_LOAD NEAR_LOAD, MOVE, 4), 149,
			151);
	/* movabs rcx, 0x123456789abc, once and twice */
	assert_in_range(looped_moves("zen4", "48b9bc9a785634120000", MOVE, 7), 149, 151);
	assert_in_range(looped_moves("zen4", "48b9bc9a78563412000048b9bc9a785634120000", MOVE, 6),
			199, 201);
}

/* As measured on a Zen 4: with seven moves and the jump nine or ten operations, one or two. */
TEST(test_zen4_macro_operations)
{
	static const struct {
		const char *hex;
		unsigned ops;
	} rows[] = {
		{"66480f7ec1", 1}, /* movq rcx, xmm0 */
		{"66480f6ec1", 2}, /* movq xmm0, rcx */
		{"c4e1f96ec1", 1}, /* vmovq xmm0, rcx */
		{"660fd7c9", 1},   /* pmovmskb ecx, xmm1 */
		{"660f2fc1", 2},   /* comisd xmm0, xmm1 */
		{"4d890416", 2},   /* mov [r14 + rdx], r8 */
		{"410f110416", 1}, /* movups [r14 + rdx], xmm0 */
		{"49030cd6", 2},   /* add rcx, [r14 + rdx*8] */
		{"49030e", 1},     /* add rcx, [r14] */
		{"41830605", 2},   /* add dword [r14], 5 */
		{"490f440e", 2},   /* cmovz rcx, [r14] */
		{"488d0c82", 1},   /* lea rcx, [rdx + rax*4] */
		{"488d4c8210", 2}, /* lea rcx, [rdx + rax*4 + 16] */
		{"4887d1", 2},     /* xchg rcx, rdx */
		{"490fbe0e", 1},   /* movsx rcx, byte [r14] */
		{"490fbe0c16", 2}, /* movsx rcx, byte [r14 + rdx] */
		{"410fb60c16", 1}, /* movzx ecx, byte [r14 + rdx] */
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		assert_in_range(looped_moves("zen4", rows[i].hex, MOVE, 7), rows[i].ops * 50 + 99,
				rows[i].ops * 50 + 101);
}

#define LEAS_7                                             \
	"448d4601448d4601448d4601448d4601448d4601448d4601" \
	"448d4601"                  /* lea r8d, [rsi + 1] */
#define JUMP_BACK(at) "49ffcf75" at /* dec r15; jnz */

/* As measured on a Zen 4: ALUs extend signs, and merge bytes and words with their registers. */
TEST(test_zen4_extends_loads)
{
	/* movsx edx, [rdi]; movsx ecx, [rdi + 8]; movsx ebx, [rdi + 16] beside seven LEAs: 2.75 */
	assert_in_range(steady("zen4", "0fbe170fbe4f080fbe5f10" LEAS_7 JUMP_BACK("d4"), true, 0),
			273, 277);
	/* The same with MOVZX: 2.00 */
	assert_in_range(steady("zen4", "0fb6170fb64f080fb65f10" LEAS_7 JUMP_BACK("d4"), true, 0),
			199, 201);
	/* mov dl, [rdi], four times: 4.00 */
	assert_in_range(steady("zen4", "8a178a178a178a17" JUMP_BACK("f3"), true, 0), 399, 401);
	/* mov di, [rdi]: 5.00 */
	assert_in_range(steady("zen4", "668b3f" JUMP_BACK("f8"), true, 0), 499, 501);
}

/* As measured on a Zen 4: both slots of an instruction are renamed in one cycle, and a LEA of three
 * parts is two of the four operations of ALUs. */
TEST(test_zen4_renames_pairs_whole)
{
	static const char *const pair = "3b1407", *const lea = "8d5c0609";
	char hex[128];

	/* cmp edx, [rdi + rax], three and five times: 1.33 and 2.00 */
	snprintf(hex, sizeof(hex), "%s%s%s49ffcf75f2", pair, pair, pair);
	assert_in_range(steady("zen4", hex, true, 0), 132, 135);
	snprintf(hex, sizeof(hex), "%s%s%s%s%s49ffcf75ec", pair, pair, pair, pair, pair);
	assert_in_range(steady("zen4", hex, true, 0), 199, 201);
	/* lea ebx, [rsi + rax + 9], three and five times: 1.75 and 2.75 */
	snprintf(hex, sizeof(hex), "%s%s%s49ffcf75ef", lea, lea, lea);
	assert_in_range(steady("zen4", hex, true, 0), 173, 177);
	snprintf(hex, sizeof(hex), "%s%s%s%s%s49ffcf75e7", lea, lea, lea, lea, lea);
	assert_in_range(steady("zen4", hex, true, 0), 272, 277);
}

/* A loop of `first` and so many times `then`, in hundredths of a cycle. */
static uint64_t behind(const char *first, const char *then, unsigned n)
{
	static char hex[4096];
	int at = snprintf(hex, sizeof(hex), "%s", first);

	for (unsigned i = 0; i < n; i++)
		at += snprintf(hex + at, sizeof(hex) - (size_t)at, "%s", then);
	snprintf(hex + at, sizeof(hex) - (size_t)at, "49ffcf0f85%02x%02xffff",
		 (unsigned)-(at / 2 + 9) & 255, (unsigned)-(at / 2 + 9) >> 8 & 255);
	return steady("zen4", hex, true, 0);
}

#define ROOT "f20f51c0" /* sqrtsd xmm0, xmm0: 21 cycles */

/* As measured on a Zen 4: two roots and 84 LEAs that wait for them take 37.1 cycles beside the next
 * ones, and 100 take 57.2: they fill the schedulers. */
TEST(test_zen4_scheduler)
{
	static const char *const first = "410f28c0" ROOT ROOT "66480f7ec0"; /* movq rax, xmm0 */

	assert_in_range(behind(first, "488d5808", 84), 3400, 3800); /* lea rbx, [rax + 8] */
	assert_in_range(behind(first, "488d5808", 100), 5100, 5800);
}

/* mov [BASE + 8], rax; `between` stores to other places; mov rax, [BASE + 8]; 12 times imul. The
 * multiplications alone take 36 cycles. */
static uint64_t taken_over(bool by_stack, unsigned between)
{
	char hex[2048];
	int n = snprintf(hex, sizeof(hex), by_stack ? "4889442408" : "49894608");

	for (unsigned i = 0; i < between; i++)
		n += snprintf(hex + n, sizeof(hex) - (size_t)n,
			      by_stack ? "48894c24%02x" : "49894e%02x", 16 + 4 * i);
	n += snprintf(hex + n, sizeof(hex) - (size_t)n, by_stack ? "488b442408" : "498b4608");
	for (unsigned i = 0; i < 12; i++)
		n += snprintf(hex + n, sizeof(hex) - (size_t)n, "486bc001");
	return steady("zen4", hex, false, 0);
}

/* As measured on a Zen 4: it knows the places of its last stores, more of them by RSP. */
TEST(test_zen4_knows_few_stores)
{
	assert_int_equal(taken_over(false, 10), 3600);
	assert_int_equal(taken_over(false, 11), 4200);
	assert_int_equal(taken_over(true, 15), 3600);
	assert_int_equal(taken_over(true, 16), 4200);
}

struct measured_loop {
	const char *hex;
	uint64_t least, most; /* hundredths of a cycle */
};

static void check_loops(const struct measured_loop *loops, size_t n)
{
	for (size_t i = 0; i < n; i++)
		assert_in_range(steady("zen4", loops[i].hex, true, 0), loops[i].least,
				loops[i].most);
}
#define CHECK_LOOPS(loops) check_loops(loops, sizeof(loops) / sizeof((loops)[0]))

/* As measured on a Zen 4: what comes from vectors or masks takes each ALU for a cycle, flags take
 * one ALU, and conversions take pipes of two kinds. */
TEST(test_zen4_transfers_take_alus)
{
	static const struct measured_loop loops[] = {
		/* pmovmskb eax, xmm0; four LEAs that wait for nothing: 2.00 */
		{"660fd7c0418d5e01418d4e01418d5601418d760149ffcf75e7", 199, 201},
		{"c4e1fb93c183c30149ffcf75f3", 199, 201}, /* kmovq rax, k1; add ebx, 1: 2.00 */
		{"c4e1fb93c149ffcf75f6", 199, 201},       /* kmovq alone: 2.00 */
		/* comisd xmm0, xmm1; eight additions: 2.50 */
		{"660f2fc183c30183c10183c20183c60183c70183c5014183c0014183c10149ffcf75dd", 249,
		 251},
		/* vmovd xmm0, eax; four paddd: 2.04 */
		{"c5f96ec066410ffec966410ffed166410ffed966410ffee149ffcf75e3", 199, 201},
		/* cvtsi2sd xmm0, eax; four addps: 3.66 */
		{"660fefc0f20f2ac0410f58c9410f58d1410f58d9410f58e149ffcf75e3", 349, 351},
	};

	CHECK_LOOPS(loops);
}

/* As measured on a Zen 4: a product of two registers takes each ALU, one of them as multiplier.
 * SHLD takes six cycles of the ALUs and seven slots of rename. */
TEST(test_zen4_double_words)
{
	static const struct measured_loop loops[] = {
		/* mul rcx; imul rsi, rbx, 3: 2.00 */
		{"4889d848f7e1486bf30349ffcf75f1", 199, 201},
		/* mul rcx; four LEAs: 2.50 */
		{"4889d848f7e1418d7601418d7e01418d6e01458d460149ffcf75e5", 199, 251},
		/* shld ecx, eax, 5; four LEAs: 2.50; eight: 3.51 */
		{"0fa4c105418d5e01418d7601418d7e01418d6e0149ffcf75e7", 249, 251},
		{"0fa4c105418d5e01418d7601418d7e01418d6e01458d4601458d4e01458d5601458d5e0149ffcf75"
		 "d7",
		 349, 351},
		/* shld eax, eax, 5; 16 moves: 4.00 */
		{"0fa4c00589cb89cb89cb89cb89cb89cb89cb89cb89cb89cb89cb89cb89cb89cb89cb89cb49ffcf75"
		 "d7",
		 399, 401},
	};

	CHECK_LOOPS(loops);
}

/* As measured on a Zen 4: a load across two lines takes its unit twice, and a cycle more. A store
 * is written in parts of 32 bytes, each of them with a neighbour in the same 32 bytes. */
TEST(test_zen4_splits)
{
	static const struct measured_loop loops[] = {
		/* movups xmm1, [rdi+0x39]; movups xmm2, [rdi+0x79]: 2.00 */
		{"0f104f390f10577949ffcf75f3", 199, 201},
		/* three loads across lines, three within: 3.01 */
		{"488b473c488b5f7c488b8fbc000000488b5740488b7778488bafb000000049ffcf75dd", 299,
		 301},
		/* mov rdi, [rdi+0x3c]; and; lea rdi, [rsp+rdi]: 7.02; [rdi+0x30]: 6.01 */
		{"488b7f3c83e700488d3c3c49ffcf75f0", 699, 701},
		{"488b7f3083e700488d3c3c49ffcf75f0", 599, 601},
		{"0f114f1849ffcf75f7", 199, 201}, /* movups [rdi+0x18], xmm1: 2.01 */
		{"0f114f0849ffcf75f7", 99, 101},  /* movups [rdi+0x8], xmm1: 1.00 */
		/* mov [rdi+0x3c], rax; mov [rdi+0x80], rax: 3.01 */
		{"4889473c4889878000000049ffcf75f0", 299, 301},
		/* movups [rbx+0x40], xmm0; movups [rbx+0x58], xmm0: 2.00 */
		{"0f1143400f11435849ffcf75f3", 199, 201},
	};

	CHECK_LOOPS(loops);
}

/* As measured on a Zen 4: RIP names a place in memory, whatever the displacement is. */
TEST(test_zen4_names_places_by_rip)
{
	static const struct measured_loop loops[] = {
		/* mov eax, [rip+0x40000]; sub eax, 1; mov [rip+0x3fff7], eax: 1.00 */
		{"8b050000040083e8018905f7ff030049ffcf75ec", 99, 101},
		/* mov [rip+0x40000], rax; mov rax, [rip+0x3fff9]; add rax, 1: 1.01 */
		{"48890500000400488b05f9ff03004883c00149ffcf75e9", 99, 101},
	};

	CHECK_LOOPS(loops);
}

TEST(test_one_port)
{
	/* Three shuffles and a loop's end: port 5 takes one each cycle, Ice Lake has a second. */
	static const char shuffles[] = "660f70c0e4660f70c9e4660f70d2e449ffcf75ec";

	assert_int_equal(steady("skx", shuffles, true, 0), 300);
	assert_in_range(steady("icl", shuffles, true, 0), 149, 155);
}

TEST(test_length_changing_prefix)
{
	/* add ax, 0x1234, straight-line code beyond the op cache's rules: 3 cycles more each. */
	assert_in_range(steady("skx", "6681c03412", false, CORE_PARTS & ~CORE_PART_PREDECODE), 300,
			400);
	/* add ax, 0x12 has none. */
	assert_in_range(steady("skx", "6683c012", false, CORE_PARTS & ~CORE_PART_PREDECODE), 20,
			60);
}

TEST(test_loops_take_a_cycle)
{
	/* dec r15; jnz: a taken branch each cycle. */
	assert_int_equal(steady("skx", "49ffcf75fb", true, 0), 100);
	assert_int_equal(steady("hsw", "49ffcf75fb", true, 0), 100);
	assert_int_equal(steady("zen4", "49ffcf75fb", true, 0), 100);
}

TEST(test_same_calls_same_times)
{
	static const char code[] = "488b4424084801d8480fafc34889442408f30f58c149ffcf75e4";

	for (unsigned i = 0; core_tables[i]; i++)
		assert_int_equal(steady(core_tables[i]->name, code, true, 0),
				 steady(core_tables[i]->name, code, true, 0));
}

/* Slots that are taken and slots that are lost are all slots. */
TEST(test_slots_add_up)
{
	struct core_piece *piece = piece_of("skx", "f7f1480fafc04801c8ffc0");
	struct core *core = calloc(1, core_bytes());
	struct core_counts counts;
	uint64_t lost = 0, taken = 0;

	assert_non_null(core);
	core_init(core, piece->model);
	for (unsigned i = 0; i < 4000; i++) {
		const struct core_place *p = &piece->places[i % piece->n];

		core_step(core, &p->insn, CODE + p->at, NULL, false, false);
		taken += p->insn.issued;
	}
	core_read(core, &counts);
	for (unsigned c = 0; c < CORE_LOST_CAUSES; c++)
		lost += counts.lost[c];
	assert_int_equal(counts.uops, taken);
	assert_int_equal(taken + lost, counts.slots);
	assert_int_equal(counts.slots / 4, core_cycles(core));
	free(core);
	free(piece);
}

static struct core_counts looped(const struct core_piece *piece, uint64_t n, bool stepped)
{
	const struct core_insn *insns[CORE_PIECE_INSNS];
	struct core *core = calloc(1, core_bytes());
	struct core_counts counts;

	assert_non_null(core);
	core_init(core, piece->model);
	for (unsigned i = 0; i < piece->n; i++)
		insns[i] = &piece->places[i].insn;
	for (uint64_t i = 0; i < (stepped ? n : 1); i++)
		core_repeat(core, insns, piece->n, CODE, stepped ? 1 : n);
	/* Code behind it shows the state that the loop has left. */
	for (unsigned i = 0; i < 100; i++)
		core_repeat(core, insns, piece->n, CODE + 4096, 1);
	core_read(core, &counts);
	free(core);
	return counts;
}

/* No core steps each round of a long loop: 2^40 rounds would take days. */
TEST(test_long_loops)
{
	static const char *const loops[] = {"49ffcf75fb", "480fafc049ffcf75f7",
					    "4889d84889d849ffcf75f5"};
	const uint64_t n = 1ull << 40;

	for (unsigned c = 0; core_tables[c]; c++)
		for (unsigned i = 0; i < sizeof(loops) / sizeof(*loops); i++) {
			struct core_piece *piece = piece_of(core_tables[c]->name, loops[i]);
			const struct core_counts counts = looped(piece, n, false);

			assert_in_range(counts.slots, n, n * 100);
			free(piece);
		}
}

/* A loop that is repeated by its period has the same counts as one that is stepped. */
TEST(test_repeated_loops)
{
	static const char *const loops[] = {
		"49ffcf75fb",             /* dec r15; jnz */
		"480fafc049ffcf75f7",     /* imul rax, rax */
		"f7f149ffcf75f9",         /* div ecx */
		"0f58c10f58d349ffcf75f5", /* two addps */
		"5058505849ffcf75f7",     /* push, pop */
		"e2fe",                   /* loop */
		"f390ebfc",               /* pause; jmp */
		"480fafc04801c848f7d849ffcf75f1",
	};

	for (unsigned c = 0; core_tables[c]; c++)
		for (unsigned i = 0; i < sizeof(loops) / sizeof(*loops); i++) {
			struct core_piece *piece = piece_of(core_tables[c]->name, loops[i]);

			for (uint64_t n = 1; n < 20000; n = n * 3 + 1) {
				const struct core_counts stepped = looped(piece, n, true),
							 repeated = looped(piece, n, false);

				assert_memory_equal(&stepped, &repeated, sizeof(stepped));
			}
			free(piece);
		}
}

TEST(test_near_cores)
{
	struct core_model model;

	assert_true(core_model_near(&model, "spr"));
	assert_string_equal(model.table->name, "adl");
	assert_true(core_model_near(&model, "skx"));
	assert_string_equal(model.table->name, "skx");
	assert_false(core_model_near(&model, "slm"));
	assert_false(core_model_find(&model, "spr"));
}

/* --- Stores before a load --- */

/* Cycles an iteration of code that runs a store, and a load whose address waits for the last load.
 */
static uint64_t store_and_load(const char *core, uint64_t store, unsigned store_bytes,
			       uint64_t load, unsigned load_bytes, struct core_counts *counts)
{
	static const uint8_t code[2][8] = {{0x48, 0x89, 0x0b}, {0x48, 0x8b, 0x00}};
	struct core *c = calloc(1, core_bytes());
	struct core_insn insns[2];
	struct core_model model;
	uint64_t begun = 0;

	assert_non_null(c);
	assert_true(core_model_find(&model, core));
	core_init(c, &model);
	for (unsigned i = 0; i < 2; i++) /* mov [rbx], rcx; mov rax, [rax] */
		assert_int_equal(core_describe(&insns[i], &model, code[i], 8), 3);
	for (unsigned i = 0; i < 2000; i++) {
		struct core_access stores = {.va = store, .bytes = (uint16_t)store_bytes},
				   loads = {.va = load, .bytes = (uint16_t)load_bytes};

		if (i == 1000)
			begun = core_time(c);
		core_step(c, &insns[0], CODE, &stores, false, false);
		core_step(c, &insns[1], CODE + 3, &loads, false, false);
	}
	begun = core_time(c) - begun;
	core_read(c, counts);
	free(c);
	return (begun + 500) / 1000;
}

/* Optimization Reference Manual, "4-KByte Aliasing": five cycles more. AMD's cores have none. */
TEST(test_aliasing)
{
	struct core_counts n;

	assert_int_equal(store_and_load("skx", 0x10000, 8, 0x20040, 8, &n), 4);
	assert_int_equal(n.aliased, 0);
	assert_int_equal(store_and_load("skx", 0x10000, 8, 0x20000, 8, &n), 9);
	assert_int_equal(n.aliased, 2000);
	assert_true(n.lost[CORE_LOST_ALIAS] > n.slots / 2);
	assert_int_equal(store_and_load("icl", 0x10000, 8, 0x11004, 4, &n), 10);
	/* Bytes beside the store's are no alias. */
	assert_int_equal(store_and_load("skx", 0x10000, 4, 0x20004, 4, &n), 4);
	assert_int_equal(n.aliased, 0);
	assert_int_equal(store_and_load("zen4", 0x10000, 8, 0x20000, 8, &n), 4);
	assert_int_equal(n.aliased, 0);
	/* Across two lines the load waits until the store is written, at least. */
	assert_true(store_and_load("skx", 0x1003c, 8, 0x2003c, 8, &n) >= 9);
}

/* A load of more bytes than the store has. */
TEST(test_blocked_forwarding)
{
	struct core_counts n;

	store_and_load("skx", 0x10000, 8, 0x10000, 8, &n);
	assert_int_equal(n.blocked, 0);
	assert_true(store_and_load("skx", 0x10000, 4, 0x10000, 8, &n) >= 12);
	assert_int_equal(n.blocked, 2000);
	assert_true(n.lost[CORE_LOST_BLOCKED] > n.slots / 2);
}

/* --- Cycles by what happens in them --- */

/* Runs one instruction, whose access comes from `level` after so many cycles, and then `n` times
 * another one, whose accesses hit L1. The counts are those of Skylake-SP. */
static struct core_counts run_behind(const char *first, enum core_level level, unsigned cycles,
				     const char *then, unsigned n, uint64_t *retiring)
{
	struct core_piece *piece[2] = {piece_of("skx", first), piece_of("skx", then)};
	struct core *core = calloc(1, core_bytes());
	struct core_counts counts;

	assert_non_null(core);
	core_init(core, piece[0]->model);
	for (unsigned i = 0; i <= n; i++) {
		struct core_access access = {.va = 0x10000 + 64ull * i,
					     .bytes = 8,
					     .cycles = (uint16_t)(i ? 0 : cycles),
					     .level = i ? CORE_IN_L1 : (uint8_t)level};

		core_step(core, &piece[i > 0]->places[0].insn, CODE, &access, false, false);
	}
	core_read(core, &counts);
	*retiring = core_retiring(core);
	assert_in_range(counts.slots / 4 - core_cycles(core), 0, 1);
	free(core);
	free(piece[0]);
	free(piece[1]);
	return counts;
}

/* Nothing but `full` is waited for, and for about so long; all cycles have their causes. */
static void check_full(const struct core_counts *n, enum core_full full, uint64_t about)
{
	uint64_t backend = 0, begin = 0;

	for (unsigned i = CORE_LOST_L1; i < CORE_LOST_CAUSES; i++)
		backend += n->empty[i];
	for (unsigned i = 0; i <= CORE_BEGIN_MOST; i++)
		begin += n->cycles.begin[i];
	assert_int_equal(n->cycles.full[full], backend);
	assert_in_range(backend, about - about / 8, about + about / 8);
	assert_in_range(n->slots / 4 - begin, 0, 1);
}

static uint64_t begun(const struct core_counts *n)
{
	uint64_t sum = 0;

	for (unsigned i = 1; i < CORE_BEGIN_MOST; i++)
		sum += i * n->cycles.begin[i];
	return sum;
}

TEST(test_full_buffers)
{
	uint64_t retiring;
	struct core_counts n;

	/* imul rax, rax, 300 times: 97 wait, and every three cycles one begins, so that
	 * one is renamed. */
	n = run_behind("480fafc0", CORE_IN_L1, 0, "480fafc0", 299, &retiring);
	check_full(&n, CORE_FULL_SCHEDULER, 2 * (300 - 97) - 16);
	assert_in_range(n.cycles.begin[1], 300 - 97, 300 - 96);
	assert_int_equal(n.cycles.begin[2], 0);
	assert_in_range(retiring, n.cycles.begin[1] - 3, n.cycles.begin[1]);
	/* mov rax, [rbx] from memory, and NOPs: 224 are in the reorder buffer. */
	n = run_behind("488b03", CORE_IN_MEMORY, 300, "90", 400, &retiring);
	check_full(&n, CORE_FULL_REORDER, 300 - 224 / 4);
	assert_int_equal(begun(&n), 1);
	assert_int_equal(n.cycles.unscheduled + 4, n.slots / 4);
	/* The same, and loads that hit: 72 are in the load buffer. */
	n = run_behind("488b03", CORE_IN_MEMORY, 300, "488b03", 100, &retiring);
	check_full(&n, CORE_FULL_LOADS, 300 - 72 / 2);
	/* mov [rbx], rcx to memory, and stores that hit: 56 are in the store buffer. */
	n = run_behind("48890b", CORE_IN_MEMORY, 300, "48890b", 100, &retiring);
	check_full(&n, CORE_FULL_STORES, 300);
	/* CPUID waits for the load. */
	n = run_behind("488b03", CORE_IN_MEMORY, 300, "0fa2", 1, &retiring);
	check_full(&n, CORE_FULL_SERIAL, 300);
	assert_in_range(retiring, 0, 1);
}

/* A micro-operation that begins later than cycles are booked ahead waits in the scheduler, too. */
TEST(test_far_begin)
{
	struct core_counts n;
	uint64_t retiring;

	/* mov rax, [rax], from ever farther; imul rax, rax */
	for (unsigned cycles = 900; cycles < 5000; cycles += 64) {
		n = run_behind("488b00", CORE_IN_MEMORY, cycles, "480fafc0", 100, &retiring);
		check_full(&n, CORE_FULL_SCHEDULER, cycles);
	}
}

/* --- One by one, as a run, and studied --- */

#define WAYS   3
#define INSNS  24
#define ROUNDS 300

static const char *const forms[] = {
	"488b03",   /* mov rax, [rbx] */
	"488903",   /* mov [rbx], rax */
	"48015308", /* add [rbx + 8], rdx */
	"4801c8",   /* add rax, rcx */
	"480fafc1", /* imul rax, rcx */
	"f7f1",     /* div ecx */
	"0f58c1",   /* addps xmm0, xmm1 */
	"31d2",     /* xor edx, edx */
	"4889c1",   /* mov rcx, rax */
	"50",       /* push rax */
	"58",       /* pop rax */
	"4839c8",   /* cmp rax, rcx */
	"7502",     /* jnz */
	"f3a4",     /* rep movsb */
	"0fa2",     /* cpuid */
	"4883c001", /* add rax, 1 */
	"48030b",   /* add rcx, [rbx] */
	"483b03",   /* cmp rax, [rbx] */
	"90",       /* nop */
};
#define FORMS           (sizeof(forms) / sizeof(*forms))
#define CORE_UNITS_MOST 32

struct stepped_loop {
	struct core_insn described[INSNS];
	const struct core_insn *insns[INSNS];
	struct core_access accesses[2 * INSNS];
	unsigned naccesses;
};

static uint32_t random_form(uint32_t *random)
{
	*random = *random * 1664525u + 1013904223u;
	return *random >> 8;
}

static void describe_form(struct core_insn *insn, const struct core_model *model, const char *hex)
{
	uint8_t code[16];
	size_t n = 0;
	unsigned byte;

	for (; hex[2 * n] && sscanf(hex + 2 * n, "%2x", &byte) == 1; n++)
		code[n] = (uint8_t)byte;
	assert_int_equal(core_describe(insn, model, code, n), n);
}

static void make_loop(struct stepped_loop *loop, const struct core_model *model, uint32_t *random)
{
	loop->naccesses = 0;
	for (unsigned i = 0; i < INSNS; i++) {
		struct core_insn *insn = &loop->described[i];

		describe_form(insn, model, forms[random_form(random) % FORMS]);
		loop->insns[i] = insn;
		for (unsigned k = 0; k < (unsigned)insn->loads + insn->stores; k++)
			loop->accesses[loop->naccesses++] = (struct core_access){
				.va = 0x10000 + random_form(random) % 512 * 8,
				.bytes = 8,
				.level = random_form(random) % 16 ? CORE_IN_L1 : CORE_IN_L2,
				.insn = (uint8_t)i,
				.stores = k >= insn->loads};
	}
}

static void step_one_by_one(struct core *c, struct stepped_loop *loop, bool mispredicted)
{
	struct core_access *access = loop->accesses;
	uint64_t va = CODE;

	for (unsigned i = 0; i < INSNS; i++) {
		const struct core_insn *insn = loop->insns[i];
		const unsigned n = (unsigned)insn->loads + insn->stores;

		core_step(c, insn, va, n ? access : NULL, i + 1 == INSNS,
			  mispredicted && i + 1 == INSNS);
		access += n;
		va += insn->bytes;
	}
}

static void step_as_run(struct core *c, struct stepped_loop *loop, bool mispredicted)
{
	struct core_run run = {.insns = loop->insns,
			       .access = loop->accesses,
			       .last = loop->accesses + loop->naccesses,
			       .va = CODE,
			       .end = INSNS,
			       .taken = true,
			       .mispredicted = mispredicted};

	assert_int_equal(core_step_run(c, &run), 0);
	assert_int_equal(run.next, INSNS);
}

/* An access that hits may say so, or not. */
static void tell_hits(struct stepped_loop *loop, bool told)
{
	for (unsigned i = 0; i < loop->naccesses; i++)
		loop->accesses[i].hits = told && loop->accesses[i].level == CORE_IN_L1;
}

static void play_loop(struct core *c, struct stepped_loop *loop, unsigned way)
{
	if (way == 2)
		core_idealize(c, 0);
	tell_hits(loop, way == 1);
	for (unsigned round = 0; round < ROUNDS; round++)
		if (way == 1)
			step_as_run(c, loop, round % 7 == 6);
		else
			step_one_by_one(c, loop, round % 7 == 6);
}

static void check_ways(const char *name, uint32_t *random)
{
	struct core_counts counts[WAYS];
	struct stepped_loop loop;
	struct core_model model;
	uint64_t time[WAYS], uses[WAYS][CORE_UNITS_MOST];

	memset(counts, 0, sizeof(counts));
	assert_true(core_model_find(&model, name));
	make_loop(&loop, &model, random);
	for (unsigned way = 0; way < WAYS; way++) {
		struct core *c = calloc(1, core_bytes());

		assert_non_null(c);
		core_init(c, &model);
		play_loop(c, &loop, way);
		core_read(c, &counts[way]);
		time[way] = core_time(c);
		for (unsigned unit = 0; unit < CORE_UNITS_MOST; unit++)
			uses[way][unit] = core_unit_uses(c, unit);
		free(c);
		assert_int_equal(time[way], time[0]);
		assert_memory_equal(&counts[way], &counts[0], sizeof(counts[0]));
		assert_memory_equal(&uses[way], &uses[0], sizeof(uses[0]));
	}
}

TEST(test_ways_of_steps_agree)
{
	static const char *const names[] = {"hsw", "skx", "icl", "adl", "zen3", "zen4", "snb"};
	uint32_t random = 1;

	for (unsigned i = 0; i < 350; i++)
		check_ways(names[i % (sizeof(names) / sizeof(*names))], &random);
}

/* --- The log of micro-operations --- */

TEST(test_log)
{
	/* imul rax, rax; mov rcx, rax; mov [rbx], rcx */
	struct core_piece *piece = piece_of("skx", "480fafc04889c148890b");
	struct core_uop_times uops[16];
	struct core_log log = {uops, 0, 16};

	assert_true(core_steady_log(&log, piece, CODE, false, 2));
	free(piece);
	assert_int_equal(log.n, 8);
	for (unsigned i = 0; i < 8; i++) {
		static const uint8_t steps[] = {1, 2, 3, 3, 4, 5, 6, 6};

		assert_int_equal(uops[i].step, steps[i]);
		assert_true(uops[i].renamed < uops[i].retired);
		assert_true(uops[i].begun < uops[i].done && uops[i].done <= uops[i].retired);
		assert_int_equal(uops[i].unit == CORE_NO_UNIT, steps[i] % 3 == 2);
	}
	assert_int_equal(uops[0].done - uops[0].begun, 3);
	assert_int_equal(uops[4].begun - uops[0].begun, 3);
}
