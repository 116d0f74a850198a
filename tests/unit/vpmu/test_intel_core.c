// SPDX-License-Identifier: BSD-2-Clause
/* test_intel_core - rules of Intel's front ends and stack engine, and rows that LLVM has wrong,
 * each by a fact of a manual or a paper. "uiCA": arXiv 2107.14210. */
#include "vpmu/core/core_steady.h"

#include <stdio.h>
#include <stdlib.h>

#include "tests/unit/test.h"
#include "tests/unit/vpmu/described_piece.h"

#define CODE  0x100000000ull
#define WIDTH (CORE_PARTS & ~CORE_PART_WIDTH) /* only slots limit */

static struct core_steady run_piece_of(const char *core, const char *hex, bool loop, unsigned ideal)
{
	struct core_piece *piece = piece_of(core, hex);
	struct core_steady result;

	assert_true(core_steady_run(&result, piece, CODE, loop, ideal));
	free(piece);
	return result;
}

/* Hundredths of a cycle an iteration. */
static uint64_t intel_steady(const char *core, const char *hex, bool loop, unsigned ideal)
{
	const struct core_steady result = run_piece_of(core, hex, loop, ideal);

	return 100 * result.cycles / result.rounds;
}

/* --- The op cache --- */

/* uiCA, section 4.1: six micro-operations of a window fill a line; a cycle delivers from two lines,
 * but not twice from one window. */
TEST(test_lines_of_op_cache)
{
	/* sub rsp, 8; mov r8, rdi; mov rdx, [rip]; xor eax, eax; mov rdi, [rip]; lea rcx, [rip];
	 * lea rsi, [rip]; dec r15; jnz: 7 micro-operations of one window, and 1 of the next */
	assert_int_equal(intel_steady("skx",
				      "4883ec084989f8488b158ad8000031c0488b3d71c00000488d0d4ad40000"
				      "488d35b967000049ffcf75d4",
				      true, 0),
			 200);
	/* Four NOPs and the branch: one window */
	assert_in_range(intel_steady("skx",
				     "0f1f4000909090"
				     "49ffcf75f5",
				     true, 0),
			124, 126);
}

/* Intel, "Mitigations for Jump Conditional Code Erratum": a fused pair that crosses 32 bytes is
 * kept out as a jump is. */
TEST(test_erratum_of_a_pair)
{
	/* mov r8, [rbp-992]; mov edx, 1; mov eax, 1; lea r9, [rbp-956]; mov rcx, -1; dec; jnz */
	static const char crosses[] = "4c8b8520fcffffba01000000b8010000004c8d8d44fcffff"
				      "48c7c1ffffffff49ffcf75da";

	assert_int_equal(run_piece_of("skx", crosses, true, 0).source, CORE_FROM_DECODERS);
	assert_int_equal(intel_steady("skx", crosses, true, 0), 300);
	assert_int_equal(run_piece_of("icl", crosses, true, 0).source, CORE_FROM_LOOP);
}

/* A. Fog, "The microarchitecture of Intel, AMD and VIA CPUs": an immediate of 64 bits takes two
 * places of a line, and nothing follows in the cycle. */
TEST(test_long_immediates)
{
	/* movabs rax, imm64; mov ecx, imm32 (twice); dec; jnz */
	assert_true(intel_steady("skx", "48b8efcdab8967452301b90100000049ffcf75ec", true, 0) >=
		    150);
	assert_true(intel_steady("skx", "b801000000b90100000049ffcf75f1", true, 0) <= 105);
}

/* --- The loop buffer --- */

/* uiCA, section 4.1: Haswell holds 13 to 28 micro-operations twice, and 9 to 12 three times. */
TEST(test_loop_buffer_holds)
{
	/* 12, and 8 NOPs of four bytes; dec; jnz */
	assert_in_range(
		intel_steady("hsw",
			     "0f1f40000f1f40000f1f40000f1f40000f1f40000f1f40000f1f40000f1f4000"
			     "0f1f40000f1f40000f1f40000f1f400049ffcf75cb",
			     true, 0),
		349, 351);
	assert_in_range(
		intel_steady("hsw",
			     "0f1f40000f1f40000f1f40000f1f40000f1f40000f1f40000f1f40000f1f4000"
			     "49ffcf75db",
			     true, 0),
		233, 234);
}

/* uiCA, section 4.1: no loop that moves the stack pointer implicitly. */
TEST(test_loop_buffer_without_stack)
{
	assert_int_equal(run_piece_of("hsw", "505848ffc049ffcf75f6", true, 0).source,
			 CORE_FROM_CACHE);
	assert_int_equal(run_piece_of("hsw", "48ffc048ffc049ffcf75f5", true, 0).source,
			 CORE_FROM_LOOP);
}

/* --- Decoders --- */

TEST(test_decoders)
{
	/* add rax, 1; add rcx, 1; add rdx, 1; add rbx, 1. uiCA, section 4.1: the last decoder of
	 * Haswell takes none that may fuse with a jump. */
	static const char adds[] = "4883c0014883c1014883c2014883c301";
	/* pop r12; pop r13; pop r14. uiCA, section 4.1: only the first decoder takes POP R12, on
	 * Haswell alone. */
	static const char pops[] = "415c415d415e";

	assert_in_range(intel_steady("hsw", adds, false, 0), 133, 134);
	assert_in_range(intel_steady("skx", adds, false, 0), 100, 101);
	assert_in_range(intel_steady("hsw", pops, false, 0), 199, 201);
	assert_in_range(intel_steady("skx", pops, false, 0), 149, 151);
	/* xchg rax, rcx, of three; three NOPs. ORM, "Skylake": the decoders deliver five
	 * micro-operations a cycle, before four. */
	assert_in_range(intel_steady("skx",
				     "4891"
				     "909090",
				     false, CORE_PARTS & ~CORE_PART_DECODE),
			199, 201);
}

/* arXiv 2310.13212, section 4.2: what a prefix costs is hidden while the block before takes more
 * cycles than one. */
TEST(test_hidden_prefix)
{
	/* 16 NOPs, then add ax, 0x1234; add cx, 0x1234; a NOP of six bytes */
	assert_int_equal(intel_steady("skx",
				      "90909090909090909090909090909090"
				      "66053412"
				      "6681c13412"
				      "660f1f440000"
				      "90",
				      false, CORE_PARTS & ~CORE_PART_PREDECODE),
			 800);
}

/* ORM, "Macro-Fusion": not with a jump that begins a line. */
TEST(test_no_fusion_across_lines)
{
	/* 57 bytes of eight NOPs; dec r15; jnz: nine slots */
	assert_in_range(intel_steady("skx",
				     "660f1f8400000000000f1f80000000000f1f80000000000f1f8000000000"
				     "0f1f80000000000f1f80000000000f1f8000000000660f1f440000"
				     "49ffcf75c2",
				     true, WIDTH),
			224, 226);
	/* 61 bytes: the jump begins a line */
	assert_in_range(
		intel_steady("skx",
			     "660f1f8400000000000f1f80000000000f1f80000000000f1f8000000000"
			     "0f1f80000000000f1f80000000000f1f800000000066660f1f840000000000"
			     "49ffcf75be",
			     true, WIDTH),
		249, 251);
}

/* --- The stack engine --- */

/* uiCA, section 4.1: the stack pointer is brought up to date only where it is read, and where it
 * has moved. */
TEST(test_stack_engine)
{
	/* push rax; lea rdx, [rsp+8]; five NOPs: an operation more */
	assert_int_equal(intel_steady("skx", "50488d5424089090909090", false, WIDTH), 200);
	/* push rax; pop rcx; lea rdx, [rsp+8]; five NOPs */
	assert_int_equal(intel_steady("skx", "5059488d5424089090909090", false, WIDTH), 200);
	/* push rax; mov rsp, rbx; six NOPs */
	assert_int_equal(intel_steady("skx", "504889dc909090909090", false, WIDTH), 200);
}

/* --- Stores --- */

/* ORM, "Paired Stores": Ice Lake writes two to one line in a cycle. */
TEST(test_paired_stores)
{
	/* mov [rsp], rax; mov [rsp+8], rbx; and the second in another line */
	assert_in_range(intel_steady("icl", "4889042448895c2408", false, 0), 100, 101);
	assert_in_range(intel_steady("icl", "4889042448895c2440", false, 0), 200, 201);
	assert_in_range(intel_steady("skx", "4889042448895c2408", false, 0), 200, 201);
}

/* --- Rows --- */

TEST(test_rows_of_intel)
{
	static const struct {
		const char *core, *hex;
		unsigned fused, uops, load, latency;
	} rows[] = {
		/* ORM, "Stack Pointer Tracker" */
		{"skx", "53", 1, 2, 0, 0},     /* push rbx */
		{"hsw", "5b", 1, 1, 5, 0},     /* pop rbx */
		{"icl", "ff7308", 2, 3, 5, 0}, /* push [rbx+8] */
		{"skx", "ffd3", 2, 3, 0, 0},   /* call rbx */
		{"skx", "c3", 1, 2, 4, 0},     /* ret */
		/* uiCA, section 4.2: a shift by CL; its register is there in a cycle */
		{"hsw", "48d3e0", 3, 3, 0, 1},
		{"skx", "48d3e0", 3, 3, 0, 1},
		/* ORM, "Latency and Throughput": mul rcx */
		{"skx", "48f7e1", 2, 2, 0, 3},
		/* Fog: mov al, [rbx] merges; VZEROUPPER is four */
		{"skx", "8a03", 1, 2, 5, 1},
		{"skx", "c5f877", 4, 0, 0, 0},
		/* cmp dword [rbx], 5: a load and an operation */
		{"skx", "833b05", 1, 2, 5, 1},
		/* inc qword [rbx], as add [rbx], rcx */
		{"adl", "48ff03", 2, 4, 5, 1},
		{"adl", "48010b", 2, 4, 5, 1},
		/* and eax, 5 of Golden Cove; aesenc xmm0, xmm1 of Ice Lake; div ecx */
		{"adl", "83e005", 1, 1, 0, 1},
		{"icl", "660f38dcc1", 1, 1, 0, 3},
		{"icl", "f7f1", 4, 5, 0, 12},
		/* rol rbx, 1 and rol rbx, cl; cmovbe rbx, rax, bextr rbx, rbx, rax, bts rbx, rax,
		 * setz al of Golden Cove */
		{"skx", "48d1c3", 2, 2, 0, 1},
		{"skx", "48d3c3", 3, 3, 0, 2},
		{"adl", "480f46d8", 2, 2, 0, 2},
		{"adl", "c4e2f8f7db", 2, 2, 0, 2},
		{"adl", "480fabc3", 1, 1, 0, 1},
		{"adl", "0f94c0", 1, 1, 0, 1},
		/* Fog: cvtdq2pd xmm0, xmm1 of Skylake has a shuffle */
		{"skx", "f30fe6c1", 2, 2, 0, 5},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct core_piece *piece = piece_of(rows[i].core, rows[i].hex);
		const struct core_insn *insn = &piece->places[0].insn;

		assert_int_equal(insn->fused, rows[i].fused);
		assert_int_equal(insn->nuops, rows[i].uops);
		assert_int_equal(insn->loads ? insn->load_cycles : 0, rows[i].load);
		assert_int_equal(insn->nwrites ? insn->latency[0] : 0, rows[i].latency);
		free(piece);
	}
}

/* ORM, "Using LEA": by RIP on port 1 of Skylake; "Dispatch Port and Execution Stacks": each ALU of
 * Ice Lake has LEA. */
TEST(test_units_of_lea)
{
	static const struct {
		const char *core, *hex;
		uint32_t units;
	} rows[] = {
		{"skx", "488d0505000000", 1u << 1}, /* lea rax, [rip+5] */
		{"icl", "488d4308", 0x63},          /* lea rax, [rbx+8] */
		{"adl", "488d4308", 0x463},
		{"skx", "488d4308", 0x22},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct core_piece *piece = piece_of(rows[i].core, rows[i].hex);

		assert_int_equal(piece->places[0].insn.uops[0].units, rows[i].units);
		free(piece);
	}
}

/* uiCA, section 4.2: movzx eax, sil is not eliminated on Skylake, movzx eax, bl is. */
TEST(test_eliminated_movzx)
{
	struct core_piece *piece = piece_of("skx", "400fb6c6"
						   "0fb6c3");

	assert_false(piece->places[0].insn.flags & CORE_MOVE);
	assert_true(piece->places[1].insn.flags & CORE_MOVE);
	free(piece);
}

/* A. Fog, "Instruction tables": a locked instruction each 18 cycles, a shift by CL each two. */
TEST(test_throughput_of_forms)
{
	assert_in_range(intel_steady("skx", "f0480106", false, 0), 1790, 1810);
	assert_in_range(intel_steady("skx", "48d3e348d3e248d3e6", false, 0), 599, 601);
	assert_in_range(intel_steady("skx", "490106", false, 0), 599, 601);   /* add [r14], rax */
	assert_in_range(intel_steady("skx", "49ff06", false, 0), 599, 601);   /* inc qword [r14] */
	assert_in_range(intel_steady("hsw", "0faef0", false, 0), 3290, 3310); /* mfence */
	/* xor edx, edx; mov eax, 5; div rcx */
	assert_in_range(intel_steady("icl", "31d2b80500000048f7f1", false, 0), 990, 1010);
}
