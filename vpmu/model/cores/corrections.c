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

#define LEA_THREE(kind) \
	CORE_KEY(ZYDIS_MNEMONIC_LEA, CORE_LEGACY, CORE_LEA_THREE, kind, CORE_MEMORY, 0, 0)

static const struct core_correction corrections[] = {
	/* An LEA with a base, an index and a displacement takes 3 cycles, on port 1 alone. Intel's
	 * Optimization Reference Manual, "Using LEA", of Sandy Bridge; it holds until Ice Lake. */
	{LEA_THREE(CORE_R16), "snb hsw bdw skl skx", {1, 1, 1, 0, {3}, p1}},
	{LEA_THREE(CORE_R32), "snb hsw bdw skl skx", {1, 1, 1, 0, {3}, p1}},
	{LEA_THREE(CORE_R64), "snb hsw bdw skl skx", {1, 1, 1, 0, {3}, p1}},
	{0},
};

const struct core_row *core_corrected(const struct core_table *core, uint32_t key)
{
	for (const struct core_correction *c = corrections; c->key; c++)
		if (c->key == key && strstr(c->cores, core->name))
			return &c->row;
	return NULL;
}
