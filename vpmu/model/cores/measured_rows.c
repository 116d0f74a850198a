// SPDX-License-Identifier: BSD-2-Clause
/* Rows by what was measured on a core (tests/accuracy/measured). */
#include <stddef.h>
#include <string.h>
#include "vpmu/model/cores/core_key.h"
#include "vpmu/model/cores/cores_priv.h"

#define COMPUTES    (15u << 3 | 15u << 8) /* ALUs and floating-point pipes of Zen 4 */
#define NO_ENCODING ~CORE_KEY(0, 15, 0, 0, 0, 0, 0)
#define NO_DETAIL   ~CORE_KEY(0, 0, 7, 0, 0, 0, 0)

static const struct core_measured *measured_row(uint32_t key)
{
	unsigned low = 0, high = core_nmeasured_zen4;

	while (low < high) {
		const unsigned middle = (low + high) / 2;

		if (core_measured_zen4[middle].key < key)
			low = middle + 1;
		else
			high = middle;
	}
	return low < core_nmeasured_zen4 && core_measured_zen4[low].key == key
		       ? &core_measured_zen4[low]
		       : NULL;
}

static unsigned kind_at(uint32_t key, unsigned n)
{
	return key >> (10 - 4 * n) & 15;
}

/* The key of the same instruction with a register in place of its memory: one of the widest kind of
 * the others. 0: memory is the destination, or the only operand. */
static uint32_t key_of_registers(uint32_t key)
{
	unsigned widest = 0;

	for (unsigned n = 0; n < 3; n++)
		if (kind_at(key, n) != CORE_MEMORY && kind_at(key, n) != CORE_IMMEDIATE &&
		    kind_at(key, n) > widest)
			widest = kind_at(key, n);
	if (!widest || kind_at(key, 0) == CORE_MEMORY)
		return 0;
	for (unsigned n = 1; n < 3; n++)
		if (kind_at(key, n) == CORE_MEMORY)
			key = (key & ~(15u << (10 - 4 * n))) | widest << (10 - 4 * n);
	return key & NO_DETAIL;
}

/* The form itself; where it zeroes by a mask, that which merges; else without masks and broadcasts.
 */
static const struct core_measured *similar_row(uint32_t key)
{
	const unsigned encoding = key >> 17 & 15;
	const struct core_measured *m = measured_row(key);

	if (m || encoding <= CORE_EVEX)
		return m;
	m = measured_row((key & NO_ENCODING) | (CORE_EVEX + 1) << 17);
	if (m && encoding != CORE_EVEX_BROADCAST)
		return m;
	return measured_row((key & NO_ENCODING) | CORE_EVEX << 17);
}

/* Chains through the destination show how long a general register that goes to a part of a vector
 * takes to merge, not from when on. */
static bool merges_general(uint32_t key)
{
	const unsigned source =
		kind_at(key, kind_at(key, 2) >= CORE_R8 && kind_at(key, 2) <= CORE_R64 ? 2 : 1);

	return kind_at(key, 0) == CORE_XMM && source >= CORE_R8 && source <= CORE_R64;
}

static void take_latency(struct core_row *row, unsigned measured, uint32_t key)
{
	if (measured && merges_general(key)) {
		if (row->latency[0] > measured)
			row->advance = (uint8_t)(row->latency[0] - measured);
		return;
	}
	for (unsigned i = 0; measured && i < row->nwrites; i++)
		row->latency[i] = (uint16_t)(row->advance + measured);
}

/* A form with memory keeps its accesses. */
static unsigned keep_accesses(struct core_use *uses, const struct core_row *row)
{
	unsigned n = 0;

	for (unsigned i = 0; i < row->nuses; i++)
		if (!(row->uses[i].ports & COMPUTES) && n < CORE_USES - 1)
			uses[n++] = row->uses[i];
	return n;
}

void core_take_measured(struct core_row *row, struct core_use *uses, const struct core_table *core,
			uint32_t key)
{
	const uint32_t registers = key_of_registers(key);
	const struct core_measured *m;
	struct core_use kept[CORE_USES];
	unsigned n;

	if (strcmp(core->name, "zen4") != 0)
		return;
	m = similar_row(registers);
	if (!m)
		return;
	take_latency(row, m->latency, key);
	if (!m->use.ports || !uses)
		return;
	n = registers == (key & NO_DETAIL) ? 0 : keep_accesses(kept, row);
	kept[n++] = m->use;
	memcpy(uses, kept, n * sizeof(*kept));
	row->uses = uses;
	row->nuses = (uint8_t)n;
}
