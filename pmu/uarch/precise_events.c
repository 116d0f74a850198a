// SPDX-License-Identifier: BSD-2-Clause
/*
 * precise_events.c - the events that PEBS can record where it cannot record all of them: Nehalem to
 * Cascade Lake. Source: Intel's event files, column PEBS. Linux lets every event be precise there:
 * the table follows the files.
 *
 * PEBS cannot record a few generic events, but for each of them it can record another event that
 * counts the same. The event for cycles on Haswell and Broadwell is in no file: it is Linux's since
 * 3.5.
 */
#include "pmu/uarch/uarch.h"

#define EVENT(code, umask) ((uint16_t)((umask) << 8 | (code)))

#define COMMON                                                                              \
	EVENT(0xc0, 0x01), EVENT(0xc4, 0x01), EVENT(0xc4, 0x02), EVENT(0xc4, 0x04),         \
		EVENT(0xc4, 0x08), EVENT(0xc4, 0x20), EVENT(0xc5, 0x01), EVENT(0xc5, 0x04), \
		EVENT(0xc5, 0x20), EVENT(0xc8, 0x04), EVENT(0xc9, 0x04), EVENT(0xcd, 0x01), \
		EVENT(0xd0, 0x11), EVENT(0xd0, 0x12), EVENT(0xd0, 0x21), EVENT(0xd0, 0x41), \
		EVENT(0xd0, 0x42), EVENT(0xd0, 0x81), EVENT(0xd0, 0x82), EVENT(0xd1, 0x01), \
		EVENT(0xd1, 0x02), EVENT(0xd1, 0x04), EVENT(0xd1, 0x08), EVENT(0xd1, 0x10), \
		EVENT(0xd1, 0x20), EVENT(0xd1, 0x40), EVENT(0xd2, 0x01), EVENT(0xd2, 0x02), \
		EVENT(0xd2, 0x04), EVENT(0xd2, 0x08)
#define HASWELL COMMON, EVENT(0xc2, 0x01), EVENT(0xc2, 0x02), EVENT(0xd3, 0x01)
#define SERVER  EVENT(0xd3, 0x04), EVENT(0xd3, 0x10), EVENT(0xd3, 0x20)
#define SKYLAKE                                                                             \
	COMMON, EVENT(0xc0, 0x02), EVENT(0xc4, 0x40), EVENT(0xc5, 0x02), EVENT(0xc6, 0x01), \
		EVENT(0xd0, 0x83), EVENT(0xd4, 0x04)
#define SKYLAKE_SERVER SKYLAKE, EVENT(0xc5, 0x08), EVENT(0xd3, 0x01), EVENT(0xd3, 0x02)

#define NEHALEM                                                                             \
	EVENT(0x0b, 0x01), EVENT(0x0b, 0x02), EVENT(0x0b, 0x10), EVENT(0x0c, 0x01),         \
		EVENT(0xc0, 0x01), EVENT(0xc0, 0x02), EVENT(0xc0, 0x04), EVENT(0xc2, 0x01), \
		EVENT(0xc2, 0x02), EVENT(0xc2, 0x04), EVENT(0xc4, 0x01), EVENT(0xc4, 0x02), \
		EVENT(0xc4, 0x04), EVENT(0xc5, 0x02), EVENT(0xc7, 0x01), EVENT(0xc7, 0x02), \
		EVENT(0xc7, 0x04), EVENT(0xc7, 0x08), EVENT(0xc7, 0x10), EVENT(0xc8, 0x20), \
		EVENT(0xcb, 0x01), EVENT(0xcb, 0x02), EVENT(0xcb, 0x04), EVENT(0xcb, 0x08), \
		EVENT(0xcb, 0x10), EVENT(0xcb, 0x40), EVENT(0xcb, 0x80), EVENT(0xf7, 0x01), \
		EVENT(0xf7, 0x02), EVENT(0xf7, 0x04)
#define WESTMERE NEHALEM, EVENT(0xc5, 0x01), EVENT(0xc5, 0x04)
#define SANDY_BRIDGE                                                                        \
	EVENT(0xc0, 0x01), EVENT(0xc2, 0x01), EVENT(0xc2, 0x02), EVENT(0xc4, 0x01),         \
		EVENT(0xc4, 0x02), EVENT(0xc4, 0x04), EVENT(0xc4, 0x08), EVENT(0xc4, 0x20), \
		EVENT(0xc5, 0x01), EVENT(0xc5, 0x04), EVENT(0xc5, 0x20), EVENT(0xcd, 0x01), \
		EVENT(0xcd, 0x02), EVENT(0xd0, 0x11), EVENT(0xd0, 0x12), EVENT(0xd0, 0x21), \
		EVENT(0xd0, 0x41), EVENT(0xd0, 0x42), EVENT(0xd0, 0x81), EVENT(0xd0, 0x82), \
		EVENT(0xd1, 0x01), EVENT(0xd1, 0x02), EVENT(0xd1, 0x40)
#define ALL_LEVELS                                                                  \
	EVENT(0xd1, 0x04), EVENT(0xd2, 0x01), EVENT(0xd2, 0x02), EVENT(0xd2, 0x04), \
		EVENT(0xd2, 0x08)

static const uint16_t nehalem[] = {NEHALEM,           EVENT(0x0f, 0x02), EVENT(0x0f, 0x08),
				   EVENT(0x0f, 0x10), EVENT(0x0f, 0x20), EVENT(0x0f, 0x80)};
static const uint16_t nehalemex[] = {NEHALEM};
static const uint16_t westmere[] = {WESTMERE};
static const uint16_t westmereex[] = {WESTMERE,          EVENT(0x0f, 0x02), EVENT(0x0f, 0x04),
				      EVENT(0x0f, 0x08), EVENT(0x0f, 0x20), EVENT(0x0f, 0x80)};
static const uint16_t sandybridge[] = {SANDY_BRIDGE, ALL_LEVELS, EVENT(0xc5, 0x02),
				       EVENT(0xc5, 0x10), EVENT(0xd4, 0x02)};
static const uint16_t sandybridgex[] = {SANDY_BRIDGE, EVENT(0xc5, 0x02), EVENT(0xc5, 0x10)};
static const uint16_t ivybridge[] = {SANDY_BRIDGE, ALL_LEVELS, EVENT(0xd1, 0x08), EVENT(0xd1, 0x10),
				     EVENT(0xd1, 0x20)};
static const uint16_t haswell[] = {HASWELL};
static const uint16_t haswellx[] = {HASWELL, SERVER};
static const uint16_t broadwell[] = {HASWELL, EVENT(0xc5, 0x08)};
static const uint16_t broadwellx[] = {HASWELL, SERVER, EVENT(0xc5, 0x08)};
static const uint16_t skylake[] = {SKYLAKE};
static const uint16_t skylakex[] = {SKYLAKE_SERVER, EVENT(0xd3, 0x04), EVENT(0xd3, 0x08)};
static const uint16_t cascadelakex[] = {SKYLAKE_SERVER, EVENT(0xd1, 0x80), EVENT(0xd3, 0x04),
					EVENT(0xd3, 0x10)};

/* Instructions: INST_RETIRED.PREC_DIST; branches: the events that end in _PEBS. */
#define RETIRED                                                       \
	{UARCH_SELECT(0xc0, 0x00), UARCH_SELECT(0xc0, 0x01)},         \
		{UARCH_SELECT(0xc4, 0x00), UARCH_SELECT(0xc4, 0x04)}, \
	{                                                             \
		UARCH_SELECT(0xc5, 0x00), UARCH_SELECT(0xc5, 0x04)    \
	}
#define CYCLES UARCH_SELECT(0x3c, 0x00)

/* Cycles in which fewer than 16 instructions retired. Not all mispredictions can be recorded. */
static const struct uarch_same nehalem_same[] = {
	{UARCH_SELECT(0xc0, 0x00), UARCH_SELECT(0xc0, 0x01)},
	{UARCH_SELECT(0xc4, 0x00), UARCH_SELECT(0xc4, 0x04)},
	{CYCLES, UARCH_SELECT(0xc0, 0x01) | UARCH_CMASK(16) | EVTSEL_INV}};

/* Cycles in which fewer than 16 uops retired, or fewer than 10 instructions. */
static const struct uarch_same haswell_same[] = {
	RETIRED, {CYCLES, UARCH_SELECT(0xc2, 0x01) | UARCH_CMASK(16) | EVTSEL_INV}};
static const struct uarch_same skylake_same[] = {
	RETIRED, {CYCLES, UARCH_SELECT(0xc0, 0x01) | UARCH_CMASK(10) | EVTSEL_INV}};

#define PRECISE(name, instead)                              \
	const struct uarch_precise uarch_precise_##name = { \
		.events = name,                             \
		.nevents = UARCH_COUNT(name),               \
		.same = instead,                            \
		.nsame = UARCH_COUNT(instead),              \
	}
PRECISE(nehalem, nehalem_same);
PRECISE(nehalemex, nehalem_same);
PRECISE(westmere, nehalem_same);
PRECISE(westmereex, nehalem_same);
PRECISE(sandybridge, haswell_same);
PRECISE(sandybridgex, haswell_same);
PRECISE(ivybridge, haswell_same);
PRECISE(haswell, haswell_same);
PRECISE(haswellx, haswell_same);
PRECISE(broadwell, haswell_same);
PRECISE(broadwellx, haswell_same);
PRECISE(skylake, skylake_same);
PRECISE(skylakex, skylake_same);
PRECISE(cascadelakex, skylake_same);

bool uarch_precise(const struct uarch *uarch, uint64_t *select)
{
	const struct uarch_precise *p = UARCH_WITH(uarch, precise)->precise;

	if (!p)
		return false;
	for (size_t i = 0; i < p->nsame; i++)
		if ((*select & UARCH_PLAIN) == p->same[i].select)
			*select = (*select & ~UARCH_PLAIN) | p->same[i].precise;
	for (size_t i = 0; i < p->nevents; i++)
		if ((*select & UARCH_EXACT) == p->events[i])
			return true;
	return false;
}
