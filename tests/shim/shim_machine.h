/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * shim_machine.h - the machine that host tests run on: a CPU (more of them: shim_smp.h) whose PMU
 * is vpmu/model/model.c, and whose guest executes just what the test says.
 *
 * Every access to a register is one instruction of ring 0, as on the real machine; so an NMI can
 * arrive between any two accesses of the code under test. An NMI comes `nmi_delay` instructions
 * after its overflow, does not nest, and on Intel masks LVTPC, where a PMI is dropped until it is
 * unmasked. The clock moves by 1 ns for each instruction of shim_run(), by `wrmsr_ns`, and by hand.
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

/* A register beside those of the model, and before them where it has one of that number. */
struct shim_msr {
	uint32_t msr;
	uint64_t value;
};

struct shim {
	struct vpmu_model model;
	enum shim_pmu pmu;
	bool is_vpmu;     /* and says so, as vpmu.efi does; else it passes for silicon */
	uint32_t apic_id; /* by leaf 0xB: hyper-threads of a core differ in bit 0 */
	uint64_t ns;
	uint64_t ip[VPMU_RINGS]; /* of the next instruction; one byte each */
	unsigned nmi_delay;      /* instructions from an overflow to its NMI */
	unsigned wrmsr_ns;       /* what a write to a register takes, while nothing counts */
	bool (*nmi)(uint64_t ip, bool user);
	struct shim_msr *msrs; /* up to one of number 0; NULL: there are none */
	/* Registers of the platform are there, too, with these faults; time there is `ns`. */
	bool has_platform;
	struct vpmu_thread thread;
	struct vpmu_package package;
	struct vpmu_faults platform_faults;

	struct vpmu_op op; /* what sampled instructions do; their RIP is the shim's */
	uint64_t dr[8];
	struct vpmu_state state; /* the registers that PEBS records; RIPs and TSC are the shim's */

	bool lvtpc_masked, in_nmi, in_flight;
	unsigned delay_left;
	enum vpmu_ring ring; /* of what runs now */
	uint64_t nmis, unknown_nmis, dropped_pmis;
	uint64_t wrmsrs; /* accesses so far */
	uint64_t faults; /* accesses that raised #GP */
};

extern _Thread_local struct shim shim; /* of this CPU: a thread is one */

/* shim_boot() - a machine after reset with the personality `uarch`; see vpmu/model/personality.h.
 */
void shim_boot(const char *uarch, bool ht_on);

/* shim_run() - the guest executes `instructions` in `ring`, taking NMIs as they come. */
void shim_run(enum vpmu_ring ring, uint64_t instructions);

/* Functions that the code under test calls back. */
uint64_t shim_clock_ns(void);
void shim_lvtpc_unmask(void);

#endif
