// SPDX-License-Identifier: BSD-2-Clause
/* Rows that LLVM's models lack or have wrong, each with its place in a manual. They go before the
 * tables' own rows. */
#include <stddef.h>
#include <string.h>
#include "vpmu/model/cores/core_key.h"
#include "vpmu/model/cores/cores_priv.h"

_Static_assert(CORE_TABLES_ZYDIS == CORE_KEY_ZYDIS, "another Zydis: run scripts/core-tables");

#define PORT(n) (1u << (n))

static const struct core_use p1[] = {{PORT(1), 1, 1}};

#define LEA_THREE(kind)                                                                           \
	CORE_KEY(CORE_NUMBER(ZYDIS_MNEMONIC_LEA), CORE_LEGACY, CORE_LEA_THREE, kind, CORE_MEMORY, \
		 0, 0)

/* Ice Lake has one port for divisions, p1. The last use is the load, if there is one. */
static const struct core_use divide[] = {{PORT(1), 1, 3}, {PORT(2) | PORT(3), 1, 1}};
/* Fog, "Instruction tables", Ice Lake: one of 32 bits takes 12 cycles, and one each 6. */
static const struct core_use divide_32[] = {
	{PORT(1), 1, 3}, {PORT(0) | PORT(1) | PORT(5) | PORT(6), 1, 1}, {PORT(10), 6, 1}};
/* And one of 64 bits each 10. */
static const struct core_use divide_64[] = {
	{PORT(1), 1, 3}, {PORT(0) | PORT(1) | PORT(5) | PORT(6), 1, 1}, {PORT(10), 10, 1}};
static const struct core_use divide_and_one[] = {
	{PORT(1), 1, 3}, {PORT(0) | PORT(1) | PORT(5) | PORT(6), 1, 1}, {PORT(2) | PORT(3), 1, 1}};

/* Haswell to Skylake: 10 micro-operations, and the divider. */
#define ALL  (PORT(0) | PORT(1) | PORT(5) | PORT(6))
#define UNIT PORT(8)
static const struct core_use divide_skl[] = {{ALL, 1, 9}, {PORT(0), 1, 1}, {UNIT, 6, 1}};
static const struct core_use divide_hsw[] = {{ALL, 1, 8}, {PORT(0), 1, 1}, {UNIT, 9, 1}};

#define DIVIDE(mnemonic, kind, size) \
	CORE_KEY(CORE_NUMBER(mnemonic), CORE_LEGACY, size, kind, 0, 0, 0)

static const struct core_correction corrections[] = {
	/* An LEA with a base, an index and a displacement takes 3 cycles, on port 1 alone. Intel's
	 * Optimization Reference Manual, "Using LEA", of Sandy Bridge; it holds until Ice Lake. */
	{LEA_THREE(CORE_R16), "snb hsw bdw skl skx", {1, 1, 1, 0, {3}, p1}},
	{LEA_THREE(CORE_R32), "snb hsw bdw skl skx", {1, 1, 1, 0, {3}, p1}},
	{LEA_THREE(CORE_R64), "snb hsw bdw skl skx", {1, 1, 1, 0, {3}, p1}},
	/* LLVM has the microcode of 64 bits for all sizes. Intel's manual, appendix "Latency and
	 * Throughput", has 26 cycles and one each 6 for 32 bits of Skylake, 22 to 29 and one each 9
	 * of Haswell. */
	{DIVIDE(ZYDIS_MNEMONIC_DIV, CORE_R32, 0), "skl skx", {10, 3, 1, 0, {26}, divide_skl}},
	{DIVIDE(ZYDIS_MNEMONIC_IDIV, CORE_R32, 0), "skl skx", {10, 3, 1, 0, {26}, divide_skl}},
	{DIVIDE(ZYDIS_MNEMONIC_DIV, CORE_R32, 0), "hsw bdw", {9, 3, 1, 0, {26}, divide_hsw}},
	{DIVIDE(ZYDIS_MNEMONIC_IDIV, CORE_R32, 0), "hsw bdw", {9, 3, 1, 0, {26}, divide_hsw}},
	/* LLVM's Ice Lake has Skylake's microcode for divisions. Intel's manual, "Ice Lake Client
	 * Microarchitecture", names a new divider; these are the rows of LLVM's Alder Lake, which
	 * has it, too. */
	{DIVIDE(ZYDIS_MNEMONIC_DIV, CORE_R8, 0), "icl", {3, 1, 1, 0, {17}, divide}},
	{DIVIDE(ZYDIS_MNEMONIC_DIV, CORE_R16, 0), "icl", {4, 2, 1, 0, {16}, divide_and_one}},
	{DIVIDE(ZYDIS_MNEMONIC_DIV, CORE_R32, 0), "icl", {4, 3, 1, 0, {12}, divide_32}},
	{DIVIDE(ZYDIS_MNEMONIC_DIV, CORE_R64, 0), "icl", {4, 3, 1, 0, {18}, divide_64}},
	{DIVIDE(ZYDIS_MNEMONIC_DIV, CORE_MEMORY, CORE_M32),
	 "icl",
	 {5, 3, 1, 5, {19}, divide_and_one}},
	{DIVIDE(ZYDIS_MNEMONIC_DIV, CORE_MEMORY, CORE_M64), "icl", {4, 2, 1, 5, {23}, divide}},
	{DIVIDE(ZYDIS_MNEMONIC_IDIV, CORE_R8, 0), "icl", {3, 1, 1, 0, {17}, divide}},
	{DIVIDE(ZYDIS_MNEMONIC_IDIV, CORE_R16, 0), "icl", {4, 2, 1, 0, {16}, divide_and_one}},
	{DIVIDE(ZYDIS_MNEMONIC_IDIV, CORE_R32, 0), "icl", {4, 3, 1, 0, {12}, divide_32}},
	{DIVIDE(ZYDIS_MNEMONIC_IDIV, CORE_R64, 0), "icl", {4, 3, 1, 0, {18}, divide_64}},
	{DIVIDE(ZYDIS_MNEMONIC_IDIV, CORE_MEMORY, CORE_M32),
	 "icl",
	 {5, 3, 1, 5, {19}, divide_and_one}},
	{DIVIDE(ZYDIS_MNEMONIC_IDIV, CORE_MEMORY, CORE_M64), "icl", {4, 2, 1, 5, {23}, divide}},
	{0},
};

const struct core_row *core_corrected(const struct core_table *core, uint32_t key)
{
	for (const struct core_correction *c = corrections; c->key; c++)
		if (c->key == key && strstr(c->cores, core->name))
			return &c->row;
	return NULL;
}
