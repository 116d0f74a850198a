/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * shim_machine.h - the machine of host tests: a CPU (several: shim_smp.h) whose PMU is
 * vpmu/model/model.c. Its guest executes exactly as many instructions as the test asks for.
 *
 * Every access to a register is one instruction of ring 0, as on a real machine. So an NMI can come
 * between any two accesses of the code under test. An NMI comes `nmi_delay` instructions after its
 * overflow, and does not nest. On Intel it masks LVTPC, which drops PMIs until it is unmasked. The
 * clock moves by 1 ns for each instruction of shim_run(), by `wrmsr_ns`, and when the test moves
 * it.
 */
#ifndef TESTS_SHIM_SHIM_MACHINE_H
#define TESTS_SHIM_SHIM_MACHINE_H

#include "vpmu/model/platform.h"

#include <stdbool.h>
#include <stdint.h>

enum shim_pmu {
	SHIM_PMU_WORKS,
	SHIM_PMU_IGNORES, /* reads 0, drops writes: emulators without a PMU */
	SHIM_PMU_FAULTS,  /* #GP for every MSR */
	SHIM_PMU_STUCK,   /* registers keep what is written, counters do not count */
};

/* A register in addition to the model's, or in place of the model's register of that number. */
struct shim_msr {
	uint32_t msr;
	uint64_t value;
};

struct shim {
	struct vpmu_model model;
	enum shim_pmu pmu;
	bool is_vpmu;     /* the machine says that it is vpmu; else it passes for a real one */
	uint32_t apic_id; /* in leaf 0xB: hyper-threads of a core differ in bit 0 */
	uint64_t ns;
	uint64_t ip[VPMU_RINGS]; /* of each ring's next instruction, which has one byte */
	unsigned nmi_delay;      /* instructions from an overflow to its NMI */
	unsigned wrmsr_ns;       /* the time of a write to a register, in which nothing counts */
	bool (*nmi)(uint64_t ip, bool user);
	struct shim_msr *msrs; /* they end at number 0; NULL: there are none */
	/* The machine also has the platform's registers, with these faults; their time is `ns`. */
	bool has_platform;
	struct vpmu_thread thread;
	struct vpmu_package package;
	struct vpmu_faults platform_faults;

	struct vpmu_op op; /* the effects of sampled instructions; the shim sets RIP */
	uint64_t dr[8];
	struct vpmu_state state; /* registers in PEBS records; the shim sets RIPs and TSC */

	bool lvtpc_masked, in_nmi, in_flight;
	unsigned delay_left;
	enum vpmu_ring ring; /* of the code that runs now */
	uint64_t nmis, unknown_nmis, dropped_pmis;
	uint64_t wrmsrs; /* writes of registers so far */
	uint64_t faults; /* accesses that raised #GP */
};

extern _Thread_local struct shim shim; /* of this CPU, which is a thread */

/* shim_boot() - resets the machine, with the personality `uarch`; see vpmu/model/personality.h. */
void shim_boot(const char *uarch, bool ht_on);

/* shim_run() - makes the guest execute `instructions` in `ring`. NMIs come in between. */
void shim_run(enum vpmu_ring ring, uint64_t instructions);

/* Functions that the code under test calls. */
uint64_t shim_clock_ns(void);
void shim_lvtpc_unmask(void);

#endif
