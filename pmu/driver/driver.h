/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * driver.h - the vendors' core PMUs behind one set of operations.
 *
 * Rules of use: masks have general counters from bit 0 and fixed ones from bit 32. program() and
 * clear() are called while nothing counts. start() is the master switch: programmed counters count
 * from its last instruction on, and stop() ends that with its first MSR write. overflowed(), ack(),
 * start() and stop() also run in NMI context: they loop only over counters.
 */
#ifndef PMU_X86_DRIVER_H
#define PMU_X86_DRIVER_H

#include "arch/x86/insn.h"
#include "arch/x86/msr.h"
#include "arch/x86/portable/cpuid.h"
#include "lib/percpu.h"
#include "pmu/api/event.h"
#include "pmu/driver/lbr.h"
#include "pmu/driver/pebs.h"

#include <stdint.h>

struct pmu_driver {
	const char *name;
	bool unmasked; /* a PMI does not mask LVTPC: echoes of served PMIs may come */
	/* Registers of general counter i are at base + i * stride. */
	uint32_t control, counter, stride;
	uint32_t enable; /* bits that program() adds to general event selects; 0: program() does
			    more */
	void (*program)(const struct pmu_place *place, uint64_t config);
	void (*clear)(const struct pmu_place *place);
	void (*start)(uint64_t counters);
	void (*stop)(void);
	/*
	 * There is a master switch, the MSR `master`: start() and stop() keep the counters pmu_kept
	 * enabled.
	 */
	bool has_switch;
	uint32_t master;
	uint32_t status, status_reset; /* overflowed(), ack(); 0: no such registers */
	/* start(), stop(), overflowed() and ack() are one access to these registers, no more. */
	bool quick;
	uint32_t fixed_control; /* of all fixed counters; 0: there are none */
	/*
	 * True where the control register of `place` still has the value for `config`; 0: off.
	 * Called after stop().
	 */
	bool (*holds)(const struct pmu_place *place, uint64_t config);
	uint64_t (*running)(void);    /* reads back what start() wrote; NULL: no switch */
	uint64_t (*overflowed)(void); /* status; counters' bits as in masks, other bits unchanged */
	void (*ack)(uint64_t status);
	void (*reset)(uint64_t counters); /* disables everything, whatever the firmware has set */
};

extern PERCPU uint64_t pmu_kept; /* set by pmu_place_keep(); usually 0 */

/* The findings of a driver's probe. */
struct pmu_hardware {
	const struct pmu_driver *driver;
	uint64_t counters;
	uint64_t select_bits; /* valid bits of an event select */
	uint64_t max_period;
	uint8_t width;
	bool full_width_writes;
	bool has_inuse;  /* IA32_PERF_GLOBAL_INUSE exists */
	uint64_t still;  /* counters that stand still, and are not in `counters` */
	bool mid_ack;    /* LVTPC must be unmasked while the counters are stopped: uarch.h */
	uint8_t metrics; /* number of fractions in PERF_METRICS; 0: no such register */
	struct pmu_pebs pebs;
	struct pmu_lbr lbr;
};

/* pmu_has_msr() - whether reading the register does not fault. Any context. */
static inline bool pmu_has_msr(uint32_t msr)
{
	uint64_t ignored;

	return rdmsr_safe(msr, &ignored);
}

/* pmu_intel_probe(), pmu_amd_probe() - false: CPUID shows no core PMU. Task context. */
bool pmu_intel_probe(const struct pmu_caps *caps, struct pmu_hardware *hw);
bool pmu_amd_probe(const struct pmu_caps *caps, struct pmu_hardware *hw);

/* pmu_place_init() - fills in the registers of counter `index`. Any context. */
void pmu_place_init(const struct pmu_hardware *hw, unsigned index, struct pmu_place *place);

/*
 * pmu_place_keep() - from now on `place` counts `config` independently of start() and stop(); 0:
 * ends this. For one place at a time, while nothing counts. Task context.
 */
void pmu_place_keep(const struct pmu_driver *d, const struct pmu_place *place, uint64_t config);

/*
 * pmu_sanity_check() - writes each general counter and reads it back, then lets all counters count
 * the same code and compares them. It detects a hypervisor that ignores MSR writes, a PMU that does
 * not count, and single counters that stand still: KVM's do while the host has no counter for them.
 * These move from hw->counters to hw->still. `select` is the event that counts instructions.
 * -ENODEV with the reason: no counter counts. Task context, after reset().
 */
int pmu_sanity_check(struct pmu_hardware *hw, uint64_t select, struct reason *why);

/*
 * pmu_sanity_still() - those of `counters` that stand still now. None of them may have an event.
 * Task context, paused.
 */
uint64_t pmu_sanity_still(const struct pmu_hardware *hw, uint64_t counters, uint64_t select);

/*
 * pmu_firmware_counters() - the counters that are enabled before reset(), which the firmware may
 * use. `*msr` and `*value`: the first register that shows it. Task context.
 */
uint64_t pmu_firmware_counters(const struct pmu_hardware *hw, uint32_t *msr, uint64_t *value);

/*
 * pmu_control_is() - true where MSR `control` has the event select `config`, in all bits that
 * matter.
 */
static inline bool pmu_control_is(uint32_t control, uint64_t config)
{
	const uint64_t compared = EVTSEL_EVENT | EVTSEL_UMASK | EVTSEL_USR | EVTSEL_OS |
				  EVTSEL_EDGE | EVTSEL_INT | EVTSEL_EN | EVTSEL_INV | EVTSEL_CMASK;

	return !((rdmsr(control) ^ config) & compared);
}

/* switchless.c: PMUs without a master switch, where each control register has its own EN bit. */
void pmu_switchless_program(const struct pmu_place *place, uint64_t config);
void pmu_switchless_clear(const struct pmu_place *place);
void pmu_switchless_start(uint64_t counters);
void pmu_switchless_stop(void);
bool pmu_switchless_holds(const struct pmu_place *place, uint64_t config);
uint64_t pmu_switchless_overflowed(void);
void pmu_switchless_ack(uint64_t status);

/* PMU_SWITCHLESS - the operations of such a driver. */
#define PMU_SWITCHLESS                                                                             \
	.program = pmu_switchless_program, .clear = pmu_switchless_clear,                          \
	.start = pmu_switchless_start, .stop = pmu_switchless_stop, .holds = pmu_switchless_holds, \
	.overflowed = pmu_switchless_overflowed, .ack = pmu_switchless_ack

#endif
