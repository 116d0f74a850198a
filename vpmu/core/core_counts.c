// SPDX-License-Identifier: BSD-2-Clause
/* core_counts.c - what is read of a core: its time, and its counts. */
#include "vpmu/core/core_state.h"

#include <string.h>

uint64_t core_time(const struct core *core)
{
	return later_of(core->retired, core->now);
}

uint64_t core_unit_uses(const struct core *core, unsigned unit)
{
	return core->sum.uses[unit];
}

uint64_t core_waited_for(const struct core *core)
{
	return core->waited_for;
}

uint64_t core_cycles(const struct core *core)
{
	return core->now;
}

uint64_t core_ahead(const struct core *core)
{
	uint64_t end = later_of(core->retired, core->stored);

	end = later_of(end, later_of(core->front.cycle, core->front.decodes_at));
	end = later_of(end, later_of(core->speculates_until, core->barrier));
	end = later_of(end, later_of(core->front.marks_at, core->lanes_end));
	for (unsigned i = 0; i < CORE_UNITS; i++)
		end = later_of(end, later_of(core->free_at[i], core_full_until(core, i)));
	for (unsigned i = 0; i < core->shape->fills; i++)
		end = later_of(end, core->fills[i]);
	return end > core->now ? end - core->now : 0;
}

static bool is_port(const struct core_table *table, unsigned unit)
{
	return table->units[unit] && table->units[unit][0] == 'p';
}

uint64_t core_slots(const struct core *core)
{
	return core->now * core->shape->width + core->slot;
}

/* With the present cycle of each source. */
static struct core_deliveries deliveries_of(const struct core *core)
{
	struct core_deliveries d = core->sum.deliveries;

	for (unsigned i = 0; i < CORE_SOURCES_OF_UOPS; i++) {
		d.cycles[i] += core->front.in_cycle[i] > 0;
		d.at_width[i] += core->front.in_cycle[i] >= core->width;
	}
	return d;
}

void core_read(const struct core *core, struct core_counts *counts)
{
	uint64_t lost = 0;

	for (unsigned i = 0; i < CORE_LOST_CAUSES; i++)
		lost += core->sum.lost[i];
	counts->slots = core_slots(core);
	counts->uops = counts->slots - lost;
	memcpy(counts->lost, core->sum.lost, sizeof(counts->lost));
	memcpy(counts->empty, core->sum.empty, sizeof(counts->empty));
	counts->cycles = core->sum.cycles;
	counts->divider = core->sum.divider;
	counts->blocked = core->sum.blocked;
	counts->aliased = core->sum.aliased;
	counts->deliveries = deliveries_of(core);
	for (unsigned i = 0; i < CORE_PORTS; i++)
		counts->ports[i] = is_port(core->table, i) ? core->sum.uses[i] : 0;
}

uint64_t core_retiring(const struct core *core)
{
	uint64_t ahead = 0, last = 0;

	for (uint32_t ago = 1; ago <= core->shape->reorder; ago++) {
		const uint64_t at = core_ring_at(&core->reorder, ago) >> CORE_CAUSE;

		if (at <= core->now)
			break;
		ahead += at != last;
		last = at;
	}
	return core->sum.cycles.retiring - ahead;
}
