// SPDX-License-Identifier: BSD-2-Clause
/*
 * core_timing.c - time, in slots: a cycle has `width` slots, and a micro-operation takes one.
 * EVENTS_SLOTS is the clock. It advances by the micro-operations that enter the core and by stalls.
 *
 * A late micro-operation stalls the core once a full window of others has come behind it: these are
 * the slack that hides it. The stall is counted at once, when the late one comes, although the
 * others within the window begin before it. For them the clock is ahead by `pending`, the sum of
 * the stalls that they do not see yet (shadows). So misses overlap if they are near each other and
 * do not need each other's data (micro_issue()). The number of line fill buffers (fills) and the
 * distance of two lines from memory (channel) limit that.
 */
#include "vpmu/micro/micro_priv.h"

#define MERGED 16 /* shadows that end within this part of a window are merged */

uint32_t micro_level_cycles(const struct micro *m, enum micro_level level)
{
	const struct geometry *g = m->geometry;
	const uint32_t cycles[] = {g->l1d.cycles, g->l2.cycles, g->llc.cycles, g->memory_cycles};

	return cycles[level];
}

uint64_t micro_dispatch(struct micro *m)
{
	const uint64_t begun = m->counts[EVENTS_UOPS] - m->run_uops;

	while (m->shadows && m->shadow_of[m->shadow].until <= begun) {
		m->pending -= m->shadow_of[m->shadow].slots;
		m->shadow = (m->shadow + 1) % MICRO_SHADOWS;
		m->shadows--;
	}
	return micro_now(m) - m->pending;
}

static void add_shadow(struct micro *m, uint64_t slots)
{
	const uint64_t until = m->counts[EVENTS_UOPS] - m->run_uops + m->geometry->window;
	struct micro_shadow *last =
		&m->shadow_of[(m->shadow + m->shadows + MICRO_SHADOWS - 1) % MICRO_SHADOWS];

	m->pending += slots;
	if (m->shadows == MICRO_SHADOWS ||
	    (m->shadows && last->until + m->geometry->window / MERGED > until)) {
		last->slots += slots;
		return;
	}
	m->shadow_of[(m->shadow + m->shadows) % MICRO_SHADOWS] =
		(struct micro_shadow){until, slots};
	m->shadows++;
}

void micro_stall(struct micro *m, uint32_t cycles, enum events_count cause)
{
	m->counts[cause] += cycles;
	m->counts[EVENTS_CYCLES] += cycles;
	m->counts[EVENTS_SLOTS] += (uint64_t)cycles * m->width;
}

void micro_wait(struct micro *m, uint64_t done, uint64_t slack, enum events_count cause)
{
	const uint64_t covered = micro_now(m) + slack;
	uint32_t cycles;

	if (done <= covered)
		return;
	cycles = ((uint32_t)(done - covered) + m->width - 1) / m->width;
	micro_dispatch(m);
	micro_stall(m, cycles, cause);
	m->counts[EVENTS_STALLS_BACKEND] += cycles;
	add_shadow(m, (uint64_t)cycles * m->width);
}

/* Time with a pending load is counted once for each level, however many loads are pending. */
void micro_pend(struct micro *m, uint64_t issue, uint64_t done, enum micro_level level)
{
	static const uint8_t counts[] = {EVENTS_PENDING_L1D, EVENTS_PENDING_L2, EVENTS_PENDING_LLC};

	if (level != MICRO_L1)
		m->counts[EVENTS_MISS_SLOTS] += done - issue;
	for (unsigned i = 0; i < (unsigned)level; i++) {
		const uint64_t from = issue > m->pends[i] ? issue : m->pends[i];

		if (done <= from)
			continue;
		m->counts[counts[i]] += done - from;
		m->pends[i] = done;
	}
}

void micro_wait_l1(struct micro *m, uint64_t done)
{
	micro_wait(m, done, m->slack, EVENTS_STALLS_L1);
}

uint64_t micro_fill(struct micro *m, uint64_t issue, enum micro_level level, uint32_t cycles)
{
	uint64_t *ends = &m->fills[m->fill];

	if (*ends > issue)
		issue = *ends;
	if (level == MICRO_MEMORY) {
		if (m->channel > issue)
			issue = m->channel;
		m->channel = issue + (uint64_t)m->geometry->line_cycles * m->width;
	}
	*ends = issue + (uint64_t)cycles * m->width;
	m->fill = (m->fill + 1) % m->geometry->fills;
	return *ends;
}

/* There is one unit: an operation that finds it busy waits. */
void micro_busy(struct micro *m, uint32_t cycles)
{
	uint64_t now;

	m->run_uops = 0;
	now = micro_dispatch(m);
	m->unit = (m->unit > now ? m->unit : now) + (uint64_t)cycles * m->width;
	micro_wait(m, m->unit, m->slack, EVENTS_STALLS_CORE);
}
