// SPDX-License-Identifier: BSD-2-Clause
/* core_setup.c - an empty core of a shape, and one with ideal parts. */
#include "vpmu/core/core_state.h"

#include <string.h>

#define LINE            64
#define MICROCODED_LOAD 5 /* cycles of a load of a string operation that hits L1 */

static struct core_uop plain_uop(uint32_t units, enum core_uop_kind kind)
{
	struct core_uop uop = {.units = units, .kind = (uint8_t)kind, .cycles = 1};

	core_pick_units(&uop);
	return uop;
}

static struct core_insn microcoded_access(const struct core_table *table, bool stores)
{
	struct core_insn insn = {.issued = 1,
				 .load_cycles = (uint8_t)(stores ? 0 : MICROCODED_LOAD)};

	insn.loads = !stores;
	insn.stores = stores;
	if (!stores)
		insn.uops[insn.nuops++] = plain_uop(table->loads, CORE_LOAD);
	if (stores)
		insn.uops[insn.nuops++] = plain_uop(table->store_addresses, CORE_STORE_ADDRESS);
	if (stores && table->store_data != table->store_addresses)
		insn.uops[insn.nuops++] = plain_uop(table->store_data, CORE_STORE_DATA);
	core_arrange(&insn);
	return insn;
}

size_t core_bytes(void)
{
	return sizeof(struct core);
}

/* The smallest power of two that holds so many entries. */
static void size_ring(struct core_ring *ring, uint32_t entries)
{
	ring->size = entries;
	while (ring->mask + 1 < entries)
		ring->mask = 2 * ring->mask + 1;
}

static void size_core(struct core *core)
{
	const struct core_shape *shape = core->shape;

	core->has_loops = shape->loop;
	core->width = shape->width;
	core->retires = shape->retires;
	core->scheduler = shape->scheduler;
	core->cache_width = shape->cache_width;
	if (!(shape->traits & CORE_AMD) && shape->cache_line < CORE_ENTRY_CHECKED)
		core->no_entry = CORE_ENTRY_CHECKED - 1u - shape->cache_line;
	core->load_block = shape->traits & CORE_SPLITS ? LINE : 1ull << 63;
	core->store_bits = shape->traits & CORE_PAIRS_STORES ? 6 : 5;
	core->window_bits = (uint8_t)__builtin_ctz(shape->cache_window);
	core->fetch_bits = (uint8_t)__builtin_ctz(shape->fetch_bytes);
	size_ring(&core->front.queue, shape->queue);
	size_ring(&core->buffered, shape->buffer);
	size_ring(&core->reorder, shape->reorder);
	size_ring(&core->loads, shape->loads);
	size_ring(&core->stores, shape->stores);
	size_ring(&core->stores_retired, shape->stores);
}

void core_restart(struct core *core)
{
	const struct core_table *table = core->table;
	const struct core_shape *shape = core->shape;

	memset(core, 0, sizeof(*core));
	core->table = table;
	core->shape = shape;
	size_core(core);
	for (unsigned i = 0; i < CORE_UNITS; i++)
		core->load[i] = i;
	core->notes_loads = shape->traits & CORE_FAST_POINTER;
	core->picks_earliest = shape->traits & CORE_AMD;
	core->jump = core->jump_writes = plain_uop(table->branches, CORE_COMPUTE);
	if (shape->traits & CORE_ONE_JUMP_WRITES)
		core->jump_writes = plain_uop(table->branches & -table->branches, CORE_COMPUTE);
	core->jumps_alone = !(shape->traits & CORE_AMD);
	if (shape->alu_units)
		core->adds_stack = plain_uop(shape->alu_units, CORE_COMPUTE);
	core->front.entry = core->no_entry;
	core->microcode_load = microcoded_access(table, false);
	core->microcode_store = microcoded_access(table, true);
	core->front.window = core->front.block = core->front.line = UINT64_MAX;
	core->front.building = core->front.code_line = UINT64_MAX;
	core->front.quick = CORE_NO_WINDOW;
	core->front.restarts = true;
}

void core_init(struct core *core, const struct core_model *model)
{
	core->table = model->table;
	core->shape = model->shape;
	core_restart(core);
}

void core_idealize(struct core *core, unsigned parts)
{
	core->ideal = parts;
	core->studied = true;
}
