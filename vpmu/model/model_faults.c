// SPDX-License-Identifier: BSD-2-Clause
/* model_faults.c - faults of the PMU itself (include/perf0/faults.h): a firmware that counts on its
 * counters, PMIs that come late, and a CPUID that leaves a frequency open. */
#include "include/perf0/faults.h"
#include "vpmu/model/model_priv.h"

/* The firmware counts cycles in all rings; its fixed counters raise PMIs, as seen on machines. */
#define FIRMWARE_EVENT (0x3cull | EVTSEL_USR | EVTSEL_OS | EVTSEL_EN)
#define FIRMWARE_AMD   (0x76ull | EVTSEL_USR | EVTSEL_OS | EVTSEL_EN)
#define FIRMWARE_FIXED (FIXED_CTRL_OS | FIXED_CTRL_USR | FIXED_CTRL_PMI)

static void take_general(struct vpmu_model *m, unsigned i)
{
	m->regs.evtsel[i] = is_amd(m) ? FIRMWARE_AMD : FIRMWARE_EVENT;
	m->regs.event[i] = vpmu_model_event(m, i, m->regs.evtsel[i]);
}

static void take_fixed(struct vpmu_model *m, unsigned i)
{
	m->regs.fixed_ctrl &= ~(0xfull << FIXED_CTRL_SHIFT(i));
	m->regs.fixed_ctrl |= FIRMWARE_FIXED << FIXED_CTRL_SHIFT(i);
}

void vpmu_model_occupy(struct vpmu_model *m, uint64_t counters)
{
	for (unsigned i = 0; i < m->layout.ngp; i++)
		if (counters >> i & 1)
			take_general(m, i);
	for (unsigned i = 0; i < m->layout.nfixed; i++)
		if (has_fixed(m, i) && counters >> (GLOBAL_FIXED_SHIFT + i) & 1)
			take_fixed(m, i);
	if (!m->uarch->version)
		return;
	m->firmware.occupied = counters;
	m->regs.global_ctrl |= counters & m->layout.counters;
	vpmu_model_derive(m);
}

/* An SMI takes the first counter that counts now. */
void vpmu_model_steal(struct vpmu_model *m, const struct vpmu_progress *p)
{
	const uint64_t n = p->instructions[VPMU_OS] + p->instructions[VPMU_USR];

	const bool counts = m->derived.nlive && !m->firmware.occupied;

	if (!counts || n < m->firmware.steal) {
		m->firmware.steal -= counts ? n : 0;
		return;
	}
	m->firmware.steal = 0;
	if (m->derived.live[0].fixed)
		take_fixed(m, m->derived.live[0].number);
	else
		take_general(m, m->derived.live[0].number);
	vpmu_model_derive(m);
}

void vpmu_model_fail(struct vpmu_model *m, const struct vpmu_faults *faults)
{
	m->machine.errata |= faults->errata;
	m->firmware.still = faults->still;
	m->firmware.steal = faults->steal;
	m->pmi.skid = faults->skid;
	vpmu_model_occupy(m, faults->inuse);
	vpmu_model_derive(m);
}

/*
 * AAK100 as Linux works around it: a counter whose event select was written stands still, unless
 * all four counters were enabled with these event selects since they last counted.
 */
static const uint64_t reset_selects[] = {0x4300b5, 0x4300d2, 0x4300b1, 0x4300b1};
#define RESET_COUNTERS (sizeof(reset_selects) / sizeof(reset_selects[0]))

void vpmu_faults_selected(struct vpmu_model *m, unsigned i)
{
	if (m->machine.errata & VPMU_COUNTERS_RESET && !m->firmware.was_reset)
		m->firmware.unready |= 1ull << i;
}

void vpmu_faults_started(struct vpmu_model *m)
{
	if (!m->regs.global_ctrl)
		return;
	m->firmware.was_reset = true;
	for (unsigned i = 0; i < RESET_COUNTERS; i++)
		m->firmware.was_reset &=
			m->regs.global_ctrl >> i & 1 && m->regs.evtsel[i] == reset_selects[i];
	if (m->firmware.was_reset)
		m->firmware.unready = 0;
}

/* The machine's TSC has 1 GHz, from a crystal of 24 MHz; CPUID reports 996 MHz. */
#define RATIO_NUMERATOR   125u
#define RATIO_DENOMINATOR 3u
#define STICKER_MHZ       996u
#define LAST_LEAF         0x16u

void vpmu_faults_cpuid(const struct vpmu_faults *faults, uint32_t leaf, struct cpuid_regs *r)
{
	if (!faults->crystal)
		return;
	if (leaf == 0 && r->eax < LAST_LEAF)
		r->eax = LAST_LEAF;
	else if (leaf == 0x15)
		*r = (struct cpuid_regs){.eax = RATIO_DENOMINATOR, .ebx = RATIO_NUMERATOR};
	else if (leaf == 0x16)
		*r = (struct cpuid_regs){.eax = STICKER_MHZ, .ebx = STICKER_MHZ, .ecx = 100};
}
